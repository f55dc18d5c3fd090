"""The values of string and number tokens."""

from __future__ import annotations

import math
import re

from fsmcheck import late
from fsmcheck.cel.errors import CelError
from fsmcheck.source import Span

INT_MIN, INT_MAX = -(2**63), 2**63 - 1

_ESCAPE = late.pattern(
    r"\\(?:(?P<simple>[abfnrtv\\?\"'`])|[xX](?P<byte>[0-9a-fA-F]{2})|u(?P<short>[0-9a-fA-F]{4})"
    r"|U(?P<long>[0-9a-fA-F]{8})|(?P<octal>[0-3][0-7]{2}))"
)
_SIMPLE = {"a": "\a", "b": "\b", "f": "\f", "n": "\n", "r": "\r", "t": "\t", "v": "\v"}


class BadLiteralError(Exception):
    """A token that looks like a literal and has no value."""

    def __init__(self, error: CelError) -> None:
        super().__init__(error.message)
        self.error = error


def string_value(token: str, start: int) -> str:
    """The text that a string token at offset ``start`` stands for; raises BadLiteralError for a bad escape."""
    raw = token[0] in "rR"
    first = token[1:] if raw else token
    quote = first[:3] if first[:3] in {'"""', "'''"} and len(first) >= 6 else first[:1]
    body = first[len(quote) : len(first) - len(quote)]
    offset = start + raw + len(quote)
    for at, char in enumerate(body):
        if 0xD800 <= ord(char) <= 0xDFFF:
            raise _bad("a string cannot hold half of a surrogate pair", offset + at, offset + at + 1)
    return _lines(body) if raw else _unescape(body, offset)


def _lines(text: str) -> str:
    """Line breaks as CEL reads them in triple-quoted strings."""
    return text.replace("\r\n", "\n").replace("\r", "\n")


def _unescape(body: str, offset: int) -> str:
    parts: list[str] = []
    at = 0
    while (backslash := body.find("\\", at)) >= 0:
        parts.append(_lines(body[at:backslash]))
        escape = _ESCAPE.match(body, backslash)
        if escape is None:
            shown = body[backslash : backslash + 2]
            raise _bad(
                f'unknown escape "{shown}" in a string',
                offset + backslash,
                offset + backslash + len(shown),
                'write "\\\\" for a backslash, or a raw string: r"…"',
            )
        parts.append(_escaped(escape, offset))
        at = escape.end()
    parts.append(_lines(body[at:]))
    return "".join(parts)


def _escaped(escape: re.Match[str], offset: int) -> str:
    if simple := escape["simple"]:
        return _SIMPLE.get(simple, simple)
    if octal := escape["octal"]:
        return chr(int(octal, 8))
    code = int(escape["byte"] or escape["short"] or escape["long"], 16)
    if code > 0x10FFFF or 0xD800 <= code <= 0xDFFF:
        raise _bad(f'"{escape[0]}" is no Unicode character', offset + escape.start(), offset + escape.end())
    return chr(code)


def int_value(token: str, negative: bool, span: Span) -> int:
    """The value of an integer token with its sign; raises BadLiteralError outside int64."""
    magnitude = int(token, 0) if token.startswith("0x") else _decimal(token)
    value = -magnitude if negative else magnitude
    if not INT_MIN <= value <= INT_MAX:
        raise BadLiteralError(CelError("the integer is out of range: expected at most 64 bits with sign", span))
    return value


def _decimal(token: str) -> int:
    digits = token.lstrip("0") or "0"
    # Python refuses to read more than 4,300 digits, and anything over 19 is out of range anyway.
    return int(digits) if len(digits) <= 20 else INT_MAX * 4


def float_value(token: str, negative: bool, span: Span) -> float:
    """The value of a floating-point token with its sign; raises BadLiteralError where only infinity would do."""
    value = float(token)
    if math.isinf(value):
        raise BadLiteralError(CelError("the number is too large for a double", span))
    return -value if negative else value


def _bad(message: str, start: int, end: int, advice: str | None = None) -> BadLiteralError:
    return BadLiteralError(CelError(message, Span(start, end), advice))
