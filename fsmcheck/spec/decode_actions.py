"""``entry``, ``exit`` and ``onTransition``: lists of actions."""

from __future__ import annotations

from collections.abc import Mapping

from fsmcheck.cel.ast import Literal
from fsmcheck.cel.types import DYN, STRING, Kind, Type
from fsmcheck.cel.values import Value
from fsmcheck.diagnostics import Subject
from fsmcheck.records import dataclass
from fsmcheck.source import Span
from fsmcheck.spec.expressions import ExpressionReader
from fsmcheck.spec.fitting import MisfitError, fit_element, fit_field, type_fits, worded
from fsmcheck.spec.forms import FaultLog, as_mapping, items_of
from fsmcheck.spec.literals import is_readable, literal_value, text_with_expression
from fsmcheck.spec.model import Action, ActionValue, Concatenation, Constant, Expression, Name, Operator, Write
from fsmcheck.spec.nodes import Entry, Hole, Node, ScalarNode
from fsmcheck.spec.wording import LONGEST_SHOWN, describe, shown
from fsmcheck.spelling import suggestion

_OPERATORS = tuple(operator.value for operator in Operator)


@dataclass(frozen=True, slots=True)
class ActionDecoder:
    """Decodes the actions of one document."""

    log: FaultLog
    reader: ExpressionReader

    @property
    def _types(self) -> Mapping[str, Type]:
        return self.reader.types

    def actions(self, node: Node | None, what: str, subject: Subject) -> tuple[Action, ...]:
        """A list of actions; ``what`` names it in messages. Items that are no action are left out."""
        found = (self._action(item, f"an action in {what}", subject) for item in items_of(self.log, node, what))
        return tuple(action for action in found if action is not None)

    def _action(self, node: Node, what: str, subject: Subject) -> Action | None:
        mapping = as_mapping(self.log, node, what)
        if mapping is None:
            return None
        for entry in mapping.entries:
            if entry.name not in _OPERATORS:
                hint = suggestion(entry.name, _OPERATORS, "operators")
                self.log.add("FSM002", f"{what} has the unknown operator {shown(entry.name)}", entry.key.span, hint)
        known = [entry for entry in mapping.entries if entry.name in _OPERATORS]
        if not mapping.entries:
            self.log.add("FSM002", f"{what} is empty, expected one operator", mapping.span, _list_operators())
        for entry in known[1:]:
            message = f'{what} has both "{known[0].name}" and "{entry.name}", expected one operator'
            self.log.add("FSM002", message, entry.key.span, "write it as an action of its own")
        writes = [write for entry in known[:1] for write in self._writes(entry, what, subject)]
        return Action(Operator(known[0].name), tuple(writes), mapping.span) if known else None

    def _writes(self, operator: Entry, what: str, subject: Subject) -> list[Write]:
        targets = self._targets(operator.value, f'"{operator.name}" of {what}', "field")
        writes: list[Write] = []
        for entry in targets:
            name = Name(entry.name, entry.key.span)
            type_ = self._types.get(entry.name, DYN)
            place = Subject(subject.state, subject.transition, entry.name)
            match Operator(operator.name):
                case Operator.ASSIGN:
                    value = self._value(entry.value, type_, place, is_element=False)
                    writes.append(Write(name, None, value, _whole(entry)))
                case Operator.APPEND:
                    element = _element_of(type_, Kind.LIST)
                    value = self._value(entry.value, element, place, is_element=True)
                    writes.append(Write(name, None, value, _whole(entry)))
                case Operator.PUT:
                    writes.extend(self._puts(entry, name, _element_of(type_, Kind.MAP), place))
        return writes

    def _puts(self, target: Entry, name: Name, element: Type, place: Subject) -> list[Write]:
        return [
            Write(
                name,
                Name(entry.name, entry.key.span),
                self._value(entry.value, element, place, is_element=True),
                _whole(entry),
            )
            for entry in self._targets(target.value, f'"put" into {shown(name.text)}', "key")
        ]

    def _targets(self, node: Node, what: str, noun: str) -> tuple[Entry, ...]:
        mapping = as_mapping(self.log, node, what)
        if mapping is None:
            return ()
        if not mapping.entries:
            self.log.add("FSM002", f"{what} is an empty map, expected {noun}s with values", mapping.span)
        return mapping.entries

    def _value(self, node: Node, type_: Type, place: Subject, *, is_element: bool) -> ActionValue:
        if isinstance(node, ScalarNode) and isinstance(node.value, str):
            value = self.reader.value(node, place)
            if not isinstance(value, str):
                if not is_element:
                    self._check_type(value, type_, place)
                return value
        elif not isinstance(node, Hole):
            self._refuse_nested(node, place)
        return Constant(self._constant(node, type_, place, is_element=is_element), node.span)

    def _refuse_nested(self, node: Node, place: Subject) -> None:
        nested = text_with_expression(node)
        if nested is not None:
            message = f"an expression inside {describe(node)} is not evaluated"
            hint = 'write the whole value as one expression, such as "${ [context.a, context.b] }"'
            self.log.add("FSM004", message, nested.span, hint, place)

    def _constant(self, node: Node, type_: Type, place: Subject, *, is_element: bool) -> Value:
        value = literal_value(node)
        if not is_readable(node):
            return value
        try:
            return fit_element(value, type_) if is_element else fit_field(value, type_)
        except MisfitError as misfit:
            if not is_element:
                message = f"{shown(place.field or '')} is assigned {misfit.found}, expected {misfit.expected}"
                self.log.add("FSM004", message, self.log.headline(node.span), misfit.hint or _computed(node), place)
            return value

    def _check_type(self, value: Expression | Concatenation, type_: Type, place: Subject) -> None:
        found, span = expression_type(value)
        if found is None or type_fits(found, type_) or _empties(value):
            return
        message = f"{shown(place.field or '')} is assigned {worded(found)}, expected {worded(type_)}"
        self.log.add("FSM004", message, span, _conversion(found, type_), place)


def expression_type(value: Expression | Concatenation) -> tuple[Type | None, Span]:
    """The type of a computed value, None where it did not parse; and its place."""
    if isinstance(value, Concatenation):
        return STRING, value.span
    tree = value.tree
    return (None, value.span) if tree is None else (tree.type, value.place(tree.span))


def _empties(value: Expression | Concatenation) -> bool:
    return isinstance(value, Expression) and isinstance(value.ast, Literal) and value.ast.value in ("", None)


def _computed(node: Node) -> str | None:
    """What to write where text looks like an expression."""
    if isinstance(node, ScalarNode) and "context." in node.text and len(node.text) <= LONGEST_SHOWN:
        return f'to compute it, write "${{ {node.text} }}"'
    return None


def _conversion(found: Type, wanted: Type) -> str | None:
    names = {Kind.INTEGER: "int", Kind.NUMBER: "double", Kind.STRING: "string", Kind.BOOLEAN: "bool"}
    simple = {Kind.STRING, Kind.INTEGER, Kind.NUMBER, Kind.BOOLEAN, Kind.ENUM}
    if wanted.kind in names and found.kind in simple:
        return f"convert it with {names[wanted.kind]}( … )"
    return None


def _element_of(type_: Type, kind: Kind) -> Type:
    return (type_.element or DYN) if type_.kind is kind else DYN


def _whole(entry: Entry) -> Span:
    return Span(entry.key.span.start, max(entry.key.span.end, entry.value.span.end))


def _list_operators() -> str:
    return "operators: " + ", ".join(_OPERATORS)
