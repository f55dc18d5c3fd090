"""Verdicts by decision diagrams, for specs whose configurations are too many to be searched one by one; and by layers,
where diagrams are too large.

Each decider answers None where the search does not settle it: a limit was reached, or what it says happens was not
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
from fsmcheck.obligations.enumeration import Enumeration, Searches
from fsmcheck.obligations.machine_by_diagram import (
    bounded,
    cap,
    cool,
    ends,
    exchanges_of,
    proved_by,
    run_with,
    violated_by,
)
from fsmcheck.obligations.obligation import QUESTIONS, Obligation, Question, Verdict
from fsmcheck.system.events import BOTH, ONLY_EARLIER, ONLY_LATER, PARKS

_OF_THE_MACHINE = (Question.ENDS, Question.COOL, Question.BOUNDED, Question.CAP)
"""Questions that bookkeeping has nothing to do with."""


def decide_by_diagram(case: Case, obligation: Obligation) -> Verdict | None:
    """The verdict of the diagrams; None where they do not settle it. Raises ``DisagreementError`` where two searches
    contradict."""
    return _decided(case, obligation, case.diagrams)


def decide_by_layers(case: Case, obligation: Obligation) -> Verdict | None:
    """Likewise that of a search of layers, which is begun where the diagrams gave up."""
    return _decided(case, obligation, case.layers)


def _decided(case: Case, obligation: Obligation, searches: Searches) -> Verdict | None:
    decider = _DECIDERS.get(QUESTIONS[obligation.rule])
    if decider is None:
        return None
    of_the_machine = QUESTIONS[obligation.rule] in _OF_THE_MACHINE
    searched = searches.base() if of_the_machine else searches.whole()
    if searched is None:
        return None
    began = time.process_time()
    try:
        verdict = decider(case, obligation, searched)
    except BudgetError as error:
        searches.gave_up(str(error), began)
        return None
    if verdict is None and searched.unchecked:
        searches.reason = f"the second search gave up: {searched.unchecked}"
    return verdict


def fewest_by_diagram(case: Case) -> dict[str, int] | None:
    """For each terminal state the fewest exchanges of a run to it, where a run confirmed that so few are enough; None
    where neither the diagrams nor the layers tell."""
    found = None if case.layers.are_searched else _fewest(case, case.diagrams, case.diagrams.for_figures())
    return _fewest(case, case.layers, case.layers.base()) if found is None else found


def _fewest(case: Case, searches: Searches, searched: Enumeration | None) -> dict[str, int] | None:
    if searched is None:
        return None
    began = time.process_time()
    found: dict[str, int] = {}
    try:
        for place, node in enumerate(searched.done):
            state = searched.system.locations[place].state
            least = None
            for _, moves in searched.runs_to({place: node}) if node else ():
                exchanges = exchanges_of(searched, moves)
                least = exchanges if least is None else least
                if exchanges > least:
                    break
                if case.show_moves(searched.system, moves, done_finder(state)) is not None:
                    found[state] = exchanges
                    break
    except BudgetError as error:
        searches.gave_up(str(error), began)
        return None
    return found


def explained(verdict: Verdict, why: Mapping[str, str]) -> Verdict:
    """An open verdict with why the other searches, each by its name, did not settle it, where they gave up."""
    if verdict.verdict != "unknown" or verdict.reason is None:
        return verdict
    told = [f"{name}: {reason}" for name, reason in why.items() if reason]
    return replace(verdict, reason="; ".join((verdict.reason, *told)))


def _is_vacuous(searched: Enumeration, subject: Subject) -> bool:
    """Whether no run gets to what an obligation is about."""
    if subject.transition is not None:
        edge = ("FSM303", Subject(state=subject.state, transition=subject.transition))
        if any(key[:2] == edge for key in searched.asked):
            return not searched.happens((*edge, ""))
    return not searched.is_reached(subject.state or "")


def _never(case: Case, obligation: Obligation, searched: Enumeration) -> Verdict | None:
    key = (obligation.rule, obligation.subject, "")
    if searched.excluded(key):
        return proved_by(
            searched, obligation, "no run gets there" if _is_vacuous(searched, obligation.subject) else None
        )
    if not searched.happens(key):
        return None
    shown = run_with(case, searched, key, violation_finder(case.spec, case.profile, *key[:2]))
    return None if shown is None else violated_by(searched, case, obligation, shown)


def _possible(case: Case, obligation: Obligation, searched: Enumeration) -> Verdict | None:
    key = (obligation.rule, obligation.subject, "")
    if searched.happens(key):
        shown = run_with(case, searched, key, witness_finder(case.spec, *key[:2]))
        return None if shown is None else Verdict(obligation, "proved", "witness")
    return _impossible(case, obligation, searched) if searched.excluded(key) else None


def _impossible(case: Case, obligation: Obligation, searched: Enumeration) -> Verdict | None:
    """Something that no run does: a violation once a run shows that the question arises at all."""
    subject = obligation.subject
    state = subject.state or ""
    if obligation.rule == "FSM111":
        parks = ("FSM111", subject, PARKS)
        if searched.excluded(parks):
            return proved_by(searched, obligation, "no run parks there")
        if run_with(case, searched, parks, park_finder(state)) is None:
            return None
    reason = None
    if obligation.rule == "FSM303":
        entered = ("FSM203", Subject(state=state), "")
        if run_with(case, searched, entered, witness_finder(case.spec, *entered[:2])) is None:
            return None
        reason = why_dead(case.spec, subject, searched.happens)
    return Verdict(obligation, "violated", searched.method, reason=reason)


def _overlap(case: Case, obligation: Obligation, searched: Enumeration) -> Verdict | None:
    keys = {which: (obligation.rule, obligation.subject, which) for which in (BOTH, ONLY_EARLIER, ONLY_LATER)}
    if any(searched.excluded(key) for key in keys.values()):
        vacuous = not any(searched.happens(key) for key in keys.values())
        return proved_by(searched, obligation, "neither is true where the requirements are met" if vacuous else None)
    found: dict[str, Shown] = {}
    for which, key in keys.items():
        shown = run_with(case, searched, key, overlap_finder(case.spec, obligation.subject, which))
        if shown is None:
            return None
        found[which] = shown
    stores = {which: shown.detail["store"] for which, shown in found.items()}
    both = found[BOTH]
    return violated_by(searched, case, obligation, replace(both, detail={**both.detail, "stores": stores}))


Decider = Callable[[Case, Obligation, Enumeration], Verdict | None]

_DECIDERS: Mapping[Question, Decider] = {
    Question.NEVER: _never,
    Question.POSSIBLE: _possible,
    Question.OVERLAP: _overlap,
    Question.ENDS: ends,
    Question.COOL: cool,
    Question.BOUNDED: bounded,
    Question.CAP: cap,
}
