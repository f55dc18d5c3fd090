"""Verdicts by decision diagrams, or by layers, on the machine as such: whether runs end, turn without end, and fit
under the caps.

As in ``by_diagram``, each decider answers None where the search does not settle it.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from fsmcheck.diagnostics import Subject
from fsmcheck.engines.coverage import MICROSTEP_LIMIT
from fsmcheck.engines.diagram.search import Key
from fsmcheck.engines.diagram.traces import Point
from fsmcheck.engines.disagreement import DisagreementError
from fsmcheck.engines.moves import Move
from fsmcheck.obligations.caps import done_finder, too_low
from fsmcheck.obligations.case import Case, Finder
from fsmcheck.obligations.confirm import Run, Shown, ending
from fsmcheck.obligations.endless_by_diagram import show_lasso
from fsmcheck.obligations.enumeration import Enumeration
from fsmcheck.obligations.loops import FEW_CYCLES, MOST_CYCLES
from fsmcheck.obligations.obligation import Obligation, Verdict
from fsmcheck.obligations.projection import stands_for
from fsmcheck.obligations.visits import left_within_caps
from fsmcheck.system.system import Phase, StepKind

_STATUS = {Phase.WAITING: "waiting", Phase.STUCK: "stuck", Phase.FAILED: "failed"}


def exchanges_of(searched: Enumeration, moves: Sequence[Move]) -> int:
    """How many exchanges a run takes."""
    return sum(searched.system.steps[move.step].kind is StepKind.STAGE for move in moves)


def proved_by(searched: Enumeration, obligation: Obligation, vacuous: str | None = None) -> Verdict:
    """A proof, and why it says little if it does."""
    reason = f"vacuous: {vacuous}" if vacuous else None
    return Verdict(obligation, "proved", searched.method, reason=reason, vacuous=vacuous is not None)


def violated_by(searched: Enumeration, case: Case, obligation: Obligation, shown: Shown) -> Verdict:
    """A violation that a run on the reducer shows."""
    trace = shown.trace(case.spec, case.profile, (obligation.rule, obligation.subject))
    return Verdict(obligation, "violated", searched.method, trace=trace, detail=shown.detail)


def run_with(case: Case, searched: Enumeration, key: Key, find: Finder) -> Shown | None:
    """A run on the reducer that shows an event."""
    for moves in searched.runs(key):
        shown = case.show_moves(searched.system, moves, find)
        if shown is not None:
            return shown
    return None


def ends(case: Case, obligation: Obligation, searched: Enumeration) -> Verdict | None:
    """FSM204: the agents can end every run from where it rests in the state; or a run that they cannot end."""
    state = obligation.subject.state or ""
    hopeless = searched.at_rest_in(state, searched.hopeless)
    if hopeless:
        return _hopeless(case, obligation, searched, hopeless)
    if not _surely_ends(searched, state) or searched.other is None or not _surely_ends(searched.other, state):
        return None
    return proved_by(searched, obligation, None if searched.is_reached(state) else "no run gets there")


def _surely_ends(searched: Enumeration, state: str) -> bool:
    return not searched.at_rest_in(state, searched.uncertain) and _is_cool(searched)


def _hopeless(case: Case, obligation: Obligation, searched: Enumeration, wanted: Mapping[int, Any]) -> Verdict | None:
    """A run to a configuration from which both searches see no way to the end."""
    if searched.other is None:
        return None
    again = searched.other.at_rest_in(obligation.subject.state or "", searched.other.hopeless)
    if searched.sizes(wanted) != searched.other.sizes(again):
        raise DisagreementError("two searches do not agree from where no run ends")
    for point, moves in searched.runs_to(wanted):
        shown = case.show_moves(searched.system, moves, _rest_finder(case, searched, point))
        if shown is not None:
            return violated_by(searched, case, obligation, shown)
    return None


def _rest_finder(case: Case, searched: Enumeration, point: Point) -> Finder:
    """Looks for a run that ends in the concrete counterpart of a configuration."""

    def find(run: Run) -> tuple[int, Mapping[str, Any]] | None:
        state, status = ending(run)
        store = run[-1].configuration.store
        there = (state, status) == (point.location.state, _STATUS.get(point.location.phase))
        if not there or not stands_for(case.layout, searched.packing, point.values, store):
            return None
        last = len(run) - 1
        return last, {"step": last, "microstep": None, "reason": "no-end", "status": status, "fields": []}

    return find


def cool(_case: Case, obligation: Obligation, searched: Enumeration) -> Verdict | None:
    """FSM502: no advance goes round anywhere."""
    if searched.other is None or not (_is_cool(searched) and _is_cool(searched.other)):
        return None
    return proved_by(searched, obligation)


def _is_cool(searched: Enumeration) -> bool:
    """Whether no advance goes round anywhere, or takes more microsteps than the limit."""
    around, longest = searched.turning
    return not any(around) and longest <= MICROSTEP_LIMIT


def bounded(case: Case, obligation: Obligation, searched: Enumeration) -> Verdict | None:
    """No run enters the state without end, so none turns a loop through it without end; or one is seen to turn one of
    its loops so, where the machine is too large for others to look at."""
    state = obligation.subject.state or ""
    if searched.returns(state):
        return None if case.base.complete else _endless(case, obligation, searched)
    if searched.other is None:
        return None
    if searched.other.returns(state):
        raise DisagreementError("two searches do not agree on which states are entered without end")
    cycles = case.transitions.cycles_from(state, MOST_CYCLES)
    vacuous = cycles is not None and not any(searched.turns(cycle) for cycle in cycles)
    return proved_by(searched, obligation, "no run goes round it without a detour" if vacuous else None)


def _endless(case: Case, obligation: Obligation, searched: Enumeration) -> Verdict | None:
    for cycle in case.transitions.some_cycles_from(obligation.subject.state or "", FEW_CYCLES):
        if searched.turns(cycle):
            shown = show_lasso(case, searched, cycle)
            if shown is not None:
                return violated_by(searched, case, obligation, shown)
    return None


def cap(case: Case, obligation: Obligation, searched: Enumeration) -> Verdict | None:
    """FSM503; of FSM504, that some visit leaves within the caps, where others cannot tell."""
    if obligation.rule == "FSM504":
        return None if case.base.complete else _stage(case, obligation, case.diagrams.whole() or searched)
    limit, fewest = case.spec.policy.max_iterations, searched.fewest
    if limit is None or fewest is None or searched.other is None:
        return None
    if searched.other.fewest != fewest:
        raise DisagreementError("two searches do not agree on the fewest exchanges")
    ends = {place: node for place, node in enumerate(searched.done) if node}
    for _, moves in searched.runs_to(ends):
        exchanges = exchanges_of(searched, moves)
        if exchanges > limit >= fewest:
            break
        if case.show_moves(searched.system, moves, done_finder(None)) is not None:
            low = fewest > limit
            return (
                too_low(obligation, searched.method, fewest, limit) if low else Verdict(obligation, "proved", "witness")
            )
    return None


def _stage(case: Case, obligation: Obligation, searched: Enumeration) -> Verdict | None:
    """A run that leaves the state within the caps, among the shortest that leave it at all."""
    state = obligation.subject.state or ""

    def find(run: Run) -> tuple[int, Mapping[str, Any]] | None:
        return (len(run) - 1, {}) if state in left_within_caps(case.spec, run) else None

    for number in range(len(case.spec.state_by_name[state].transitions)):
        if run_with(case, searched, ("FSM303", Subject(state=state, transition=number), ""), find) is not None:
            return Verdict(obligation, "proved", "witness")
    return None
