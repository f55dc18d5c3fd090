"""Which obligations a spec has."""

from __future__ import annotations

from collections.abc import Iterator

from fsmcheck.diagnostics import Subject
from fsmcheck.engines.graph import TransitionGraph
from fsmcheck.obligations.obligation import QUESTIONS, Obligation
from fsmcheck.spec.model import Spec
from fsmcheck.system.system import System


def successors(spec: Spec) -> dict[str, tuple[str, ...]]:
    """The graph of transitions; terminal states have no way on."""
    return {
        state.name.text: ()
        if state.terminal
        else tuple(dict.fromkeys(transition.target.text for transition in state.transitions))
        for state in spec.states
    }


def loop_heads(spec: Spec) -> tuple[str, ...]:
    """The states that come first, in the order of the document, in some cycle of the graph."""
    graph = successors(spec)
    order = {state.name.text: number for number, state in enumerate(spec.states)}
    heads = []
    for name, place in order.items():
        seen: set[str] = set()
        frontier = list(graph[name])
        while frontier:
            target = frontier.pop()
            if target not in seen and order.get(target, -1) >= place:
                seen.add(target)
                frontier.extend(graph[target])
        if name in seen:
            heads.append(name)
    return tuple(heads)


def plan(spec: Spec, system: System, profile: str) -> tuple[Obligation, ...]:
    """The obligations of a spec, sorted by rule and subject."""
    found = {(rule, subject) for rule, subject in system.subjects if rule in QUESTIONS}
    reachable = TransitionGraph(spec).reachable_from(spec.initial.text)
    started = ("FSM203", Subject(state=spec.initial.text))
    found = {pair for pair in found if pair[1].state in reachable and pair != started}
    found |= set(_of_states(spec, reachable))
    ordered = sorted(found, key=lambda pair: (pair[0], pair[1].sort_key()))
    return tuple(Obligation(rule, subject, profile) for rule, subject in ordered)


def _of_states(spec: Spec, reachable: frozenset[str]) -> Iterator[tuple[str, Subject]]:
    for state in spec.states:
        if state.name.text in reachable and not state.terminal:
            yield "FSM204", Subject(state=state.name.text)
    bounding = "FSM501" if spec.policy.max_iterations is None else "FSM505"
    for name in loop_heads(spec):
        if name in reachable:
            yield bounding, Subject(state=name)
            yield "FSM502", Subject(state=name)
    if spec.policy.max_iterations is not None:
        yield "FSM503", Subject()
    if spec.policy.max_exchanges_per_stage is not None or spec.policy.max_exchanges_per_agent_per_stage is not None:
        for state in spec.states:
            if state.name.text in reachable and not state.terminal:
                yield "FSM504", Subject(state=state.name.text)
