"""Offsets in a text, and lines and characters as editors count them."""

from __future__ import annotations

import re
from bisect import bisect_right
from functools import cached_property

from lsprotocol import types

from fsmcheck.records import dataclass
from fsmcheck.source import Span

_BREAK = re.compile(r"\r\n|\n|\r")


@dataclass(frozen=True)
class Lines:
    """A text by lines, which end at ``\\n``, ``\\r\\n`` and ``\\r`` and nowhere else.

    ``encoding`` is what was agreed on with the editor (``utf-8``, ``utf-16`` or ``utf-32``): characters of a line are
    counted in its code units. Offsets are code points.
    """

    text: str
    encoding: str = "utf-16"

    @cached_property
    def _starts(self) -> tuple[int, ...]:
        return (0, *(found.end() for found in _BREAK.finditer(self.text)))

    def position(self, offset: int) -> types.Position:
        """The place of an offset; one that lies outside the text is clamped."""
        offset = max(0, min(offset, len(self.text)))
        line = bisect_right(self._starts, offset) - 1
        return types.Position(line, self._units(self.text[self._starts[line] : offset]))

    def offset(self, position: types.Position) -> int:
        """The offset of a place; behind a line's end it is the end, inside a character that character's start."""
        if position.line >= len(self._starts):
            return len(self.text)
        start, end = self.bounds(position.line)
        if self.text[start:end].isascii() or self.encoding == "utf-32":
            return min(start + position.character, end)
        units = 0
        for place in range(start, end):
            units += self._units(self.text[place])
            if units > position.character:
                return place
        return end

    def bounds(self, line: int) -> tuple[int, int]:
        """Where a line starts, and where it ends, without its break."""
        start = self._starts[line]
        end = self._starts[line + 1] if line + 1 < len(self._starts) else len(self.text)
        return start, start + len(self.text[start:end].rstrip("\r\n"))

    def range(self, span: Span) -> types.Range:
        """The range of a span."""
        return types.Range(self.position(span.start), self.position(span.end))

    def span(self, range_: types.Range) -> Span:
        """The span of a range."""
        start = self.offset(range_.start)
        return Span(start, max(start, self.offset(range_.end)))

    def _units(self, text: str) -> int:
        if self.encoding == "utf-32" or text.isascii():
            return len(text)
        if self.encoding == "utf-8":
            return len(text.encode("utf-8", "surrogatepass"))
        return len(text) + sum(char > "\uffff" for char in text)
