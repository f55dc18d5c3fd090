"""JSON with two spaces a level, written piece by piece: the traces of a large spec are a quarter of a gigabyte.

The text is that of ``json.dumps(…, indent=2, ensure_ascii=False)``, hidden characters escaped, at a tenth of the time.
"""

from __future__ import annotations

import json
import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import lru_cache
from itertools import chain

from fsmcheck.report import sanitise

_NOT_FINITE = {math.inf: "Infinity", -math.inf: "-Infinity"}


_Text = Callable[[object, str], str]
"""The text of a value, with the line break and the indentation of the line that it begins in."""


def pieces(document: Mapping[str, object], prepare: Callable[[str], str] = str) -> Iterator[str]:
    """The text of a document, without a final line break.

    An iterator in it, in a mapping of its own or one that another iterator gives, is a list whose items are made when
    they are written. Each text goes through ``prepare``; a number that is not finite is written as a text.
    """
    return _streamed(document, "\n", "  ", _Writer(prepare).text)


def compact_pieces(document: Mapping[str, object]) -> Iterator[str]:
    """The same without any space, hidden characters as they are, and no number that is not finite."""
    return _streamed(document, "", "", lambda value, _: _COMPACT.encode(value))


_COMPACT = json.JSONEncoder(ensure_ascii=False, allow_nan=False, separators=(",", ":"))


def _streamed(value: object, margin: str, step: str, text: _Text) -> Iterator[str]:
    inner = margin + step
    if isinstance(value, Iterator):
        first = next(value, text)
        if first is text:
            yield "[]"
            return
        for number, item in enumerate(chain((first,), value)):
            yield f"{',' if number else '['}{inner}"
            yield from _streamed(item, inner, step, text)
        yield f"{margin}]"
    elif isinstance(value, Mapping) and any(isinstance(item, Iterator) for item in value.values()):
        colon = ": " if step else ":"
        for number, (key, item) in enumerate(value.items()):
            yield f"{',' if number else '{'}{inner}{text(str(key), inner)}{colon}"
            yield from _streamed(item, inner, step, text)
        yield f"{margin}}}"
    else:
        yield text(value, margin)


class _Writer:
    """Values with two spaces a level."""

    def __init__(self, prepare: Callable[[str], str]) -> None:
        def written(text: str) -> str:
            return sanitise.json_text(json.dumps(prepare(text), ensure_ascii=False))

        self._quoted = lru_cache(maxsize=4096)(written)

    def text(self, value: object, margin: str) -> str:
        if isinstance(value, str):
            return self._quoted(value)
        if isinstance(value, dict | Mapping):
            if not value:
                return "{}"
            inner = margin + "  "
            quoted, text = self._quoted, self.text
            # Most are texts, which are spared a call.
            entries = [
                f"{quoted(str(key))}: {quoted(item) if type(item) is str else text(item, inner)}"
                for key, item in value.items()
            ]
            return f"{{{inner}{f',{inner}'.join(entries)}{margin}}}"
        if isinstance(value, list | tuple | Sequence):
            if not value:
                return "[]"
            inner = margin + "  "
            items = [self.text(item, inner) for item in value]
            return f"[{inner}{f',{inner}'.join(items)}{margin}]"
        if isinstance(value, float) and not math.isfinite(value):
            return self._quoted(_NOT_FINITE.get(value, "NaN"))
        return json.dumps(value)
