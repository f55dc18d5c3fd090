"""Terminal colours: escape sequences around text that was made safe before."""

from __future__ import annotations

from fsmcheck.records import dataclass

_CODES = {
    "error": "1;31",
    "warning": "1;33",
    "info": "1;34",
    "rule": "1",
    "place": "1",
    "label": "36",
    "faint": "2",
    "good": "32",
}


@dataclass(frozen=True, slots=True)
class Style:
    """Applies a role's colour, or nothing at all."""

    colour: bool

    def __call__(self, role: str, text: str) -> str:
        if not self.colour or not text:
            return text
        return f"\x1b[{_CODES[role]}m{text}\x1b[0m"
