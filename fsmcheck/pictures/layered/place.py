"""A whole drawing: the parts of a graph that hang together, each in layers, side by side."""

from __future__ import annotations

from collections.abc import Sequence

from fsmcheck.pictures.layered.coordinates import horizontal, vertical
from fsmcheck.pictures.layered.graph import Box, Link, Placement, Point, Route
from fsmcheck.pictures.layered.layers import backward_edges, layers
from fsmcheck.pictures.layered.mesh import LOOP, LOOP_GAP, Mesh, mesh
from fsmcheck.pictures.layered.ordering import arrange

BESIDE = 48.0
"""Room between parts that do not hang together."""

PORT = 22.0
"""The most room between two edges that meet a node side by side."""


def place(boxes: Sequence[Box], links: Sequence[Link]) -> Placement:
    """A layered drawing. The first node comes on top; everything else follows the order given where it can."""
    nodes: list[Point] = [(0.0, 0.0)] * len(boxes)
    routes: list[Route] = [Route((), None)] * len(links)
    left, height = 0.0, 0.0
    for part in _parts(len(boxes), links):
        number = {node: place for place, node in enumerate(part)}
        mine = [index for index, link in enumerate(links) if link.source in number]
        inner = [
            Link(number[link.source], number[link.target], link.width, link.height)
            for link in (links[index] for index in mine)
        ]
        placed = _place([boxes[node] for node in part], inner)
        for node, (x, y) in zip(part, placed.nodes, strict=True):
            nodes[node] = (x + left, y)
        for index, route in zip(mine, placed.routes, strict=True):
            routes[index] = _moved(route, left)
        left += placed.width + BESIDE
        height = max(height, placed.height)
    return Placement(max(0.0, left - BESIDE), height, tuple(nodes), tuple(routes))


def _parts(nodes: int, links: Sequence[Link]) -> list[list[int]]:
    beside: list[list[int]] = [[] for _ in range(nodes)]
    for link in links:
        beside[link.source].append(link.target)
        beside[link.target].append(link.source)
    met = [False] * nodes
    found: list[list[int]] = []
    for start in range(nodes):
        if met[start]:
            continue
        met[start] = True
        part = [start]
        for node in part:
            for other in beside[node]:
                if not met[other]:
                    met[other] = True
                    part.append(other)
        found.append(sorted(part))
    return found


def _moved(route: Route, right: float) -> Route:
    label = None if route.label is None else (route.label[0] + right, route.label[1])
    return Route(tuple((x + right, y) for x, y in route.points), label)


def _place(boxes: Sequence[Box], links: Sequence[Link]) -> Placement:
    edges = [(link.source, link.target) for link in links]
    backward = backward_edges(len(boxes), edges)
    forward = [
        (target, source) if number in backward else (source, target)
        for number, (source, target) in enumerate(edges)
        if source != target
    ]
    levels = layers(len(boxes), forward)
    made = mesh(boxes, links, [level - min(levels) for level in levels], backward)
    arrange(made)
    ports = _ports(made, boxes)
    x = horizontal(made, ports)
    bands = vertical(made, x)
    nodes = tuple((x[node], sum(bands[made.items[node].layer]) / 2) for node in range(len(boxes)))
    loops = [0.0] * len(boxes)
    routes = tuple(
        _loop(link, boxes[link.source], nodes[link.source], loops, links)
        if link.source == link.target
        else _route(made, number, x, bands, boxes, ports[number], turned=number in backward)
        for number, link in enumerate(links)
    )
    width = max(at + item.right for at, item in zip(x, made.items, strict=True))
    return Placement(width, bands[-1][1], nodes, routes)


def _ports(made: Mesh, boxes: Sequence[Box]) -> list[tuple[float, float]]:
    """How far from the middle of its node each edge ends, at the upper end and at the lower."""
    order = [0] * len(made.items)
    for layer in made.layers:
        for at, item in enumerate(layer):
            order[item] = at
    ends = [[0.0, 0.0] for _ in made.chains]
    for node, box in enumerate(boxes):
        for end, beside in ((0, 1), (-1, -2)):
            meeting = [number for number, chain in enumerate(made.chains) if chain and chain[end] == node]
            meeting.sort(key=lambda number, beside=beside: order[made.chains[number][beside]])  # type: ignore[misc]
            step = min(PORT, (box.width - 24.0) / max(1, len(meeting) - 1))
            for at, number in enumerate(meeting):
                ends[number][end] = (at - (len(meeting) - 1) / 2) * step
    return [(upper, lower) for upper, lower in ends]


def _route(
    made: Mesh,
    number: int,
    x: Sequence[float],
    bands: Sequence[Point],
    boxes: Sequence[Box],
    ports: tuple[float, float],
    *,
    turned: bool,
) -> Route:
    """Straight down through layers, in curves between them: where a layer has no height, straight past it."""
    chain = made.chains[number]
    upper, lower = chain[0], chain[-1]
    at = x[upper] + ports[0]
    middle = sum(bands[made.items[upper].layer]) / 2
    points: list[Point] = [(at, middle + boxes[upper].height / 2)]
    _line(points, (at, bands[made.items[upper].layer][1]))
    for item in chain[1:-1]:
        top, bottom = bands[made.items[item].layer]
        if top == bottom:
            continue
        _curve(points, (x[item], top))
        _line(points, (x[item], bottom))
    end = x[lower] + ports[1]
    top, bottom = bands[made.items[lower].layer]
    _curve(points, (end, top))
    _line(points, (end, (top + bottom) / 2 - boxes[lower].height / 2))
    label = made.labels[number]
    place = None if label is None else (x[label], sum(bands[made.items[label].layer]) / 2)
    return Route(tuple(points[::-1] if turned else points), place)


def _line(points: list[Point], end: Point) -> None:
    start = points[-1]
    if abs(end[1] - start[1]) > 0.5:
        points += [start, end, end]


def _curve(points: list[Point], end: Point) -> None:
    start = points[-1]
    middle = (start[1] + end[1]) / 2
    points += [(start[0], middle), (end[0], middle), end]


def _loop(link: Link, box: Box, node: Point, used: list[float], links: Sequence[Link]) -> Route:
    """Out of the right side of a node and back into it, its label beyond; several below each other."""
    mine = [each for each in links if each.source == each.target == link.source]
    whole = sum(max(each.height, 16.0) + LOOP_GAP for each in mine)
    height = max(link.height, 16.0) + LOOP_GAP
    y = node[1] - whole / 2 + used[link.source] + height / 2
    used[link.source] += height
    side = node[0] + box.width / 2
    spread = min(box.height / 2 - 4.0, 9.0) / len(mine)
    inside = node[1] + (y - node[1]) * (box.height - 12.0) / max(whole, box.height)
    out = side + LOOP * 1.2
    points = ((side, inside - spread), (out, y - spread * 2), (out, y + spread * 2), (side, inside + spread))
    label = (side + LOOP + link.width / 2, y) if link.height else None
    return Route(points, label)
