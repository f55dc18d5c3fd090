"""``context`` and ``agents``: the declared fields and agents."""

from __future__ import annotations

from fsmcheck.cel.types import BOOLEAN, DYN, INTEGER, NUMBER, STRING, Kind, Type
from fsmcheck.source import Span
from fsmcheck.spec.fitting import MisfitError, fit_field
from fsmcheck.spec.forms import (
    FaultLog,
    Keys,
    as_mapping,
    as_name,
    as_text,
    entries_of,
    items_of,
    named_entries,
    optional_text,
)
from fsmcheck.spec.literals import is_readable, literal_value, text_with_expression
from fsmcheck.spec.model import Agent, Constant, Field, Name
from fsmcheck.spec.nodes import Hole, MappingNode, Node
from fsmcheck.spec.splice import respelling
from fsmcheck.spec.wording import describe, shown
from fsmcheck.spelling import suggestion

_SCALARS = {
    "string": STRING,
    "integer": INTEGER,
    "int": INTEGER,
    "number": NUMBER,
    "float": NUMBER,
    "double": NUMBER,
    "boolean": BOOLEAN,
    "bool": BOOLEAN,
}
TYPE_NAMES = (*_SCALARS, "enum", "list", "map")
ELEMENT_NAMES = tuple(_SCALARS)
_FIELD_KEYS = Keys(required=("type",), optional=("values", "of", "default", "description"))
_AGENT_KEYS = Keys(required=("canTransition",), optional=("description",))


def decode_fields(log: FaultLog, node: Node | None) -> tuple[Field, ...] | None:
    """The fields of ``context``; None where it is no map."""
    entries = entries_of(log, node, '"context"')
    if entries is None:
        return None
    return tuple(_field(log, name, value) for name, value in named_entries(entries))


def _field(log: FaultLog, name: Name, node: Node) -> Field:
    what = f"field {shown(name.text)}"
    span = Span(name.span.start, max(name.span.end, node.span.end))
    mapping = as_mapping(log, node, what, _FIELD_KEYS)
    if mapping is None:
        return Field(name, DYN, None, None, span)
    type_ = _type(log, mapping, what)
    default = _default(log, mapping, name, type_)
    description = optional_text(log, mapping, "description", f"the description of {what}")
    return Field(name, type_, default, description, span)


def _type(log: FaultLog, mapping: MappingNode, what: str) -> Type:
    entry = mapping.entry("type")
    scalar = None if entry is None else as_text(log, entry.value, f"the type of {what}")
    if scalar is None:
        return DYN
    kind = scalar.text
    if kind not in TYPE_NAMES:
        hint = suggestion(kind, TYPE_NAMES, "types")
        fix = respelling(log.source.text, scalar.span, kind, TYPE_NAMES)
        log.add("FSM002", f"{what} has the unknown type {shown(kind)}", scalar.span, hint, fix=fix)
        return DYN
    for key, owners in (("values", ("enum",)), ("of", ("list", "map"))):
        extra = mapping.entry(key)
        if extra is not None and kind not in owners:
            message = f'{what} has "{key}", which belongs to the type {" or ".join(owners)}'
            log.add("FSM002", message, extra.key.span, f'remove it or change the type from "{kind}"')
    if kind == "enum":
        values = _enum_values(log, mapping, what)
        return Type(Kind.ENUM, values=values) if values else DYN
    if kind in ("list", "map"):
        element = _element(log, mapping, kind, what)
        return Type(Kind.LIST, element=element) if kind == "list" else Type(Kind.MAP, element=element, key=STRING)
    scalar_type = _SCALARS[kind]
    return scalar_type if scalar_type == STRING else Type(scalar_type.kind, nullable=True)


def _enum_values(log: FaultLog, mapping: MappingNode, what: str) -> tuple[str, ...]:
    entry = mapping.entry("values")
    if entry is None:
        log.add("FSM002", f'{what} is an enum without "values"', log.headline(mapping.span), 'add "values: [ … ]"')
        return ()
    items = items_of(log, entry.value, f'"values" of {what}')
    names: dict[str, None] = {}
    for item in items:
        value = as_name(log, item, f"a value of {what}")
        if value is not None and value.text in names:
            log.add("FSM002", f"{what} has the value {shown(value.text)} twice", value.span, "remove one of them")
        elif value is not None:
            names[value.text] = None
    if not items and not isinstance(entry.value, Hole) and describe(entry.value) == "a list":
        log.add("FSM002", f"{what} has no values, expected at least one", entry.value.span)
    return tuple(names)


def _element(log: FaultLog, mapping: MappingNode, kind: str, what: str) -> Type:
    entry = mapping.entry("of")
    if entry is None:
        hint = 'add the type of its elements, such as "of: string"'
        log.add("FSM002", f'{what} is a {kind} without "of"', log.headline(mapping.span), hint)
        return DYN
    scalar = as_text(log, entry.value, f'"of" of {what}')
    if scalar is None:
        return DYN
    if scalar.text not in _SCALARS:
        hint = suggestion(scalar.text, ELEMENT_NAMES, "element types")
        log.add("FSM002", f"{what} cannot hold elements of type {shown(scalar.text)}", scalar.span, hint)
        return DYN
    return _SCALARS[scalar.text]


def _default(log: FaultLog, mapping: MappingNode, name: Name, type_: Type) -> Constant | None:
    entry = mapping.entry("default")
    if entry is None:
        return None
    what = f"the default of {shown(name.text)}"
    if not is_readable(entry.value):
        return Constant(literal_value(entry.value), entry.value.span)
    embedded = text_with_expression(entry.value)
    if embedded is not None:
        hint = "assign it in the entry of the initial state"
        log.add("FSM004", f"{what} is an expression, expected a literal", embedded.span, hint)
    value = literal_value(entry.value)
    try:
        return Constant(fit_field(value, type_), entry.value.span)
    except MisfitError as misfit:
        place = log.headline(entry.value.span)
        log.add("FSM004", f"{what} is {misfit.found}, expected {misfit.expected}", place, misfit.hint)
        return Constant(value, entry.value.span)


def decode_agents(log: FaultLog, node: Node | None) -> tuple[Agent, ...] | None:
    """The agents; None where ``agents`` is no map."""
    entries = entries_of(log, node, '"agents"')
    if entries is None:
        return None
    return tuple(_agent(log, name, value) for name, value in named_entries(entries))


def _agent(log: FaultLog, name: Name, node: Node) -> Agent:
    what = f"agent {shown(name.text)}"
    span = Span(name.span.start, max(name.span.end, node.span.end))
    mapping = as_mapping(log, node, what, _AGENT_KEYS)
    if mapping is None:
        return Agent(name, (), None, span)
    entry = mapping.entry("canTransition")
    items = items_of(log, entry.value if entry else None, f'"canTransition" of {what}')
    states = (as_name(log, item, f'a state in "canTransition" of {what}') for item in items)
    description = optional_text(log, mapping, "description", f"the description of {what}")
    return Agent(name, tuple(state for state in states if state is not None), description, span)
