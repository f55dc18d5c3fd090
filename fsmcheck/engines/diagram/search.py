"""The search: what is reachable, location by location, until nothing new is found."""

from __future__ import annotations

import heapq
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import field
from functools import cached_property

from fsmcheck.diagnostics import Subject
from fsmcheck.engines.coverage import cyclic
from fsmcheck.engines.diagram.budget import Budget, BudgetError, DiagramLimits
from fsmcheck.engines.diagram.machine import Machine
from fsmcheck.engines.diagram.mdd import EMPTY
from fsmcheck.engines.diagram.order import arranged
from fsmcheck.engines.packing import Packing
from fsmcheck.records import dataclass
from fsmcheck.system.system import Event, Location, StepKind, System

Key = tuple[str, Subject, str]

_DEEPEST = 4_000


@dataclass
class Diagram:
    """The reachable configurations: for each location (by number) the node of their set.

    Where ``complete`` is not set, ``reason`` says which limit was reached, and nothing follows from what is missing.
    Questions asked of it afterwards may raise ``BudgetError``.
    """

    system: System
    budget: Budget
    machine: Machine | None = None
    reached: list[int] = field(default_factory=list)
    complete: bool = False
    reason: str = ""
    _happens: dict[Key, bool] = field(default_factory=dict)

    @property
    def ready(self) -> Machine:
        """The machine of a search that has begun."""
        if self.machine is None:
            raise BudgetError(self.reason)
        return self.machine

    def allow(self, seconds: float) -> None:
        """Let the limits for one more question count from now."""
        if self.budget.is_full:
            self.ready.forget()
        self.budget.extend(seconds, len(self.ready.sets.children), len(self.ready.functions.children))

    @property
    def count(self) -> int:
        """How many configurations were reached."""
        return sum(self.counts.values())

    @cached_property
    def counts(self) -> dict[Location, int]:
        """How many at each location (those without any left out)."""
        with deep_recursion():
            counted = {
                location: self.ready.sets.count(node)
                for location, node in zip(self.system.locations, self.reached, strict=True)
            }
        return {location: count for location, count in counted.items() if count}

    @cached_property
    def asked(self) -> dict[Key, list[tuple[int, Event]]]:
        """For each event the steps on which it can happen."""
        found: dict[Key, list[tuple[int, Event]]] = {}
        for number, step in enumerate(self.system.steps):
            for event in step.events:
                found.setdefault((event.rule, event.subject, event.case), []).append((number, event))
        return found

    @property
    def hits(self) -> frozenset[Key]:
        """The events that happen on some step from a reachable configuration."""
        return frozenset(key for key in self.asked if self.happens(key))

    def happens(self, key: Key) -> bool:
        """Whether an event happens on some step from a reachable configuration."""
        known = self._happens.get(key)
        if known is None:
            asked = self.asked.get(key, ())
            with deep_recursion():
                known = any(self.ready.happens(step, event, self.at_source(step)) for step, event in asked)
            self._happens[key] = known
        return known

    def at_source(self, step: int) -> int:
        """The reachable configurations at the location that a step leaves."""
        return self.reached[self.ready.ends[step][0]]

    def is_reached(self, state: str) -> bool:
        """Whether some run comes to be in a state, in any phase."""
        return any(location.state == state for location in self.counts)

    @property
    def peak_nodes(self) -> int:
        """How many nodes of sets were made."""
        return 0 if self.machine is None else len(self.machine.sets.children)

    @property
    def nodes(self) -> int:
        """How many nodes the reachable sets take."""
        return self.ready.sets.size(self.reached)


@contextmanager
def deep_recursion() -> Iterator[None]:
    """Let recursion over levels go as deep as there are fields. Raises ``BudgetError`` where they are too many."""
    before = sys.getrecursionlimit()
    sys.setrecursionlimit(max(before, _DEEPEST))
    try:
        yield
    except RecursionError:
        raise BudgetError("too many fields") from None
    finally:
        sys.setrecursionlimit(before)


def explore_symbolically(system: System, limits: DiagramLimits | None = None) -> Diagram:
    """Search all configurations within limits."""

    def made(budget: Budget) -> Machine:
        return Machine(arranged(Packing(system), budget.check_time), budget)

    return _explored(system, limits or DiagramLimits(), made)


def explore_backwards(diagram: Diagram, limits: DiagramLimits) -> Diagram:
    """Search once more, with the order of the fields turned round, what was searched."""
    arrangement = diagram.ready.arrangement
    return _explored(diagram.system, limits, lambda budget: Machine(arrangement, budget, backwards=True))


def _explored(system: System, limits: DiagramLimits, made: Callable[[Budget], Machine]) -> Diagram:
    diagram = Diagram(system, Budget(limits))
    try:
        with deep_recursion():
            diagram.machine = made(diagram.budget)
            diagram.reached = [EMPTY] * len(system.locations)
            _Worklist(diagram.machine, diagram.reached).run()
        diagram.complete = True
    except BudgetError as error:
        diagram.reason = str(error)
    return diagram


class _Worklist:
    """States are worked on in topological order of the components of the graph, the exchanges in a state and all
    that follows within it before the transitions that leave it."""

    def __init__(self, machine: Machine, reached: list[int]) -> None:
        self.machine = machine
        self.reached = reached
        system = machine.system
        self.pending = [EMPTY] * len(system.locations)
        self.rank = ranks(system)
        self.inside: list[list[tuple[int, int]]] = [[] for _ in system.locations]
        self.leaving: list[list[tuple[int, int]]] = [[] for _ in system.locations]
        for number, step in enumerate(system.steps):
            inside = step.kind is not StepKind.FIRE and step.source.state == step.target.state
            table = self.inside if inside else self.leaving
            source, target = machine.ends[number]
            table[source].append((number, target))
        self.places: dict[str, list[int]] = {}
        for number, location in enumerate(system.locations):
            self.places.setdefault(location.state, []).append(number)

    def run(self) -> None:
        system = self.machine.system
        self._add(self.machine.location_numbers[system.start], self.machine.initial())
        queue = [(self.rank[system.start.state], system.start.state)]
        while queue:
            _, state = heapq.heappop(queue)
            for other in self._work(state):
                entry = (self.rank[other], other)
                if entry not in queue:
                    heapq.heappush(queue, entry)

    def _add(self, place: int, found: int) -> bool:
        sets = self.machine.sets
        new = sets.minus(found, self.reached[place])
        if new:
            self.reached[place] = sets.union(self.reached[place], new)
            self.pending[place] = sets.union(self.pending[place], new)
        return new != EMPTY

    def _work(self, state: str) -> list[str]:
        """All that follows from what is pending in a state; the states that get something new."""
        machine = self.machine
        fresh = dict.fromkeys(self.places[state], EMPTY)
        while places := [place for place in fresh if self.pending[place]]:
            for place in places:
                new, self.pending[place] = self.pending[place], EMPTY
                fresh[place] = machine.sets.union(fresh[place], new)
                for number, target in self.inside[place]:
                    self._add(target, machine.relation(number).image(new))
                machine.budget.check_time()
        woken: dict[str, None] = {}
        for place, new in fresh.items():
            for number, target in self.leaving[place] if new else ():
                if self._add(target, machine.relation(number).image(new)):
                    woken[machine.system.locations[target].state] = None
                machine.budget.check_time()
        return list(woken)


def ranks(system: System) -> dict[str, tuple[int, int]]:
    """For each state where it comes: its component in topological order, then its place in a depth-first order."""
    names = list(dict.fromkeys(location.state for location in system.locations))
    number = {name: place for place, name in enumerate(names)}
    following: dict[int, list[int]] = {place: [] for place in range(len(names))}
    for step in system.steps:
        source, target = number[step.source.state], number[step.target.state]
        if source != target and target not in following[source]:
            following[source].append(target)
    position = _reverse_postorder(number[system.start.state], following.__getitem__)
    first = dict(position)
    for part in cyclic(following, following):
        earliest = min((position[node] for node in part if node in position), default=0)
        first.update(dict.fromkeys(part, earliest))
    return {name: (first.get(place, 0), position.get(place, 0)) for name, place in number.items()}


def _reverse_postorder(start: int, following: Callable[[int], list[int]]) -> dict[int, int]:
    finished: list[int] = []
    seen = {start}
    work = [(start, iter(following(start)))]
    while work:
        node, targets = work[-1]
        for target in targets:
            if target not in seen:
                seen.add(target)
                work.append((target, iter(following(target))))
                break
        else:
            finished.append(node)
            work.pop()
    return {node: place for place, node in enumerate(reversed(finished))}
