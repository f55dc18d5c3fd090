"""Places in the source: where they are, and the lines around them with the place marked."""

from __future__ import annotations

from collections.abc import Iterator

from fsmcheck.report import sanitise
from fsmcheck.report.html import text
from fsmcheck.source import SourceFile, Span

_AROUND = 2
_MOST_LINES = 8
_WIDEST = 240

Json = dict[str, object]


def place(source: SourceFile, span: Span) -> str:
    """``path:line:column``."""
    line, column = source.position(span.start)
    return f"{text.line(source.path)}:{line}:{column}"


def excerpt(source: SourceFile, span: Span) -> list[Json]:
    """The lines of a span and two on either side, each with its number and in three parts, the middle one marked."""
    if source.is_empty:
        return []
    first, _ = source.position(span.start)
    last, column = source.position(max(span.start, span.end))
    if last > first and column == 1:
        last -= 1
    final, _ = source.position(len(source.text))
    shown = range(max(1, first - _AROUND), min(final, min(last, first + _MOST_LINES) + _AROUND) + 1)
    return [_line(source, number, span) for number in _trimmed(source, shown, first, last)]


def _trimmed(source: SourceFile, numbers: range, first: int, last: int) -> Iterator[int]:
    """Without blank lines at the ends."""
    kept = [number for number in numbers if first <= number <= last or not source.is_blank(number)]
    if kept:
        yield from range(kept[0], kept[-1] + 1)


def _line(source: SourceFile, number: int, span: Span) -> Json:
    content = source.line_text(number)
    begin, end = _marked(source, number, span, content)
    cut = max(0, begin - _WIDEST // 2) if len(content) > _WIDEST else 0
    parts = (content[cut:begin], content[begin:end], content[end:])
    # What is made safe never gets shorter, so that no more than this is shown of it.
    before, marked, after = (sanitise.line(part[: _WIDEST + 1].replace("\t", "  ")) for part in parts)
    return {
        "number": number,
        "before": ("…" if cut else "") + before,
        "marked": _short(marked),
        "after": _short(after),
    }


def _short(part: str) -> str:
    return part if len(part) <= _WIDEST else f"{part[:_WIDEST]}…"


def _marked(source: SourceFile, number: int, span: Span, content: str) -> tuple[int, int]:
    """The columns of a line, from 0, that a span covers; the same twice where none."""
    first, begin = source.position(span.start)
    last, end = source.position(max(span.start, span.end))
    if not first <= number <= last:
        return 0, 0
    start = begin - 1 if number == first else len(content) - len(content.lstrip())
    stop = end - 1 if number == last else len(content.rstrip())
    return min(start, len(content)), max(min(start, len(content)), min(stop, len(content)))
