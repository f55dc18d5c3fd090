"""Ways round a cycle of states from one configuration, found depth first: where there are too many configurations to
visit them all, one way is soon found that comes back to where it began.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cached_property

from fsmcheck.engines.compile import StepFunction, Successor, TooWideError, compile_steps
from fsmcheck.engines.packing import Packed, Packing
from fsmcheck.records import dataclass
from fsmcheck.system.system import Location, Phase, StepKind

MOST_LOOKED_AT = 20_000
"""Successors that are looked at for one way."""

ROUNDS = 8
"""Ways one after the other after which it is given up that they come back to a configuration they have been in."""

Taken = tuple[int, tuple[int, ...]]
"""A step and the inputs that it was taken with."""


@dataclass(frozen=True, slots=True)
class Lasso:
    """A way from a waiting configuration to ``parked``, and from there back to it, round the cycle each time."""

    stem: tuple[Taken, ...]
    loop: tuple[Taken, ...]
    parked: Packed


class Ways:
    """The ways of a system."""

    def __init__(self, packing: Packing) -> None:
        self._packing = packing
        self._leaving: dict[Location, list[tuple[int, Location, bool]]] = {}
        for number, step in enumerate(packing.system.steps):
            fires = step.kind is StepKind.FIRE
            self._leaving.setdefault(step.source, []).append((number, step.target, fires))

    @cached_property
    def _functions(self) -> tuple[StepFunction, ...]:
        try:
            return compile_steps(self._packing)
        except TooWideError:
            return ()

    def lasso(self, start: Location, values: Packed, cycle: Sequence[str]) -> Lasso | None:
        """A way on which a run goes round a cycle for ever, from a configuration in which it waits in a state of it;
        every step of it is what an agent chooses, or the only way on. None where none was found."""
        if not self._functions or start.phase is not Phase.WAITING or start.state not in cycle:
            return None
        place = cycle.index(start.state)
        ahead = (*cycle[place + 1 :], *cycle[: place + 1])
        been = [values]
        ways: list[tuple[Taken, ...]] = []
        while len(ways) < ROUNDS:
            found = self._round(start, been[-1], ahead)
            if found is None:
                return None
            way, values = found
            ways.append(way)
            if values in been:
                first = been.index(values)
                return Lasso(_joined(ways[:first]), _joined(ways[first:]), values)
            been.append(values)
        return None

    def _round(self, start: Location, values: Packed, ahead: Sequence[str]) -> tuple[tuple[Taken, ...], Packed] | None:
        """A way by the states ahead, in their order, back to the location, and the values there."""
        seen = {(start, values, 0)}
        way: list[Taken] = []
        looked_at = 0
        open_ = [self._onward(start, values, 0, ahead)]
        while open_:
            following = next(open_[-1], None)
            looked_at += 1
            if following is None:
                open_.pop()
                if way:
                    way.pop()
                continue
            taken, location, after, fired = following
            if location == start and fired == len(ahead):
                return (*way, taken), after
            if looked_at > MOST_LOOKED_AT:
                return None
            if (location, after, fired) not in seen:
                seen.add((location, after, fired))
                way.append(taken)
                open_.append(self._onward(location, after, fired, ahead))
        return None

    def _onward(
        self, location: Location, values: Packed, fired: int, ahead: Sequence[str]
    ) -> Iterator[tuple[Taken, Location, Packed, int]]:
        """Where a configuration leads on the way; nowhere where the machine may go on in several ways."""
        if location.phase is not Phase.WAITING and len(set(self._successors(location, values))) != 1:
            return
        out: list[Successor] = []
        for number, target, fires in self._leaving.get(location, ()):
            onward = fired + fires
            if fires and (fired == len(ahead) or target.state != ahead[fired]):
                continue
            out.clear()
            self._functions[number](values, out)
            for after, inputs, _ in out:
                yield (number, inputs), target, after, onward

    def _successors(self, location: Location, values: Packed) -> Iterator[tuple[Location, Packed]]:
        out: list[Successor] = []
        for number, target, _ in self._leaving.get(location, ()):
            self._functions[number](values, out)
            yield from ((target, after) for after, _, _ in out)
            out.clear()


def _joined(ways: Sequence[tuple[Taken, ...]]) -> tuple[Taken, ...]:
    return tuple(taken for way in ways for taken in way)
