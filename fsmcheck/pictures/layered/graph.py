"""What is to be drawn, and where everything goes."""

from __future__ import annotations

from fsmcheck.records import dataclass

Point = tuple[float, float]


@dataclass(frozen=True, slots=True)
class Box:
    """A node and its size."""

    width: float
    height: float


@dataclass(frozen=True, slots=True)
class Link:
    """An edge between nodes by number, and the size of its label (zero without one)."""

    source: int
    target: int
    width: float = 0.0
    height: float = 0.0


@dataclass(frozen=True, slots=True)
class Route:
    """The way of an edge: ``points`` are the ends and control points of cubic curves, one after the other (a first
    point, then three for each curve); the last curve ends at the tip of the arrow. ``label`` is the middle of the
    label."""

    points: tuple[Point, ...]
    label: Point | None


@dataclass(frozen=True, slots=True)
class Placement:
    """The size of the drawing, the middle of each node, and the way of each edge; y grows downwards."""

    width: float
    height: float
    nodes: tuple[Point, ...]
    routes: tuple[Route, ...]
