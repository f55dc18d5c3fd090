"""Traces in little memory: a large spec has thousands, each with the whole store after every microstep.

Kept are the changes from one store to the next, as compressed JSON. A trace is unpacked whenever somebody looks into
it, and the one looked at last stays unpacked.
"""

from __future__ import annotations

import json
import zlib
from binascii import a2b_base64, b2a_base64
from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import lru_cache
from typing import Any

from fsmcheck.same_json import changed_fields

_QUICK = 1

_Plain = dict[str, Any]
_Exchange = Callable[[_Plain, Any], tuple[object, _Plain]]
"""From the store before and what is in the place of the next one: what to put there, and that next store."""


class KeptTrace(Mapping[str, Any]):
    """A ``fsmcheck.trace/1`` document, equal to the plain one it was made of. What it gives out is not to be changed.

    Between equal stores next to each other, only one object is made when it is unpacked.
    """

    __slots__ = ("_packed",)

    def __init__(self, packed: bytes) -> None:
        self._packed = packed

    @classmethod
    def of(cls, trace: Mapping[str, Any]) -> KeptTrace:
        """Pack a trace, which holds nothing but JSON values."""
        return cls._of_form(_repacked(trace, _changes))

    @classmethod
    def _of_form(cls, form: Mapping[str, Any]) -> KeptTrace:
        return cls._of_text(_written(form))

    @classmethod
    def _of_text(cls, text: str) -> KeptTrace:
        return cls(zlib.compress(text.encode("utf-8", "surrogatepass"), _QUICK))

    @property
    def _written(self) -> str:
        return zlib.decompress(self._packed).decode("utf-8", "surrogatepass")

    def of_spec(self, before: Mapping[str, Any], spec: Mapping[str, Any]) -> KeptTrace:
        """The same run of another spec: ``spec`` is said of it in the place of ``before``, which it says now."""
        old, new = (f'"spec":{_written(each)},' for each in (before, spec))
        head, found, rest = self._written.partition(old)
        if not found or '"start"' in head:
            return KeptTrace._of_form({**self.form, "spec": dict(spec)})
        return KeptTrace._of_text(f"{head}{new}{rest}")

    def mentions(self, texts: Iterable[str]) -> bool:
        """Whether one of some texts is a value or a key anywhere in the trace."""
        written = self._written
        return any(_written(text) in written for text in texts)

    @classmethod
    def from_text(cls, text: str) -> KeptTrace:
        """The trace of which ``text`` is what it gave.

        Raises:
            ValueError: it is nothing of that kind.
        """
        try:
            kept = cls(a2b_base64(text, strict_mode=True))
            form = kept.form
            advances = [form["start"], *[step["advance"] for step in form["steps"]]]
            moments = [*advances, *[each for advance in advances for each in advance["microsteps"]]]
            stores = [moment["store"] for moment in moments]
        except (ValueError, zlib.error, LookupError, TypeError, AttributeError, RecursionError) as error:
            raise ValueError("no trace that was kept") from error
        if not all(map(_is_packed_store, stores)):
            raise ValueError("no trace that was kept")
        return kept

    @property
    def text(self) -> str:
        """The packed trace in ASCII characters."""
        return b2a_base64(self._packed, newline=False).decode("ascii")

    @property
    def form(self) -> Mapping[str, Any]:
        """The trace as it is kept: in the place of each store what changed since the one before. Two traces are the
        same where their forms are; inputs and writes are those of the trace."""
        form: Mapping[str, Any] = json.loads(self._written)
        return form

    @property
    def size(self) -> int:
        """Bytes of the packed trace."""
        return len(self._packed)

    def __getitem__(self, key: str) -> Any:
        return _unpacked(self._packed)[key]

    def __iter__(self) -> Iterator[str]:
        return iter(_unpacked(self._packed))

    def __len__(self) -> int:
        return len(_unpacked(self._packed))

    def __repr__(self) -> str:
        return f"KeptTrace.of({_unpacked(self._packed)!r})"


def _written(value: object) -> str:
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))


def _is_packed_store(packed: Any) -> bool:
    return isinstance(packed, dict) or (isinstance(packed, list) and len(packed) == 1 and isinstance(packed[0], dict))


@lru_cache(maxsize=1)
def _unpacked(packed: bytes) -> _Plain:
    return _repacked(KeptTrace(packed).form, _store)


def _repacked(trace: Mapping[str, Any], exchange: _Exchange) -> _Plain:
    """The trace with something else in the place of each store, which follows from it and the one before."""
    before: _Plain = {}

    def put(holder: Mapping[str, Any]) -> _Plain:
        nonlocal before
        other, before = exchange(before, holder["store"])
        return {**holder, "store": other}

    def advance(taken: Mapping[str, Any]) -> _Plain:
        return put({**taken, "microsteps": [put(microstep) for microstep in taken["microsteps"]]})

    start = advance(trace["start"])
    return {
        **trace,
        "start": start,
        "steps": [{**step, "advance": advance(step["advance"])} for step in trace["steps"]],
    }


def _changes(before: _Plain, store: _Plain) -> tuple[object, _Plain]:
    """What a store is packed as: the fields that changed, or in a list the whole of it where it has other fields."""
    same_fields = before is store or list(before) == list(store)
    return (changed_fields(before, store) if same_fields else [store]), store


def _store(before: _Plain, packed: Any) -> tuple[_Plain, _Plain]:
    """The store that was packed as that."""
    store = packed[0] if isinstance(packed, list) else {**before, **packed} if packed else before
    return store, store
