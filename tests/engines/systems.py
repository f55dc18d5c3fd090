"""Systems to hold engines against: of generated specs, and small ones written down."""

from __future__ import annotations

import random
from collections import deque
from collections.abc import Iterable, Mapping

from fsmcheck.diagnostics import Subject
from fsmcheck.engines.compile import Successor
from fsmcheck.engines.explicit import Graph, Key
from fsmcheck.engines.packing import Packed
from fsmcheck.system.system import Event, Input, Location, Phase, Step, StepKind, System, Variable
from fsmcheck.system.terms import BOOL, INT, TRUE, Sort, Term
from fsmcheck.system.translate import translate
from tests.oracle.compare import profile_of
from tests.oracle.generate import generate, load_valid
from tests.system.naive import successors


def system_of(seed: int) -> System:
    """The system of a generated spec."""
    spec = load_valid(generate(seed))
    assert spec is not None
    return translate(spec, profile_of(seed).value)


def is_finite(system: System) -> bool:
    """Whether no integer is left to the abstraction of the explicit engine."""
    return not any(term.sort is INT for term in (*system.variables, *(c for s in system.steps for c in s.inputs)))


def sample(system: System, count: int, seed: int) -> list[tuple[int, dict[str, bool | int]]]:
    """Steps, by number, with values that plain runs reach at their source."""
    rng = random.Random(seed)
    found: list[tuple[int, dict[str, bool | int]]] = []
    for _ in range(count):
        location, values = system.start, dict(system.initial)
        for _ in range(6):
            leaving = [n for n, step in enumerate(system.steps) if step.source == location]
            if not leaving:
                break
            found.extend((number, values) for number in leaving)
            ways = [
                (system.steps[number], after)
                for number in leaving
                for after, _ in _some(successors(system.steps[number], values, (0, 1, 2)), rng)
            ]
            if not ways:
                break
            step, values = rng.choice(ways)
            location = step.target
    unique = {(number, tuple(values.items())): (number, values) for number, values in found}
    return rng.sample(list(unique.values()), min(len(unique), 3 * count))


def _some(
    ways: Iterable[tuple[dict[str, bool | int], Mapping[str, bool | int]]], rng: random.Random
) -> list[tuple[dict[str, bool | int], Mapping[str, bool | int]]]:
    listed = list(ways)
    return rng.sample(listed, min(3, len(listed)))


def happening(graph: Graph) -> dict[Key, int]:
    """For each event that explicit search sees, the fewest steps before the one on which it happens."""
    distance = {0: 0}
    queue = deque([0])
    while queue:
        number = queue.popleft()
        for _, target in graph.edges[number]:
            if target not in distance:
                distance[target] = distance[number] + 1
                queue.append(target)
    found: dict[Key, int] = {}
    out: list[Successor] = []
    for number, depth in distance.items():
        for index, step in enumerate(graph.system.steps):
            if step.source != graph.location(number):
                continue
            out.clear()
            graph.functions[index](graph.values[number], out)
            bits = 0
            for _, _, events in out:
                bits |= events
            for bit, event in enumerate(step.events):
                if bits >> bit & 1:
                    key = (event.rule, event.subject, event.case)
                    found[key] = min(depth, found.get(key, depth))
    return found


def keys_of(system: System) -> list[Key]:
    """The events of a system in a fixed order."""
    return sorted({(e.rule, e.subject, e.case) for step in system.steps for e in step.events}, key=repr)


def packed(values: Mapping[str, bool | int], graph_packing: object) -> Packed:
    packing = graph_packing
    return tuple(packing.pack(name, values[name]) for name in packing.index)  # type: ignore[attr-defined]


BAD: Key = ("BAD", Subject(), "")


class Drawing:
    """A system written down by hand: variables, then edges between named states."""

    def __init__(self, start: str, variables: Mapping[str, tuple[Sort, bool | int]]) -> None:
        self.start = start
        self.sorts = {name: sort for name, (sort, _) in variables.items()}
        self.initial = {name: value for name, (_, value) in variables.items()}
        self.steps: list[Step] = []

    def edge(
        self,
        source: str,
        target: str,
        guard: Term = TRUE,
        updates: Mapping[str, Term] | None = None,
        kind: StepKind = StepKind.FIRE,
        bad: Term | None = None,
        inputs: tuple[Input, ...] = (),
    ) -> Drawing:
        """An edge; ``kind`` also says between which phases."""
        phases = {
            StepKind.START: (Phase.START, Phase.RUNNING),
            StepKind.FIRE: (Phase.RUNNING, Phase.RUNNING),
            StepKind.PARK: (Phase.RUNNING, Phase.WAITING),
            StepKind.STAGE: (Phase.WAITING, Phase.RUNNING),
            StepKind.FINISH: (Phase.RUNNING, Phase.DONE),
            StepKind.STICK: (Phase.RUNNING, Phase.STUCK),
            StepKind.FAIL: (Phase.RUNNING, Phase.FAILED),
        }
        before, after = phases[kind]
        events = () if bad is None else (Event(*BAD[:2], bad),)
        agent = "ann" if kind is StepKind.STAGE else None
        name = f"{source}-{target}-{len(self.steps)}"
        self.steps.append(
            Step(
                name,
                kind,
                Location(source, before),
                Location(target, after),
                guard,
                updates or {},
                inputs,
                events,
                agent=agent,
            )
        )
        return self

    def loop(self, state: str, kind: StepKind) -> Drawing:
        return self.edge(state, state, kind=kind)

    def system(self) -> System:
        start = [step for step in self.steps if step.kind is StepKind.START]
        if not start:
            self.edge(self.start, self.start, kind=StepKind.START)
        variables = tuple(Variable(name, sort) for name, sort in self.sorts.items())
        return System("drawn", "gated", Location(self.start, Phase.START), variables, self.initial, tuple(self.steps))


FLAG = (BOOL, False)
ZERO = (INT, 0)
