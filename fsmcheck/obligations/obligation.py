"""Obligations and verdicts as plain data."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import field
from enum import Enum
from typing import Any

from fsmcheck.diagnostics import Subject
from fsmcheck.records import dataclass
from fsmcheck.results import VerdictName


class Question(Enum):
    """What an obligation asks: that something never happens, that it can happen, or of the whole graph."""

    NEVER = "never"
    POSSIBLE = "possible"
    OVERLAP = "overlap"
    ENDS = "ends"
    COOL = "cool"
    BOUNDED = "bounded"
    CAP = "cap"


QUESTIONS: Mapping[str, Question] = {
    "FSM111": Question.POSSIBLE,
    "FSM203": Question.POSSIBLE,
    "FSM204": Question.ENDS,
    "FSM205": Question.NEVER,
    "FSM301": Question.NEVER,
    "FSM302": Question.OVERLAP,
    "FSM303": Question.POSSIBLE,
    "FSM304": Question.NEVER,
    "FSM401": Question.NEVER,
    "FSM402": Question.NEVER,
    "FSM403": Question.NEVER,
    "FSM404": Question.NEVER,
    "FSM405": Question.NEVER,
    "FSM406": Question.NEVER,
    "FSM407": Question.NEVER,
    "FSM501": Question.BOUNDED,
    "FSM502": Question.COOL,
    "FSM503": Question.CAP,
    "FSM504": Question.CAP,
    "FSM505": Question.BOUNDED,
}
"""How each rule about behaviour quantifies over runs."""

WITNESS = "witness"
"""The method of proofs that a confirmed run does what is asked for."""


@dataclass(frozen=True, slots=True)
class Obligation:
    """One rule at one place of one spec, under one profile."""

    rule: str
    subject: Subject
    profile: str

    @property
    def id(self) -> str:
        """Readable and unique in a spec and profile."""
        subject = self.subject
        further = (subject.transition, subject.other, subject.field, subject.agent)
        parts = [subject.state or "spec", *(str(value) for value in further if value is not None)]
        return f"{self.rule}:{'/'.join(parts)}:{self.profile}"


@dataclass(frozen=True, slots=True)
class Verdict:
    """The answer to an obligation.

    ``trace`` is the replayed counterexample of a violation as a ``fsmcheck.trace/1`` document, with the
    monitor's ``detail``; ``traces`` further ones where a violation needs several runs. ``vacuous`` marks a
    proof whose subject is never reached. ``story`` tells the trace up to the violation, where that was done.
    """

    obligation: Obligation
    verdict: VerdictName
    method: str
    seconds: float = 0.0
    reason: str | None = None
    depth: int | None = None
    vacuous: bool = False
    trace: Mapping[str, Any] | None = field(default=None, hash=False)
    detail: Mapping[str, Any] | None = field(default=None, hash=False)
    story: tuple[str, ...] | None = field(default=None, compare=False)
