"""Transitions to states that are not declared, as causes of what the graph lacks."""

from __future__ import annotations

from collections.abc import Collection

from fsmcheck.diagnostics import Cause, Subject
from fsmcheck.spec.model import Spec


def first_dangling(spec: Spec, states: Collection[str]) -> Cause | None:
    """The FSM101 finding of the first transition that leads nowhere from one of ``states``."""
    for state in spec.states:
        for transition in state.transitions if state.name.text in states else ():
            if transition.target.text not in spec.state_by_name:
                return Cause("FSM101", Subject(state.name.text, transition.index))
    return None


def first_dead_end(spec: Spec, states: Collection[str]) -> Cause | None:
    """The FSM110 finding of the first of ``states`` that is not terminal and has no transitions."""
    for state in spec.states:
        if state.name.text in states and not state.terminal and not state.transitions:
            return Cause("FSM110", Subject(state.name.text))
    return None
