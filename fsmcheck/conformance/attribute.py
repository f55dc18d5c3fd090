"""Which clause a difference speaks of, judged from what the reference did at that point."""

from __future__ import annotations

from collections.abc import Iterator
from typing import cast

from fsmcheck.cel.ast import mentioned_fields
from fsmcheck.cel.types import Kind
from fsmcheck.conformance.answers import Answer
from fsmcheck.conformance.clauses import CLAUSES
from fsmcheck.conformance.compare import Difference
from fsmcheck.reducer.configuration import Profile
from fsmcheck.reducer.json_values import JsonValue
from fsmcheck.reducer.record import Effect, Failure, Phase, Search, Step
from fsmcheck.reducer.runnable import expressions
from fsmcheck.spec.model import ActionValue, Concatenation, Constant, Operator, Spec

_CAPS = {
    "maxIterations": "cap-iterations",
    "maxExchangesPerStage": "cap-stage",
    "maxExchangesPerAgentPerStage": "cap-agent",
}


def attribute(spec: Spec, profile: Profile, step: Step, answer: Answer, difference: Difference) -> str:
    """The clause that the first difference of a step speaks of; a best guess where several could be behind it."""
    if difference.path == "ok":
        return "inputs" if step.agent is None and step.given else "protocol"
    if difference.path == "rejected":
        return _rejection(step, answer)
    if step.rejected is not None:
        return _after_rejection(difference)
    if difference.microstep is not None:
        if difference.field is None:
            return _route(spec, profile, step, answer, difference)
        return _value(step.advance.microsteps[difference.microstep].effects, difference.field)
    if difference.path in ("status", "state", "cap"):
        return _ending(spec, step, answer, difference)
    if difference.field is not None:
        return _resting_store(spec, step, difference.field)
    return {"awaits": "awaits", "guardErrors": "guard-errors"}.get(difference.path, "protocol")


def _rejection(step: Step, answer: Answer) -> str:
    expected, actual = step.rejected, answer.get("rejected")
    if expected is None:
        if answer.get("status") == "capped":
            return _CAPS.get(str(answer.get("cap")), "cap-iterations")
        return str(actual) if actual in CLAUSES else "protocol"
    if expected == "not-waiting" and step.configuration.status == "capped":
        return _CAPS[step.configuration.cap or "maxIterations"]
    if actual is not None and len(step.given) > 1:
        return "first-bad-write"
    return expected


def _after_rejection(difference: Difference) -> str:
    if difference.path == "status" and "capped" in (difference.expected, difference.actual):
        return "counting"
    if difference.path == "cap":
        return "cap-name"
    return "awaits" if difference.path == "awaits" else "rejection-atomic"


def _route(spec: Spec, profile: Profile, step: Step, answer: Answer, difference: Difference) -> str:
    """Another transition was taken, or one too many, or one too few."""
    index = cast("int", difference.microstep)
    searches = step.advance.searches()
    search = searches[index] if index < len(searches) else None
    if difference.expected is None:
        return _one_too_many(spec, profile, step, search, difference)
    if difference.actual is None:
        return _one_too_few(spec, step, answer, search, index)
    expected, actual = cast("list[JsonValue]", difference.expected), cast("list[JsonValue]", difference.actual)
    if expected[0] != actual[0] or search is None:
        return "advance"
    return _another(profile, search, cast("int", expected[1]), cast("int", actual[1]))


def _one_too_many(spec: Spec, profile: Profile, step: Step, search: Search | None, difference: Difference) -> str:
    status = step.configuration.status
    if status in ("runaway", "no-progress"):
        return status
    if status == "failed" and step.advance.failure is not None:
        return _failure(step.advance.failure)
    if search is None:
        return "terminal" if spec.state_by_name[step.configuration.state].terminal else "advance"
    if search.unmet and profile == "gated":
        return "gating"
    taken = cast("int", cast("list[JsonValue]", difference.actual)[1])
    if _faulty(search, taken):
        return "guard-errors"
    return (
        "gating"
        if search.unmet and any(tried.transition == taken and not tried.guards for tried in search.tried)
        else "guards"
    )


def _one_too_few(spec: Spec, step: Step, answer: Answer, search: Search | None, index: int) -> str:
    status = answer.get("status")
    if status in ("no-progress", "runaway"):
        return str(status)
    if status == "failed":
        return _failed_instead(spec, step.advance.microsteps[index].effects)
    if search is not None and any(_faulty(search, tried.transition) for tried in search.tried):
        return "guard-errors"
    if search is not None and search.unmet:
        return "gating"
    if status == "done":
        return "terminal"
    if index:
        return "advance"
    return "set-and-empty" if status == "waiting" else "guards"


def _another(profile: Profile, search: Search, expected: int, actual: int) -> str:
    if any(_faulty(search, tried.transition) for tried in search.tried):
        return "guard-errors"
    if search.unmet and profile == "eager":
        return "gating"
    return "document-order" if actual > expected else "guards"


def _faulty(search: Search, transition: int) -> bool:
    return any(
        guard.fault is not None for tried in search.tried if tried.transition == transition for guard in tried.guards
    )


def _failure(failure: Failure) -> str:
    """What a failure that the reducer did not notice was about."""
    effect = failure.effects[-1]
    if effect.fault is None:
        return "failed-store"
    write = effect.action.writes[effect.fault.write]
    if "is not one of the values" in effect.fault.message:
        return "enum-check"
    if "null" in effect.fault.message and (effect.action.operator is not Operator.ASSIGN or _joins(write.value)):
        return "null-element"
    return "arithmetic"


def _joins(value: ActionValue) -> bool:
    return isinstance(value, Concatenation)


def _failed_instead(spec: Spec, effects: tuple[Effect, ...]) -> str:
    if "emptying" in _written_by(effects):
        return "emptying"
    writes = [write for effect in effects for write in effect.action.writes]
    if any(spec.field_by_name[write.field.text].type.kind is Kind.ENUM for write in writes):
        return "enum-check"
    return "text-parts" if any(_joins(write.value) for write in writes) else "arithmetic"


def _written_by(effects: tuple[Effect, ...]) -> Iterator[str]:
    for effect in effects:
        for write in effect.action.writes:
            if effect.action.operator is not Operator.ASSIGN:
                yield effect.action.operator.value
            elif isinstance(write.value, Constant) and not effect.after.is_set(write.field.text):
                yield "emptying"


def _value(effects: tuple[Effect, ...], field: str) -> str:
    """A field has another value after actions: which of their rules gives it?"""
    writing = [effect for effect in effects if field in _targets(effect)]
    if not writing:
        return "action-order" if effects else "advance"
    read = set().union(*(_sources(effect, field) for effect in writing)) | {field}
    touching = [effect for effect in effects if _targets(effect) & read]
    if len({effect.phase for effect in touching}) > 1:
        return "action-order"
    if len(touching) > 1:
        return "actions-in-sequence"
    effect = writing[0]
    if effect.action.operator is not Operator.ASSIGN:
        return str(effect.action.operator.value)
    if (read - {field}) & _targets(effect):
        return "assign-simultaneous"
    write = next(write for write in effect.action.writes if write.field.text == field)
    if not effect.after.is_set(field):
        return "emptying"
    if _joins(write.value):
        return "text-parts"
    return "start-entry" if effect.phase is Phase.ENTRY else "arithmetic"


def _targets(effect: Effect) -> set[str]:
    return {write.field.text for write in effect.action.writes}


def _sources(effect: Effect, field: str) -> set[str]:
    return {
        name
        for write in effect.action.writes
        if write.field.text == field
        for expression in expressions(write.value)
        if expression.ast is not None
        for name in mentioned_fields(expression.ast)
    }


def _ending(spec: Spec, step: Step, answer: Answer, difference: Difference) -> str:
    expected, actual = step.configuration.status, answer.get("status")
    if difference.path == "cap":
        return "cap-name"
    if "capped" in (expected, actual):
        return _CAPS.get(str(step.configuration.cap or answer.get("cap")), "visit-counters")
    for status in ("no-progress", "runaway"):
        if status in (expected, actual):
            return status
    if expected == "failed":
        return _failure(step.advance.failure) if step.advance.failure is not None else "failed-store"
    if actual == "failed":
        guarded = step.agent is not None or step.advance.searches()
        return "guard-errors" if guarded else _failed_instead(spec, step.advance.opening)
    if expected == "done":
        return "terminal"
    return "stuck-or-waiting"


def _resting_store(spec: Spec, step: Step, field: str) -> str:
    if step.configuration.status == "failed":
        return "failed-store"
    if step.agent is not None:
        return "staging"
    opening = step.advance.opening
    if any(field in _targets(effect) for effect in opening):
        return _value(opening, field)
    return "inputs" if field in spec.input_names else "defaults"
