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


def pieces(document: Mapping[str, object], prepare: Callable[[str], str] = str) -> Iterator[str]:
    """The text of a document, without a final line break.

    An iterator in it, in a mapping of its own or one that another iterator gives, is a list whose items are made when
    they are written. Each text goes through ``prepare``; a number that is not finite is written as a text.
    """
    return _Writer(prepare).streamed(document, "\n")


class _Writer:
    """``margin`` is a line break and the indentation of the line that a value begins in."""

    def __init__(self, prepare: Callable[[str], str]) -> None:
        def written(text: str) -> str:
            return sanitise.json_text(json.dumps(prepare(text), ensure_ascii=False))

        self._quoted = lru_cache(maxsize=4096)(written)

    def streamed(self, value: object, margin: str) -> Iterator[str]:
        inner = margin + "  "
        if isinstance(value, Iterator):
            first = next(value, self)
            if first is self:
                yield "[]"
                return
            for number, item in enumerate(chain((first,), value)):
                yield f"{',' if number else '['}{inner}"
                yield from self.streamed(item, inner)
            yield f"{margin}]"
        elif isinstance(value, Mapping) and any(isinstance(item, Iterator) for item in value.values()):
            for number, (key, item) in enumerate(value.items()):
                yield f"{',' if number else '{'}{inner}{self._quoted(str(key))}: "
                yield from self.streamed(item, inner)
            yield f"{margin}}}"
        else:
            yield self._text(value, margin)

    def _text(self, value: object, margin: str) -> str:
        if isinstance(value, str):
            return self._quoted(value)
        if isinstance(value, dict | Mapping):
            if not value:
                return "{}"
            inner = margin + "  "
            quoted, text = self._quoted, self._text
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
            items = [self._text(item, inner) for item in value]
            return f"[{inner}{f',{inner}'.join(items)}{margin}]"
        if isinstance(value, float) and not math.isfinite(value):
            return self._quoted(_NOT_FINITE.get(value, "NaN"))
        return json.dumps(value)
