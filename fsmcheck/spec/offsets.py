"""From offsets in a scalar's content to offsets in the file.

Layout only adds or drops white space (indentation, folding) and quoting, so the visible characters of the
content stand in the file in the same order; they are matched one by one.
"""

from __future__ import annotations

from fsmcheck import late
from fsmcheck.records import dataclass
from fsmcheck.source import Span
from fsmcheck.spec.nodes import ScalarNode, Style

_ESCAPE = late.pattern(r'\\(?:x([0-9a-fA-F]{2})|u([0-9a-fA-F]{4})|U([0-9a-fA-F]{8})|(["\\/]))')


@dataclass(frozen=True, slots=True)
class Content:
    """A scalar and the places of its characters (see ``content_offsets``)."""

    node: ScalarNode
    offsets: tuple[int, ...]

    @property
    def text(self) -> str:
        return self.node.text

    def place(self, inner: Span) -> Span:
        """The place in the file of a part of the text; the whole scalar where it is unknown or empty."""
        if not self.offsets or inner.start >= inner.end:
            return self.node.span
        return Span(self.offsets[inner.start], self.offsets[inner.end])


def content_of(source_text: str, node: ScalarNode) -> Content:
    """A scalar with its places."""
    return Content(node, content_offsets(source_text, node))


def content_offsets(source_text: str, node: ScalarNode) -> tuple[int, ...]:
    """For each character of ``node.text`` its offset in the file, and one more for the end; empty where unknown."""
    start, end = _content_bounds(source_text, node)
    offsets: list[int] = []
    position = start
    for character in node.text:
        if character.isspace():
            offsets.append(position)
            if position < end and source_text[position].isspace():
                position += 1
            continue
        while position < end and source_text[position].isspace():
            position += 1
        width = _width(source_text, position, end, character, node.style)
        if width == 0:
            return ()
        offsets.append(position)
        position += width
    return (*offsets, min(position, end))


def _content_bounds(source_text: str, node: ScalarNode) -> tuple[int, int]:
    start, end = node.span.start, node.span.end
    if node.style in (Style.SINGLE, Style.DOUBLE):
        return start + 1, end - 1
    if node.style in (Style.LITERAL, Style.FOLDED):
        header_end = source_text.find("\n", start, end)
        return (end if header_end < 0 else header_end + 1), end
    return start, end


def _width(source_text: str, position: int, end: int, character: str, style: Style) -> int:
    """How many characters of the file write ``character`` at ``position``; 0 where it is not written there."""
    if position >= end:
        return 0
    if style is Style.DOUBLE and source_text[position] == "\\":
        escape = _ESCAPE.match(source_text, position, end)
        if escape is None:
            return 0
        *codes, simple = escape.groups()
        written = simple or chr(int(next(code for code in codes if code), 16))
        return len(escape.group()) if written == character else 0
    if source_text[position] != character:
        return 0
    return 2 if style is Style.SINGLE and character == "'" else 1
