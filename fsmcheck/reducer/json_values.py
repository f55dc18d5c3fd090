"""Run-time values as JSON."""

from __future__ import annotations

import math
from collections.abc import Mapping

from fsmcheck.cel.values import MapValue, Value

JsonValue = None | bool | int | float | str | list["JsonValue"] | dict[str, "JsonValue"]


def to_json(value: Value) -> JsonValue:
    """A value in JSON. A non-finite number, which an action can compute, is the text NaN, Infinity or -Infinity."""
    if isinstance(value, float) and not math.isfinite(value):
        return "NaN" if math.isnan(value) else "Infinity" if value > 0 else "-Infinity"
    if isinstance(value, tuple):
        return [to_json(element) for element in value]
    if isinstance(value, MapValue):
        return {str(key): to_json(entry) for key, entry in value.items()}
    return value


def given_json(value: object) -> JsonValue:
    """What an agent staged, in JSON: run-time values and plain JSON data alike."""
    if isinstance(value, list | tuple):
        return [given_json(element) for element in value]
    if isinstance(value, Mapping):
        return {str(key): given_json(entry) for key, entry in value.items()}
    if value is None or isinstance(value, bool | int | float | str):
        return to_json(value)
    return repr(value)


def store_json(store: Mapping[str, Value]) -> dict[str, JsonValue]:
    """A store in JSON, fields in declared order."""
    return {field: to_json(value) for field, value in store.items()}
