"""Actions in words, as an outline tells them."""

from __future__ import annotations

import json
from collections.abc import Iterable

from fsmcheck.cel.values import Value
from fsmcheck.reducer.json_values import to_json
from fsmcheck.spec.model import Action, ActionValue, Concatenation, Constant, Expression, Operator, Write


def in_words(actions: Iterable[Action]) -> tuple[str, ...]:
    """One line a write, in the order they run: ``directive = ""``, ``history += …``, ``notes["a"] = …``."""
    return tuple(_write(action.operator, write) for action in actions for write in action.writes)


def _write(operator: Operator, write: Write) -> str:
    name, value = write.field.text, _value(write.value)
    match operator:
        case Operator.ASSIGN:
            return f"{name} = {value}"
        case Operator.APPEND:
            return f"{name} += {value}"
        case Operator.PUT:
            return f"{name}[{_literal(write.key.text if write.key is not None else '')}] = {value}"


def _value(value: ActionValue) -> str:
    match value:
        case Constant(value=constant):
            return _literal(constant)
        case Expression(text=text):
            return text.strip()
        case Concatenation(parts=parts):
            inner = (part if isinstance(part, str) else f"${{ {part.text.strip()} }}" for part in parts)
            return _literal("".join(inner))


def _literal(value: Value) -> str:
    return json.dumps(to_json(value), ensure_ascii=False)
