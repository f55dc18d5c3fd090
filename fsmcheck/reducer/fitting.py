"""Whether a value fits a field: what agents stage, what inputs bring, what actions write."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Literal

from fsmcheck.cel.types import DYN, Kind, Type
from fsmcheck.cel.values import MapValue, Value, is_empty
from fsmcheck.reducer.store import empty_value

Code = Literal["type-mismatch", "not-in-values", "empty-value"]

LARGEST_STAGED_INTEGER = 2**53
"""The magnitude up to which an integer survives every JSON reader."""


class UnfitError(Exception):
    """A staged value or an input does not fit its field; ``code`` says how."""

    def __init__(self, code: Code) -> None:
        super().__init__(code)
        self.code = code


class WriteError(Exception):
    """A value that an action computed does not fit its field."""


def staged(type_: Type, value: object) -> Value:
    """The run-time form of a JSON value that an agent stages or that is given as an input.

    An int given for a number is taken as a double. Null and ``""`` are empty whatever the field's type,
    as they are in ``assign``. Raises ``UnfitError``: ``type-mismatch`` (also integers beyond 2^53 in magnitude,
    non-finite numbers, lone surrogates, an unfitting element), ``not-in-values``, ``empty-value``.
    """
    if value is None or value == "":
        raise UnfitError("empty-value")
    element = type_.element or DYN
    if type_.kind is Kind.LIST:
        if not isinstance(value, list | tuple):
            raise UnfitError("type-mismatch")
        result: Value = tuple(_staged_scalar(element, part) for part in value)
    elif type_.kind is Kind.MAP:
        if not isinstance(value, Mapping):
            raise UnfitError("type-mismatch")
        result = MapValue((_text(key), _staged_scalar(element, part)) for key, part in value.items())
    else:
        result = _staged_scalar(type_, value)
    if is_empty(result):
        raise UnfitError("empty-value")
    return result


def _staged_scalar(type_: Type, value: object) -> Value:
    match type_.kind:
        case Kind.STRING:
            return _text(value)
        case Kind.ENUM:
            if _text(value) not in type_.values:
                raise UnfitError("not-in-values")
            return _text(value)
        case Kind.BOOLEAN if isinstance(value, bool):
            return value
        case Kind.INTEGER if isinstance(value, int) and not isinstance(value, bool):
            return _small(value)
        case Kind.NUMBER if isinstance(value, int) and not isinstance(value, bool):
            return float(_small(value))
        case Kind.NUMBER if isinstance(value, float) and math.isfinite(value):
            return value
    raise UnfitError("type-mismatch")


def _small(value: int) -> int:
    if abs(value) > LARGEST_STAGED_INTEGER:
        raise UnfitError("type-mismatch")
    return value


def _text(value: object) -> str:
    if not isinstance(value, str):
        raise UnfitError("type-mismatch")
    if not value.isascii():
        try:
            value.encode()
        except UnicodeEncodeError:
            raise UnfitError("type-mismatch") from None
    return value


def written(type_: Type, value: Value) -> Value:
    """The value a field takes when an ``assign`` writes ``value``; null and ``""`` empty a field of any type.

    Raises ``WriteError`` where the value is not one of the field's.
    """
    if value is None or value == "":
        return empty_value(type_)
    element = type_.element or DYN
    if type_.kind is Kind.LIST and isinstance(value, tuple):
        return tuple(written_element(element, part) for part in value)
    if type_.kind is Kind.MAP and isinstance(value, MapValue):
        if not all(isinstance(key, str) for key in value):
            raise WriteError("a key of the map is not text")
        return MapValue({key: written_element(element, part) for key, part in value.items()})
    return _written_scalar(type_, value)


def written_element(type_: Type, value: Value) -> Value:
    """The element that an ``append`` or ``put`` of ``value`` adds. Raises ``WriteError``, also for null."""
    if value is None:
        raise WriteError("null cannot be an element")
    return _written_scalar(type_, value)


def _written_scalar(type_: Type, value: Value) -> Value:
    match type_.kind, value:
        case Kind.BOOLEAN, bool():
            return value
        case (Kind.BOOLEAN, _) | (_, bool()):
            pass
        case (Kind.STRING, str()) | (Kind.INTEGER, int()) | (Kind.NUMBER, float()):
            return value
        case Kind.NUMBER, int():
            return float(value)
        case Kind.ENUM, str():
            if value and value not in type_.values:
                raise WriteError(f'"{value}" is not one of the values {", ".join(sorted(type_.values))}')
            return value
    raise WriteError(f"the value is not of type {type_}")
