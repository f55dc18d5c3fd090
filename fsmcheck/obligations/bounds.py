"""The figures of a spec. Each is a theorem: the search shows that it cannot be better, a replayed run meets it."""

from __future__ import annotations

from collections.abc import Mapping
from itertools import pairwise
from typing import Any

from fsmcheck.engines.coverage import longest_advance
from fsmcheck.obligations.caps import fewest_exchanges
from fsmcheck.obligations.case import Case
from fsmcheck.obligations.confirm import Run
from fsmcheck.obligations.loops import loop_bounds
from fsmcheck.results import Bounds
from fsmcheck.system.system import StepKind


def bounds(case: Case) -> Bounds:
    """Fewest exchanges to each terminal state, most microsteps of one advance, and how often each loop turns."""
    return Bounds(tuple(sorted(fewest_exchanges(case).items())), most_microsteps(case), loop_bounds(case))


def most_microsteps(case: Case) -> int | None:
    """The most microsteps of one advance; None where no search tells, an advance can go round, or no run was found that
    takes as many as the abstraction admits."""
    graph = case.base
    if not graph.complete:
        from fsmcheck.obligations.microsteps_by_diagram import most_by_diagram

        return most_by_diagram(case)
    chain = longest_advance(graph)
    if chain is None:
        return None
    length = len(chain) - 1
    path = graph.path(chain[0])
    for source, target in pairwise(chain):
        step = next(
            step
            for step, after in graph.edges[source]
            if after == target and graph.system.steps[step].kind is StepKind.FIRE
        )
        path.append((source, step, graph.choice_between(source, step, target)))

    def find(run: Run) -> tuple[int, Mapping[str, Any]] | None:
        reached = max(len(step.advance.microsteps) for step in run)
        return (len(run) - 1, {}) if reached == length else None

    return length if case.show(graph, path, find) is not None else None
