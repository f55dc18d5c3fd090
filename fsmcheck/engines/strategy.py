"""Can every run still end, where the explored graph alone cannot tell: agents that head for the end, and a measure.

For every waiting configuration one exchange is picked, a step nearer to a terminal state. What remains is what the
machine and the abstraction do. If that has no dead end, turns in no advance, and a progress measure bounds every
way round, then every run that follows the picked exchanges ends.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable

from fsmcheck.engines.coverage import cyclic, microstep_edges
from fsmcheck.engines.explicit import Graph
from fsmcheck.engines.ranking import Floor, bounded_by_measure
from fsmcheck.engines.turns import Edge
from fsmcheck.records import dataclass
from fsmcheck.system.system import Phase


@dataclass(frozen=True)
class Walk:
    """A part of a graph in the form in which measures look at it: nodes with a place, flagged edges."""

    graph: Graph
    nodes: list[tuple[int, int]]
    edges: list[list[Edge]]


def ends_by_strategy(graph: Graph, impossible: Callable[[int], bool], floor: Floor) -> list[bool]:
    """For each configuration, whether a strategy of the agents is shown to bring every run from it to an end (or no
    run gets there).

    ``impossible`` says of a step that no run takes it, although the abstraction has it; ``floor`` helps measures. The
    graph must be complete.
    """
    edges = [[edge for edge in out if not impossible(edge[0])] for out in graph.edges]
    distance = _distances(graph, edges)
    picked = [
        _nearest(out, distance) if graph.location(number).phase is Phase.WAITING else out
        for number, out in enumerate(edges)
    ]
    hot = {number for part in cyclic(microstep_edges(graph), range(len(edges))) for number in part}
    lost = _reaching(
        picked,
        [
            number
            for number, out in enumerate(picked)
            if number in hot or (not out and graph.location(number).phase is not Phase.DONE)
        ],
    )
    kept: list[list[Edge]] = [
        [] if lost[number] else [(number, target, step, True) for step, target in out]
        for number, out in enumerate(picked)
    ]
    walk = Walk(graph, [(number, 0) for number in range(len(kept))], kept)
    if not bounded_by_measure(walk, floor):
        return [False] * len(kept)
    reachable = _reachable(edges)
    return [number not in reachable or not gone for number, gone in enumerate(lost)]


def _reachable(edges: list[list[tuple[int, int]]]) -> set[int]:
    found = {0}
    queue = deque(found)
    while queue:
        for _, target in edges[queue.popleft()]:
            if target not in found:
                found.add(target)
                queue.append(target)
    return found


def _distances(graph: Graph, edges: list[list[tuple[int, int]]]) -> list[float]:
    """The fewest steps to a terminal state, if the abstraction is kind."""
    before: list[list[int]] = [[] for _ in edges]
    for source, out in enumerate(edges):
        for _, target in out:
            before[target].append(source)
    distance = [float("inf")] * len(edges)
    queue = deque(number for number in range(len(edges)) if graph.location(number).phase is Phase.DONE)
    for number in queue:
        distance[number] = 0
    while queue:
        number = queue.popleft()
        for source in before[number]:
            if distance[source] == float("inf"):
                distance[source] = distance[number] + 1
                queue.append(source)
    return distance


def _nearest(out: list[tuple[int, int]], distance: list[float]) -> list[tuple[int, int]]:
    best = min(out, key=lambda edge: distance[edge[1]], default=None)
    return [] if best is None or distance[best[1]] == float("inf") else [best]


def _reaching(edges: list[list[tuple[int, int]]], goals: list[int]) -> list[bool]:
    before: list[list[int]] = [[] for _ in edges]
    for source, out in enumerate(edges):
        for _, target in out:
            before[target].append(source)
    found = [False] * len(edges)
    queue = deque(goals)
    for number in goals:
        found[number] = True
    while queue:
        for source in before[queue.popleft()]:
            if not found[source]:
                found[source] = True
                queue.append(source)
    return found
