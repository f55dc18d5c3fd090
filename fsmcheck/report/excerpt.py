"""The line of the source that a finding is about, with its span underlined."""

from __future__ import annotations

from fsmcheck.records import dataclass
from fsmcheck.report import sanitise
from fsmcheck.source import SourceFile, Span

_WIDEST = 140
_BEFORE = 60
_MOST_MARKED = 4 * _WIDEST


@dataclass(frozen=True, slots=True)
class Excerpt:
    """A line number, its text made safe, and the column and length (in terminal columns) of the mark below it."""

    number: int
    text: str
    column: int
    length: int


def excerpt(source: SourceFile, span: Span) -> Excerpt | None:
    """The first line of a span, cut to a readable width; None where there is no text to show."""
    number, column = source.position(span.start)
    if source.is_blank(number):
        return None
    text = source.line_text(number)
    last_line, last_column = source.position(span.end)
    start = min(column - 1, len(text))
    end = min(last_column - 1, len(text)) if last_line == number else len(text.rstrip())
    end = max(end, start)
    cut = start - _BEFORE if start > _WIDEST - _BEFORE else 0
    head = "…" if cut else ""
    before, marked, after = (
        _plain(part)
        for part in (text[cut:start], text[start : min(end, start + _MOST_MARKED)], text[end : end + _WIDEST])
    )
    shown = head + before + marked + after
    if len(shown) > _WIDEST:
        shown = shown[:_WIDEST] + "…"
    column_shown = sanitise.width(head + before)
    length = max(1, min(sanitise.width(marked), sanitise.width(shown) - column_shown))
    return Excerpt(number, shown, column_shown, length)


def _plain(text: str) -> str:
    return sanitise.line(text.replace("\t", " "))
