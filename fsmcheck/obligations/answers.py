"""What others found out about the obligations of a spec."""

from __future__ import annotations

from dataclasses import field

from fsmcheck.diagnostics import Subject
from fsmcheck.engines.explicit import Key
from fsmcheck.obligations.obligation import Verdict
from fsmcheck.records import dataclass
from fsmcheck.results import Bounds

About = tuple[str, Subject]

LEAST = 150
"""Obligations from which on the work is worth to be shared: fewer are decided in the time that a crew takes to fork."""

CUT_OFF = 5
"""How many times as long an obligation takes, at least, where the search was cut off."""


@dataclass
class Answers:
    """Verdicts by rule and subject; figures, if they were asked for and none was lost; and the events that induction
    excludes. ``unfigured`` and ``unconfirmed`` say why a process was lost over figures or over the induction, which
    this one had better not try then."""

    verdicts: dict[About, Verdict] = field(default_factory=dict)
    bounds: Bounds | None = None
    excluded: frozenset[Key] = frozenset()
    unfigured: str = ""
    unconfirmed: str = ""
