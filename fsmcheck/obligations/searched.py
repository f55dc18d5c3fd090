"""Verdicts on what an explicit search says, whatever was asked."""

from __future__ import annotations

from collections.abc import Iterable

from fsmcheck.diagnostics import Subject
from fsmcheck.engines.explicit import Graph
from fsmcheck.obligations.case import Case
from fsmcheck.obligations.confirm import Shown
from fsmcheck.obligations.obligation import Obligation, Verdict
from fsmcheck.obligations.settle import COARSE


def violated(case: Case, obligation: Obligation, shown: Shown, method: str = "explicit") -> Verdict:
    """What a run shows that goes wrong."""
    trace = shown.trace(case.spec, case.profile, (obligation.rule, obligation.subject))
    return Verdict(obligation, "violated", method, trace=trace, detail=shown.detail)


def undecided(obligation: Obligation, graph: Graph, reason: str, suspects: Iterable[int] = ()) -> Verdict:
    """Open, but known to hold for runs of fewer exchanges than it takes to the nearest suspect configuration (or to
    where the search was cut off)."""
    bounds = [graph.depths[number] for number in suspects]
    if not bounds or not graph.complete:
        bounds.append(graph.depth_covered)
    clear = min(bounds) - 1
    return Verdict(obligation, "unknown", "explicit", reason=reason, depth=clear if clear >= 0 else None)


def gave_up(obligation: Obligation, graph: Graph, suspects: Iterable[int] = ()) -> Verdict:
    """Likewise, since the search was cut off."""
    return undecided(obligation, graph, f"limit reached: {graph.reason}", suspects)


def coarse(case: Case) -> str:
    """Why a run of the abstraction may not be one of the machine."""
    for state in case.spec.states:
        for transition in state.transitions:
            for guard in transition.guards:
                if guard.expression is None:
                    return f'a guard of backend "{guard.backend.text}" is not analysed: it may hold, it may not'
    return COARSE


def is_vacuous(graph: Graph, subject: Subject) -> bool:
    """Whether no run gets to what an obligation is about."""
    if subject.transition is not None:
        edge = ("FSM303", Subject(state=subject.state, transition=subject.transition))
        if edge in graph.asked:
            return (*edge, "") not in graph.hits
    return subject.state not in graph.reached_states
