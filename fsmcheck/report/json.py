"""The report as ``fsmcheck.report/1``, for programs. docs/formats.md describes it, report_schema.json defines it."""

from __future__ import annotations

from collections.abc import Iterator

from fsmcheck.diagnostics import Finding
from fsmcheck.report import json_writer, sanitise
from fsmcheck.report.tally import summary
from fsmcheck.results import Bounds, Notice, ObligationRecord, Report, SpecReport
from fsmcheck.source import SourceFile, Span

SCHEMA = "fsmcheck.report/1"


def render(report: Report) -> str:
    """The report as one JSON document with a final line break."""
    return "".join(pieces(report))


def pieces(report: Report) -> Iterator[str]:
    """The same, piece by piece."""
    document: dict[str, object] = {
        "schema": SCHEMA,
        "tool": {"name": "fsmcheck", "version": report.tool_version, "z3": report.z3_version},
        "profile": report.profile,
        "specs": map(_spec, report.specs),
        "summary": summary(report),
    }
    if report.notices:
        document["notices"] = [_notice(notice) for notice in report.notices]
    if report.interrupted:
        document["interrupted"] = True
    yield from json_writer.pieces(document, sanitise.scalar_values)
    yield "\n"


def _spec(spec: SpecReport) -> dict[str, object]:
    return {
        "path": spec.source.path,
        "name": spec.name,
        "version": spec.version,
        "profile": spec.profile,
        "findings": (_finding(finding, spec.source) for finding in spec.findings),
        "obligations": map(_obligation, spec.obligations),
        "bounds": _bounds(spec.bounds) if spec.bounds else None,
    }


def _finding(finding: Finding, source: SourceFile) -> dict[str, object]:
    entry: dict[str, object] = {
        "rule": finding.rule,
        "slug": finding.slug,
        "severity": finding.severity.value,
        "message": finding.message,
    }
    if finding.help is not None:
        entry["help"] = finding.help
    entry["subject"] = finding.subject.as_dict()
    entry["location"] = _location(source, finding.span)
    entry["related"] = [
        {"message": related.message, "location": _location(source, related.span)} for related in finding.related
    ]
    if finding.caused_by is not None:
        entry["causedBy"] = {"rule": finding.caused_by.rule, "subject": finding.caused_by.subject.as_dict()}
    if finding.trace is not None:
        entry["trace"] = finding.trace
    if finding.suppressed is not None:
        entry["suppressed"] = finding.suppressed
    if finding.justification is not None:
        entry["justification"] = finding.justification
    return entry


def _notice(notice: Notice) -> dict[str, object]:
    entry: dict[str, object] = {"kind": notice.kind, "message": notice.message}
    if notice.source is not None and notice.span is not None:
        entry["location"] = _location(notice.source, notice.span)
    return entry


def _location(source: SourceFile, span: Span) -> dict[str, object]:
    line, column = source.position(span.start)
    end_line, end_column = source.position(max(span.start, span.end))
    return {"path": source.path, "line": line, "column": column, "endLine": end_line, "endColumn": end_column}


def _obligation(obligation: ObligationRecord) -> dict[str, object]:
    entry: dict[str, object] = {
        "id": obligation.id,
        "rule": obligation.rule,
        "subject": obligation.subject.as_dict(),
        "verdict": obligation.verdict,
        "method": obligation.method,
    }
    if obligation.reason is not None:
        entry["reason"] = obligation.reason
    if obligation.depth is not None:
        entry["depth"] = obligation.depth
    entry["seconds"] = round(obligation.seconds, 6)
    entry["cached"] = obligation.cached
    entry["vacuous"] = obligation.vacuous
    if obligation.certificate is not None:
        entry["certificate"] = obligation.certificate
    return entry


def _bounds(bounds: Bounds) -> dict[str, object]:
    return {
        "fewestExchanges": dict(bounds.fewest_exchanges),
        "mostMicrosteps": bounds.most_microsteps,
        "loops": [
            {
                "states": list(loop.states),
                "exchangesPerTurn": loop.exchanges_per_turn,
                "turnsInMachine": loop.turns_in_machine,
                "turnsUnderPolicy": loop.turns_under_policy,
                "bounded": loop.bounded,
            }
            for loop in bounds.loops
        ],
    }
