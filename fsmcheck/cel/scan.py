"""Expression text to tokens.

cel-python's own scanner is not used: it ends raw strings in the wrong place, splits ``inb`` into ``in b`` and
accepts ``1.``. The token rules are those of the CEL language definition, section "Syntax".
"""

from __future__ import annotations

import re
from enum import Enum

from fsmcheck.cel.errors import CelError, CelSyntaxError, ErrorKind, quoted
from fsmcheck.records import dataclass
from fsmcheck.source import Span


class TokenKind(Enum):
    NAME = "name"
    INT = "int"
    FLOAT = "float"
    STRING = "string"
    WORD = "word"
    SYMBOL = "symbol"


@dataclass(frozen=True, slots=True)
class Token:
    """A piece of the text; a WORD is one of ``true``, ``false``, ``null`` and ``in``."""

    kind: TokenKind
    text: str
    span: Span


KEYWORDS = frozenset({"true", "false", "null", "in"})
RESERVED = frozenset(
    {
        "as",
        "break",
        "const",
        "continue",
        "else",
        "for",
        "function",
        "if",
        "import",
        "let",
        "loop",
        "namespace",
        "package",
        "return",
        "var",
        "void",
        "while",
    }
)
"""Names that CEL keeps for later; allowed after a dot only."""

_SKIP = re.compile(r"(?:[\t\n\f\r ]+|//[^\n]*)+")
_NAME = re.compile(r"[A-Za-z_][A-Za-z0-9_]*")
_NUMBER = re.compile(
    r"(?P<float>(?:[0-9]+\.[0-9]+|\.[0-9]+)(?:[eE][+-]?[0-9]+)?|[0-9]+[eE][+-]?[0-9]+)"
    r"|(?P<int>0x[0-9a-fA-F]+|[0-9]+)(?P<unsigned>[uU])?"
)
_STRING = re.compile(r"(?P<bytes>[bB]?)(?P<raw>[rR]?)(?P<quote>\"\"\"|'''|\"|')")
_SYMBOL = re.compile(r"\|\||&&|==|!=|<=|>=|[?:<>+\-*/%!.()\[\]{},]")
_ADVICE = {
    "=": 'write "==" to compare',
    "&": 'write "&&" for "and"',
    "|": 'write "||" for "or"',
    "“": "use straight quotes",
    "”": "use straight quotes",
    "‘": "use straight quotes",
    "’": "use straight quotes",
    "$": 'leave out "${" and "}": they belong to action values only',
}


def scan(text: str) -> tuple[Token, ...]:
    """The tokens of an expression without white space and comments.

    Raises CelSyntaxError for a character or literal that CEL does not have, and for bytes, unsigned integers
    and quoted names, which are not supported.
    """
    tokens: list[Token] = []
    at = 0
    while at < len(text):
        if skipped := _SKIP.match(text, at):
            at = skipped.end()
            continue
        token = _token(text, at)
        tokens.append(token)
        at = token.span.end
    return tuple(tokens)


def _token(text: str, at: int) -> Token:
    if opening := _STRING.match(text, at):
        return _string(text, opening)
    if name := _NAME.match(text, at):
        kind = TokenKind.WORD if name[0] in KEYWORDS else TokenKind.NAME
        return Token(kind, name[0], Span(at, name.end()))
    if number := _NUMBER.match(text, at):
        return _number(text, number)
    if symbol := _SYMBOL.match(text, at):
        return Token(TokenKind.SYMBOL, symbol[0], Span(at, symbol.end()))
    char = text[at]
    if char == "`":
        raise _failure("quoted names are not supported", at, at + 1, kind="unsupported")
    raise _failure(f"unexpected character {printable(char)}", at, at + 1, _ADVICE.get(char))


def _number(text: str, found: re.Match[str]) -> Token:
    tail = _NAME.match(text, found.end())
    end = tail.end() if tail else found.end()
    if tail:
        raise _failure(f"malformed number {quoted(text[found.start() : end])}", found.start(), end)
    if found["unsigned"]:
        raise _failure("unsigned integers are not supported", found.start(), end, 'leave out the "u"', "unsupported")
    kind = TokenKind.FLOAT if found["float"] else TokenKind.INT
    return Token(kind, found[0], Span(found.start(), end))


def _string(text: str, opening: re.Match[str]) -> Token:
    quote, raw = opening["quote"], bool(opening["raw"])
    multiline = len(quote) == 3
    at = opening.end()
    while at < len(text) and not text.startswith(quote, at):
        if not multiline and text[at] in "\r\n":
            break
        at += 2 if text[at] == "\\" and not raw else 1
    if not text.startswith(quote, at):
        raise _failure("the string has no closing quote", opening.start(), min(at, len(text)))
    end = at + len(quote)
    if opening["bytes"]:
        raise _failure("bytes are not supported", opening.start(), end, 'leave out the "b"', "unsupported")
    return Token(TokenKind.STRING, text[opening.start() : end], Span(opening.start(), end))


def printable(char: str) -> str:
    """A character for a message: in double quotes, or by its code point where it cannot be seen."""
    return f'"{char}"' if char.isprintable() else f"U+{ord(char):04X}"


def _failure(
    message: str, start: int, end: int, advice: str | None = None, kind: ErrorKind = "syntax"
) -> CelSyntaxError:
    return CelSyntaxError([CelError(message, Span(start, end), advice, kind)])
