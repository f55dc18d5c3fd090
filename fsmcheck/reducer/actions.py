"""Running a list of actions."""

from __future__ import annotations

from collections.abc import Iterable

from fsmcheck.cel.errors import EvaluationError, WorkLimit
from fsmcheck.cel.evaluate import evaluate, to_text
from fsmcheck.cel.types import DYN
from fsmcheck.cel.values import MapValue, Value
from fsmcheck.reducer.fitting import WriteError, written, written_element
from fsmcheck.reducer.record import ActionFault, Effect, Phase
from fsmcheck.reducer.store import Store
from fsmcheck.source import Span
from fsmcheck.spec.model import Action, ActionValue, Concatenation, Constant, Expression, Operator, Spec, Write


def run_actions(
    spec: Spec, actions: Iterable[Action], store: Store, phase: Phase, state: str, transition: int | None = None
) -> tuple[Effect, ...]:
    """Run actions in order, each in the store the one before left; stop at the first that fails."""
    effects: list[Effect] = []
    for action in actions:
        after, fault = _apply(spec, action, store)
        effects.append(Effect(phase, state, transition, action, store, after, fault))
        if fault is not None:
            break
        store = after
    return tuple(effects)


def _apply(spec: Spec, action: Action, store: Store) -> tuple[Store, ActionFault | None]:
    changes: dict[str, Value] = {}
    for index, write in enumerate(action.writes):
        name = write.field.text
        try:
            value = _evaluate(write.value, store)
            changes[name] = _target_value(spec, action.operator, write, value, changes.get(name, store[name]))
        except EvaluationError as error:
            return store, ActionFault(index, error.message, error.span, gave_up=isinstance(error, WorkLimit))
        except WriteError as error:
            return store, ActionFault(index, str(error))
    return store.updated(changes), None


def _target_value(spec: Spec, operator: Operator, write: Write, value: Value, current: Value) -> Value:
    type_ = spec.field_by_name[write.field.text].type
    if operator is Operator.ASSIGN:
        return written(type_, value)
    element = written_element(type_.element or DYN, value)
    if operator is Operator.APPEND and isinstance(current, tuple):
        return (*current, element)
    if operator is Operator.PUT and isinstance(current, MapValue) and write.key is not None:
        return MapValue({**current, write.key.text: element})
    raise WriteError(f'"{operator.value}" does not fit a field of type {type_}')


def _evaluate(value: ActionValue, store: Store) -> Value:
    match value:
        case Constant(value=constant):
            return constant
        case Expression():
            return _expression(value, store)
        case Concatenation(parts=parts):
            return "".join(part if isinstance(part, str) else _text(part, store) for part in parts)


def _expression(expression: Expression, store: Store) -> Value:
    if expression.ast is None:
        raise EvaluationError("the expression could not be read")
    return evaluate(expression.ast, store)


def _text(expression: Expression, store: Store) -> str:
    value = _expression(expression, store)
    if value is None:
        raise EvaluationError("null has no text", Span(0, len(expression.text)))
    return to_text(value)
