"""One step of an abstract run with what was chosen in it, whichever engine found it."""

from __future__ import annotations

from collections.abc import Mapping

from fsmcheck.engines.explicit import Graph
from fsmcheck.engines.intervals import Interval
from fsmcheck.engines.packing import step_inputs
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
    moves: list[Move] = []
    for _, number, values in path:
        choices = step_inputs(graph.system.steps[number])
        chosen = {choice.name: value for choice, value in zip(choices, values, strict=True)}
        spans = {
            choice.name: graph.packing.input_interval(choice, chosen[choice.name])
            for choice in choices
            if choice.sort is INT
        }
        moves.append(Move(number, chosen, spans))
    return moves
