"""Writing XML: every text and value is made safe here, and nowhere else."""

from __future__ import annotations

from collections.abc import Mapping
from xml.sax.saxutils import escape

from fsmcheck.report import sanitise


def text_of(text: str) -> str:
    """A name on one line, with nothing hidden in it."""
    return sanitise.xml(sanitise.line(text))


def element(tag: str, *content: str, **given: str | float) -> str:
    """An element. Content that begins with markup made here is taken as it is, for any other element than those that
    hold text."""
    inner = _escaped("\n".join(content)) if tag in _TEXTUAL else "".join(content)
    return f"<{tag}{attributes(given)}>{inner}</{tag}>" if inner else f"<{tag}{attributes(given)}/>"


_TEXTUAL = frozenset({"text", "title", "style"})


def attributes(given: Mapping[str, str | float]) -> str:
    """Attributes, each with a space before it."""
    return "".join(f' {name}="{_value(value)}"' for name, value in given.items())


def _value(value: str | float) -> str:
    if isinstance(value, str):
        return _escaped(value, {'"': "&quot;"})
    return f"{round(value, 1):g}"


def _escaped(text: str, more: Mapping[str, str] | None = None) -> str:
    return escape(sanitise.xml(text), dict(more or {}))
