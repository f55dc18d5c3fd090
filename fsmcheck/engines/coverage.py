"""Can every run still end? Answered on an explored graph from both sides of the abstraction.

*Surely*: an agent picks each exchange, the abstraction every value it does not know; the machine is certain to
have a continuation to a terminal state only if some choice of the agents wins against all of the abstraction's.
*Possibly*: some path of the abstract graph leads to a terminal state; where none does, no run ends.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable

from fsmcheck.engines.explicit import Graph
from fsmcheck.system.system import Phase, StepKind

MICROSTEP_LIMIT = 1000


def predecessors(graph: Graph) -> list[list[int]]:
    """For each configuration, those with an edge to it (once each)."""
    found: list[list[int]] = [[] for _ in graph.values]
    for source, edges in enumerate(graph.edges):
        for target in {target for _, target in edges}:
            found[target].append(source)
    return found


def _done(graph: Graph) -> list[int]:
    return [n for n in range(len(graph.values)) if graph.location(n).phase is Phase.DONE]


def possibly_ends(graph: Graph) -> list[bool]:
    """Whether some abstract path leads to a terminal state. For a graph that is not complete, a configuration
    that was not expanded counts as one that may end."""
    reached = [False] * len(graph.values)
    queue = deque(_done(graph))
    if not graph.complete:
        queue.extend(n for n, edges in enumerate(graph.edges) if not edges and not _final(graph, n))
    return _backwards(graph, queue, reached)


def _final(graph: Graph, number: int) -> bool:
    return graph.location(number).phase in (Phase.DONE, Phase.STUCK, Phase.FAILED)


def _backwards(graph: Graph, queue: deque[int], reached: list[bool]) -> list[bool]:
    before = predecessors(graph)
    for number in queue:
        reached[number] = True
    while queue:
        for source in before[queue.popleft()]:
            if not reached[source]:
                reached[source] = True
                queue.append(source)
    return reached


def surely_ends(graph: Graph) -> list[bool]:
    """Whether the agents can bring the run to a terminal state whatever the abstraction chooses."""
    before = predecessors(graph)
    waiting_for = [len({target for _, target in edges}) for edges in graph.edges]
    won = [False] * len(graph.values)
    queue = deque(_done(graph))
    for number in queue:
        won[number] = True
    while queue:
        for source in before[queue.popleft()]:
            if won[source]:
                continue
            waiting_for[source] -= 1
            if graph.location(source).phase is Phase.WAITING or waiting_for[source] == 0:
                won[source] = True
                queue.append(source)
    return won


def microstep_edges(graph: Graph) -> dict[int, list[int]]:
    """The edges inside an advance that enter a state: from running configuration to running configuration."""
    steps = graph.system.steps
    return {
        source: targets
        for source, edges in enumerate(graph.edges)
        if (targets := [target for step, target in edges if steps[step].kind is StepKind.FIRE])
    }


def longest_advance(graph: Graph) -> list[int] | None:
    """The configurations along the longest chain of microsteps in one advance, the first of them where it begins;
    None where the graph has a cycle of microsteps."""
    edges = microstep_edges(graph)
    indegree: dict[int, int] = {}
    for targets in edges.values():
        for target in targets:
            indegree[target] = indegree.get(target, 0) + 1
    longest = dict.fromkeys({*edges, *indegree}, 0)
    before: dict[int, int] = {}
    queue = deque(sorted(number for number in longest if not indegree.get(number)))
    seen = 0
    while queue:
        number = queue.popleft()
        seen += 1
        for target in edges.get(number, ()):
            if longest[number] + 1 > longest[target]:
                longest[target] = longest[number] + 1
                before[target] = number
            indegree[target] -= 1
            if not indegree[target]:
                queue.append(target)
    if seen < len(longest):
        return None
    chain = [max(longest, key=lambda number: longest[number])] if longest else [0]
    while chain[-1] in before:
        chain.append(before[chain[-1]])
    return chain[::-1]


def most_microsteps(graph: Graph) -> int | None:
    """The length of the longest chain of microsteps in one advance; None where the graph has a cycle of them."""
    chain = longest_advance(graph)
    return None if chain is None else len(chain) - 1


def longest_chain(graph: Graph) -> int:
    """The most microsteps of one advance outside of cycles of them; those inside a cycle do not count."""
    edges = microstep_edges(graph)
    part_of = {node: -1 - number for number, part in enumerate(cyclic(edges, edges)) for node in part}
    outside: dict[int, set[int]] = {}
    for source, targets in edges.items():
        here = part_of.get(source, source)
        outside.setdefault(here, set()).update(there for n in targets if (there := part_of.get(n, n)) != here)
    indegree: dict[int, int] = dict.fromkeys(outside, 0)
    for following in outside.values():
        for part in following:
            indegree[part] = indegree.get(part, 0) + 1
    longest = dict.fromkeys(indegree, 0)
    queue = deque(part for part, count in indegree.items() if not count)
    while queue:
        part = queue.popleft()
        for after in outside.get(part, ()):
            longest[after] = max(longest[after], longest[part] + 1)
            indegree[after] -= 1
            if not indegree[after]:
                queue.append(after)
    return max(longest.values(), default=0)


def cyclic(edges: dict[int, list[int]], keep: Iterable[int]) -> list[frozenset[int]]:  # noqa: C901 - one algorithm
    """The strongly connected parts, with a cycle, of a graph restricted to some nodes (Tarjan, without recursion)."""
    allowed = set(keep)
    index: dict[int, int] = {}
    low: dict[int, int] = {}
    stack: list[int] = []
    on_stack: set[int] = set()
    found: list[frozenset[int]] = []
    for root in sorted(allowed):
        if root in index:
            continue
        work: list[tuple[int, int]] = [(root, 0)]
        while work:
            node, position = work.pop()
            if position == 0:
                index[node] = low[node] = len(index)
                stack.append(node)
                on_stack.add(node)
            targets = [target for target in edges.get(node, ()) if target in allowed]
            for place in range(position, len(targets)):
                target = targets[place]
                if target not in index:
                    work += [(node, place + 1), (target, 0)]
                    break
                if target in on_stack:
                    low[node] = min(low[node], index[target])
            else:
                if low[node] == index[node]:
                    part: set[int] = set()
                    while True:
                        member = stack.pop()
                        on_stack.discard(member)
                        part.add(member)
                        if member == node:
                            break
                    if len(part) > 1 or node in edges.get(node, ()):
                        found.append(frozenset(part))
                if work:
                    parent = work[-1][0]
                    low[parent] = min(low[parent], low[node])
    return found
