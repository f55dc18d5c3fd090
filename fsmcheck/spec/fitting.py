"""Which values and which types of expressions fit a field, and the run-time form of literal values."""

from __future__ import annotations

import math

from fsmcheck.cel.types import DYN, Kind, Type
from fsmcheck.cel.values import MapValue, Value

_INT64 = range(-(2**63), 2**63)
_ARTICLES = {Kind.INTEGER: "an integer", Kind.ENUM: "text", Kind.STRING: "text", Kind.NULL: "null"}
_TEXTUAL = frozenset({Kind.STRING, Kind.ENUM})


class MisfitError(Exception):
    """A value does not fit a type: ``found`` and ``expected`` as a message words them, ``hint`` how to mend it."""

    def __init__(self, found: str, expected: str, hint: str | None = None) -> None:
        super().__init__(f"{found}, expected {expected}")
        self.found = found
        self.expected = expected
        self.hint = hint


def worded(type_: Type) -> str:
    """A type with its article."""
    return _ARTICLES.get(type_.kind, f"a {type_}")


def empty_of(type_: Type) -> Value:
    """How an empty field of this type reads."""
    match type_.kind:
        case Kind.STRING | Kind.ENUM:
            return ""
        case Kind.LIST:
            return ()
        case Kind.MAP:
            return MapValue()
        case _:
            return None


def fit_field(value: Value, type_: Type) -> Value:
    """The run-time form of a literal that is written to a field: ``""`` and null empty any.

    Raises:
        MisfitError: the value has another type. A text outside an enum's values fits (rule FSM104 looks at that).
    """
    if value is None or value == "":
        return value if type_.kind is Kind.DYN else empty_of(type_)
    return _fit(value, type_)


def fit_element(value: Value, type_: Type) -> Value:
    """The run-time form of a literal that becomes an element of a list or map of ``type_``.

    Raises:
        MisfitError: the value has another type, or is null.
    """
    if value is None:
        raise MisfitError("null", worded(type_))
    return _fit(value, type_)


def _fit(value: Value, type_: Type) -> Value:
    match type_.kind:
        case Kind.DYN:
            return value
        case Kind.STRING | Kind.ENUM if isinstance(value, str):
            return value
        case Kind.BOOLEAN if isinstance(value, bool):
            return value
        case Kind.INTEGER if isinstance(value, int) and not isinstance(value, bool):
            if value in _INT64:
                return value
            raise MisfitError(f"the integer {_figure(value)}", "one that 64 bits can hold")
        case Kind.NUMBER if isinstance(value, int | float) and not isinstance(value, bool):
            return _finite(value)
        case Kind.LIST if isinstance(value, tuple):
            return tuple(_fit_inside(item, type_, "list") for item in value)
        case Kind.MAP if isinstance(value, MapValue):
            return MapValue({key: _fit_inside(item, type_, "map") for key, item in value.items()})
        case _:
            raise MisfitError(value_worded(value), worded(type_), _mend(value, type_))


def _fit_inside(value: Value, collection: Type, noun: str) -> Value:
    try:
        return fit_element(value, collection.element or DYN)
    except MisfitError as misfit:
        raise MisfitError(f"a {noun} that holds {misfit.found}", f"{misfit.expected} in it", misfit.hint) from None


def _finite(value: float) -> float:
    try:
        number = float(value)
    except OverflowError:
        number = math.inf
    if math.isfinite(number):
        return number
    raise MisfitError(f"the number {_figure(value)}", "a finite number")


def _figure(value: float) -> str:
    text = str(value)
    return text if len(text) <= 24 else f"{text[:21]}…"


def value_worded(value: Value) -> str:
    """A value as a message words it."""
    match value:
        case None:
            return "null"
        case bool():
            return f"the boolean {str(value).lower()}"
        case int():
            return f"the integer {_figure(value)}"
        case float():
            return f"the number {_figure(value)}"
        case str():
            return f'the text "{value}"' if len(value) <= 40 else f'the text "{value[:40]}…"'
        case tuple():
            return "a list"
        case _:
            return "a map"


def _mend(value: Value, type_: Type) -> str | None:
    if type_.kind in _TEXTUAL and isinstance(value, bool | int | float):
        return "quote it to make it text"
    if type_.kind in (Kind.INTEGER, Kind.NUMBER) and isinstance(value, str) and value.lstrip("+-").isdecimal():
        return "remove the quotes"
    if type_.kind is Kind.INTEGER and isinstance(value, float) and value.is_integer():
        return f"write {int(value)}"
    if type_.kind is Kind.BOOLEAN and isinstance(value, str):
        friend = {"yes": "true", "on": "true", "no": "false", "off": "false"}.get(value.lower())
        return None if friend is None else f"write {friend}"
    return None


def type_fits(found: Type, wanted: Type) -> bool:
    """Whether an expression of type ``found`` may be written where ``wanted`` is expected.

    Null empties a field; an integer becomes a number; text may be written to an enum, which the run checks.
    """
    if Kind.DYN in (found.kind, wanted.kind) or found.kind is Kind.NULL:
        return True
    if found.kind in _TEXTUAL and wanted.kind in _TEXTUAL:
        return True
    if found.kind is Kind.INTEGER and wanted.kind is Kind.NUMBER:
        return True
    if found.kind is not wanted.kind:
        return False
    if found.kind in (Kind.LIST, Kind.MAP):
        return type_fits(found.element or DYN, wanted.element or DYN)
    return True
