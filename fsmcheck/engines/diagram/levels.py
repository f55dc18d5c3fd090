"""The values at the levels of a search: numbered as they are met."""

from __future__ import annotations

from collections.abc import Sequence

from fsmcheck.engines.diagram.order import Order


class Levels:
    """The values at each level, numbered as they are met, and where the places of its variables lie."""

    def __init__(self, order: Order) -> None:
        self.order = order
        self.places = [tuple(order.sites[name].place for name in level) for level in order.levels]
        self.level_of = {place: number for number, places in enumerate(self.places) for place in places}
        self._zone_of: list[int] = []
        for number, end in enumerate(order.zones):
            self._zone_of += [number] * (end - len(self._zone_of))
        self.values: list[list[tuple[int, ...]]] = [[] for _ in order.levels]
        self._numbers: list[dict[tuple[int, ...], int]] = [{} for _ in order.levels]

    def zone_of(self, place: int) -> int:
        """The level that a place belongs to: a variable's own, an input's the one that it is chosen before."""
        return self._zone_of[place]

    def number(self, level: int, values: tuple[int, ...]) -> int:
        """The number of a value of a level."""
        known = self._numbers[level].get(values)
        if known is None:
            known = self._numbers[level][values] = len(self.values[level])
            self.values[level].append(values)
        return known

    def by_place(self, values: Sequence[int]) -> dict[int, int]:
        """The packed value at the place of each variable."""
        found: dict[int, int] = {}
        for places, known, value in zip(self.places, self.values, values, strict=True):
            found.update(zip(places, known[value], strict=True))
        return found
