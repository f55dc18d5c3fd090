"""The order within layers: crossings are reduced by sweeps of medians and exchanges of neighbours."""

from __future__ import annotations

from bisect import bisect_left, insort
from collections.abc import Iterator, Sequence
from random import Random

from fsmcheck.pictures.layered.mesh import Item, Mesh

SWEEPS = 24
LOTS = 16
SMALL = 120
"""Items up to which orders by lot are tried, so many."""

LARGE = 600
"""Items beyond which neighbours are not exchanged: medians alone are good enough for what nobody reads whole."""


def arrange(mesh: Mesh) -> None:
    """Fill ``mesh.layers``, with few crossings."""
    best: list[list[int]] = []
    fewest: int | None = None
    for _ in _beginnings(mesh):
        crossed = _improve(mesh)
        if fewest is None or crossed < fewest:
            best, fewest = [list(layer) for layer in mesh.layers], crossed
        if crossed == 0:
            break
    mesh.layers[:] = best


def _beginnings(mesh: Mesh) -> Iterator[None]:
    """Put the layers into one order to begin with after another: of walks, and of a small graph some by lot."""
    for downwards in (True, False):
        _walk(mesh, downwards=downwards)
        yield
    random = Random(1)  # noqa: S311 - no secret
    for _ in range(LOTS if len(mesh.items) <= SMALL else 0):
        for layer in mesh.layers:
            random.shuffle(layer)
        yield


def _improve(mesh: Mesh) -> int:
    """Sweep up and down, and leave the best order found; its crossings."""
    best, fewest = [list(layer) for layer in mesh.layers], crossings(mesh)
    for sweep in range(SWEEPS if len(mesh.items) <= LARGE else 6):
        if fewest == 0:
            break
        _sweep(mesh, downwards=sweep % 2 == 0)
        if len(mesh.items) <= LARGE:
            _exchange(mesh)
        crossed = crossings(mesh)
        if crossed < fewest:
            best, fewest = [list(layer) for layer in mesh.layers], crossed
    mesh.layers[:] = best
    return fewest


def crossings(mesh: Mesh) -> int:
    """How many pairs of edges between neighbouring layers cross."""
    place = _places(mesh)
    total = 0
    for layer in mesh.layers:
        seen: list[int] = []
        for item in layer:
            targets = sorted(place[each] for each in mesh.items[item].below)
            total += sum(len(seen) - bisect_left(seen, target + 1) for target in targets)
            for target in targets:
                insort(seen, target)
    return total


def _places(mesh: Mesh) -> list[int]:
    place = [0] * len(mesh.items)
    for layer in mesh.layers:
        for number, item in enumerate(layer):
            place[item] = number
    return place


def _walk(mesh: Mesh, *, downwards: bool) -> None:
    """A first order: that of a walk in depth from the nodes on top (or at the bottom), in the order given."""
    for layer in mesh.layers:
        layer.clear()
    met = [False] * len(mesh.items)
    starts = sorted(range(len(mesh.items)), key=lambda number: mesh.items[number].layer, reverse=not downwards)
    for start in starts:
        pending = [start]
        while pending:
            item = pending.pop()
            if not met[item]:
                met[item] = True
                mesh.layers[mesh.items[item].layer].append(item)
                pending.extend(reversed(mesh.items[item].below if downwards else mesh.items[item].above))


def _sweep(mesh: Mesh, *, downwards: bool) -> None:
    layers = mesh.layers if downwards else mesh.layers[::-1]
    place = _places(mesh)
    for layer in layers[1:]:
        keys = {item: _median(mesh.items[item], place, above=downwards) for item in layer}
        moved = iter(sorted((item for item in layer if keys[item] is not None), key=lambda item: keys[item] or 0.0))
        layer[:] = [item if keys[item] is None else next(moved) for item in layer]
        for number, item in enumerate(layer):
            place[item] = number


def _median(item: Item, place: Sequence[int], *, above: bool) -> float | None:
    neighbours = sorted(place[each] for each in (item.above if above else item.below))
    if not neighbours:
        return None
    middle = len(neighbours) // 2
    if len(neighbours) % 2:
        return float(neighbours[middle])
    return (neighbours[middle - 1] + neighbours[middle]) / 2


def _exchange(mesh: Mesh) -> None:
    """Exchange neighbours for as long as that takes crossings away."""
    place = _places(mesh)
    for _ in range(8):
        better = False
        for layer in mesh.layers:
            for number in range(len(layer) - 1):
                left, right = layer[number], layer[number + 1]
                if _between(mesh, place, right, left) < _between(mesh, place, left, right):
                    layer[number], layer[number + 1] = right, left
                    place[left], place[right] = number + 1, number
                    better = True
        if not better:
            return


def _between(mesh: Mesh, place: Sequence[int], left: int, right: int) -> int:
    """Crossings of the edges of two items if the first is left of the second."""
    one, other = mesh.items[left], mesh.items[right]
    total = 0
    for mine, theirs in ((one.above, other.above), (one.below, other.below)):
        total += sum(place[a] > place[b] for a in mine for b in theirs)
    return total
