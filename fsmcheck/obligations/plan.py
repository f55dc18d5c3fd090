"""Which obligations a spec has."""

from __future__ import annotations

from collections.abc import Iterator

from fsmcheck.diagnostics import Subject
from fsmcheck.engines.graph import TransitionGraph
from fsmcheck.obligations.obligation import QUESTIONS, Obligation
from fsmcheck.spec.model import Spec
from fsmcheck.system.system import System


def plan(spec: Spec, system: System, profile: str) -> tuple[Obligation, ...]:
    """The obligations of a spec, sorted by rule and subject."""
    found = {(rule, subject) for rule, subject in system.subjects if rule in QUESTIONS}
    graph = TransitionGraph(spec)
    reachable = graph.reachable_from(spec.initial.text)
    started = ("FSM203", Subject(state=spec.initial.text))
    found = {pair for pair in found if pair[1].state in reachable and pair != started}
    found |= set(_of_states(spec, graph, reachable))
    ordered = sorted(found, key=lambda pair: (pair[0], pair[1].sort_key()))
    return tuple(Obligation(rule, subject, profile) for rule, subject in ordered)


def _of_states(spec: Spec, graph: TransitionGraph, reachable: frozenset[str]) -> Iterator[tuple[str, Subject]]:
    for state in spec.states:
        if state.name.text in reachable and not state.terminal:
            yield "FSM204", Subject(state=state.name.text)
    bounding = "FSM501" if spec.policy.max_iterations is None else "FSM505"
    for name in graph.loop_heads():
        if name in reachable:
            yield bounding, Subject(state=name)
            yield "FSM502", Subject(state=name)
    if spec.policy.max_iterations is not None:
        yield "FSM503", Subject()
    if spec.policy.max_exchanges_per_stage is not None or spec.policy.max_exchanges_per_agent_per_stage is not None:
        for state in spec.states:
            if state.name.text in reachable and not state.terminal:
                yield "FSM504", Subject(state=state.name.text)
