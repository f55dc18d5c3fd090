"""Traces in little memory: a large spec has thousands, each with the whole store after every microstep.

Kept are the changes from one store to the next, as compressed JSON; of a list that grew, what was appended. A trace is
unpacked whenever somebody looks into it, and the one looked at last stays unpacked.
"""

from __future__ import annotations

import json
import zlib
from binascii import a2b_base64, b2a_base64
from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import lru_cache
from operator import is_
from typing import Any

from fsmcheck.same_json import changed_fields, same_json

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
            fits = _fit(_stores(kept.form))
        except (ValueError, zlib.error, LookupError, TypeError, AttributeError, RecursionError) as error:
            raise ValueError("no trace that was kept") from error
        if not fits:
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


def _stores(form: Mapping[str, Any]) -> Iterator[Any]:
    """What is in the place of each store, in their order."""
    for advance in (form["start"], *(step["advance"] for step in form["steps"])):
        for microstep in advance["microsteps"]:
            yield microstep["store"]
        yield advance["store"]


def _fit(stores: Iterable[Any]) -> bool:
    """Whether all are packed as ``_changes`` does, and nothing is appended but to a list."""
    lists: set[str] = set()
    for packed in stores:
        changed, *rest = packed if isinstance(packed, list) else [packed, {}]
        if not isinstance(changed, dict) or len(rest) > 1:
            return False
        for grown in rest:
            if not isinstance(grown, dict) or not all(isinstance(more, list) for more in grown.values()):
                return False
            if not lists.issuperset(grown):
                return False
        lists = lists.difference(changed) if rest else set()
        lists.update(field for field, value in changed.items() if isinstance(value, list))
    return True


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
    """What a store is packed as: the fields that changed; beside them in a list, where there are such, what was
    appended to others; or in a list alone the whole of it where it has other fields."""
    if not (before is store or list(before) == list(store)):
        return [store], store
    changed: _Plain = changed_fields(before, store)
    grown = {field: value[len(before[field]) :] for field, value in changed.items() if _grew(before[field], value)}
    if not grown:
        return changed, store
    return [{field: value for field, value in changed.items() if field not in grown}, grown], store


def _grew(before: Any, value: Any) -> bool:
    """Whether the elements of a list come first in a longer one."""
    if not (isinstance(before, list) and isinstance(value, list)) or len(before) >= len(value):
        return False
    return all(map(is_, before, value)) or all(map(same_json, before, value))


def _store(before: _Plain, packed: Any) -> tuple[_Plain, _Plain]:
    """The store that was packed as that."""
    store: _Plain
    if isinstance(packed, dict):
        store = {**before, **packed} if packed else before
    elif len(packed) == 1:
        store = packed[0]
    else:
        changed, grown = packed
        store = {**before, **changed, **{field: before[field] + more for field, more in grown.items()}}
    return store, store
