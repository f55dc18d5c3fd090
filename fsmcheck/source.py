"""Text of a file, places in it, and their lines and columns."""

from __future__ import annotations

import re
from bisect import bisect_right
from functools import cached_property

from fsmcheck.records import dataclass

_CONTENT = re.compile(r"\S")


@dataclass(frozen=True, slots=True, order=True)
class Span:
    """A half-open range ``[start, end)`` of Unicode code points in one file."""

    start: int
    end: int


@dataclass(frozen=True)
class SourceFile:
    """A file as it was read: its display path and its decoded text (no byte-order mark)."""

    path: str
    text: str

    @cached_property
    def _line_starts(self) -> tuple[int, ...]:
        starts = [0]
        starts.extend(i + 1 for i, char in enumerate(self.text) if char == "\n")
        return tuple(starts)

    def position(self, offset: int) -> tuple[int, int]:
        """1-based line and column (in code points) of an offset; offsets past the end are clamped."""
        offset = max(0, min(offset, len(self.text)))
        line = bisect_right(self._line_starts, offset)
        return line, offset - self._line_starts[line - 1] + 1

    def line_span(self, line: int) -> Span:
        """Where a 1-based line stands, without its line break."""
        start = self._line_starts[line - 1]
        end = self._line_starts[line] if line < len(self._line_starts) else len(self.text)
        while end > start and self.text[end - 1] in "\r\n":
            end -= 1
        return Span(start, end)

    def line_text(self, line: int) -> str:
        """The text of a 1-based line without its line break."""
        span = self.line_span(line)
        return self.text[span.start : span.end]

    def is_blank(self, line: int) -> bool:
        """Whether a 1-based line holds nothing but white space."""
        span = self.line_span(line)
        return _CONTENT.search(self.text, span.start, span.end) is None

    @property
    def is_empty(self) -> bool:
        """Whether there is nothing but white space."""
        return _CONTENT.search(self.text) is None
