"""When two types have values in common, by the rules of the CEL checker.

An enum is a string; a nullable type (CEL's wrapper) takes null; ``DYN`` goes with everything. The element of an
empty list or map literal is None: any type will do.
"""

from __future__ import annotations

from dataclasses import replace

from fsmcheck.cel.types import DYN, STRING, Kind, Type

_NOUNS = {
    Kind.STRING: "a string",
    Kind.ENUM: "an enum",
    Kind.INTEGER: "an integer",
    Kind.NUMBER: "a number",
    Kind.BOOLEAN: "a boolean",
    Kind.NULL: "null",
    Kind.DYN: "a value of unknown type",
}


def unify(one: Type, other: Type) -> Type | None:
    """The narrowest type that has the values of both; None where CEL sees two different types."""
    if Kind.DYN in {one.kind, other.kind}:
        return DYN
    if one.kind is Kind.NULL or other.kind is Kind.NULL:
        rest = other if one.kind is Kind.NULL else one
        return rest if rest.nullable or rest.kind is Kind.NULL else None
    if one.kind is not other.kind:
        return STRING if {one.kind, other.kind} == {Kind.STRING, Kind.ENUM} else None
    match one.kind:
        case Kind.ENUM:
            return one if one.values == other.values else STRING
        case Kind.LIST | Kind.MAP:
            return _unify_parts(one, other)
        case _:
            return replace(one, nullable=one.nullable or other.nullable)


def _unify_parts(one: Type, other: Type) -> Type | None:
    parts: list[Type | None] = []
    for mine, theirs in ((one.element, other.element), (one.key, other.key)):
        if mine is None or theirs is None:
            parts.append(mine or theirs)
            continue
        part = unify(mine, theirs)
        if part is None:
            return None
        parts.append(part)
    return Type(one.kind, element=parts[0], key=parts[1])


def element_of(collection: Type) -> Type:
    """The element of a list or map type, ``DYN`` where it may be anything."""
    return collection.element or DYN


def value_kind(type_: Type) -> Kind:
    """The kind for choosing an operation: an enum behaves as a string."""
    return Kind.STRING if type_.kind is Kind.ENUM else type_.kind


def noun(type_: Type) -> str:
    """A type for a message: "an integer", "a list of string"."""
    if type_.kind in {Kind.LIST, Kind.MAP}:
        return f"a {type_}" if type_.element else f"a {type_.kind.value}"
    return _NOUNS[type_.kind]


def is_boolean(type_: Type) -> bool:
    """Whether a value of the type can be a condition: boolean (null fails when it is evaluated) or unknown."""
    return type_.kind in {Kind.BOOLEAN, Kind.DYN}


def as_condition(type_: Type) -> str | None:
    """How to ask whether a value is set, for who expected it to count as true."""
    match value_kind(type_):
        case Kind.STRING:
            return 'compare it: != ""'
        case Kind.LIST | Kind.MAP:
            return "compare its size: size(…) > 0"
        case Kind.INTEGER | Kind.NUMBER:
            return "compare it: != 0"
        case _:
            return None
