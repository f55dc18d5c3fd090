"""Guards and actions that fail to evaluate: FSM304."""

from __future__ import annotations

from collections.abc import Iterator

from fsmcheck.cel.ast import mentioned_fields
from fsmcheck.cel.values import MapValue, Value
from fsmcheck.diagnostics import Subject
from fsmcheck.reducer.fitting import LARGEST_STAGED_INTEGER
from fsmcheck.reducer.json_values import JsonValue
from fsmcheck.reducer.mentions import mentioned_by_value
from fsmcheck.reducer.monitors.moments import Resting
from fsmcheck.reducer.monitors.violation import Violation, histories, violation
from fsmcheck.reducer.record import Effect, GuardFault, Search
from fsmcheck.reducer.store import Store
from fsmcheck.source import Span
from fsmcheck.spec.model import Guard, Spec


def evaluation_errors(spec: Spec, moment: Resting) -> Iterator[Violation]:
    """FSM304: guards in the order they were evaluated, then the action that failed, if one did.

    Evaluations that were given up, guards that are not CEL, and overflow of operands beyond 2^53 do not count.
    """
    advance = moment.record.advance
    for number, search in enumerate(advance.searches()):
        microstep = number if number < len(advance.microsteps) else None
        yield from _guard_errors(spec, moment, search, microstep)
    if advance.failure is not None:
        yield from _action_error(moment, advance.failure.effects[-1])


def _guard_errors(spec: Spec, moment: Resting, search: Search, microstep: int | None) -> Iterator[Violation]:
    state = spec.state_by_name[search.state]
    for tried in search.tried:
        for result in tried.guards:
            guard = state.transitions[tried.transition].guards[result.guard]
            mentioned = _guard_fields(guard)
            if result.fault is None or not _counts(result.fault, mentioned, search.store):
                continue
            subject = Subject(state=search.state, transition=tried.transition)
            fields = histories(mentioned, search.store, moment.ledger)
            yield violation(
                "FSM304",
                subject,
                moment.step,
                microstep,
                "guard-failed",
                fields,
                guard=result.guard,
                message=result.fault.message,
                span=_ends(result.fault.span),
            )


def _guard_fields(guard: Guard) -> frozenset[str]:
    if guard.expression is None or guard.expression.ast is None:
        return frozenset()
    return mentioned_fields(guard.expression.ast)


def _counts(fault: GuardFault, mentioned: frozenset[str], store: Store) -> bool:
    return not fault.opaque and not fault.gave_up and not _far_overflow(fault.message, mentioned, store)


def _action_error(moment: Resting, effect: Effect) -> Iterator[Violation]:
    fault = effect.fault
    if fault is None or fault.gave_up:
        return
    write = effect.action.writes[fault.write]
    mentioned = mentioned_by_value(write.value)
    if _far_overflow(fault.message, mentioned, effect.before):
        return
    subject = Subject(state=effect.state, transition=effect.transition, field=write.field.text)
    yield violation(
        "FSM304",
        subject,
        moment.step,
        None,
        "action-failed",
        histories(mentioned, effect.before, moment.ledger),
        phase=effect.phase.value,
        message=fault.message,
        write=fault.write,
        targets=[write.field.text for write in effect.action.writes],
        span=_ends(fault.span),
    )


def _ends(span: Span | None) -> list[JsonValue] | None:
    """The failing part of an expression as JSON data, None where the whole is at fault."""
    return None if span is None or span.start >= span.end else [span.start, span.end]


def _far_overflow(message: str, mentioned: frozenset[str], store: Store) -> bool:
    """An int64 overflow that only integers beyond 2^53 led to."""
    return "overflow" in message and any(_beyond(store[name]) for name in mentioned)


def _beyond(value: Value) -> bool:
    if isinstance(value, tuple):
        return any(_beyond(element) for element in value)
    if isinstance(value, MapValue):
        return any(_beyond(entry) for entry in value.values())
    return isinstance(value, int) and abs(value) > LARGEST_STAGED_INTEGER
