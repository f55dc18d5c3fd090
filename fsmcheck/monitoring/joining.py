"""Configurations taken over from a log: where it begins in the middle of a run, or a run has departed."""

from __future__ import annotations

from fsmcheck.cel.types import Kind, Type
from fsmcheck.cel.values import MapValue, Value
from fsmcheck.monitoring.event import Said
from fsmcheck.reducer.configuration import Configuration, Status
from fsmcheck.reducer.fitting import WriteError, written
from fsmcheck.reducer.json_values import JsonValue
from fsmcheck.reducer.store import Store
from fsmcheck.spec.model import Spec

_NON_FINITE = ("NaN", "Infinity", "-Infinity")


def said_configuration(spec: Spec, said: Said) -> Configuration | None:
    """The configuration that a log gives, None where it is not all there or does not fit the spec.

    State and store have to be complete; a status that is left out follows from them. Nothing is known of counters.
    """
    if said.state not in spec.state_by_name or said.store is None:
        return None
    values: dict[str, Value] = {}
    for field in spec.fields:
        name = field.name.text
        if name not in said.store:
            return None
        try:
            values[name] = _value(field.type, said.store[name])
        except (WriteError, TypeError, OverflowError):
            return None
    store = Store(values)
    return Configuration(said.state, store, _status(spec, said.state, store, said.status))


def _status(spec: Spec, state: str, store: Store, said: str | None) -> Status:
    if said is not None:
        return said  # type: ignore[return-value]
    declared = spec.state_by_name[state]
    if declared.terminal:
        return "done"
    return "stuck" if all(store.is_set(req.field.text) for req in declared.requires) else "waiting"


def _value(type_: Type, value: JsonValue) -> Value:
    """A stored value in its run-time form. Raises ``WriteError``, and ``TypeError`` for what nests too deeply."""
    if type_.kind is Kind.NUMBER and value in _NON_FINITE:
        return float(str(value))
    if isinstance(value, list):
        return written(type_, tuple(_scalar(item) for item in value))
    if isinstance(value, dict):
        return written(type_, MapValue((key, _scalar(item)) for key, item in value.items()))
    return written(type_, value)


def _scalar(value: JsonValue) -> Value:
    if isinstance(value, list | dict):
        raise TypeError
    return value
