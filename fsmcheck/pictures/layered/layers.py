"""From a graph to layers: which edges are turned round so that no cycle is left, and how far down each node goes."""

from __future__ import annotations

from collections.abc import Sequence

Edge = tuple[int, int]


def backward_edges(nodes: int, edges: Sequence[Edge]) -> frozenset[int]:
    """The numbers of the edges that lead back on a walk in depth from the first node, then from those not met.

    Without them, and without edges from a node to itself, there is no cycle.
    """
    following: list[list[int]] = [[] for _ in range(nodes)]
    for number, (source, _) in enumerate(edges):
        following[source].append(number)
    found: set[int] = set()
    done, entered = [False] * nodes, [False] * nodes
    for start in range(nodes):
        if entered[start]:
            continue
        entered[start] = True
        path = [(start, iter(following[start]))]
        while path:
            node, rest = path[-1]
            number = next(rest, -1)
            if number < 0:
                done[node] = True
                path.pop()
                continue
            target = edges[number][1]
            if entered[target] and not done[target] and target != node:
                found.add(number)
            elif not entered[target]:
                entered[target] = True
                path.append((target, iter(following[target])))
    return frozenset(found)


def layers(nodes: int, edges: Sequence[Edge]) -> list[int]:
    """A layer for each node, every edge leading down: by longest paths, then with shorter edges.

    ``edges`` have no cycle.
    """
    above: list[list[int]] = [[] for _ in range(nodes)]
    below: list[list[int]] = [[] for _ in range(nodes)]
    for source, target in edges:
        above[target].append(source)
        below[source].append(target)
    layer = [0] * nodes
    order = _topological(above, below)
    for node in order:
        layer[node] = max((layer[each] + 1 for each in above[node]), default=0)
    for _ in range(4):
        for node in (*reversed(order), *order):
            _shorten(node, layer, above[node], below[node])
    return layer


def _topological(above: Sequence[Sequence[int]], below: Sequence[Sequence[int]]) -> list[int]:
    missing = [len(each) for each in above]
    order = [node for node, count in enumerate(missing) if count == 0]
    for node in order:
        for target in below[node]:
            missing[target] -= 1
            if missing[target] == 0:
                order.append(target)
    return order


def _shorten(node: int, layer: list[int], above: Sequence[int], below: Sequence[int]) -> None:
    """Move a node to where its edges are shortest together."""
    if below and len(below) > len(above):
        layer[node] = min(layer[each] for each in below) - 1
    elif above and len(above) > len(below):
        layer[node] = max(layer[each] for each in above) + 1
