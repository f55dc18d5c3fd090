"""Text for an editor: Markdown in which the user's own words have no effect, or the same without markup."""

from __future__ import annotations

import re
from dataclasses import field

from fsmcheck.records import dataclass
from fsmcheck.report import sanitise
from fsmcheck.report.markdown import prose

_LONGEST = 300


@dataclass(slots=True)
class Page:
    """A page under construction. ``is_markdown`` is what the editor can show."""

    is_markdown: bool
    parts: list[str] = field(default_factory=list)

    def code(self, text: str) -> str:
        """A name or an expression of the user inside a line."""
        safe = sanitise.line(text if len(text) <= _LONGEST else f"{text[:_LONGEST]}…")
        if not self.is_markdown:
            return safe
        fence = "`" * (max((len(run) for run in re.findall("`+", safe)), default=0) + 1)
        pad = " " if safe.startswith("`") or safe.endswith("`") or not safe.strip() else ""
        return f"{fence}{pad}{safe}{pad}{fence}"

    def codes(self, texts: tuple[str, ...]) -> str:
        """Several of them."""
        return ", ".join(self.code(text) for text in texts)

    def words(self, text: str) -> str:
        """The user's prose inside a line."""
        return prose(text) if self.is_markdown else sanitise.line(text)

    def strong(self, text: str) -> str:
        """Our own words, stressed."""
        return f"**{text}**" if self.is_markdown else text

    def paragraph(self, text: str) -> None:
        """A line of its own, already made safe."""
        self.parts.append(text)

    def items(self, lines: list[str]) -> None:
        """A list of such lines."""
        if lines:
            self.parts.append("\n".join(f"- {line}" for line in lines))

    def verbatim(self, lines: tuple[str, ...]) -> None:
        """Lines that are shown as they are."""
        safe = [sanitise.line(line) for line in lines]
        longest = max((len(run) for line in safe for run in re.findall("`+", line)), default=0)
        fence = "`" * max(3, longest + 1)
        self.parts.append("\n".join([f"{fence}text", *safe, fence] if self.is_markdown else safe))

    @property
    def text(self) -> str:
        return "\n\n".join(self.parts)
