"""Why no run takes a transition."""

from __future__ import annotations

from collections.abc import Callable

from fsmcheck.diagnostics import Subject
from fsmcheck.engines.explicit import Key
from fsmcheck.obligations.constants import unsatisfiable
from fsmcheck.spec.model import Spec
from fsmcheck.system.events import BLOCKED, OPEN


def why_dead(spec: Spec, subject: Subject, happens: Callable[[Key], bool]) -> str | None:
    """Why no run takes the transition that an obligation of FSM303 is about; ``happens`` tells of its other events."""
    if subject.transition is None:
        return None
    if happens(("FSM303", subject, BLOCKED)):
        return "an action fails whenever it would be taken"
    if subject.transition and happens(("FSM303", subject, OPEN)):
        return "shadowed by an earlier transition: one is enabled whenever its own guards hold"
    transition = spec.state_by_name[subject.state or ""].transitions[subject.transition]
    if not transition.guards:
        return "no run meets the requirements of the state"
    if unsatisfiable(spec, transition):
        return "guard unsatisfiable: no values of its fields make its guards true"
    return "value never produced: no run comes here with its guards true"
