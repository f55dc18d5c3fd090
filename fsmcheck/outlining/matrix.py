"""The guard matrix of each state, as report data."""

from __future__ import annotations

from collections.abc import Mapping

from fsmcheck.cel.values import Value
from fsmcheck.outline import GuardMatrix, MatrixColumn
from fsmcheck.outlining.classes import Classes
from fsmcheck.outlining.outcomes import Vector, taken
from fsmcheck.outlining.reach import Seen
from fsmcheck.reducer.json_values import to_json

MOST_COLUMNS = 64


def matrix(state: str, classes: Classes, seen: Mapping[Vector, Seen]) -> GuardMatrix:
    """The matrix of a state, columns by the transition that is taken, gaps last.

    Where a run was found that comes to a class, its context is that of the run. Of too many columns those are kept
    in which fewest guards are true, gaps before all.
    """
    chosen = sorted(classes.found, key=lambda vector: (taken(vector) is not None, vector.count("true")))[:MOST_COLUMNS]
    columns = tuple(_column(vector, classes, seen.get(vector)) for vector in sorted(chosen, key=_place))
    omitted = len(classes.found) - len(chosen)
    return GuardMatrix(state, classes.fields, columns, omitted, complete=classes.complete)


def _place(vector: Vector) -> tuple[object, ...]:
    first = taken(vector)
    return (len(vector) if first is None else first, vector.count("true"), vector)


def _column(vector: Vector, classes: Classes, seen: Seen | None) -> MatrixColumn:
    context: Mapping[str, Value] = classes.found[vector]
    reachable: bool | None = None
    if seen is not None:
        context = seen.context or context
        reachable = seen.reachable
    first = taken(vector)
    return MatrixColumn(
        {name: to_json(context[name]) for name in classes.fields},
        vector,
        first,
        first is not None and vector.count("true") > 1,
        reachable,
    )
