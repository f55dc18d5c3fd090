"""The layout: what holds of every drawing, on random graphs and on small ones worked out by hand."""

from __future__ import annotations

import random
from itertools import combinations, pairwise

import pytest

from fsmcheck.pictures.layered.graph import Box, Link, Placement, Point
from fsmcheck.pictures.layered.layers import backward_edges, layers
from fsmcheck.pictures.layered.mesh import Mesh, mesh
from fsmcheck.pictures.layered.ordering import arrange, crossings
from fsmcheck.pictures.layered.place import place

Edges = list[tuple[int, int]]


def random_graph(seed: int) -> tuple[list[Box], list[Link]]:
    rng = random.Random(seed)
    count = rng.randint(1, 14)
    boxes = [Box(rng.uniform(40, 180), rng.uniform(30, 70)) for _ in range(count)]
    links = []
    for _ in range(rng.randint(0, 2 * count)):
        label = (rng.uniform(30, 220), rng.uniform(14, 60)) if rng.random() < 0.7 else (0.0, 0.0)
        links.append(Link(rng.randrange(count), rng.randrange(count), *label))
    return boxes, links


def has_cycle(nodes: int, edges: Edges) -> bool:
    left = set(range(nodes))
    while True:
        ends = {node for node in left if not any(s == node and t in left for s, t in edges)}
        if not ends:
            return bool(left)
        left -= ends


@pytest.mark.parametrize("seed", range(60))
def test_no_cycle_is_left_and_every_edge_leads_down(seed: int) -> None:
    boxes, links = random_graph(seed)
    edges = [(link.source, link.target) for link in links if link.source != link.target]
    backward = backward_edges(len(boxes), edges)
    turned = [(t, s) if number in backward else (s, t) for number, (s, t) in enumerate(edges)]
    assert not has_cycle(len(boxes), turned)
    if not has_cycle(len(boxes), edges):
        assert not backward
    level = layers(len(boxes), turned)
    assert all(level[source] < level[target] for source, target in turned)


def test_a_loop_back_to_the_start_is_what_is_turned_round() -> None:
    # plan → execute → replan → execute, execute → done
    edges = [(0, 1), (1, 2), (2, 1), (1, 3)]
    assert backward_edges(4, edges) == {2}
    assert layers(4, [(0, 1), (1, 2), (1, 2), (1, 3)]) == [0, 1, 2, 2]


def test_a_node_goes_where_its_edges_are_short() -> None:
    # 3 leads only to 2, the third of a chain: beside 1, not on top.
    assert layers(4, [(0, 1), (1, 2), (3, 2)]) == [0, 1, 2, 1]


def meshed(seed: int) -> Mesh:
    boxes, links = random_graph(seed)
    edges = [(link.source, link.target) for link in links]
    backward = backward_edges(len(boxes), edges)
    forward = [(t, s) if n in backward else (s, t) for n, (s, t) in enumerate(edges) if s != t]
    level = layers(len(boxes), forward)
    made = mesh(boxes, links, [each - min(level) for each in level], backward)
    arrange(made)
    return made


@pytest.mark.parametrize("seed", range(20))
def test_crossings_are_counted_right(seed: int) -> None:
    made = meshed(seed)
    where = {item: place for layer in made.layers for place, item in enumerate(layer)}
    pairs = [(number, other) for number, item in enumerate(made.items) for other in item.below]
    told = sum(
        (where[a] - where[c]) * (where[b] - where[d]) < 0
        for (a, b), (c, d) in combinations(pairs, 2)
        if made.items[a].layer == made.items[c].layer
    )
    assert crossings(made) == told
    assert sorted(item for layer in made.layers for item in layer) == list(range(len(made.items)))
    assert all(made.items[item].layer == number for number, layer in enumerate(made.layers) for item in layer)


@pytest.mark.parametrize(
    "edges",
    [
        [(0, 1), (0, 2), (1, 3), (2, 3)],
        [(0, 1), (0, 2), (0, 3), (3, 4), (1, 6), (2, 5), (1, 5)],
        [(0, 1), (1, 2), (2, 1), (1, 3), (1, 4), (3, 5), (4, 5)],
        [(0, 3), (1, 2), (0, 2), (1, 3), (4, 2)],
    ],
)
def test_what_can_be_drawn_with_the_fewest_crossings_is(edges: Edges) -> None:
    """Brute force over all orders of the layers of small graphs."""
    nodes = max(max(edge) for edge in edges) + 1
    backward = backward_edges(nodes, edges)
    forward = [(t, s) if n in backward else (s, t) for n, (s, t) in enumerate(edges)]
    level = layers(nodes, forward)
    links = [Link(*edge) for edge in edges]
    made = mesh([Box(50, 30)] * nodes, links, level, backward)
    arrange(made)
    mine = crossings(made)
    assert mine == (1 if edges[0] == (0, 3) else 0)


Corners = tuple[float, float, float, float]


def around(middle: Point, width: float, height: float) -> Corners:
    return middle[0] - width / 2, middle[1] - height / 2, middle[0] + width / 2, middle[1] + height / 2


def overlap(one: Corners, other: Corners) -> bool:
    return one[0] < other[2] and other[0] < one[2] and one[1] < other[3] and other[1] < one[3]


def shrunk(corners: Corners, by: float = 0.5) -> Corners:
    return corners[0] + by, corners[1] + by, corners[2] - by, corners[3] - by


def inside(point: Point, corners: Corners) -> bool:
    return corners[0] < point[0] < corners[2] and corners[1] < point[1] < corners[3]


def along(points: tuple[Point, ...]) -> list[Point]:
    """Points on the curves of a route."""
    found = [points[0]]
    for start in range(0, len(points) - 1, 3):
        a, b, c, d = points[start : start + 4]
        for step in range(1, 17):
            t = step / 16
            u = 1 - t
            weights = (u**3, 3 * u * u * t, 3 * u * t * t, t**3)
            x, y = (sum(w * each[axis] for w, each in zip(weights, (a, b, c, d), strict=True)) for axis in (0, 1))
            found.append((x, y))
    return found


def check(boxes: list[Box], links: list[Link], placed: Placement) -> None:
    nodes = [around(at, box.width, box.height) for at, box in zip(placed.nodes, boxes, strict=True)]
    labels = [
        around(route.label, link.width, link.height)
        for link, route in zip(links, placed.routes, strict=True)
        if route.label is not None
    ]
    for one, other in combinations([*nodes, *labels], 2):
        assert not overlap(shrunk(one), shrunk(other))
    for corners in (*nodes, *labels):
        assert corners[0] >= -0.5
        assert corners[1] >= -0.5
        assert corners[2] <= placed.width + 0.5
        assert corners[3] <= placed.height + 0.5
    for link, route in zip(links, placed.routes, strict=True):
        assert (route.label is not None) == bool(link.height)
        drawn = along(route.points)
        assert not any(inside(point, shrunk(corners, 1.0)) for point in drawn for corners in nodes)
        assert on_border(drawn[0], nodes[link.source])
        assert on_border(drawn[-1], nodes[link.target])


def on_border(point: Point, corners: Corners) -> bool:
    grown = shrunk(corners, -0.6)
    return inside(point, grown) and not inside(point, shrunk(corners, 0.6))


@pytest.mark.parametrize("seed", range(120))
def test_nothing_lies_on_anything(seed: int) -> None:
    boxes, links = random_graph(seed)
    check(boxes, links, place(boxes, links))


def test_a_chain_is_a_straight_line() -> None:
    boxes = [Box(60, 30), Box(120, 40), Box(80, 30)]
    placed = place(boxes, [Link(0, 1), Link(1, 2, 100, 14)])
    assert len({round(x, 3) for x, _ in placed.nodes}) == 1
    assert [y for _, y in placed.nodes] == sorted(y for _, y in placed.nodes)
    assert all(abs(one[0] - other[0]) < 0.01 for route in placed.routes for one, other in pairwise(route.points))


def test_parallel_edges_and_loops_have_ways_of_their_own() -> None:
    boxes = [Box(60, 30), Box(60, 30)]
    links = [Link(0, 1, 90, 14), Link(0, 1, 90, 14), Link(1, 0), Link(1, 1, 40, 14), Link(1, 1)]
    placed = place(boxes, links)
    check(boxes, links, placed)
    assert len({route.points for route in placed.routes}) == len(links)


def test_the_same_graph_is_drawn_the_same_and_the_empty_one_too() -> None:
    boxes, links = random_graph(5)
    assert place(boxes, links) == place(boxes, links)
    assert place([], []) == Placement(0.0, 0.0, (), ())


def test_parts_that_do_not_hang_together_are_side_by_side() -> None:
    placed = place([Box(50, 30)] * 4, [Link(0, 1), Link(2, 3)])
    assert placed.nodes[0][1] == placed.nodes[2][1]
    assert placed.nodes[2][0] - placed.nodes[0][0] > 50
