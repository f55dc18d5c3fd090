"""Regular expressions that are compiled when they are first used: most of those a start defines are not used by it."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

__all__ = ["pattern"]


class _Late:
    """Stands for a compiled expression."""

    def __init__(self, text: str, flags: int) -> None:
        self._text = text
        self._flags = flags

    def __getattr__(self, name: str) -> object:
        found: object = getattr(re.compile(self._text, self._flags), name)
        setattr(self, name, found)
        return found


if TYPE_CHECKING:

    def pattern(text: str, flags: int = 0) -> re.Pattern[str]: ...
else:

    def pattern(text, flags=0):
        """What ``re.compile`` gives, in effect."""
        return _Late(text, flags)
