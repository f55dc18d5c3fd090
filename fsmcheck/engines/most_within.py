"""The most turns of a cycle in a run that ends within so many exchanges.

Where the cheapest beginning, the cheapest round and the cheapest end fit together, a run of these has the most turns
that there can be: each of its parts costs the least that it can cost in any run. Else the exchanges are counted off one
by one.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence

from fsmcheck.engines.turns import Edge, Product, is_exchange, path_between

MEETINGS_TRIED = 16
"""Nodes in which the beginning, the round and the end may meet."""

Answer = tuple[int, list[Edge]]
"""Turns, and the edges of a path that has so many."""


def most_within(product: Product, limit: int) -> Iterator[Answer]:
    """The most turns of a path to a terminal state with at most ``limit`` exchanges, and such paths (one, or two of
    which the second takes longer to find); none where no path ends within them, or an advance can go round."""
    order = product.microstep_order()
    if order is not None:
        yield from filter(None, (in_rounds(product, limit),))
        yield from filter(None, (in_layers(product, limit, order),))


def in_rounds(product: Product, limit: int) -> Answer | None:
    """The answer where the cheapest parts fit together; None where they do not."""
    meetings = sorted({edge[1] for edges in product.edges for edge in edges if edge[3]})
    first = path_between(product, [0], _turns)
    last = path_between(product, meetings, _ends(product))
    if first is None or last is None or limit < first[0] + last[0]:
        return None
    between = path_between(product, meetings, _turns)
    if between is not None and not between[0]:
        return None
    rounds = 0 if between is None else (limit - first[0] - last[0]) // between[0]
    for node in meetings[:MEETINGS_TRIED]:
        parts = [path_between(product, [0], _turns_at(node)), path_between(product, [node], _ends(product))]
        costs = [first[0], last[0]]
        if rounds and between is not None:
            parts.append(path_between(product, [node], _turns_at(node)))
            costs.append(between[0])
        if [None if part is None else part[0] for part in parts] == costs:
            begin, end, *again = [part[1] for part in parts if part is not None]
            return 1 + rounds, [*begin, *(edge for part in again for edge in part * rounds), *end]
    return None


def _turns(edge: Edge) -> bool:
    return edge[3]


def _turns_at(node: int) -> Callable[[Edge], bool]:
    return lambda edge: edge[3] and edge[1] == node


def _ends(product: Product) -> Callable[[Edge], bool]:
    return lambda edge: product.is_done(edge[1])


def in_layers(product: Product, limit: int, order: Sequence[int]) -> Answer | None:
    """The answer by going through all that can be reached with no, one, two… exchanges; ``order`` is that of the nodes
    between two of them. None where no path ends within the limit."""
    inner = [[edge for edge in edges if not is_exchange(product, edge)] for edges in product.edges]
    outer = [[edge for edge in edges if is_exchange(product, edge)] for edges in product.edges]
    done = [node for node in range(len(product.nodes)) if product.is_done(node)]
    layer: dict[int, int] = {0: 0}
    arrival: list[dict[int, Edge]] = [{}]
    ends: list[tuple[int, int, int]] = []
    for spent in range(limit + 1):
        came = arrival[spent]
        next_came: dict[int, Edge] = {}
        following: dict[int, int] = {}
        for node in order:
            value = layer.get(node)
            if value is None:
                continue
            _advance(inner[node], value, layer, came)
            _advance(outer[node], value, following, next_came)
        ends += [(layer[node], -spent, -node) for node in done if node in layer]
        layer = following
        arrival.append(next_came)
    if not ends:
        return None
    turns, spent, node = max(ends)
    return turns, _path_back(product, arrival, -spent, -node)


def _advance(edges: Sequence[Edge], value: int, into: dict[int, int], came: dict[int, Edge]) -> None:
    for edge in edges:
        if into.get(edge[1], -1) < value + edge[3]:
            into[edge[1]] = value + edge[3]
            came[edge[1]] = edge


def _path_back(product: Product, arrival: Sequence[Mapping[int, Edge]], spent: int, node: int) -> list[Edge]:
    path: list[Edge] = []
    while node in arrival[spent]:
        edge = arrival[spent][node]
        path.append(edge)
        spent -= is_exchange(product, edge)
        node = edge[0]
    return path[::-1]
