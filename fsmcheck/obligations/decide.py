"""Decide the obligations of one spec under one profile."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Any, cast

from fsmcheck.diagnostics import Subject
from fsmcheck.engines.coverage import MICROSTEP_LIMIT, cyclic
from fsmcheck.engines.explicit import Graph, Hit, Key
from fsmcheck.obligations.caps import decide_cap
from fsmcheck.obligations.case import STYLES, Case, Finder
from fsmcheck.obligations.concretise import ENDLESS, READABLE
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
from fsmcheck.obligations.loops import decide_bounded
from fsmcheck.obligations.obligation import QUESTIONS, Obligation, Question, Verdict
from fsmcheck.obligations.projection import agrees
from fsmcheck.obligations.settle import COARSE, Settled, has_integers, settle
from fsmcheck.reducer.configuration import Profile
from fsmcheck.system.events import BLOCKED, BOTH, ONLY_EARLIER, ONLY_LATER, PARKS
from fsmcheck.system.slice import slice_system
from fsmcheck.system.system import Phase, StepKind, System

CANDIDATES = 12
MOST_MEASURED = 5_000
"""Configurations up to which a progress measure is looked for."""


_HOLDING_TO_A_DEPTH = (Question.NEVER, Question.ENDS)
"""Questions of which it can be said that the answer is yes for all runs of so many exchanges."""


def decide(case: Case, obligation: Obligation) -> Verdict:
    """The verdict on one obligation by explicit search and replay; where the whole is too large for that, by decision
    diagrams first, or by layers."""
    began = time.perf_counter()
    question = QUESTIONS[obligation.rule]
    decider = _DECIDERS[question]
    verdict = decider(case, obligation) if case.whole.complete else _by_diagram_first(case, obligation, decider)
    depth = verdict.depth if question in _HOLDING_TO_A_DEPTH else None
    return replace(verdict, seconds=time.perf_counter() - began, depth=depth)


def took_too_long(obligation: Obligation) -> Verdict:
    """The verdict where others about the same spec took all the time that may lead nowhere."""
    return Verdict(obligation, "unknown", "none", reason="limit reached: the spec as a whole took too long")


def _by_diagram_first(case: Case, obligation: Obligation, decider: Callable[[Case, Obligation], Verdict]) -> Verdict:
    from fsmcheck.obligations.by_diagram import decide_by_diagram, decide_by_layers, explained

    # Not where it was another question that diagrams gave up on: what was asked before must not matter.
    are_first = case.layers.are_searched and case.diagrams.whole() is None
    found = decide_by_layers(case, obligation) if are_first else None
    if found is None and case.exhausted:
        return took_too_long(obligation)
    why: dict[str, str] = {}
    if found is None:
        found = decide_by_diagram(case, obligation)
        why["diagrams"] = case.diagrams.reason
    if found is None and case.diagrams.reason:
        found = decide_by_layers(case, obligation)
        why["layers"] = case.layers.reason
    return found or explained(decider(case, obligation), why)


def _coarse(case: Case) -> str:
    """Why a run of the abstraction may not be one of the machine."""
    for state in case.spec.states:
        for transition in state.transitions:
            for guard in transition.guards:
                if guard.expression is None:
                    return f'a guard of backend "{guard.backend.text}" is not analysed: it may hold, it may not'
    return COARSE


def _undecided(obligation: Obligation, graph: Graph, reason: str, suspects: Iterable[int] = ()) -> Verdict:
    """Open, but known to hold for runs of fewer exchanges than it takes to the nearest suspect configuration (or to
    where the search was cut off)."""
    bounds = [graph.depths[number] for number in suspects]
    if not bounds or not graph.complete:
        bounds.append(graph.depth_covered)
    clear = min(bounds) - 1
    return Verdict(obligation, "unknown", "explicit", reason=reason, depth=clear if clear >= 0 else None)


def _gave_up(obligation: Obligation, graph: Graph, suspects: Iterable[int] = ()) -> Verdict:
    return _undecided(obligation, graph, f"limit reached: {graph.reason}", suspects)


def _violated(case: Case, obligation: Obligation, shown: Shown, method: str = "explicit") -> Verdict:
    trace = shown.trace(case.spec, case.profile, (obligation.rule, obligation.subject))
    return Verdict(obligation, "violated", method, trace=trace, detail=shown.detail)


def _is_vacuous(graph: Graph, subject: Subject) -> bool:
    """Whether no run gets to what an obligation is about."""
    if subject.transition is not None:
        edge = ("FSM303", Subject(state=subject.state, transition=subject.transition))
        if edge in graph.asked:
            return (*edge, "") not in graph.hits
    return subject.state not in graph.reached_states


def _never(case: Case, obligation: Obligation) -> Verdict:
    graph = case.graph_for(obligation.rule, obligation.subject)
    hits = graph.hits.get((obligation.rule, obligation.subject, ""), [])
    find = violation_finder(case.spec, case.profile, obligation.rule, obligation.subject)
    shown = case.show_hit(graph, hits, find)
    if shown is not None:
        return _violated(case, obligation, shown)
    if hits or not graph.complete:
        settled = _beyond_search(case, obligation, graph, hits, find)
        if isinstance(settled, Verdict):
            return settled
        if settled.found is not None:
            return _violated(case, obligation, settled.found, settled.method)
        return Verdict(obligation, "proved", settled.method)
    if _is_vacuous(graph, obligation.subject):
        return Verdict(obligation, "proved", "explicit", reason="vacuous: no run gets there", vacuous=True)
    return Verdict(obligation, "proved", "explicit")


def _beyond_search(
    case: Case, obligation: Obligation, graph: Graph, hits: Sequence[Hit], find: Finder
) -> Settled | Verdict:
    """What Z3 settles where explicit search met hits that no run confirms, or was cut off; else the open verdict.

    Without integers Z3 could tell no more than a complete search did.
    """
    sources = [hit.source for hit in hits]
    open_verdict = _undecided(obligation, graph, _coarse(case), sources) if hits else _gave_up(obligation, graph)
    key = (obligation.rule, obligation.subject, "")
    system = _asking(case, key)
    if case.exhausted or (graph.complete and not has_integers(system)):
        return open_verdict
    known = case.recall(obligation) if graph.complete else None
    if known is not None:
        return known
    settled = _settle(case, system, key, find)
    if settled.found is None and not settled.excluded:
        return replace(open_verdict, reason=settled.reason)
    return settled


def _asking(case: Case, key: Key) -> System:
    """The slice that one question depends on."""
    return slice_system(case.system, lambda event: (event.rule, event.subject, event.case) == key)


def _settle(case: Case, system: System, key: Key, find: Finder) -> Settled:
    began = time.process_time()
    settled = settle(system, key, lambda moves: case.show_moves(system, moves, find), case.seconds_left)
    if settled.found is None and not settled.excluded:
        case.wasted += time.process_time() - began
    if settled.proof is not None:
        case.proofs.append(settled.proof)
    return settled


def _possible(case: Case, obligation: Obligation) -> Verdict:
    if (obligation.rule, obligation.subject) in case.witnessed:
        return _witnessed(obligation)
    graph = case.graph_for(obligation.rule, obligation.subject)
    hits = graph.hits.get((obligation.rule, obligation.subject, ""), [])
    find = witness_finder(case.spec, obligation.rule, obligation.subject)
    shown = case.show_hit(graph, hits, find)
    if shown is not None:
        return _witnessed(obligation)
    if hits or not graph.complete:
        settled = _beyond_search(case, obligation, graph, hits, find)
        if isinstance(settled, Verdict):
            return settled
        if settled.found is not None:
            return _witnessed(obligation)
        return _impossible(case, obligation, graph, settled.method)
    return _impossible(case, obligation, graph, "explicit")


def _impossible(case: Case, obligation: Obligation, graph: Graph, method: str) -> Verdict:
    """Something that no run does: a violation once a run shows that the question arises at all."""
    if obligation.rule == "FSM111":
        parks = ("FSM111", obligation.subject, PARKS)
        if graph.complete and parks not in graph.hits:
            return Verdict(obligation, "proved", "explicit", reason="vacuous: no run parks there", vacuous=True)
        if case.show_hit(graph, graph.hits.get(parks, []), park_finder(obligation.subject.state or "")) is None:
            return _undecided(obligation, graph, "it is not known whether the machine parks there")
    if obligation.rule == "FSM303" and not case.shown_entered(obligation.subject.state or ""):
        return _undecided(obligation, graph, "it is not known whether the state is entered")
    reason = None
    if obligation.rule == "FSM303":
        reason = why_dead(case.spec, obligation.subject, graph.hits.__contains__)
    return Verdict(obligation, "violated", method, reason=reason)


def _witnessed(obligation: Obligation) -> Verdict:
    """Something that a confirmed run does."""
    return Verdict(obligation, "proved", "witness")


def _overlap(case: Case, obligation: Obligation) -> Verdict:
    graph = case.graph_for(obligation.rule, obligation.subject)
    found: dict[str, Shown] = {}
    key = (obligation.rule, obligation.subject)
    for which in (BOTH, ONLY_EARLIER, ONLY_LATER):
        hits = graph.hits.get((*key, which), [])
        if not hits and graph.complete:
            vacuous = all((*key, other) not in graph.hits for other in (BOTH, ONLY_EARLIER, ONLY_LATER))
            reason = "vacuous: neither is true where the requirements are met" if vacuous else None
            return Verdict(obligation, "proved", "explicit", reason=reason, vacuous=vacuous)
        find = overlap_finder(case.spec, obligation.subject, which)
        shown = case.show_hit(graph, hits, find)
        if shown is None:
            system = _asking(case, (*key, which))
            if has_integers(system) or not graph.complete:
                known = case.recall(obligation) if graph.complete else None
                if known is not None:
                    return known
                settled = _settle(case, system, (*key, which), find)
                if settled.excluded:
                    return Verdict(obligation, "proved", settled.method)
                shown = settled.found
        if shown is not None:
            found[which] = shown
    if len(found) == len((BOTH, ONLY_EARLIER, ONLY_LATER)):
        stores = {which: shown.detail["store"] for which, shown in found.items()}
        both = found[BOTH]
        return _violated(case, obligation, replace(both, detail={**both.detail, "stores": stores}))
    return _undecided(obligation, graph, _coarse(case)) if graph.complete else _gave_up(obligation, graph)


_STATUS = {Phase.WAITING: "waiting", Phase.STUCK: "stuck", Phase.FAILED: "failed"}
_NEVER_RESTING = ("no-progress", "runaway")


def _ends(case: Case, obligation: Obligation) -> Verdict:
    graph, survey = case.base, case.survey
    state = obligation.subject.state or ""
    suspects = [
        number
        for number in survey.numbers_at.get(state, ())
        if graph.location(number).phase is not Phase.DONE
        and not survey.certain[number]
        and (graph.location(number).phase.at_rest or number in survey.in_microstep_loop)
    ]
    for number in suspects[: 4 * CANDIDATES]:
        phase = graph.location(number).phase
        if phase is Phase.WAITING and survey.possible[number]:
            continue
        styles = STYLES if phase.at_rest else (*READABLE, *ENDLESS)
        shown = case.show(graph, graph.path(number), _rest_finder(case, graph, number), styles)
        if shown is not None:
            return _violated(case, obligation, shown)
    if not graph.complete:
        return _gave_up(obligation, graph, suspects)
    if survey.longest_chain > MICROSTEP_LIMIT:
        return _undecided(obligation, graph, f"an advance may take more than {MICROSTEP_LIMIT} microsteps", [0])
    if suspects:
        return _ends_by_strategy(case, obligation, graph, suspects)
    if _is_vacuous(graph, obligation.subject):
        return Verdict(obligation, "proved", "explicit", reason="vacuous: no run gets there", vacuous=True)
    return Verdict(obligation, "proved", "explicit")


def _ends_by_strategy(case: Case, obligation: Obligation, graph: Graph, suspects: Sequence[int]) -> Verdict:
    if has_integers(graph.system) and len(graph.values) <= MOST_MEASURED:
        from fsmcheck.engines.strategy import ends_by_strategy

        if case.shown_to_end is None:
            case.shown_to_end = ends_by_strategy(graph, lambda step: _is_impossible(case, step), case.floor)
        if all(case.shown_to_end[number] for number in suspects):
            return Verdict(obligation, "proved", "explicit+measure")
    return _undecided(obligation, graph, _coarse(case), suspects)


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
        system = _asking(case, key)
        case.excluded[key] = _settle(case, system, key, lambda _run: None).excluded
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


def _cool(case: Case, obligation: Obligation) -> Verdict:
    graph, survey = case.base, case.survey
    loops = _microstep_loops(case, obligation.subject.state or "")
    find = violation_finder(case.spec, case.profile, obligation.rule, obligation.subject)
    for number in sorted(number for part in loops for number in part)[:CANDIDATES]:
        shown = case.show(graph, graph.path(number), find, (*READABLE, *ENDLESS))
        if shown is not None:
            return _violated(case, obligation, shown)
    if not graph.complete:
        return _gave_up(obligation, graph)
    if loops:
        return _undecided(obligation, graph, "the machine may turn inside one advance; no bound was found")
    if survey.longest_chain > MICROSTEP_LIMIT:
        return _undecided(obligation, graph, f"an advance may take more than {MICROSTEP_LIMIT} microsteps")
    return Verdict(obligation, "proved", "explicit")


def _microstep_loops(case: Case, head: str) -> list[frozenset[int]]:
    """The components of configurations that an advance can go round in by way of ``head`` and states after it."""
    graph, survey = case.base, case.survey
    if survey.in_microstep_loop.isdisjoint(survey.numbers_at.get(head, ())):
        return []
    order = {state.name.text: number for number, state in enumerate(case.spec.states)}
    later = [number for number in survey.microsteps if order[graph.location(number).state] >= order[head]]
    parts = cyclic(survey.microsteps, later)
    return [part for part in parts if any(graph.location(number).state == head for number in part)]


_DECIDERS: Mapping[Question, Callable[[Case, Obligation], Verdict]] = {
    Question.NEVER: _never,
    Question.POSSIBLE: _possible,
    Question.OVERLAP: _overlap,
    Question.ENDS: _ends,
    Question.COOL: _cool,
    Question.BOUNDED: decide_bounded,
    Question.CAP: decide_cap,
}


def profile_named(name: str) -> Profile:
    """A profile by its name; ``ValueError`` for any other."""
    if name not in ("gated", "eager"):
        raise ValueError(f'no profile "{name}"')
    return cast("Profile", name)
