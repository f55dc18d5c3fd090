"""Verdicts by decision diagrams, for specs whose configurations are too many to be searched one by one.

Each decider answers None where the diagrams do not settle it: a limit was reached, or what they say happens was not
confirmed by a run. Then slices and Z3 have their turn.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import Any

from fsmcheck.diagnostics import Subject
from fsmcheck.engines.coverage import MICROSTEP_LIMIT
from fsmcheck.engines.diagram.budget import BudgetError
from fsmcheck.engines.diagram.search import Key
from fsmcheck.engines.diagram.traces import Point
from fsmcheck.engines.disagreement import DisagreementError
from fsmcheck.engines.moves import Move
from fsmcheck.obligations.caps import done_finder, too_low
from fsmcheck.obligations.case import Case, Finder
from fsmcheck.obligations.confirm import (
    Run,
    Shown,
    ending,
    overlap_finder,
    park_finder,
    violation_finder,
    witness_finder,
)
from fsmcheck.obligations.dead import why_dead
from fsmcheck.obligations.diagrams import Searched
from fsmcheck.obligations.loops import MOST_CYCLES
from fsmcheck.obligations.obligation import QUESTIONS, Obligation, Question, Verdict
from fsmcheck.obligations.projection import stands_for
from fsmcheck.system.events import BOTH, ONLY_EARLIER, ONLY_LATER, PARKS
from fsmcheck.system.system import Phase, StepKind

METHOD = "diagram"
_OF_THE_MACHINE = (Question.ENDS, Question.COOL, Question.BOUNDED, Question.CAP)
"""Questions that bookkeeping has nothing to do with."""
_STATUS = {Phase.WAITING: "waiting", Phase.STUCK: "stuck", Phase.FAILED: "failed"}


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
    began = time.monotonic()
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
    began = time.monotonic()
    found: dict[str, int] = {}
    try:
        for place, node in enumerate(searched.done):
            state = searched.diagram.system.locations[place].state
            least = None
            for _, moves in searched.runs_to({place: node}) if node else ():
                exchanges = _exchanges(searched, moves)
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


def _exchanges(searched: Searched, moves: Sequence[Move]) -> int:
    return sum(searched.diagram.system.steps[move.step].kind is StepKind.STAGE for move in moves)


def explained(case: Case, verdict: Verdict) -> Verdict:
    """An open verdict with why the diagrams did not settle it, where they gave up."""
    why = case.diagrams.reason
    if verdict.verdict != "unknown" or not why or verdict.reason is None:
        return verdict
    return replace(verdict, reason=f"{verdict.reason}; diagrams: {why}")


def _proved(obligation: Obligation, vacuous: str | None = None) -> Verdict:
    reason = f"vacuous: {vacuous}" if vacuous else None
    return Verdict(obligation, "proved", METHOD, reason=reason, vacuous=vacuous is not None)


def _violated(case: Case, obligation: Obligation, shown: Shown) -> Verdict:
    trace = shown.trace(case.spec, case.profile, (obligation.rule, obligation.subject))
    return Verdict(obligation, "violated", METHOD, trace=trace, detail=shown.detail)


def _shown(case: Case, searched: Searched, key: Key, find: Finder) -> Shown | None:
    """A run on the reducer that shows an event."""
    for moves in searched.runs(key):
        shown = case.show_moves(searched.diagram.system, moves, find)
        if shown is not None:
            return shown
    return None


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
        return _proved(obligation, "no run gets there" if _is_vacuous(searched, obligation.subject) else None)
    if not searched.happens(key):
        return None
    shown = _shown(case, searched, key, violation_finder(case.spec, case.profile, *key[:2]))
    return None if shown is None else _violated(case, obligation, shown)


def _possible(case: Case, obligation: Obligation, searched: Searched) -> Verdict | None:
    key = (obligation.rule, obligation.subject, "")
    if searched.happens(key):
        shown = _shown(case, searched, key, witness_finder(case.spec, *key[:2]))
        return None if shown is None else Verdict(obligation, "proved", "witness")
    return _impossible(case, obligation, searched) if searched.excluded(key) else None


def _impossible(case: Case, obligation: Obligation, searched: Searched) -> Verdict | None:
    """Something that no run does: a violation once a run shows that the question arises at all."""
    subject = obligation.subject
    state = subject.state or ""
    if obligation.rule == "FSM111":
        parks = ("FSM111", subject, PARKS)
        if searched.excluded(parks):
            return _proved(obligation, "no run parks there")
        if _shown(case, searched, parks, park_finder(state)) is None:
            return None
    reason = None
    if obligation.rule == "FSM303":
        entered = ("FSM203", Subject(state=state), "")
        if _shown(case, searched, entered, witness_finder(case.spec, *entered[:2])) is None:
            return None
        reason = why_dead(case.spec, subject, searched.happens)
    return Verdict(obligation, "violated", METHOD, reason=reason)


def _overlap(case: Case, obligation: Obligation, searched: Searched) -> Verdict | None:
    keys = {which: (obligation.rule, obligation.subject, which) for which in (BOTH, ONLY_EARLIER, ONLY_LATER)}
    if any(searched.excluded(key) for key in keys.values()):
        vacuous = not any(searched.happens(key) for key in keys.values())
        return _proved(obligation, "neither is true where the requirements are met" if vacuous else None)
    found: dict[str, Shown] = {}
    for which, key in keys.items():
        shown = _shown(case, searched, key, overlap_finder(case.spec, obligation.subject, which))
        if shown is None:
            return None
        found[which] = shown
    stores = {which: shown.detail["store"] for which, shown in found.items()}
    both = found[BOTH]
    return _violated(case, obligation, replace(both, detail={**both.detail, "stores": stores}))


def _ends(case: Case, obligation: Obligation, searched: Searched) -> Verdict | None:
    state = obligation.subject.state or ""
    hopeless = searched.at_rest_in(state, searched.hopeless)
    if hopeless:
        return _hopeless(case, obligation, searched, hopeless)
    if not _surely_ends(searched, state) or searched.other is None or not _surely_ends(searched.other, state):
        return None
    return _proved(obligation, None if searched.diagram.is_reached(state) else "no run gets there")


def _surely_ends(searched: Searched, state: str) -> bool:
    return not searched.at_rest_in(state, searched.uncertain) and _is_cool(searched)


def _hopeless(case: Case, obligation: Obligation, searched: Searched, wanted: Mapping[int, int]) -> Verdict | None:
    """A run to a configuration from which both searches see no way to the end."""
    if searched.other is None:
        return None
    again = searched.other.at_rest_in(obligation.subject.state or "", searched.other.hopeless)
    if searched.sizes(wanted) != searched.other.sizes(again):
        raise DisagreementError("two searches by diagrams do not agree from where no run ends")
    for point, moves in searched.runs_to(wanted):
        shown = case.show_moves(searched.diagram.system, moves, _rest_finder(case, searched, point))
        if shown is not None:
            return _violated(case, obligation, shown)
    return None


def _rest_finder(case: Case, searched: Searched, point: Point) -> Finder:
    """Looks for a run that ends in the concrete counterpart of a configuration."""

    def find(run: Run) -> tuple[int, Mapping[str, Any]] | None:
        state, status = ending(run)
        store = run[-1].configuration.store
        there = (state, status) == (point.location.state, _STATUS.get(point.location.phase))
        if not there or not stands_for(case.layout, searched.diagram.ready.packing, point.values, store):
            return None
        last = len(run) - 1
        return last, {"step": last, "microstep": None, "reason": "no-end", "status": status, "fields": []}

    return find


def _cool(_case: Case, obligation: Obligation, searched: Searched) -> Verdict | None:
    if searched.other is None or not (_is_cool(searched) and _is_cool(searched.other)):
        return None
    return _proved(obligation)


def _is_cool(searched: Searched) -> bool:
    """Whether no advance goes round anywhere, or takes more microsteps than the limit."""
    around, longest = searched.turning
    return not any(around) and longest <= MICROSTEP_LIMIT


def _bounded(case: Case, obligation: Obligation, searched: Searched) -> Verdict | None:
    """No run enters the state without end, so none turns a loop through it without end; else it is left to others."""
    state = obligation.subject.state or ""
    if searched.returns(state) or searched.other is None:
        return None
    if searched.other.returns(state):
        raise DisagreementError("two searches by diagrams do not agree on which states are entered without end")
    cycles = case.transitions.cycles_from(state, MOST_CYCLES)
    vacuous = cycles is not None and not any(searched.turns(cycle) for cycle in cycles)
    return _proved(obligation, "no run goes round it without a detour" if vacuous else None)


def _cap(case: Case, obligation: Obligation, searched: Searched) -> Verdict | None:
    """FSM503; that of one stage is left to others."""
    limit, fewest = case.spec.policy.max_iterations, searched.fewest
    if obligation.rule != "FSM503" or limit is None or fewest is None or searched.other is None:
        return None
    if searched.other.fewest != fewest:
        raise DisagreementError("two searches by diagrams do not agree on the fewest exchanges")
    ends = {place: node for place, node in enumerate(searched.done) if node}
    for _, moves in searched.runs_to(ends):
        exchanges = _exchanges(searched, moves)
        if exchanges > limit >= fewest:
            break
        if case.show_moves(searched.diagram.system, moves, done_finder(None)) is not None:
            low = fewest > limit
            return too_low(obligation, METHOD, fewest, limit) if low else Verdict(obligation, "proved", "witness")
    return None


Decider = Callable[[Case, Obligation, Searched], Verdict | None]

_DECIDERS: Mapping[Question, Decider] = {
    Question.NEVER: _never,
    Question.POSSIBLE: _possible,
    Question.OVERLAP: _overlap,
    Question.ENDS: _ends,
    Question.COOL: _cool,
    Question.BOUNDED: _bounded,
    Question.CAP: _cap,
}
