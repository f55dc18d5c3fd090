"""Runs that turn a loop without end where the machine has too many configurations for a graph of them."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import islice

from fsmcheck.engines.moves import moves_of
from fsmcheck.engines.way_round import Ways
from fsmcheck.obligations.case import Case
from fsmcheck.obligations.confirm import Shown
from fsmcheck.obligations.endless import REPEATS, Way, show_way
from fsmcheck.obligations.enumeration import Enumeration
from fsmcheck.system.system import StepKind

STEMS_TRIED = 3
"""Configurations on a cycle from which a way round it is looked for."""


def show_lasso(case: Case, searched: Enumeration, cycle: Sequence[str]) -> Shown | None:
    """A run that turns a cycle again and again, and can for ever: on, depth first, from the first configurations in
    which the machine waits on the cycle."""
    packing, system = searched.packing, searched.system
    awaited = next((state for state in cycle if case.spec.state_by_name[state].requires), None)
    for point, moves in islice(searched.runs_to(searched.waiting_in(awaited)), STEMS_TRIED):
        lasso = Ways(packing).lasso(point.location, point.values, cycle)
        if lasso is None:
            continue
        along = moves_of(packing, [*lasso.stem, *lasso.loop * REPEATS])
        each = sum(system.steps[number].kind is StepKind.STAGE for number, _ in lasso.loop)
        shown = show_way(case, cycle, Way(packing, [*moves, *along], each, point.location, lasso.parked))
        if shown is not None:
            return shown
    return None
