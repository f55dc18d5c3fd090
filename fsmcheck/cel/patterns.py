"""``matches``: regular expressions with the semantics CEL prescribes, RE2's.

RE2 itself is used (cel-python depends on it): it matches in time linear in the text, which Python's ``re``
cannot promise, and refuses patterns that would need too much memory.
"""

from __future__ import annotations

from functools import lru_cache
from typing import Protocol, cast

MAX_PATTERN = 1000
"""Code points in a pattern; a longer one is refused before RE2 sees it."""


class _Pattern(Protocol):
    def search(self, text: str) -> object | None: ...


def pattern_error(pattern: str) -> str | None:
    """What is wrong with a pattern; None where it is fine."""
    found = _compile(pattern)
    return found if isinstance(found, str) else None


def matches(text: str, pattern: str) -> bool:
    """Whether some part of the text matches. Raises ValueError with the reason for an invalid pattern or text."""
    compiled = _compile(pattern)
    if isinstance(compiled, str):
        raise ValueError(compiled)
    try:
        return compiled.search(text) is not None
    except UnicodeEncodeError:
        raise ValueError("the text holds half of a surrogate pair") from None


@lru_cache(maxsize=256)
def _compile(pattern: str) -> _Pattern | str:
    if len(pattern) > MAX_PATTERN:
        return f"the pattern is too long: expected at most {MAX_PATTERN} characters"
    import re2  # type: ignore[import-untyped]

    options = re2.Options()
    options.log_errors = False
    try:
        return cast("_Pattern", re2.compile(pattern, options=options))
    except UnicodeEncodeError:
        return "the pattern holds half of a surrogate pair"
    except re2.error as error:
        reason = error.args[0] if error.args else "unknown reason"
        return reason.decode("utf-8", "replace") if isinstance(reason, bytes) else str(reason)
