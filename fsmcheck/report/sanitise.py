"""The one place that makes foreign text safe to print: names, messages and values come from files of unknown origin.

A character that a reader cannot see but a terminal, a parser or a reviewer's eye obeys is written as a
backslash escape: control characters, marks that change the direction of text, other invisible marks, and
surrogates without a partner.
"""

from __future__ import annotations

import re

from fsmcheck import late

_HIDDEN = late.pattern(
    "["
    "\x00-\x1f\x7f-\x9f"  # C0 and C1 controls
    "\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069"  # direction of text
    "\u200b\u2060\ufeff\u2028\u2029\U000e0000-\U000e007f"  # invisible: spaces, line breaks, tags
    "\ud800-\udfff"  # lone surrogates: a string of code points has no pairs
    "]"
)
_XML_ILLEGAL = late.pattern("[\ufffe\uffff]")
_SURROGATE = late.pattern("[\ud800-\udfff]")
_NAMED = {"\n": "\\n", "\r": "\\r", "\t": "\\t"}


def _escape(match: re.Match[str]) -> str:
    char = match.group()
    code = ord(char)
    if char in _NAMED:
        return _NAMED[char]
    if code <= 0xFF:
        return f"\\x{code:02x}"
    return f"\\u{code:04x}" if code <= 0xFFFF else f"\\U{code:08x}"


def line(text: str) -> str:
    """Text for one line of a terminal or a log: no line breaks, nothing hidden."""
    return text if text.isascii() and text.isprintable() else _HIDDEN.sub(_escape, text)


def block(text: str) -> str:
    """Text of several lines: each made safe, the line breaks kept."""
    return "\n".join(line(part) for part in text.split("\n"))


def scalar_values(text: str) -> str:
    """Text that any Unicode encoding can hold: lone surrogates are spelt out."""
    return text if text.isascii() else _SURROGATE.sub(_escape, text)


def json_text(document: str) -> str:
    """A finished JSON document with hidden characters inside its strings as ``\\uXXXX``, which means the same."""

    def escape(match: re.Match[str]) -> str:
        char = match.group()
        if char in "\n\r\t ":
            return char
        units = char.encode("utf-16-be", "surrogatepass")
        return "".join(f"\\u{units[i] << 8 | units[i + 1]:04x}" for i in range(0, len(units), 2))

    return _HIDDEN.sub(escape, document)


def xml(text: str) -> str:
    """Text of several lines that any XML document can hold; the markup characters are left to the writer."""
    return _XML_ILLEGAL.sub(_escape, block(text))


def encodable(text: str, encoding: str) -> str:
    """The text with what ``encoding`` cannot take as backslash escapes, so that writing it never fails."""
    try:
        return text.encode(encoding, "backslashreplace").decode(encoding)
    except LookupError:
        return text.encode("ascii", "backslashreplace").decode("ascii")


def width(text: str) -> int:
    """The columns that sanitised text takes in a terminal: wide characters two, combining ones none."""
    if text.isascii():
        return len(text)
    import unicodedata

    return sum(0 if unicodedata.combining(c) else 2 if unicodedata.east_asian_width(c) in "WF" else 1 for c in text)
