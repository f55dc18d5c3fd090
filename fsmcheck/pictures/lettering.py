"""Text in a drawing that cannot ask for the width of a letter: estimates that are rather too wide, and lines."""

from __future__ import annotations

from fsmcheck.records import dataclass
from fsmcheck.report import sanitise


@dataclass(frozen=True, slots=True)
class Face:
    """A way of writing: the class in the style sheet, the width of a column (a letter; two for wide ones) and the
    height of a line, in pixels."""

    name: str
    column: float
    line: float

    def width(self, lines: tuple[str, ...]) -> float:
        """The width of the longest line."""
        return max((sanitise.width(line) for line in lines), default=0) * self.column

    def height(self, lines: tuple[str, ...]) -> float:
        return len(lines) * self.line


NAME = Face("name", 8.4, 18.0)
NOTE = Face("note", 6.4, 14.0)
CODE = Face("code", 6.7, 14.0)


def wrapped(text: str, columns: int, most: int) -> tuple[str, ...]:
    """Text made safe and broken into lines, at spaces where there are some; what is too much ends in an ellipsis."""
    rest = " ".join(sanitise.line(text).split())
    lines: list[str] = []
    while rest and len(lines) < most:
        line, rest = _first(rest, columns)
        lines.append(line)
    if rest and lines:
        lines[-1] = f"{_first(lines[-1], columns - 1)[0]}…"
    return tuple(lines)


def _first(text: str, columns: int) -> tuple[str, str]:
    """The first line, and the rest."""
    if sanitise.width(text) <= columns:
        return text, ""
    end = 1
    while sanitise.width(text[: end + 1]) <= columns:
        end += 1
    joint = max(text.rfind(word, 0, end - 1) for word in ("&& ", "|| ", ", "))
    space = text.find(" ", joint) if joint > end // 3 else text.rfind(" ", 0, end + 1)
    if space > end // 3:
        return text[:space], text[space + 1 :]
    joint = max(text.rfind(char, 0, end) for char in "_-./")
    cut = joint + 1 if joint > end // 3 else end
    return text[:cut], text[cut:]
