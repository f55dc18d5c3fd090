"""Reports made by hand, for the tests of the formats."""

from __future__ import annotations

from fsmcheck.diagnostics import Cause, Finding, Related, Severity, Subject
from fsmcheck.results import Bounds, LoopBound, ObligationRecord, Report, SpecReport
from fsmcheck.source import SourceFile, Span

TEXT = "fsm:\n  states:\n    work:\n      transitions:\n        - toState: rest\n"
SOURCE = SourceFile("specs/loop.yaml", TEXT)
PLACE = Span(TEXT.index("toState"), TEXT.index("toState") + len("toState: rest"))
ROOT = Subject(state="work", transition=0, field="verdict")
TRACE = {
    "schema": "fsmcheck.trace/1",
    "spec": {"name": "loop", "version": 1, "sha256": "0" * 64},
    "profile": "gated",
    "inputs": {},
    "start": {"microsteps": [], "state": "work", "status": "waiting", "store": {"verdict": ""}, "awaits": []},
    "steps": [],
}


def finding(message: str = "it goes round", **changes: object) -> Finding:
    settings: dict[str, object] = {
        "rule": "FSM403",
        "slug": "re-fires",
        "severity": Severity.ERROR,
        "message": message,
        "span": PLACE,
        "subject": ROOT,
        "help": "stop it",
        "related": (Related("required here", Span(7, 13)),),
        "trace": TRACE,
    }
    return Finding(**{**settings, **changes})  # type: ignore[arg-type]


def consequence(**changes: object) -> Finding:
    settings: dict[str, object] = {
        "rule": "FSM405",
        "slug": "not-awaited",
        "severity": Severity.WARNING,
        "message": "it is there already",
        "subject": Subject(state="work", field="verdict"),
        "help": None,
        "related": (),
        "trace": None,
        "caused_by": Cause("FSM403", ROOT),
    }
    return finding(**{**settings, **changes})


def report(*findings: Finding, source: SourceFile = SOURCE, name: str = "loop", **changes: object) -> Report:
    spec = SpecReport(
        source=source,
        profile="gated",
        name=name,
        version=1,
        findings=findings,
        obligations=(
            ObligationRecord("a1", "FSM403", ROOT, "violated", "explicit", 0.25, depth=3),
            ObligationRecord("a2", "FSM301", Subject(state="work"), "proved", "k-induction", 0.5),
            ObligationRecord("a3", "FSM204", Subject(state="work"), "unknown", "explicit", 0.1, "limit reached", 7),
        ),
        bounds=Bounds((("rest", 3),), 2, (LoopBound(("work", "rest"), 2, None, 4, bounded=False),)),
    )
    settings: dict[str, object] = {"profile": "gated", "specs": (spec,), "tool_version": "1.2", "z3_version": "5.4"}
    return Report(**{**settings, **changes})  # type: ignore[arg-type]
