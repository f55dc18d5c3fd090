"""Explicit search: every reachable abstract configuration, layer by layer of exchanges."""

from __future__ import annotations

import hashlib
import time
from collections import deque
from collections.abc import Mapping
from dataclasses import field
from functools import cached_property

from fsmcheck.diagnostics import Subject
from fsmcheck.engines.compile import StepFunction, Successor, TooWideError, compile_steps
from fsmcheck.engines.packing import Packed, Packing, step_inputs
from fsmcheck.records import dataclass
from fsmcheck.system.system import Location, Phase, Step, StepKind, System

Key = tuple[str, Subject, str]
"""A rule, a subject and a case: what an event is about."""

HITS_KEPT = 12

MOST_TRANSITIONS = 2_000_000
"""Transitions between configurations after which a search gives up, for the memory that they take."""


@dataclass(frozen=True, slots=True)
class Limits:
    """When to give up: configurations stored, and seconds of wall time."""

    configurations: int = 200_000
    seconds: float = 10.0


@dataclass(frozen=True, slots=True)
class Hit:
    """An event happened: in configuration number ``source``, on taking a step with these inputs."""

    source: int
    step: int
    inputs: tuple[int, ...]


@dataclass
class Graph:
    """What a search found. Configurations are numbered in the order they were reached.

    ``parents[n]`` is how ``n`` was first reached: (number, step, inputs), None at the start. ``depths[n]`` is
    the fewest exchanges to it. ``edges[n]`` lists (step, successor); empty for one that was not expanded.
    ``complete`` says that nothing was left out.
    """

    system: System
    packing: Packing
    locations: list[int] = field(default_factory=list)
    values: list[Packed] = field(default_factory=list)
    parents: list[tuple[int, int, tuple[int, ...]] | None] = field(default_factory=list)
    depths: list[int] = field(default_factory=list)
    edges: list[tuple[tuple[int, int], ...]] = field(default_factory=list)
    hits: dict[Key, list[Hit]] = field(default_factory=dict)
    complete: bool = True
    depth_covered: int = 0
    reason: str = ""
    functions: tuple[StepFunction, ...] = ()

    def choice_between(self, source: int, step: int, target: int) -> tuple[int, ...]:
        """Inputs with which a step leads from one configuration to another (which it does)."""
        out: list[Successor] = []
        self.functions[step](self.values[source], out)
        return next(inputs for new, inputs, _ in out if new == self.values[target])

    @cached_property
    def asked(self) -> frozenset[tuple[str, Subject]]:
        """What the events of the system are about."""
        return frozenset((event.rule, event.subject) for step in self.system.steps for event in step.events)

    @cached_property
    def members(self) -> Mapping[Location, list[Packed]]:
        """The values with which each location is reached (asked once the search is over)."""
        found: dict[Location, list[Packed]] = {}
        for place, packed in zip(self.locations, self.values, strict=True):
            found.setdefault(self.system.locations[place], []).append(packed)
        return found

    @cached_property
    def reached(self) -> frozenset[Location]:
        """The locations of all configurations found (asked once the search is over)."""
        return frozenset(self.system.locations[number] for number in set(self.locations))

    @cached_property
    def reached_states(self) -> frozenset[str]:
        """The states of those locations."""
        return frozenset(location.state for location in self.reached)

    def location(self, number: int) -> Location:
        return self.system.locations[self.locations[number]]

    def path(self, number: int) -> list[tuple[int, int, tuple[int, ...]]]:
        """The steps from the start to a configuration: (configuration before, step, inputs)."""
        found: list[tuple[int, int, tuple[int, ...]]] = []
        parent = self.parents[number]
        while parent is not None:
            found.append(parent)
            parent = self.parents[parent[0]]
        return found[::-1]

    def inputs_of(self, step: int) -> tuple[str, ...]:
        return tuple(choice.name for choice in step_inputs(self.system.steps[step]))

    def digest(self) -> str:
        """A digest of the set of reachable configurations, independent of the order of search."""
        lines = sorted(
            f"{self.location(n).state}/{self.location(n).phase.value}:{self.values[n]}" for n in range(len(self.values))
        )
        return hashlib.sha256("\n".join(lines).encode()).hexdigest()


class _Search:
    def __init__(self, system: System, limits: Limits) -> None:
        self.limits = limits
        self.packing = Packing(system)
        self.graph = Graph(system, self.packing)
        self.too_wide = ""
        self.functions: tuple[StepFunction, ...] = ()
        try:
            self.functions = compile_steps(self.packing)
        except TooWideError as error:
            self.too_wide = str(error)
        self.graph.functions = self.functions
        self.transitions = 0
        self.number_of = {location: number for number, location in enumerate(system.locations)}
        self.leaving: list[list[tuple[int, Step]]] = [[] for _ in system.locations]
        for number, step in enumerate(system.steps):
            self.leaving[self.number_of[step.source]].append((number, step))
        self.seen: dict[tuple[int, Packed], int] = {}
        self.expanded: set[int] = set()
        self.keys: list[list[Key]] = [
            [(event.rule, event.subject, event.case) for event in step.events] for step in system.steps
        ]

    def _add(self, location: int, values: Packed, parent: tuple[int, int, tuple[int, ...]] | None, depth: int) -> int:
        graph = self.graph
        number = len(graph.values)
        self.seen[location, values] = number
        graph.locations.append(location)
        graph.values.append(values)
        graph.parents.append(parent)
        graph.depths.append(depth)
        graph.edges.append(())
        return number

    def run(self) -> Graph:
        graph, limits = self.graph, self.limits
        deadline = time.monotonic() + limits.seconds
        start = self._add(self.number_of[graph.system.start], self.packing.initial(), None, 0)
        if self.too_wide:
            return self._give_up(self.too_wide)
        queue: deque[int] = deque([start])
        later: deque[int] = deque()
        while queue or later:
            if not queue:
                queue, later = deque(number for number in later if number not in self.expanded), deque()
                graph.depth_covered += bool(queue)
                continue
            number = queue.popleft()
            if number in self.expanded:
                continue
            self.expanded.add(number)
            for target, costs in self._expand(number):
                (later if costs else queue).append(target)
            if len(graph.values) > limits.configurations:
                return self._give_up(f"more than {limits.configurations} configurations")
            if self.transitions > MOST_TRANSITIONS:
                return self._give_up(f"more than {MOST_TRANSITIONS} transitions")
            if time.monotonic() > deadline:
                return self._give_up("out of time")
        return graph

    def _give_up(self, reason: str) -> Graph:
        self.graph.complete = False
        self.graph.reason = reason
        return self.graph

    def _expand(self, number: int) -> list[tuple[int, bool]]:
        """Take every step; what is new, or nearer than it was known to be, with whether an exchange led there."""
        graph = self.graph
        values = graph.values[number]
        found: dict[tuple[int, int], None] = {}
        fresh: list[tuple[int, bool]] = []
        out: list[Successor] = []
        for index, step in self.leaving[graph.locations[number]]:
            out.clear()
            self.functions[index](values, out)
            target = self.number_of[step.target]
            stage = step.kind is StepKind.STAGE
            for new, inputs, events in out:
                if events:
                    self._record(number, index, inputs, events)
                known = self.seen.get((target, new))
                if known is None:
                    known = self._add(target, new, (number, index, inputs), graph.depths[number] + stage)
                    fresh.append((known, stage))
                elif graph.depths[known] > graph.depths[number] + stage:
                    # It was met by an exchange before, and is within the layer after all.
                    graph.depths[known] = graph.depths[number] + stage
                    graph.parents[known] = (number, index, inputs)
                    fresh.append((known, stage))
                found[index, known] = None
        graph.edges[number] = tuple(found)
        self.transitions += len(found)
        return fresh

    def _record(self, number: int, step: int, inputs: tuple[int, ...], events: int) -> None:
        keys = self.keys[step]
        bit = 0
        while events:
            if events & 1:
                hits = self.graph.hits.setdefault(keys[bit], [])
                if len(hits) < HITS_KEPT and not any(hit.source == number and hit.step == step for hit in hits):
                    hits.append(Hit(number, step, inputs))
            events >>= 1
            bit += 1


def explore(system: System, limits: Limits | None = None) -> Graph:
    """Search all abstract configurations, fewest exchanges first, within limits."""
    return _Search(system, limits or Limits()).run()


def glance(packing: Packing, reason: str) -> Graph:
    """The beginning of a search that is known to be cut off, and why: the start alone."""
    graph = Graph(packing.system, packing, locations=[packing.system.locations.index(packing.system.start)])
    graph.values.append(packing.initial())
    graph.parents.append(None)
    graph.depths.append(0)
    graph.edges.append(())
    graph.complete = False
    graph.reason = reason
    return graph


def resting(graph: Graph) -> list[int]:
    """The configurations at rest."""
    return [n for n in range(len(graph.values)) if graph.location(n).phase.at_rest]


def running(graph: Graph) -> list[int]:
    """The configurations inside an advance."""
    return [n for n in range(len(graph.values)) if graph.location(n).phase is Phase.RUNNING]
