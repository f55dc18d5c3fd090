"""Run-time values: immutable and hashable, so that a store can be a key.

CEL's null, bool, int, double and string are ``None``, ``bool``, ``int``, ``float`` and ``str``; a list is a
``tuple``; a map is a ``MapValue``.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Union

Value = Union[None, bool, int, float, str, "tuple[Value, ...]", "MapValue"]


class MapValue(Mapping[Value, Value]):
    """An immutable map that keeps the order of insertion and compares without it.

    As in CEL and unlike in Python, the keys ``1`` and ``true`` differ.
    """

    __slots__ = ("_entries", "_hash")

    def __init__(self, entries: Mapping[Value, Value] | Iterable[tuple[Value, Value]] | None = None) -> None:
        pairs = entries.items() if isinstance(entries, Mapping) else entries or ()
        self._entries: dict[tuple[bool, Value], Value] = {_slot(key): value for key, value in pairs}
        self._hash: int | None = None

    def __getitem__(self, key: Value) -> Value:
        return self._entries[_slot(key)]

    def __iter__(self) -> Iterator[Value]:
        return (key for _, key in self._entries)

    def __len__(self) -> int:
        return len(self._entries)

    def __hash__(self) -> int:
        if self._hash is None:
            self._hash = hash(frozenset(self.items()))
        return self._hash

    def __repr__(self) -> str:
        return f"MapValue({dict(self)!r})"


def _slot(key: Value) -> tuple[bool, Value]:
    return isinstance(key, bool), key


def is_empty(value: Value) -> bool:
    """Whether a field with this value is *empty*: ``""``, ``[]``, ``{}`` or null; 0 and false are set."""
    if isinstance(value, str | tuple):
        return not value
    return value is None or (type(value) not in _NEVER_EMPTY and isinstance(value, MapValue) and not value)


_NEVER_EMPTY = (bool, int, float)
