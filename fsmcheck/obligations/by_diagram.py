"""Verdicts by decision diagrams, for specs whose configurations are too many to be searched one by one.

Each decider answers None where the diagrams do not settle it: a limit was reached, or what they say happens was not
confirmed by a run. Then slices and Z3 have their turn.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping
from dataclasses import replace

from fsmcheck.diagnostics import Subject
from fsmcheck.engines.diagram.budget import BudgetError
from fsmcheck.obligations.caps import done_finder
from fsmcheck.obligations.case import Case
from fsmcheck.obligations.confirm import (
    Shown,
    overlap_finder,
    park_finder,
    violation_finder,
    witness_finder,
)
from fsmcheck.obligations.dead import why_dead
from fsmcheck.obligations.diagrams import Searched
from fsmcheck.obligations.machine_by_diagram import (
    METHOD,
    bounded,
    cap,
    cool,
    ends,
    exchanges_of,
    proved_by_diagram,
    run_with,
    violated_by_diagram,
)
from fsmcheck.obligations.obligation import QUESTIONS, Obligation, Question, Verdict
from fsmcheck.system.events import BOTH, ONLY_EARLIER, ONLY_LATER, PARKS

_OF_THE_MACHINE = (Question.ENDS, Question.COOL, Question.BOUNDED, Question.CAP)
"""Questions that bookkeeping has nothing to do with."""


def decide_by_diagram(case: Case, obligation: Obligation) -> Verdict | None:
    """The verdict of the diagrams; None where they do not settle it. Raises ``DisagreementError`` where two searches
    contradict."""
    decider = _DECIDERS.get(QUESTIONS[obligation.rule])
    if decider is None:
        return None
    of_the_machine = QUESTIONS[obligation.rule] in _OF_THE_MACHINE
    searched = case.diagrams.base() if of_the_machine else case.diagrams.whole()
    if searched is None:
        return None
    began = time.process_time()
    try:
        verdict = decider(case, obligation, searched)
    except BudgetError as error:
        case.diagrams.gave_up(str(error), began)
        return None
    if verdict is None and searched.unchecked:
        case.diagrams.reason = f"the second search gave up: {searched.unchecked}"
    return verdict


def fewest_by_diagram(case: Case) -> dict[str, int] | None:
    """For each terminal state the fewest exchanges of a run to it, where a run confirmed that so few are enough; None
    where the diagrams do not tell."""
    searched = case.diagrams.base()
    if searched is None:
        return None
    began = time.process_time()
    found: dict[str, int] = {}
    try:
        for place, node in enumerate(searched.done):
            state = searched.diagram.system.locations[place].state
            least = None
            for _, moves in searched.runs_to({place: node}) if node else ():
                exchanges = exchanges_of(searched, moves)
                least = exchanges if least is None else least
                if exchanges > least:
                    break
                if case.show_moves(searched.diagram.system, moves, done_finder(state)) is not None:
                    found[state] = exchanges
                    break
    except BudgetError as error:
        case.diagrams.gave_up(str(error), began)
        return None
    return found


def explained(verdict: Verdict, why: str) -> Verdict:
    """An open verdict with why the diagrams did not settle it, where they gave up."""
    if verdict.verdict != "unknown" or not why or verdict.reason is None:
        return verdict
    return replace(verdict, reason=f"{verdict.reason}; diagrams: {why}")


def _is_vacuous(searched: Searched, subject: Subject) -> bool:
    """Whether no run gets to what an obligation is about."""
    if subject.transition is not None:
        edge = ("FSM303", Subject(state=subject.state, transition=subject.transition))
        if any(key[:2] == edge for key in searched.diagram.asked):
            return not searched.happens((*edge, ""))
    return not searched.diagram.is_reached(subject.state or "")


def _never(case: Case, obligation: Obligation, searched: Searched) -> Verdict | None:
    key = (obligation.rule, obligation.subject, "")
    if searched.excluded(key):
        return proved_by_diagram(obligation, "no run gets there" if _is_vacuous(searched, obligation.subject) else None)
    if not searched.happens(key):
        return None
    shown = run_with(case, searched, key, violation_finder(case.spec, case.profile, *key[:2]))
    return None if shown is None else violated_by_diagram(case, obligation, shown)


def _possible(case: Case, obligation: Obligation, searched: Searched) -> Verdict | None:
    key = (obligation.rule, obligation.subject, "")
    if searched.happens(key):
        shown = run_with(case, searched, key, witness_finder(case.spec, *key[:2]))
        return None if shown is None else Verdict(obligation, "proved", "witness")
    return _impossible(case, obligation, searched) if searched.excluded(key) else None


def _impossible(case: Case, obligation: Obligation, searched: Searched) -> Verdict | None:
    """Something that no run does: a violation once a run shows that the question arises at all."""
    subject = obligation.subject
    state = subject.state or ""
    if obligation.rule == "FSM111":
        parks = ("FSM111", subject, PARKS)
        if searched.excluded(parks):
            return proved_by_diagram(obligation, "no run parks there")
        if run_with(case, searched, parks, park_finder(state)) is None:
            return None
    reason = None
    if obligation.rule == "FSM303":
        entered = ("FSM203", Subject(state=state), "")
        if run_with(case, searched, entered, witness_finder(case.spec, *entered[:2])) is None:
            return None
        reason = why_dead(case.spec, subject, searched.happens)
    return Verdict(obligation, "violated", METHOD, reason=reason)


def _overlap(case: Case, obligation: Obligation, searched: Searched) -> Verdict | None:
    keys = {which: (obligation.rule, obligation.subject, which) for which in (BOTH, ONLY_EARLIER, ONLY_LATER)}
    if any(searched.excluded(key) for key in keys.values()):
        vacuous = not any(searched.happens(key) for key in keys.values())
        return proved_by_diagram(obligation, "neither is true where the requirements are met" if vacuous else None)
    found: dict[str, Shown] = {}
    for which, key in keys.items():
        shown = run_with(case, searched, key, overlap_finder(case.spec, obligation.subject, which))
        if shown is None:
            return None
        found[which] = shown
    stores = {which: shown.detail["store"] for which, shown in found.items()}
    both = found[BOTH]
    return violated_by_diagram(case, obligation, replace(both, detail={**both.detail, "stores": stores}))


Decider = Callable[[Case, Obligation, Searched], Verdict | None]

_DECIDERS: Mapping[Question, Decider] = {
    Question.NEVER: _never,
    Question.POSSIBLE: _possible,
    Question.OVERLAP: _overlap,
    Question.ENDS: ends,
    Question.COOL: cool,
    Question.BOUNDED: bounded,
    Question.CAP: cap,
}
