"""Where items go: x by sweeps that bring each item near its neighbours, y by the heights of layers."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from math import inf

from fsmcheck.pictures.layered.mesh import Item, Mesh

APART = 26.0
"""Room between two nodes or labels of a layer."""

CLOSE = 16.0
"""Room beside an edge that passes."""

SWEEPS = 40
GAP = 22.0
"""Least room between two layers."""

STEEP = 0.12
"""More room for each unit that edges have to go sideways there."""


def horizontal(mesh: Mesh, ports: Sequence[tuple[float, float]]) -> list[float]:
    """An x for each item. ``ports`` are the offsets of each edge at its upper and its lower end."""
    x = _packed(mesh)
    pulls = _pulls(mesh, ports)
    for sweep in range(SWEEPS if len(mesh.items) <= 2_000 else 10):
        layers = mesh.layers if sweep % 2 == 0 else mesh.layers[::-1]
        both = sweep >= 4
        for layer in layers:
            side = None if both else sweep % 2
            _settle(mesh, layer, x, pulls, side)
    _straighten(mesh, ports, x)
    least = min(at - item.left for at, item in zip(x, mesh.items, strict=True))
    return [at - least for at in x]


def _packed(mesh: Mesh) -> list[float]:
    x = [0.0] * len(mesh.items)
    for layer in mesh.layers:
        for left, right in pairwise(layer):
            x[right] = x[left] + separation(mesh.items[left], mesh.items[right])
    return x


def separation(left: Item, right: Item) -> float:
    """The least distance between two neighbours."""
    return left.right + right.left + (CLOSE if left.passing or right.passing else APART)


Pull = tuple[int, float, float, int]
"""A neighbour, how far from its x an item wants to be, how much, and whether it is above (0) or below (1)."""


def _pulls(mesh: Mesh, ports: Sequence[tuple[float, float]]) -> list[list[Pull]]:
    found: list[list[Pull]] = [[] for _ in mesh.items]
    for chain, (upper, lower) in zip(mesh.chains, ports, strict=True):
        for place, (one, other) in enumerate(pairwise(chain)):
            weight = 1.0 + 2.0 * ((place > 0) + (place < len(chain) - 2))
            shift = (upper if place == 0 else 0.0) - (lower if place == len(chain) - 2 else 0.0)
            found[other].append((one, shift, weight, 0))
            found[one].append((other, -shift, weight, 1))
    return found


def _settle(
    mesh: Mesh, layer: Sequence[int], x: list[float], pulls: Sequence[Sequence[Pull]], side: int | None
) -> None:
    """Bring the items of a layer as near as they can be to where they are pulled, keeping order and distance.

    Least squares under an order: neighbours that would come too near move together (pool adjacent violators).
    """
    blocks: list[list[float]] = []
    offsets: list[float] = []
    offset = 0.0
    for place, item in enumerate(layer):
        if place:
            offset += separation(mesh.items[layer[place - 1]], mesh.items[item])
        offsets.append(offset)
        felt = [pull for pull in pulls[item] if side is None or pull[3] == side]
        weight = sum(pull[2] for pull in felt)
        wanted = sum((x[pull[0]] + pull[1]) * pull[2] for pull in felt) / weight if felt else x[item]
        blocks.append([wanted - offset, weight or 0.01, 1.0])
        while len(blocks) > 1 and blocks[-2][0] >= blocks[-1][0]:
            at, heavy, many = blocks.pop()
            before = blocks[-1]
            before[0] = (before[0] * before[1] + at * heavy) / (before[1] + heavy)
            before[1] += heavy
            before[2] += many
    place = 0
    for at, _, many in blocks:
        for _ in range(int(many)):
            x[layer[place]] = at + offsets[place]
            place += 1


def _straighten(mesh: Mesh, ports: Sequence[tuple[float, float]], x: list[float]) -> None:
    """Let edges that pass through several layers go straight down for as long as there is room."""
    beside: list[tuple[int | None, int | None]] = [(None, None)] * len(mesh.items)
    for layer in mesh.layers:
        for place, item in enumerate(layer):
            left = layer[place - 1] if place else None
            beside[item] = (left, layer[place + 1] if place + 1 < len(layer) else None)
    for _ in range(2):
        for chain, (upper, lower) in zip(mesh.chains, ports, strict=True):
            wanted = [x[item] for item in chain]
            if chain:
                wanted[0] += upper
                wanted[-1] += lower
            _straighten_one(mesh, chain, wanted, beside, x)


def _straighten_one(
    mesh: Mesh,
    chain: Sequence[int],
    wanted: Sequence[float],
    beside: Sequence[tuple[int | None, int | None]],
    x: list[float],
) -> None:
    run: list[int] = []
    low, high = -inf, inf
    before = wanted[0] if chain else 0.0
    for place, item in enumerate(chain[1:], 1):
        room = _room(mesh, item, beside[item], x) if mesh.items[item].passing else None
        if room is not None and max(low, room[0]) <= min(high, room[1]):
            run.append(item)
            low, high = max(low, room[0]), min(high, room[1])
            continue
        if run:
            aim = (
                before
                if mesh.items[item].passing or place < len(chain) - 1
                else _nearer(before, wanted[place], low, high)
            )
            before = min(max(aim, low), high)
            for each in run:
                x[each] = before
        run, low, high = ([item], *room) if room is not None else ([], -inf, inf)
        before = before if room is not None else wanted[place]


def _nearer(one: float, other: float, low: float, high: float) -> float:
    """Of two places the one that lies less outside an interval; the first if both lie inside."""
    return min((one, other), key=lambda at: max(low - at, at - high, 0.0))


def _room(mesh: Mesh, item: int, beside: tuple[int | None, int | None], x: Sequence[float]) -> tuple[float, float]:
    """Where an item can go between its neighbours."""
    left, right = beside
    low = -inf if left is None else x[left] + separation(mesh.items[left], mesh.items[item])
    high = inf if right is None else x[right] - separation(mesh.items[item], mesh.items[right])
    return low, max(low, high)


def vertical(mesh: Mesh, x: Sequence[float]) -> list[tuple[float, float]]:
    """The top and the bottom of each layer."""
    found: list[tuple[float, float]] = []
    top = 0.0
    for number, layer in enumerate(mesh.layers):
        height = max((mesh.items[item].height for item in layer), default=0.0)
        found.append((top, top + height))
        below = [abs(x[other] - x[item]) for item in layer for other in mesh.items[item].below]
        wide = max(below, default=0.0)
        top += height + (min(GAP + STEEP * wide, 2.5 * GAP) if number < len(mesh.layers) - 1 else 0.0)
    return found
