"""The outcome of a run as plain data: what the report formats render."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import field
from typing import TYPE_CHECKING, Literal

from fsmcheck.diagnostics import Finding, Severity, Subject
from fsmcheck.records import dataclass
from fsmcheck.source import SourceFile, Span

if TYPE_CHECKING:
    from fsmcheck.outline import Outline

VerdictName = Literal["proved", "violated", "unknown", "skipped"]


@dataclass(frozen=True, slots=True)
class ObligationRecord:
    """One obligation and its verdict.

    ``method`` names how it was decided; ``reason`` says why it is unknown or skipped, or explains a proof
    (``vacuous: …``); ``depth`` is the number of steps up to which it is known to hold; ``seconds`` wall time.
    ``vacuous`` marks a proof whose subject is never reached; ``certificate`` is the file name of the proof's
    manifest, where one was asked for.
    """

    id: str
    rule: str
    subject: Subject
    verdict: VerdictName
    method: str
    seconds: float
    reason: str | None = None
    depth: int | None = None
    cached: bool = False
    vacuous: bool = False
    certificate: str | None = None


@dataclass(frozen=True, slots=True)
class Certificate:
    """A proof to be written out: ``manifest`` as a ``fsmcheck.certificate/1`` document, named ``name``.json, and
    for proofs by induction the ``script`` in SMT-LIB 2, named ``name``.smt2. ``claims`` are the rules and subjects
    that it proves."""

    name: str
    claims: tuple[tuple[str, Subject], ...]
    manifest: Mapping[str, object] = field(hash=False)
    script: str | None = None


@dataclass(frozen=True, slots=True)
class LoopBound:
    """A cycle of the transition graph: its states, the fewest exchanges one turn costs, the most turns.

    A figure that was not established is None. ``bounded`` says whether the machine itself bounds the turns (None:
    not known); it can be True without a figure. ``turns_under_policy`` is the most turns of a run that still
    reaches a terminal state within ``maxIterations``.
    """

    states: tuple[str, ...]
    exchanges_per_turn: int | None
    turns_in_machine: int | None
    turns_under_policy: int | None
    bounded: bool | None = None


@dataclass(frozen=True, slots=True)
class Bounds:
    """Figures of a spec: fewest exchanges to each terminal state, most microsteps in one advance (None: unknown)."""

    fewest_exchanges: tuple[tuple[str, int], ...] = ()
    most_microsteps: int | None = None
    loops: tuple[LoopBound, ...] = ()


Places = Mapping[tuple[str, int | None], Span]
"""Where a state's name stands in the source, and with an index the target of that transition of it."""


@dataclass(frozen=True, slots=True)
class RuleRecord:
    """A rule that was asked for: ``documentation`` is Markdown, ``summary`` its first line."""

    id: str
    slug: str
    severity: Severity
    summary: str
    documentation: str


@dataclass(frozen=True, slots=True)
class SpecReport:
    """One document under one profile. ``name`` and ``version`` are None where it could not be read; ``outline`` is
    there only where it was asked for and the spec has a meaning. ``losses`` says what else than verdicts is missing
    since processes were lost or memory was short, one clause each."""

    source: SourceFile
    profile: str
    name: str | None
    version: str | int | None
    findings: tuple[Finding, ...]
    obligations: tuple[ObligationRecord, ...] = ()
    bounds: Bounds | None = None
    certificates: tuple[Certificate, ...] = ()
    places: Places = field(default_factory=dict, hash=False)
    outline: Outline | None = None
    losses: tuple[str, ...] = ()


LOST_SPEC = "lost-spec"
"""The kind of the notice that nothing was decided of a spec, since every process was lost that tried."""

LOST_PART = "lost-part"
"""The kind of the notice that something is missing that is no verdict."""


@dataclass(frozen=True, slots=True)
class Notice:
    """Something about how findings are suppressed that somebody should mend, or about what a run could not do; no
    finding, since no rule says it.

    ``kind`` is ``unused-allow``, ``malformed-allow``, ``stale-baseline``, ``lost-spec`` or ``lost-part``.
    """

    kind: str
    message: str
    source: SourceFile | None = None
    span: Span | None = None


@dataclass(frozen=True, slots=True)
class Report:
    """Everything one invocation found. ``profile`` is ``gated``, ``eager`` or ``both``.

    ``rules`` are those that were asked for; ``fail_on`` is the least severity that makes the run fail.
    """

    profile: str
    specs: tuple[SpecReport, ...]
    tool_version: str
    z3_version: str
    interrupted: bool = False
    rules: tuple[RuleRecord, ...] = ()
    fail_on: Severity = Severity.ERROR
    notices: tuple[Notice, ...] = ()

    @property
    def lost(self) -> tuple[Notice, ...]:
        """A notice for each spec of which nothing was decided: that nothing was found in it means nothing."""
        return tuple(notice for notice in self.notices if notice.kind == LOST_SPEC)
