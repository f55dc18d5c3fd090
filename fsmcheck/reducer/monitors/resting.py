"""Where the machine comes to rest: FSM205, FSM301, FSM405, FSM502."""

from __future__ import annotations

from collections.abc import Iterator

from fsmcheck.diagnostics import Subject
from fsmcheck.reducer.json_values import JsonValue
from fsmcheck.reducer.monitors.ledger import assigned_fields, store_before_entry
from fsmcheck.reducer.monitors.moments import Resting
from fsmcheck.reducer.monitors.violation import Violation, histories, violation
from fsmcheck.reducer.record import Advance, Effect, Phase
from fsmcheck.spec.model import Spec


def deadlock(spec: Spec, moment: Resting) -> Iterator[Violation]:
    """FSM205: the machine waits for a field that nobody asked for it may stage."""
    configuration = moment.record.configuration
    if not moment.parked or moment.record.rejected is not None:
        return
    state = spec.state_by_name[configuration.state]
    unmet = [req for req in state.requires if not configuration.store.is_set(req.field.text)]
    served = {req.field.text for req in unmet if _has_authority(spec, req.agent.text, configuration.state)}
    blocked: list[JsonValue] = [
        {"field": req.field.text, "agent": req.agent.text} for req in unmet if req.field.text not in served
    ]
    if blocked:
        subject = Subject(state=configuration.state)
        yield violation("FSM205", subject, moment.step, None, "nobody-may-stage", blocked=blocked)


def _has_authority(spec: Spec, agent: str, state: str) -> bool:
    declared = spec.agent_by_name.get(agent)
    return declared is not None and state in {name.text for name in declared.can_transition}


def stuck(_spec: Spec, moment: Resting) -> Iterator[Violation]:
    """FSM301: every requirement is met and no transition is enabled."""
    configuration = moment.record.configuration
    if configuration.status == "stuck" and moment.record.rejected is None:
        fields = histories(configuration.store, configuration.store, moment.ledger)
        yield violation("FSM301", Subject(state=configuration.state), moment.step, None, "stuck", fields)


def not_awaited(spec: Spec, moment: Resting) -> Iterator[Violation]:
    """FSM405: the machine parks on entering a state, and a requirement was already set before its entry."""
    configuration = moment.record.configuration
    if not moment.parked or not moment.entered:
        return
    advance = moment.record.advance
    effects = _entry_effects(advance)
    before = store_before_entry(effects, configuration.store)
    written = assigned_fields(effects)
    for name in sorted({req.field.text for req in spec.state_by_name[configuration.state].requires}):
        if before.is_set(name) and configuration.store.is_set(name) and name not in written:
            subject = Subject(state=configuration.state, field=name)
            microstep = len(advance.microsteps) - 1 if advance.microsteps else None
            fields = histories([name], configuration.store, moment.ledger)
            stale = name in moment.ledger.stale_in(configuration.state)
            yield violation("FSM405", subject, moment.step, microstep, "set-on-entry", fields, stale=stale)


def _entry_effects(advance: Advance) -> tuple[Effect, ...]:
    """The entry actions of the state that an advance ended in."""
    effects = advance.microsteps[-1].effects if advance.microsteps else advance.opening
    return tuple(effect for effect in effects if effect.phase is Phase.ENTRY)


def runs_hot(spec: Spec, moment: Resting) -> Iterator[Violation]:
    """FSM502: one advance never comes to rest by itself. Its subject is the loop's first state in the document."""
    status = moment.record.configuration.status
    if status not in ("no-progress", "runaway") or moment.record.rejected is not None:
        return
    advance = moment.record.advance
    loop = _repetition(advance) if status == "no-progress" else _second_half(advance)
    states = [state.name.text for state in spec.states if state.name.text in loop]
    last = len(advance.microsteps) - 1 if advance.microsteps else None
    yield violation("FSM502", Subject(state=states[0]), moment.step, last, status, loop=list(states))


def _repetition(advance: Advance) -> frozenset[str]:
    """The states between the two times that the last state and store were reached."""
    final = advance.microsteps[-1]
    lap = set()
    for microstep in reversed(advance.microsteps):
        lap.add(microstep.source)
        if (microstep.source, microstep.before.identity) == (final.target, final.store.identity):
            break
    return frozenset(lap)


def _second_half(advance: Advance) -> frozenset[str]:
    """The states left in the second half of an advance, when a way into the loop lies behind it."""
    microsteps = advance.microsteps
    return frozenset(microstep.source for microstep in microsteps[len(microsteps) // 2 :])
