"""The layers filled: nodes, labels and the places where long edges pass, joined by edges between neighbours."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import field
from itertools import pairwise

from fsmcheck.pictures.layered.graph import Box, Link
from fsmcheck.records import dataclass

LOOP = 26.0
"""How far a loop reaches out to the right of its node."""

LOOP_GAP = 10.0
"""Room between the labels of two loops of one node."""


@dataclass(slots=True)
class Item:
    """Something that takes up room in a layer: so much to the left and to the right of its x, and a height."""

    left: float
    right: float
    height: float
    layer: int
    passing: bool = False
    above: list[int] = field(default_factory=list)
    below: list[int] = field(default_factory=list)


@dataclass(slots=True)
class Mesh:
    """Items by number, nodes first. ``layers`` lists the items of each layer from left to right. ``chains`` are the
    items along each edge from the upper end to the lower, empty for a loop; ``labels`` the one of its label."""

    items: list[Item]
    layers: list[list[int]]
    chains: list[list[int]]
    labels: list[int | None]


def mesh(boxes: Sequence[Box], links: Sequence[Link], layer: Sequence[int], backward: frozenset[int]) -> Mesh:
    """Nodes on the even layers, labels on the odd ones between."""
    loops: list[list[Link]] = [[] for _ in boxes]
    for link in links:
        if link.source == link.target:
            loops[link.source].append(link)
    items = [_node(box, loops[number], 2 * layer[number]) for number, box in enumerate(boxes)]
    made = Mesh(items, [], [], [])
    for number, link in enumerate(links):
        if link.source == link.target:
            made.chains.append([])
            made.labels.append(None)
        else:
            _chain(made, link, turned=number in backward)
    made.layers = [[] for _ in range(max(item.layer for item in items) + 1)]
    return made


def _node(box: Box, loops: Sequence[Link], layer: int) -> Item:
    half = box.width / 2
    room = LOOP + max((loop.width for loop in loops), default=0) if loops else 0.0
    stacked = sum(max(loop.height, 16.0) + LOOP_GAP for loop in loops)
    return Item(half, half + room, max(box.height, stacked), layer)


def _chain(made: Mesh, link: Link, *, turned: bool) -> None:
    """The items of an edge; its label is next to where the edge begins."""
    upper, lower = (link.target, link.source) if turned else (link.source, link.target)
    first, last = made.items[upper].layer + 1, made.items[lower].layer - 1
    labelled = (last if turned else first) if link.height else None
    chain, label = [upper], None
    for layer in range(first, last + 1):
        if layer == labelled:
            label = len(made.items)
            made.items.append(Item(link.width / 2, link.width / 2, link.height, layer))
        else:
            made.items.append(Item(0.0, 0.0, 0.0, layer, passing=True))
        chain.append(len(made.items) - 1)
    chain.append(lower)
    for one, other in pairwise(chain):
        made.items[one].below.append(other)
        made.items[other].above.append(one)
    made.chains.append(chain)
    made.labels.append(label)
