"""Run-time values as JSON."""

from __future__ import annotations

import math
from collections.abc import Mapping

from fsmcheck.cel.values import MapValue, Value
from fsmcheck.reducer.store import TEXT
from fsmcheck.same_json import same_json

JsonValue = None | bool | int | float | str | list["JsonValue"] | dict[str, "JsonValue"]


def to_json(value: Value) -> JsonValue:
    """A value in JSON. A non-finite number, which an action can compute, is the text NaN, Infinity or -Infinity."""
    kind = type(value)
    if kind is str or kind is int:
        return value  # type: ignore[return-value]
    if kind is tuple and TEXT.issuperset(map(type, value)):  # type: ignore[arg-type]
        return list(value)  # type: ignore[arg-type]
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


class StoreWriter:
    """Makes JSON of the stores of a run, one after the other: what did not change from one to the next is the same
    object, up to the whole store."""

    def __init__(self) -> None:
        self._store: Mapping[str, Value] = {}
        self._json: dict[str, JsonValue] = {}

    def json(self, store: Mapping[str, Value]) -> dict[str, JsonValue]:
        """A store in JSON, fields in declared order; nobody may change it."""
        if store is not self._store:
            if list(store) == list(self._store):
                changes = self._changes(store)
                self._json = {**self._json, **changes} if changes else self._json
            else:
                self._json = store_json(store)
            self._store = store
        return self._json

    def _changes(self, store: Mapping[str, Value]) -> dict[str, JsonValue]:
        pairs = zip(store.items(), self._store.values(), strict=True)
        fresh = {field: to_json(value) for (field, value), before in pairs if value is not before}
        return {field: value for field, value in fresh.items() if not same_json(self._json[field], value)}
