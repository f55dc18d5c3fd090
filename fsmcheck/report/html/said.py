"""Findings, obligations and certificates as data for the page."""

from __future__ import annotations

from collections.abc import Mapping

from fsmcheck.diagnostics import Finding, Subject
from fsmcheck.report.html import text
from fsmcheck.report.html.frames import Frame, frames
from fsmcheck.report.html.machine import Machine
from fsmcheck.report.html.places import excerpt, place
from fsmcheck.results import Certificate, ObligationRecord, SpecReport

Json = dict[str, object]


Numbers = Mapping[tuple[str, Subject], int]
"""The place in the report of the first finding of a rule about a subject."""


def numbers(spec: SpecReport) -> Numbers:
    """The places of the findings of a spec."""
    found: dict[tuple[str, Subject], int] = {}
    for number, each in enumerate(spec.findings):
        found.setdefault((each.rule, each.subject), number)
    return found


def finding(each: Finding, spec: SpecReport, shape: Machine, known: Numbers) -> Json:
    """A finding with its source and, where there is a counterexample, the frames of it."""
    cause = each.caused_by
    return {
        "rule": text.line(each.rule),
        "slug": text.line(each.slug),
        "severity": each.severity.value,
        "message": text.block(each.message),
        "help": text.block(each.help) if each.help is not None else None,
        **subject(each.subject, shape),
        "place": place(spec.source, each.span),
        "lines": excerpt(spec.source, each.span),
        "related": [
            {
                "message": text.block(related.message),
                "place": place(spec.source, related.span),
                "lines": excerpt(spec.source, related.span),
            }
            for related in each.related
        ],
        "cause": known.get((cause.rule, cause.subject)) if cause is not None else None,
        "suppressed": each.suppressed,
        "justification": text.line(each.justification) if each.justification is not None else None,
        "run": _run(each, shape) if each.trace is not None else None,
    }


def subject(about: Subject, shape: Machine) -> Json:
    """A subject in words, and where in the machine it is."""
    return {
        "subject": _words(about),
        "state": shape.states.get(about.state) if about.state is not None else None,
        "transition": _transition(about.state, about.transition, shape),
        "other": _transition(about.state, about.other, shape),
        "field": text.line(about.field) if about.field is not None else None,
    }


def _words(about: Subject) -> list[list[str]]:
    return [[key, text.line(str(value))] for key, value in about.as_dict().items()]


def _transition(state: str | None, index: int | None, shape: Machine) -> int | None:
    return None if state is None or index is None else shape.transitions.get((state, index))


def obligation(each: ObligationRecord, shape: Machine, known: Numbers) -> Json:
    """An obligation with its verdict and the finding that answers it; how long it took stays out."""
    return {
        "rule": text.line(each.rule),
        **subject(each.subject, shape),
        "verdict": "vacuous" if each.vacuous else each.verdict,
        "method": text.line(each.method),
        "reason": text.line(each.reason) if each.reason is not None else None,
        "depth": each.depth,
        "certificate": text.line(each.certificate) if each.certificate is not None else None,
        "finding": known.get((each.rule, each.subject)),
    }


def certificate(each: Certificate) -> Json:
    """What a certificate proves and by what; the proof itself is in the files."""
    checks = each.manifest.get("checks")
    return {
        "name": text.line(each.name),
        "kind": text.line(str(each.manifest.get("kind", ""))),
        "method": text.line(str(each.manifest.get("method", ""))),
        "checks": len(checks) if isinstance(checks, list | tuple) else None,
        "configurations": text.value(each.manifest["configurations"]) if "configurations" in each.manifest else None,
        "script": each.script is not None,
        "claims": [{"rule": text.line(rule), "subject": _words(about)} for rule, about in each.claims],
    }


def _run(each: Finding, shape: Machine) -> Json:
    run = frames(each.trace or {}, each.story, each.stale, each.stale_passing)
    shown: list[Json] = []
    before: dict[str, str] = {}
    known: dict[str, tuple[object, str]] = {}

    def told(name: str, given: object) -> str:
        """A value in words, which are made once where it does not change."""
        if name not in known or known[name][0] is not given:
            known[name] = given, text.value(given)
        return known[name][1]

    for frame in run.frames:
        store = {text.line(name): told(name, given) for name, given in frame.store.items()}
        changes = [[name, given] for name, given in store.items() if before.get(name) != given]
        shown.append(_frame(frame, changes, shape))
        before = {**before, **store}
    return {"frames": shown, "conclusion": [text.line(told) for told in run.conclusion], "end": run.end}


def _frame(frame: Frame, changes: list[list[str]], shape: Machine) -> Json:
    advance: Mapping[str, object] = frame.advance or {}
    return {
        "step": frame.step,
        "state": shape.states.get(frame.state),
        "name": text.line(frame.state),
        "via": shape.transitions.get(frame.via) if frame.via is not None else None,
        "told": [text.line(told) for told in frame.told],
        "changes": changes,
        "staged": sorted(text.line(name) for name in frame.staged),
        "stale": sorted(text.line(name) for name in frame.stale),
        "agent": text.line(frame.agent) if frame.agent is not None else None,
        "status": text.line(str(advance["status"])) if "status" in advance else None,
        "rejected": text.line(frame.rejected) if frame.rejected is not None else None,
    }
