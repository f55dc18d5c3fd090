"""Where fields are mentioned, written and required."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from fsmcheck.cel.ast import FieldRef, mentioned_fields, walk
from fsmcheck.diagnostics import Related
from fsmcheck.rules.places import writes_of
from fsmcheck.source import Span
from fsmcheck.spec.model import (
    Action,
    ActionValue,
    Concatenation,
    Constant,
    Expression,
    Requirement,
    Spec,
    State,
    Template,
    Transition,
    Write,
)
from fsmcheck.spec.wording import shown

_MOST_PLACES = 3


def expressions_in(part: ActionValue | Template | None) -> tuple[Expression, ...]:
    """The expressions of a value or a template, in the order of the text."""
    match part:
        case None | Constant():
            return ()
        case Expression():
            return (part,)
        case Concatenation(parts=parts) | Template(parts=parts):
            return tuple(piece for piece in parts if isinstance(piece, Expression))


def mention(expressions: Iterable[Expression], field: str) -> Span | None:
    """The place of the first mention of a field."""
    for expression in expressions:
        for node in walk(expression.ast) if expression.ast is not None else ():
            if isinstance(node, FieldRef) and node.name == field:
                return expression.place(node.span)
    return None


def guard_expressions(transition: Transition) -> tuple[Expression, ...]:
    """The expressions of a transition's guards."""
    return tuple(guard.expression for guard in transition.guards if guard.expression is not None)


def mentioned(expressions: Iterable[Expression]) -> frozenset[str]:
    """The fields that any of the expressions mentions."""
    return frozenset().union(*(mentioned_fields(e.ast) for e in expressions if e.ast is not None))


def value_mention(actions: Iterable[Action], field: str) -> tuple[Action, Span] | None:
    """The first action with a value that mentions a field, and where."""
    for action in actions:
        for write in action.writes:
            span = mention(expressions_in(write.value), field)
            if span is not None:
                return action, span
    return None


def actions_of(state: State, transition: int | None) -> tuple[Action, ...]:
    """The actions that a subject without or with a transition is about."""
    return (*state.entry, *state.exit) if transition is None else state.transitions[transition].actions


def requirement(state: State, field: str | None) -> Requirement | None:
    """The first requirement of a field."""
    return next((req for req in state.requires if req.field.text == field), None)


def writers(spec: Spec, field: str) -> tuple[Related, ...]:
    """Some places that give a field its value: an agent that is asked for it, an action that sets it."""
    return tuple(place for _, place in zip(range(_MOST_PLACES), _writers(spec, field), strict=False))


def has_first_value(spec: Spec, field: str) -> bool:
    """Whether a field can get a value while it is empty: as an input or by default, from an agent that is asked for it,
    or by an action whose value does not rest on the field itself."""
    declared = spec.field_by_name[field]
    if declared.default is not None or field in spec.input_names:
        return True
    if any(requirement(state, field) is not None for state in spec.states if not state.terminal):
        return True
    return any(
        place.write.field.text == field and not _empties(place.write) and field not in _resting_on(place.write)
        for place in writes_of(spec)
    )


def _resting_on(write: Write) -> frozenset[str]:
    return mentioned(expressions_in(write.value))


def _empties(write: Write) -> bool:
    return isinstance(write.value, Constant) and write.value.value in ("", None, ())


def _writers(spec: Spec, field: str) -> Iterator[Related]:
    for state in spec.states:
        for req in () if state.terminal else state.requires:
            if req.field.text == field:
                where = f"{shown(state.name.text)} asks {shown(req.agent.text)} for it"
                yield Related(where, req.span)
    for place in writes_of(spec):
        if place.write.field.text == field and not _empties(place.write):
            yield Related("written here", place.write.span)
