"""Decide the obligations of one spec under one profile."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import cast

from fsmcheck.engines.coverage import MICROSTEP_LIMIT, cyclic
from fsmcheck.engines.explicit import Graph
from fsmcheck.obligations.beyond import beyond_search
from fsmcheck.obligations.caps import decide_cap
from fsmcheck.obligations.case import Case
from fsmcheck.obligations.concretise import ENDLESS, READABLE
from fsmcheck.obligations.confirm import park_finder, violation_finder, witness_finder
from fsmcheck.obligations.dead import why_dead
from fsmcheck.obligations.ends import decide_ends
from fsmcheck.obligations.loops import decide_bounded
from fsmcheck.obligations.obligation import QUESTIONS, Obligation, Question, Verdict
from fsmcheck.obligations.overlap import decide_overlap
from fsmcheck.obligations.searched import gave_up, is_vacuous, undecided, violated
from fsmcheck.reducer.configuration import Profile
from fsmcheck.system.events import PARKS

CANDIDATES = 12
"""Configurations on a turn inside one advance that runs are tried to."""

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


def _never(case: Case, obligation: Obligation) -> Verdict:
    graph = case.graph_for(obligation.rule, obligation.subject)
    hits = graph.hits.get((obligation.rule, obligation.subject, ""), [])
    find = violation_finder(case.spec, case.profile, obligation.rule, obligation.subject)
    shown = case.show_hit(graph, hits, find)
    if shown is not None:
        return violated(case, obligation, shown)
    if hits or not graph.complete:
        settled = beyond_search(case, obligation, graph, hits, find)
        if isinstance(settled, Verdict):
            return settled
        if settled.found is not None:
            return violated(case, obligation, settled.found, settled.method)
        return Verdict(obligation, "proved", settled.method)
    if is_vacuous(graph, obligation.subject):
        return Verdict(obligation, "proved", "explicit", reason="vacuous: no run gets there", vacuous=True)
    return Verdict(obligation, "proved", "explicit")


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
        settled = beyond_search(case, obligation, graph, hits, find)
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
            return undecided(obligation, graph, "it is not known whether the machine parks there")
    if obligation.rule == "FSM303" and not case.shown_entered(obligation.subject.state or ""):
        return undecided(obligation, graph, "it is not known whether the state is entered")
    reason = None
    if obligation.rule == "FSM303":
        reason = why_dead(case.spec, obligation.subject, graph.hits.__contains__)
    return Verdict(obligation, "violated", method, reason=reason)


def _witnessed(obligation: Obligation) -> Verdict:
    """Something that a confirmed run does."""
    return Verdict(obligation, "proved", "witness")


def _cool(case: Case, obligation: Obligation) -> Verdict:
    graph, survey = case.base, case.survey
    loops = _microstep_loops(case, obligation.subject.state or "")
    find = violation_finder(case.spec, case.profile, obligation.rule, obligation.subject)
    for number in sorted(number for part in loops for number in part)[:CANDIDATES]:
        shown = case.show(graph, graph.path(number), find, (*READABLE, *ENDLESS))
        if shown is not None:
            return violated(case, obligation, shown)
    if not graph.complete:
        return gave_up(obligation, graph)
    if loops:
        return undecided(obligation, graph, "the machine may turn inside one advance; no bound was found")
    if survey.longest_chain > MICROSTEP_LIMIT:
        return undecided(obligation, graph, f"an advance may take more than {MICROSTEP_LIMIT} microsteps")
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
    Question.OVERLAP: decide_overlap,
    Question.ENDS: decide_ends,
    Question.COOL: _cool,
    Question.BOUNDED: decide_bounded,
    Question.CAP: decide_cap,
}


def profile_named(name: str) -> Profile:
    """A profile by its name; ``ValueError`` for any other."""
    if name not in ("gated", "eager"):
        raise ValueError(f'no profile "{name}"')
    return cast("Profile", name)
