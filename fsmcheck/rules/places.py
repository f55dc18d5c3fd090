"""Walks over a spec: every place that holds an action, an expression or a name of a field."""

from __future__ import annotations

from collections.abc import Iterator

from fsmcheck import late
from fsmcheck.cel.ast import FieldRef, mentioned_fields, walk
from fsmcheck.diagnostics import Subject
from fsmcheck.records import dataclass
from fsmcheck.source import Span
from fsmcheck.spec.model import Action, ActionValue, Concatenation, Expression, Operator, Spec, Template, Write

_MENTION = late.pattern(r"\bcontext\s*\.\s*([A-Za-z_][A-Za-z0-9_]*)")


@dataclass(frozen=True, slots=True)
class WritePlace:
    """One write of an action; ``subject`` carries the state, the transition where it belongs to one, the field."""

    operator: Operator
    write: Write
    subject: Subject


@dataclass(frozen=True, slots=True)
class ExpressionPlace:
    """One expression; ``subject`` carries the state and the transition where it belongs to one."""

    expression: Expression
    subject: Subject


def writes_of(spec: Spec) -> Iterator[WritePlace]:
    """All writes in the order of the text within each list."""
    for state in spec.states:
        lists: list[tuple[tuple[Action, ...], int | None]] = [(state.entry, None), (state.exit, None)]
        lists.extend((transition.actions, transition.index) for transition in state.transitions)
        for actions, transition in lists:
            for action in actions:
                for write in action.writes:
                    subject = Subject(state.name.text, transition, write.field.text)
                    yield WritePlace(action.operator, write, subject)


def expressions_of(spec: Spec) -> Iterator[ExpressionPlace]:
    """All expressions: of guards, action values and descriptions."""
    for state in spec.states:
        subject = Subject(state.name.text)
        yield from _of_template(state.description, subject)
        for transition in state.transitions:
            subject = Subject(state.name.text, transition.index)
            yield from _of_template(transition.description, subject)
            for guard in transition.guards:
                if guard.expression is not None:
                    yield ExpressionPlace(guard.expression, subject)
    for place in writes_of(spec):
        for expression in _of_value(place.write.value):
            yield ExpressionPlace(expression, Subject(place.subject.state, place.subject.transition))


def fields_named_in(expression: Expression) -> frozenset[str]:
    """The fields that an expression mentions; read off its text where it did not parse or check."""
    if expression.ast is not None:
        return mentioned_fields(expression.ast)
    return frozenset(_MENTION.findall(expression.text))


def mentions_in(expression: Expression) -> Iterator[tuple[str, Span]]:
    """Each mention of a field with the place of its name in the expression; as ``fields_named_in``."""
    if expression.ast is not None:
        for node in walk(expression.ast):
            if isinstance(node, FieldRef):
                yield node.name, node.name_span
    else:
        for found in _MENTION.finditer(expression.text):
            yield found[1], Span(*found.span(1))


def _of_template(template: Template | None, subject: Subject) -> Iterator[ExpressionPlace]:
    for part in template.parts if template else ():
        if isinstance(part, Expression):
            yield ExpressionPlace(part, subject)


def _of_value(value: ActionValue) -> Iterator[Expression]:
    if isinstance(value, Expression):
        yield value
    elif isinstance(value, Concatenation):
        yield from (part for part in value.parts if isinstance(part, Expression))
