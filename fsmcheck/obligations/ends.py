"""Whether every run can be brought to an end: by explicit search, with a measure of progress where integers are too
coarse for it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from fsmcheck.diagnostics import Subject
from fsmcheck.engines.coverage import MICROSTEP_LIMIT
from fsmcheck.engines.explicit import Graph
from fsmcheck.engines.survey import Survey
from fsmcheck.obligations.beyond import asked_z3, asking
from fsmcheck.obligations.case import STYLES, Case, Finder
from fsmcheck.obligations.concretise import ENDLESS, READABLE
from fsmcheck.obligations.confirm import Run, ending
from fsmcheck.obligations.obligation import Obligation, Verdict
from fsmcheck.obligations.projection import agrees
from fsmcheck.obligations.searched import coarse, gave_up, is_vacuous, undecided, violated
from fsmcheck.obligations.settle import has_integers
from fsmcheck.system.events import BLOCKED
from fsmcheck.system.system import Phase, StepKind

CANDIDATES = 48
"""Configurations of a state that runs are tried to, before it is given up to show one from which nothing ends."""

MOST_MEASURED = 5_000
"""Configurations up to which a progress measure is looked for."""

_STATUS = {Phase.WAITING: "waiting", Phase.STUCK: "stuck", Phase.FAILED: "failed"}
_NEVER_RESTING = ("no-progress", "runaway")


def decide_ends(case: Case, obligation: Obligation) -> Verdict:
    """The verdict on the configurations of one state."""
    graph, survey = case.base, case.survey
    state = obligation.subject.state or ""
    suspects = _suspects(survey, state)
    for number in suspects[:CANDIDATES]:
        phase = graph.location(number).phase
        if phase is Phase.WAITING and survey.possible[number]:
            continue
        styles = STYLES if phase.at_rest else (*READABLE, *ENDLESS)
        shown = case.show(graph, graph.path(number), _rest_finder(case, graph, number), styles)
        if shown is not None:
            return violated(case, obligation, shown)
    if not graph.complete:
        return gave_up(obligation, graph, suspects)
    if survey.longest_chain > MICROSTEP_LIMIT:
        return undecided(obligation, graph, f"an advance may take more than {MICROSTEP_LIMIT} microsteps", [0])
    if suspects and _ends_at_a_standstill(case, state):
        case.ended_at_a_standstill.add(obligation)
        return Verdict(obligation, "proved", "explicit")
    if suspects:
        return _ends_by_strategy(case, obligation, graph, suspects)
    if is_vacuous(graph, obligation.subject):
        return Verdict(obligation, "proved", "explicit", reason="vacuous: no run gets there", vacuous=True)
    return Verdict(obligation, "proved", "explicit")


def _suspects(survey: Survey, state: str) -> list[int]:
    """The configurations at a state from which a run does not surely end: at rest, or on a way round inside one
    advance."""
    graph = survey.graph
    return [
        number
        for number in survey.numbers_at.get(state, ())
        if graph.location(number).phase is not Phase.DONE
        and not survey.certain[number]
        and (graph.location(number).phase.at_rest or number in survey.in_microstep_loop)
    ]


def _ends_at_a_standstill(case: Case, state: str) -> bool:
    """Whether there are none of them in a search that knows where the machine makes no progress."""
    survey = None if case.exhausted else case.standstill.base
    return survey is not None and survey.longest_chain <= MICROSTEP_LIMIT and not _suspects(survey, state)


def _ends_by_strategy(case: Case, obligation: Obligation, graph: Graph, suspects: Sequence[int]) -> Verdict:
    if has_integers(graph.system) and len(graph.values) <= MOST_MEASURED:
        from fsmcheck.engines.strategy import ends_by_strategy

        if case.shown_to_end is None:
            case.shown_to_end = ends_by_strategy(graph, lambda step: _is_impossible(case, step), case.floor)
        if all(case.shown_to_end[number] for number in suspects):
            return Verdict(obligation, "proved", "explicit+measure")
    return undecided(obligation, graph, coarse(case), suspects)


def _is_impossible(case: Case, number: int) -> bool:
    """Whether Z3 proves that no run takes a step by which the machine would fail or get stuck."""
    step = case.base.system.steps[number]
    here = Subject(state=step.source.state)
    if step.kind is StepKind.FAIL and step.transition is not None:
        key = ("FSM303", Subject(state=here.state, transition=step.transition), BLOCKED)
    elif step.kind is StepKind.STICK:
        key = ("FSM301", here, "")
    else:
        return False
    if key not in case.excluded:
        system = asking(case, key)
        case.excluded[key] = asked_z3(case, system, key, lambda _run: None).excluded
    return case.excluded[key]


def _rest_finder(case: Case, graph: Graph, number: int) -> Finder:
    """Looks for a run that ends in the concrete counterpart of a configuration, or in an endless advance there."""
    location = graph.location(number)

    def find(run: Run) -> tuple[int, Mapping[str, Any]] | None:
        state, status = ending(run)
        store = run[-1].configuration.store
        if state != location.state:
            return None
        endless = status in _NEVER_RESTING and location.phase is Phase.RUNNING
        same = status == _STATUS.get(location.phase) and agrees(case.layout, graph, number, store)
        if not endless and not same:
            return None
        last = len(run) - 1
        return last, {"step": last, "microstep": None, "reason": "no-end", "status": status, "fields": []}

    return find
