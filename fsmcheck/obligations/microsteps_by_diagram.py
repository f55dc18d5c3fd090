"""The most microsteps of one advance, where the machine has too many configurations for a graph of them."""

from __future__ import annotations

import time
from collections.abc import Mapping
from typing import Any

from fsmcheck.engines.coverage import MICROSTEP_LIMIT
from fsmcheck.engines.diagram.advances import advance_from, ahead
from fsmcheck.engines.diagram.budget import BudgetError
from fsmcheck.engines.diagram.traces import diagram_moves
from fsmcheck.engines.disagreement import DisagreementError
from fsmcheck.obligations.case import Case
from fsmcheck.obligations.confirm import Run
from fsmcheck.obligations.diagrams import Searched


def most_by_diagram(case: Case) -> int | None:
    """The most microsteps of one advance; None where the diagrams do not tell, an advance can go round, or no run was
    found that takes as many as the abstraction admits."""
    searched = case.diagrams.for_figures()
    if searched is None:
        return None
    began = time.process_time()
    try:
        most = _most(searched)
        return most if most is not None and _is_shown(case, searched, most) else None
    except BudgetError as error:
        case.diagrams.gave_up(str(error), began)
        return None


def _most(searched: Searched) -> int | None:
    """What no advance exceeds, by both searches."""
    around, longest = searched.turning
    if any(around) or longest > MICROSTEP_LIMIT or searched.other is None:
        return None
    around, again = searched.other.turning
    if any(around) or again != longest:
        raise DisagreementError("two searches by diagrams do not agree on the most microsteps of an advance")
    return longest


def _is_shown(case: Case, searched: Searched, most: int) -> bool:
    """Whether a run has an advance of so many microsteps."""

    def find(run: Run) -> tuple[int, Mapping[str, Any]] | None:
        reached = max(len(step.advance.microsteps) for step in run)
        return (len(run) - 1, {}) if reached == most else None

    if not most:
        return case.show_moves(searched.system, [], find) is not None
    sets = ahead(searched.diagram, most)
    for point, moves in searched.runs_to(sets[-1]):
        onward = diagram_moves(searched.diagram, advance_from(searched.diagram, point, sets))
        if case.show_moves(searched.system, [*moves, *onward], find) is not None:
            return True
    return False
