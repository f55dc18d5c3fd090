"""What a monitor has to say: as it happens, and in sum."""

from __future__ import annotations

from collections import Counter
from dataclasses import field

from fsmcheck.diagnostics import Subject
from fsmcheck.monitoring.agreement import Disagreement
from fsmcheck.monitoring.event import ComplaintKind, Place
from fsmcheck.records import dataclass
from fsmcheck.reducer.monitors import Violation
from fsmcheck.reducer.trace import Trace


@dataclass(frozen=True, slots=True)
class Telling:
    """A run as far as it can be told: its ``story``, its ``trace``, and ``remark``, why there is none."""

    story: tuple[str, ...] = ()
    trace: Trace | None = field(default=None, hash=False)
    remark: str = ""


@dataclass(frozen=True, slots=True)
class Departure:
    """A run does what the spec does not say. ``unread``: lines before, in the course of the run, were not readable."""

    place: Place
    run: str
    step: int
    time: str
    found: Disagreement
    telling: Telling
    unread: bool = False


@dataclass(frozen=True, slots=True)
class Breach:
    """A run breaks a rule. ``count`` is how often that has happened at this place of the spec."""

    place: Place
    run: str
    step: int
    time: str
    violation: Violation
    telling: Telling
    count: int


@dataclass(frozen=True, slots=True)
class Unjudged:
    """A line, or a part of it, that cannot be judged."""

    place: Place
    kind: ComplaintKind
    message: str
    run: str | None = None


@dataclass(frozen=True, slots=True)
class Note:
    """Something that is worth knowing and no fault of a run."""

    place: Place
    message: str


Outcome = Departure | Breach | Unjudged | Note


@dataclass(slots=True)
class Tally:
    """Everything in numbers.

    Of ``runs``, some were ``joined`` in their middle, ``ended`` came to rest for good, ``departed`` departed at least
    once, ``restarted`` began anew before they had ended, ``dropped`` had to go for want of room, ``refused`` were
    rightly not begun. Of ``events``, ``skipped`` were of runs of which no configuration was known.
    """

    lines: int = 0
    events: int = 0
    ignored: int = 0
    skipped: int = 0
    runs: int = 0
    joined: int = 0
    ended: int = 0
    departed: int = 0
    restarted: int = 0
    dropped: int = 0
    refused: int = 0
    departures: Counter[str] = field(default_factory=Counter)
    breaches: Counter[tuple[str, Subject]] = field(default_factory=Counter)
    complaints: Counter[ComplaintKind] = field(default_factory=Counter)
