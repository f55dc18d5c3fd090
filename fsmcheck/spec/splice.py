"""Putting text into a file that somebody wrote: the edits that add an entry, an item or another name.

Nothing is laid out anew. A caller that has to be sure applies the edits and loads the result.
"""

from __future__ import annotations

import json
from collections.abc import Iterable

from fsmcheck import late
from fsmcheck.diagnostics import Edit, Fix
from fsmcheck.source import Span
from fsmcheck.spec.scalars import NumberTooLongError, resolve_plain
from fsmcheck.spec.wording import shown
from fsmcheck.spelling import nearest

_PLAIN = late.pattern(r"[^\W\d]\w*(?:[-.]\w+)*")


def respelling(text: str, span: Span, word: str, candidates: Iterable[str]) -> Fix | None:
    """The fix that puts the nearest of some names in the place of a misspelt one, None where none is near."""
    meant = nearest(word, tuple(candidates))
    return None if meant is None else Fix(f"change to {shown(meant)}", (Edit(span, scalar(meant, text, span)),))


def scalar(value: str, text: str, span: Span) -> str:
    """How to write ``value`` in the place of the scalar at ``span``: quoted as that is, or as it has to be."""
    quote = text[span.start : span.start + 1]
    if quote == "'" and value.isprintable():
        return "'" + value.replace("'", "''") + "'"
    return value if quote != '"' and is_plain(value) else json.dumps(value, ensure_ascii=False)


def is_plain(value: str) -> bool:
    """Whether a text needs no quotes anywhere in a spec; some that need none are said to."""
    try:
        return _PLAIN.fullmatch(value) is not None and resolve_plain(value) == value
    except NumberTooLongError:
        return False


def within(text: str, span: Span, old: str, new: str) -> Edit | None:
    """The edit that changes ``old`` to ``new`` inside a literal; None where it is not written there just once."""
    place = text.find(old, span.start, span.end) if old else -1
    if place < 0 or text.find(old, place + 1, span.end) >= 0 or not is_plain(new):
        return None
    return Edit(Span(place, place + len(old)), new)


def after_entry(text: str, first: Span, last: Span, entry: str) -> Edit:
    """The edit that adds ``entry`` (``key: value``) to a map, of which the first and the last entry are given."""
    return _after(text, first, last, entry, "")


def after_item(text: str, first: Span, last: Span, item: str) -> Edit:
    """The edit that adds an item to a list, of which the first and the last are given."""
    return _after(text, first, last, item, "- ")


def into_map(text: str, span: Span, entry: str) -> Edit:
    """The edit that adds ``entry`` at the end of the map at ``span``."""
    if text[span.start : span.start + 1] != "{":
        return _line_below(text, span.start, span.end, entry)
    end = span.start + len(text[span.start : span.end - 1].rstrip())
    return Edit(Span(end, end), f", {entry}")


def _after(text: str, first: Span, last: Span, added: str, dash: str) -> Edit:
    before = text[: first.start].rstrip()
    if before.endswith(("{", "[", ",")):
        return Edit(Span(last.end, last.end), f", {added}")
    start = len(before) - 1 if dash and before.endswith("-") else first.start
    return _line_below(text, start, last.end, dash + added)


def _line_below(text: str, start: int, end: int, line: str) -> Edit:
    """The edit that adds a line below that of ``end``, indented as what stands at ``start``."""
    indent = " " * (start - (text.rfind("\n", 0, start) + 1))
    line_end = text.find("\n", end)
    place = len(text) if line_end < 0 else line_end
    if text[end:place].endswith("\r"):
        place -= 1
    break_ = "\r\n" if "\r\n" in text else "\n"
    return Edit(Span(place, place), f"{break_}{indent}{line}")
