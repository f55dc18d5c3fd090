"""Runs to what a diagram holds: images layer by layer, made only once there is something to show.

A ring is what one more step reaches for the first time; rings of one layer need the same number of exchanges. A run is
found backwards, each configuration from one of the ring before.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import field
from functools import cached_property

from fsmcheck.engines.diagram.mdd import EMPTY
from fsmcheck.engines.diagram.search import Diagram, Key, deep_recursion
from fsmcheck.engines.moves import Move, moves_of
from fsmcheck.engines.packing import Packed
from fsmcheck.records import dataclass
from fsmcheck.system.system import Event, Location, StepKind

Taken = tuple[Packed, int, tuple[int, ...]]
"""A configuration's values, a step taken from it, and the inputs."""

Values = tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Point:
    """A configuration: its location, and its packed values in the order of the packing."""

    location: Location
    values: Packed


@dataclass(frozen=True, slots=True)
class Ring:
    """What is reached for the first time, by location, and what it is reached from; after so many exchanges."""

    found: dict[int, int]
    sources: dict[int, int]
    exchanges: int


@dataclass
class Rings:
    """The rings of a search, made one after another as they are asked for."""

    diagram: Diagram
    made: list[Ring] = field(default_factory=list)
    _seen: list[int] = field(default_factory=list)
    _layer: dict[int, int] = field(default_factory=dict)
    _entries: dict[tuple[int, int, Values], tuple[Taken, tuple[int, int, Values]]] = field(default_factory=dict)

    def __post_init__(self) -> None:
        machine = self.diagram.ready
        self._seen = [EMPTY] * len(machine.system.locations)
        self._keep({machine.location_numbers[machine.system.start]: machine.initial()}, {}, 0)

    def __iter__(self) -> Iterator[Ring]:
        number = 0
        while number < len(self.made) or self._extend():
            yield self.made[number]
            number += 1

    def _keep(self, found: dict[int, int], sources: dict[int, int], exchanges: int) -> None:
        sets = self.diagram.ready.sets
        if not self.made or self.made[-1].exchanges != exchanges:
            self._layer = {}
        self.made.append(Ring(found, sources, exchanges))
        for place, node in found.items():
            self._seen[place] = sets.union(self._seen[place], node)
            self._layer[place] = sets.union(self._layer.get(place, EMPTY), node)

    def _extend(self) -> bool:
        """Make one more ring; false where nothing new is reached."""
        last = self.made[-1]
        for sources, exchange in ((last.found, False), (dict(self._layer), True)):
            found = self._beyond(sources, exchange)
            if found:
                self._keep(found, sources, last.exchanges + exchange)
                return True
        return False

    def _beyond(self, sources: Mapping[int, int], exchange: bool) -> dict[int, int]:
        machine = self.diagram.ready
        found: dict[int, int] = {}
        with deep_recursion():
            for number in self._stages if exchange else self._moves:
                place, target = machine.ends[number]
                source = sources.get(place, EMPTY)
                if source:
                    new = machine.sets.minus(machine.relation(number).image(source), self._seen[target])
                    if new:
                        found[target] = machine.sets.union(found.get(target, EMPTY), new)
        return found

    @cached_property
    def _stages(self) -> list[int]:
        """The steps that are exchanges."""
        steps = self.diagram.system.steps
        return [number for number, step in enumerate(steps) if step.kind is StepKind.STAGE]

    @cached_property
    def _moves(self) -> list[int]:
        """The other steps."""
        steps = self.diagram.system.steps
        return [number for number, step in enumerate(steps) if step.kind is not StepKind.STAGE]

    @property
    def depth(self) -> int:
        """The most exchanges that any configuration needs."""
        return max(ring.exchanges for ring in self)

    def hits(self, key: Key, most: int) -> Iterator[list[Taken]]:
        """Runs on whose last step an event happens, the shortest first."""
        machine = self.diagram.ready
        shown = 0
        for number, ring in enumerate(self):
            for step, event in self.diagram.asked.get(key, ()):
                node = ring.found.get(machine.ends[step][0], EMPTY)
                with deep_recursion():
                    run = self._hit(number, step, event, node) if node else None
                if run is not None:
                    yield run
                    shown += 1
                    if shown == most:
                        return

    def _hit(self, ring: int, step: int, event: Event, node: int) -> list[Taken] | None:
        machine = self.diagram.ready
        if not machine.happens(step, event, node):
            return None
        values = machine.sets.first(machine.taking(step, event).image(node))
        inputs = machine.inputs_for(step, values, None, event)
        if inputs is None:
            raise AssertionError("a hit without inputs")
        place = machine.ends[step][0]
        return [*self.path(ring, place, values), (machine.packed(values), step, inputs)]

    def runs_to(self, wanted: Mapping[int, int], most: int) -> Iterator[tuple[Point, list[Taken]]]:
        """Configurations of some sets (by location), one of each in each ring, with the shortest runs to them."""
        machine = self.diagram.ready
        shown = 0
        for number, ring in enumerate(self):
            for place, node in ring.found.items():
                with deep_recursion():
                    both = machine.sets.meet(node, wanted.get(place, EMPTY))
                    if not both:
                        continue
                    values = machine.sets.first(both)
                    run = self.path(number, place, values)
                yield Point(machine.system.locations[place], machine.packed(values)), run
                shown += 1
                if shown == most:
                    return

    def path(self, number: int, place: int, values: Values) -> list[Taken]:
        """The steps from the start to a configuration of a ring."""
        found: list[Taken] = []
        while number:
            key = (number, place, values)
            known = self._entries.get(key)
            if known is None:
                known = self._entries[key] = self._entry(*key)
            taken, (number, place, values) = known
            found.append(taken)
        return found[::-1]

    def _entry(self, number: int, place: int, values: Values) -> tuple[Taken, tuple[int, int, Values]]:
        """A step that leads to a configuration of a ring; and the ring, the location and the values before it."""
        ring, machine = self.made[number], self.diagram.ready
        target = machine.sets.single(values)
        for step in self._steps_to.get(place, ()):
            source = machine.ends[step][0]
            some = machine.relation(step).before(ring.sources.get(source, EMPTY), target)
            if some:
                before = machine.sets.first(some)
                inputs = machine.inputs_for(step, before, values)
                if inputs is None:
                    raise AssertionError("a step without inputs")
                return (machine.packed(before), step, inputs), (
                    self._ring_of(number - 1, source, before),
                    source,
                    before,
                )
        raise AssertionError("a configuration that no step leads to")

    @cached_property
    def _steps_to(self) -> dict[int, list[int]]:
        """The steps to each location."""
        machine = self.diagram.ready
        found: dict[int, list[int]] = {}
        for number, (_, target) in enumerate(machine.ends):
            found.setdefault(target, []).append(number)
        return found

    def _ring_of(self, latest: int, place: int, values: Values) -> int:
        sets = self.diagram.ready.sets
        return next(n for n in range(latest, -1, -1) if sets.has(self.made[n].found.get(place, EMPTY), values))


def diagram_moves(diagram: Diagram, run: Sequence[Taken]) -> list[Move]:
    """The moves along a run."""
    return moves_of(diagram.ready.packing, ((number, inputs) for _, number, inputs in run))
