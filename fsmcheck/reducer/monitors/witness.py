"""Events that settle a rule which asks for some run, not for all: FSM111, FSM203, FSM303."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from fsmcheck.diagnostics import Subject
from fsmcheck.reducer.monitors.moments import Leaving, Moment, Resting, moments
from fsmcheck.reducer.monitors.violation import Violation, histories, violation
from fsmcheck.reducer.record import Step
from fsmcheck.spec.model import Spec


def witnesses(spec: Spec, run: Sequence[Step]) -> tuple[Violation, ...]:
    """What a run shows to be possible, in the record of a violation though it is the opposite.

    FSM111: the machine parks in a state while a field of its description is set (subject: state and field).
    FSM203: a state is entered. FSM303: a transition is taken. A rule of these is violated at a subject exactly
    if no run at all has a witness there.
    """
    return tuple(found for moment in moments(spec, run) for found in shown_at(spec, moment))


def shown_at(spec: Spec, moment: Moment) -> Iterator[Violation]:
    """What one moment of a run shows to be possible, for those who follow it step by step."""
    if isinstance(moment, Leaving):
        taken, step, number = moment.taken, moment.step, moment.microstep
        yield violation("FSM303", Subject(state=taken.source, transition=taken.transition), step, number, "taken")
        yield violation("FSM203", Subject(state=taken.target), step, number, "entered")
    elif isinstance(moment, Resting):
        configuration = moment.record.configuration
        failure = moment.record.advance.failure
        if moment.record.agent is None and (failure is None or failure.transition is not None):
            yield violation("FSM203", Subject(state=spec.initial.text), moment.step, None, "entered")
        shown = spec.template_fields[configuration.state] if moment.parked else frozenset()
        for name in sorted(shown):
            if configuration.store.is_set(name):
                fields = histories([name], configuration.store, moment.ledger)
                subject = Subject(state=configuration.state, field=name)
                yield violation("FSM111", subject, moment.step, None, "set-when-parked", fields)
