"""The store of a run: what every context field holds."""

from __future__ import annotations

import math
from collections.abc import ItemsView, Iterator, Mapping, ValuesView

from fsmcheck.cel.types import Kind, Type
from fsmcheck.cel.values import MapValue, Value, is_empty

_EMPTY: dict[Kind, Value] = {Kind.STRING: "", Kind.ENUM: "", Kind.LIST: (), Kind.MAP: MapValue()}

TEXT = frozenset((str,))
"""The type of a list's elements where each is its own identity."""


def empty_value(type_: Type) -> Value:
    """How an empty field of this type reads: ``""``, ``[]``, ``{}``, null for numbers and booleans."""
    return _EMPTY.get(type_.kind)


class Store(Mapping[str, Value]):
    """An immutable map from every declared field to its value, in declared order."""

    __slots__ = ("_identity", "_set_fields", "_values")

    def __init__(self, values: Mapping[str, Value]) -> None:
        self._values = dict(values)
        self._identity: tuple[object, ...] | None = None
        self._set_fields: frozenset[str] | None = None

    def __getitem__(self, field: str) -> Value:
        return self._values[field]

    def __iter__(self) -> Iterator[str]:
        return iter(self._values)

    def __len__(self) -> int:
        return len(self._values)

    def items(self) -> ItemsView[str, Value]:
        return self._values.items()

    def values(self) -> ValuesView[Value]:
        return self._values.values()

    def __hash__(self) -> int:
        return hash(self.identity)

    def __repr__(self) -> str:
        return f"Store({self._values!r})"

    def is_set(self, field: str) -> bool:
        """Whether the field holds something other than ``""``, ``[]``, ``{}`` and null."""
        return not is_empty(self._values[field])

    @property
    def set_fields(self) -> frozenset[str]:
        """The fields that are set."""
        if self._set_fields is None:
            self._set_fields = frozenset(field for field, value in self._values.items() if not is_empty(value))
        return self._set_fields

    def updated(self, changes: Mapping[str, Value]) -> Store:
        """A store with some fields changed; declared order is kept."""
        if not changes:
            return self
        store = Store({**self._values, **changes})
        if self._set_fields is not None:
            filled = [field for field, value in changes.items() if not is_empty(value)]
            store._set_fields = self._set_fields.difference(changes).union(filled)
        return store

    @property
    def identity(self) -> tuple[object, ...]:
        """A key that is equal exactly for stores nothing can tell apart: typed, NaN equal to itself."""
        if self._identity is None:
            self._identity = tuple(identity(value) for value in self._values.values())
        return self._identity


def identity(value: Value) -> object:
    """A hashable key of a value that tells 1, 1.0 and true apart, and 0.0 from -0.0."""
    if type(value) is str:
        return value
    match value:
        case bool() | None:
            return value is None, value
        case float():
            return "number", "nan" if math.isnan(value) else value, math.copysign(1.0, value)
        case int():
            return "integer", value
        case tuple():
            return "list", value if TEXT.issuperset(map(type, value)) else tuple(map(identity, value))
        case MapValue():
            return "map", frozenset((identity(key), identity(entry)) for key, entry in value.items())
        case str():
            return value
    raise TypeError(f"not a run-time value: {value!r}")
