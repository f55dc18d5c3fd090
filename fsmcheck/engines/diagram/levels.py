"""The values at the levels of a search: numbered as they are met."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

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

    def encode(self, packed: Mapping[str, int]) -> tuple[int, ...]:
        """A configuration's values as numbers, one a level."""
        return tuple(
            self.number(number, tuple(packed[name] for name in level)) for number, level in enumerate(self.order.levels)
        )

    def decode(self, values: Sequence[int]) -> dict[str, int]:
        """The packed value of each variable."""
        return {
            name: value
            for number, level in enumerate(self.order.levels)
            for name, value in zip(level, self.values[number][values[number]], strict=True)
        }
