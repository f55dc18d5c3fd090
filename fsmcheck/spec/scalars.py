"""What a plain scalar means: the core schema of YAML 1.2 (section 10.3.2 of its specification).

So ``on``, ``yes``, ``12:30``, ``2024-01-31`` and ``1_000`` are text, and ``010`` is ten.
"""

from __future__ import annotations

import re

from fsmcheck import late

_NULLS = frozenset({"", "~", "null", "Null", "NULL"})
_BOOLEANS = {"true": True, "True": True, "TRUE": True, "false": False, "False": False, "FALSE": False}
_INTEGER = re.compile(r"[-+]?[0-9]+", re.ASCII)
_OCTAL = late.pattern(r"0o[0-7]+", re.ASCII)
_HEXADECIMAL = late.pattern(r"0x[0-9a-fA-F]+", re.ASCII)
_FLOAT = re.compile(r"[-+]?(\.[0-9]+|[0-9]+(\.[0-9]*)?)([eE][-+]?[0-9]+)?", re.ASCII)
_INFINITY = late.pattern(r"[-+]?\.(inf|Inf|INF)")
_NOT_A_NUMBER = late.pattern(r"\.(nan|NaN|NAN)")

MOST_DIGITS = 400
"""Longer numbers are refused: they exceed every double, and converting them takes quadratic time."""


class NumberTooLongError(ValueError):
    """A number has more than ``MOST_DIGITS`` characters."""


def resolve_plain(text: str) -> bool | int | float | str | None:
    """The value of an unquoted scalar.

    Raises:
        NumberTooLongError: it is a number too long to convert.
    """
    if text in _NULLS:
        return None
    if text in _BOOLEANS:
        return _BOOLEANS[text]
    if text[0] not in "+-.0123456789":
        return text
    if _FLOAT.fullmatch(text) or _OCTAL.fullmatch(text) or _HEXADECIMAL.fullmatch(text):
        if len(text) > MOST_DIGITS:
            raise NumberTooLongError(text)
        return _number(text)
    if _INFINITY.fullmatch(text):
        return float("-inf") if text[0] == "-" else float("inf")
    if _NOT_A_NUMBER.fullmatch(text):
        return float("nan")
    return text


def _number(text: str) -> int | float:
    if text.startswith(("0o", "0x")):
        return int(text, 0)
    return int(text) if _INTEGER.fullmatch(text) else float(text)
