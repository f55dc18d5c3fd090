"""What a monitor says about the run that violates a rule, read with care: any part of it may be missing."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from fsmcheck.obligations.obligation import Verdict
from fsmcheck.records import dataclass
from fsmcheck.source import Span


@dataclass(frozen=True, slots=True)
class Held:
    """A field's value in the run as JSON data, and how it came about: ``start``, ``staged`` or ``action``."""

    field: str
    value: object
    origin: str


def reason(verdict: Verdict) -> str:
    """The word by which the monitor tells variants of a violation apart; empty where it gives none."""
    return text(verdict, "reason")


def text(verdict: Verdict, key: str) -> str:
    """A text of the account, empty where there is none."""
    found = (verdict.detail or {}).get(key)
    return found if isinstance(found, str) else ""


def number(verdict: Verdict, key: str) -> int | None:
    """An integer of the account."""
    found = (verdict.detail or {}).get(key)
    return found if isinstance(found, int) and not isinstance(found, bool) else None


def flag(verdict: Verdict, key: str) -> bool:
    """Whether the account says so."""
    return (verdict.detail or {}).get(key) is True


def texts(verdict: Verdict, key: str) -> tuple[str, ...]:
    """The texts in a list of the account."""
    return tuple(item for item in _items(verdict, key) if isinstance(item, str))


def held(verdict: Verdict) -> tuple[Held, ...]:
    """The fields at fault."""
    return tuple(
        Held(item["field"], item.get("value"), str(item.get("origin", "")))
        for item in _items(verdict, "fields")
        if isinstance(item, Mapping) and isinstance(item.get("field"), str)
    )


def blocked(verdict: Verdict) -> tuple[tuple[str, str], ...]:
    """The fields that nobody may stage, each with an agent that is asked for it."""
    return tuple(
        (str(item["field"]), str(item["agent"]))
        for item in _items(verdict, "blocked")
        if isinstance(item, Mapping) and "field" in item and "agent" in item
    )


def inner_span(verdict: Verdict) -> Span | None:
    """The failing part of an expression, in its text."""
    match _items(verdict, "span"):
        case (int(start), int(end)) if 0 <= start < end:
            return Span(start, end)
    return None


def _items(verdict: Verdict, key: str) -> tuple[object, ...]:
    found = (verdict.detail or {}).get(key)
    return tuple(found) if isinstance(found, Sequence) and not isinstance(found, str) else ()
