"""The time that may lead nowhere in one spec, where many spend it at once.

Whoever decides alone stops once those before, in the order of the plan, have wasted more than the spec's share. The
same is worked out here from what each obligation took, so that it does not matter who decided it, and when. What a
slice took counts once, for the first that asked for it, however often it was searched.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterable, Mapping
from dataclasses import field

from fsmcheck.records import dataclass


@dataclass
class Spending:
    """What was spent in vain: ``before`` the plan was begun, and at which of its places, in seconds, slices left out;
    and for each slice (by its number) the first place that is known to have asked for it, and what it took."""

    share: float
    before: float
    _own: dict[int, float] = field(default_factory=dict)
    _slices: dict[int, tuple[int, float]] = field(default_factory=dict)

    def note(self, place: int, wasted: float, slices: Mapping[int, float]) -> None:
        """Note what the obligation at a place took."""
        if wasted:
            self._own[place] = wasted
        for number, seconds in slices.items():
            self._slices[number] = min(self._slices.get(number, (place, seconds)), (place, seconds))

    def known(self, place: int) -> float:
        """What was wasted before a place but for slices: no more than is known."""
        return self.before + sum(wasted for other, wasted in self._own.items() if other < place)

    def is_over(self, place: int) -> bool:
        """Whether the share was spent before a place, by what is known."""
        slices = sum(seconds for first, seconds in self._slices.values() if first < place)
        return self.known(place) + slices > self.share

    def first_over(self, places: Iterable[int]) -> int | None:
        """The first of some places before which the share was spent; it was before all that come later, too."""
        ordered = sorted(places)
        first = bisect_left(ordered, True, key=self.is_over)
        return ordered[first] if first < len(ordered) else None
