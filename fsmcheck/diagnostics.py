"""Findings: what a rule says about a place in a spec."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import field
from enum import Enum
from typing import Any

from fsmcheck.records import dataclass
from fsmcheck.source import Span

UNDECIDED = "FSM901"
"""The rule that tells what was not decided of the others."""


class Severity(Enum):
    """How grave a finding is; ``rank`` orders them, gravest first."""

    ERROR = "error"
    WARNING = "warning"
    INFO = "info"

    @property
    def rank(self) -> int:
        return ("error", "warning", "info").index(self.value)


@dataclass(frozen=True, slots=True)
class Subject:
    """What a finding or an obligation is about; with the rule, its identity.

    ``transition`` is the 0-based index in its state; ``other`` the later transition of a pair (FSM302).
    """

    state: str | None = None
    transition: int | None = None
    field: str | None = None
    agent: str | None = None
    property: str | None = None
    other: int | None = None

    def as_dict(self) -> dict[str, str | int]:
        """The keys that are present, in the order of the report format."""
        pairs = {
            "state": self.state,
            "transition": self.transition,
            "field": self.field,
            "agent": self.agent,
            "property": self.property,
            "other": self.other,
        }
        return {key: value for key, value in pairs.items() if value is not None}

    def sort_key(self) -> tuple[str, int, str, str, str, int]:
        return (
            self.state or "",
            -1 if self.transition is None else self.transition,
            self.field or "",
            self.agent or "",
            self.property or "",
            -1 if self.other is None else self.other,
        )


@dataclass(frozen=True, slots=True)
class Related:
    """Another place that helps to understand a finding."""

    message: str
    span: Span


@dataclass(frozen=True, slots=True)
class Edit:
    """Text to put in the place of a span; an empty span inserts."""

    span: Span
    text: str


@dataclass(frozen=True, slots=True)
class Fix:
    """What somebody might do about a finding: ``title`` in words, ``edits`` to be made together, none overlapping."""

    title: str
    edits: tuple[Edit, ...]


@dataclass(frozen=True, slots=True)
class Cause:
    """The root finding of which another is a consequence."""

    rule: str
    subject: Subject


@dataclass(frozen=True, slots=True)
class Fault:
    """A fault met while reading a document, before there is a whole model.

    ``rule`` is one of FSM001-FSM005; the rule of that number turns it into a finding.
    """

    rule: str
    message: str
    span: Span
    help: str | None = None
    related: tuple[Related, ...] = ()
    subject: Subject = Subject()
    fix: Fix | None = None


@dataclass(frozen=True, slots=True)
class Finding:
    """One violated rule at one place.

    ``trace`` is a ``fsmcheck.trace/1`` document where the rule is about behaviour (a mapping; ``dict(trace)`` is plain
    data, as ``json`` wants it), ``story`` the same for people, one line an event; ``stale`` names for each
    configuration of the trace (that after the start, then that after each step) the set fields that hold a value of an
    earlier visit, ``stale_passing`` the same for each microstep that leads there. ``suppressed`` is ``inline`` or
    ``baseline``, ``justification`` the reason that was given for it.
    """

    rule: str
    slug: str
    severity: Severity
    message: str
    span: Span
    subject: Subject = Subject()
    help: str | None = None
    related: tuple[Related, ...] = ()
    caused_by: Cause | None = None
    trace: Mapping[str, Any] | None = field(default=None, hash=False)
    suppressed: str | None = None
    story: tuple[str, ...] = ()
    justification: str | None = None
    stale: tuple[tuple[str, ...], ...] = ()
    stale_passing: tuple[tuple[tuple[str, ...], ...], ...] = ()
    fix: Fix | None = None


def sort_key(finding: Finding) -> tuple[object, ...]:
    """The one order of findings inside a spec: place, then rule, then subject."""
    return (finding.span.start, finding.span.end, finding.rule, finding.subject.sort_key(), finding.message)
