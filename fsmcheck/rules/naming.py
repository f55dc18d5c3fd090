"""Names of a spec's parts as messages about behaviour word them."""

from __future__ import annotations

from collections.abc import Iterable

from fsmcheck.diagnostics import Subject
from fsmcheck.spec.model import Spec, State, Transition
from fsmcheck.spec.wording import shown


def names(items: Iterable[str]) -> str:
    """``"a"``, ``"a" and "b"``, ``"a", "b" and "c"``."""
    return listed(shown(item) for item in items)


def listed(items: Iterable[str]) -> str:
    """``a``, ``a and b``, ``a, b and c``."""
    parts = list(items)
    return " and ".join([", ".join(parts[:-1]), parts[-1]] if len(parts) > 1 else parts)


def path(states: Iterable[str]) -> str:
    """``"a" → "b"``."""
    return " → ".join(shown(state) for state in states)


def state_of(spec: Spec, subject: Subject) -> State:
    """The state of a subject that has one."""
    return spec.state_by_name[subject.state or ""]


def transition_of(spec: Spec, subject: Subject) -> Transition:
    """The transition of a subject that has one."""
    return state_of(spec, subject).transitions[subject.transition or 0]


def heading_for(state: State, transition: Transition) -> str:
    """A transition of a state that is named already: ``the transition to "b"``, ``transition 1 to "b"`` of several."""
    return f"{_numbered(state, transition)} to {shown(transition.target.text)}"


def in_full(state: State, transition: Transition) -> str:
    """A transition with its state: ``the transition from "a" to "b"``."""
    return f"{_numbered(state, transition)} from {shown(state.name.text)} to {shown(transition.target.text)}"


def _numbered(state: State, transition: Transition) -> str:
    alike = [other for other in state.transitions if other.target.text == transition.target.text]
    return f"transition {transition.index}" if len(alike) > 1 else "the transition"
