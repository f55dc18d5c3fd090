"""One step of an abstract run with what was chosen in it, whichever engine found it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from fsmcheck.engines.explicit import Graph
from fsmcheck.engines.intervals import Interval
from fsmcheck.engines.packing import Packing
from fsmcheck.records import dataclass
from fsmcheck.system.terms import INT


@dataclass(frozen=True, slots=True)
class Move:
    """A step by its number; the chosen value of each input (an index for finite ones, 0 or 1 for booleans), and
    the interval in which each integer input lies."""

    step: int
    chosen: Mapping[str, int]
    spans: Mapping[str, Interval]


def graph_moves(graph: Graph, path: list[tuple[int, int, tuple[int, ...]]]) -> list[Move]:
    """The moves along a path of an explicit search."""
    return moves_of(graph.packing, ((number, inputs) for _, number, inputs in path))


def moves_of(packing: Packing, taken: Iterable[tuple[int, tuple[int, ...]]]) -> list[Move]:
    """The moves of steps, by their numbers, with the packed values of their inputs."""
    moves: list[Move] = []
    for number, inputs in taken:
        choices = packing.choices(number)
        chosen = {choice.name: value for choice, value in zip(choices, inputs, strict=True)}
        spans = {
            choice.name: packing.input_interval(choice, chosen[choice.name]) for choice in choices if choice.sort is INT
        }
        moves.append(Move(number, chosen, spans))
    return moves
