"""Transitions that lead nowhere and states that cannot be left, as causes of what the graph lacks."""

from __future__ import annotations

from fsmcheck.diagnostics import Cause, Subject
from fsmcheck.spec.model import Spec


def dangling(spec: Spec) -> dict[str, Cause]:
    """For each state with a transition to an undeclared one, the FSM101 finding of the first such transition."""
    found: dict[str, Cause] = {}
    for state in spec.states:
        for transition in state.transitions:
            if transition.target.text not in spec.state_by_name:
                found.setdefault(state.name.text, Cause("FSM101", Subject(state.name.text, transition.index)))
    return found


def dead_ends(spec: Spec) -> dict[str, Cause]:
    """For each state without transitions that is not terminal, its FSM110 finding."""
    return {
        state.name.text: Cause("FSM110", Subject(state.name.text))
        for state in spec.states
        if not state.terminal and not state.transitions
    }
