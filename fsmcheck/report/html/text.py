"""Foreign text and values as the page may hold them: nothing hidden, nothing endless."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence

from fsmcheck.report import sanitise

_LONGEST_TEXT = 4_000
_LONGEST_VALUE = 2_000


def line(text: str) -> str:
    """Text of one line."""
    return _cut(sanitise.line(text), _LONGEST_TEXT)


def block(text: str) -> str:
    """Text that may have several lines."""
    return _cut(sanitise.block(text), _LONGEST_TEXT)


def value(given: object) -> str:
    """A value of the store as JSON text: a script would round large integers."""
    return _cut(sanitise.line(json.dumps(_plain(given), ensure_ascii=False)), _LONGEST_VALUE)


def _plain(given: object) -> object:
    if isinstance(given, Mapping):
        return {str(key): _plain(item) for key, item in given.items()}
    if isinstance(given, Sequence) and not isinstance(given, str):
        return [_plain(item) for item in given]
    return given


def _cut(text: str, longest: int) -> str:
    return text if len(text) <= longest else f"{text[: longest - 1]}…"
