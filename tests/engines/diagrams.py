"""What a search by diagrams found, told in the words of explicit search."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from fsmcheck.engines.diagram.search import Diagram
from fsmcheck.engines.diagram.traces import Rings, Taken
from fsmcheck.engines.explicit import Graph, Key
from fsmcheck.system.system import Location, StepKind


def sizes(diagram: Diagram, nodes: Sequence[int]) -> dict[Location, int]:
    """How many configurations sets have, by location, the empty ones left out."""
    pairs = zip(diagram.system.locations, nodes, strict=True)
    return {location: diagram.ready.sets.count(node) for location, node in pairs if node}


def counted(graph: Graph, flags: Sequence[bool]) -> dict[Location, int]:
    """How many configurations are flagged, by location."""
    return dict(Counter(graph.location(number) for number, flag in enumerate(flags) if flag))


def depths(diagram: Diagram) -> Counter[int]:
    """How many configurations need how many exchanges."""
    found: Counter[int] = Counter()
    for ring in Rings(diagram):
        found[ring.exchanges] += sum(map(diagram.ready.sets.count, ring.found.values()))
    return found


def differences(diagram: Diagram, graph: Graph) -> list[str]:
    """Where a search by diagrams and an explicit one do not agree; both complete."""
    found = []
    if diagram.counts != dict(Counter(map(graph.location, range(len(graph.values))))):
        found.append("counts")
    if diagram.count != len(graph.values):
        found.append("count")
    if diagram.hits != frozenset(graph.hits):
        found.append(f"events {diagram.hits ^ frozenset(graph.hits)}")
    if depths(diagram) != Counter(graph.depths):
        found.append("depths")
    return found


def exchanges(diagram: Diagram, run: Sequence[Taken]) -> int:
    """The exchanges before the last step of a run."""
    return sum(diagram.system.steps[step].kind is StepKind.STAGE for _, step, _ in run[:-1])


def assert_run(graph: Graph, run: Sequence[Taken], key: Key) -> None:
    """That a run starts at the start, that each step leads on as explicit search takes it, and that the event happens
    on the last."""
    steps = graph.system.steps
    assert run[0][0] == graph.packing.initial()
    location = graph.system.start
    for number, (values, step, inputs) in enumerate(run):
        assert steps[step].source == location
        location = steps[step].target
        out: list[tuple[tuple[int, ...], tuple[int, ...], int]] = []
        graph.functions[step](values, out)
        ways = [(after, bits) for after, chosen, bits in out if chosen == inputs]
        if number + 1 < len(run):
            assert run[number + 1][0] in [after for after, _ in ways]
        else:
            keys = [(event.rule, event.subject, event.case) for event in steps[step].events]
            assert any(bits >> keys.index(key) & 1 for _, bits in ways)
