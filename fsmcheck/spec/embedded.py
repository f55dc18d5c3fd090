"""Finding ``${ … }`` and ``{{ … }}`` in text."""

from __future__ import annotations

import re
from enum import Enum

from fsmcheck import late
from fsmcheck.records import dataclass
from fsmcheck.source import Span

_QUOTED = late.pattern(
    r"""[bB]?[rR][bB]?(?:'''.*?'''|\"\"\".*?\"\"\"|'[^'\n]*'|"[^"\n]*")"""
    r"""|'''(?:\\.|[^\\])*?'''|\"\"\"(?:\\.|[^\\])*?\"\"\"|'(?:\\.|[^'\\\n])*'|"(?:\\.|[^"\\\n])*\"""",
    re.DOTALL,
)


class Brackets(Enum):
    """The two ways to embed an expression: in the values of actions and in descriptions."""

    VALUE = ("${", "}")
    TEMPLATE = ("{{", "}}")

    @property
    def opening(self) -> str:
        return self.value[0]


@dataclass(frozen=True, slots=True)
class Hit:
    """An embedded expression: ``outer`` with its brackets, ``inner`` without them and the space beside them.

    ``inner`` is None where the closing bracket is missing; ``outer`` is then the opening one.
    """

    outer: Span
    inner: Span | None


def embedded_expressions(text: str, brackets: Brackets) -> tuple[Hit, ...]:
    """All embedded expressions in order; one that is never closed is the last."""
    opening, closing = brackets.value
    hits: list[Hit] = []
    position = text.find(opening)
    while position >= 0:
        inside = position + len(opening)
        end = _closing(text, inside, closing)
        if end is None:
            hits.append(Hit(Span(position, inside), None))
            break
        hits.append(Hit(Span(position, end + len(closing)), _trimmed(text, inside, end)))
        position = text.find(opening, end + len(closing))
    return tuple(hits)


def _closing(text: str, position: int, closing: str) -> int | None:
    """Where the closing bracket is: outside of string literals and of braces that the expression opens."""
    depth = 0
    while position < len(text):
        character = text[position]
        if character == "{":
            depth += 1
        elif character == "}" and depth == 0 and text.startswith(closing, position):
            return position
        elif character == "}":
            depth = max(0, depth - 1)
        elif character in "'\"" or (character in "rRbB" and not _continues_name(text, position)):
            quoted = _QUOTED.match(text, position)
            position = quoted.end() if quoted else position + 1
            continue
        position += 1
    return None


def _continues_name(text: str, position: int) -> bool:
    return position > 0 and (text[position - 1].isalnum() or text[position - 1] == "_")


def _trimmed(text: str, start: int, end: int) -> Span:
    inner = text[start:end]
    left = start + len(inner) - len(inner.lstrip())
    return Span(min(left, end), max(min(left, end), start + len(inner.rstrip())))
