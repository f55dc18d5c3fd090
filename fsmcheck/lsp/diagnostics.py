"""Findings as an editor shows them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace

from lsprotocol import types

from fsmcheck.diagnostics import Finding, Severity
from fsmcheck.lsp.positions import Lines
from fsmcheck.records import dataclass
from fsmcheck.report import sanitise
from fsmcheck.results import Notice, Report
from fsmcheck.source import Span

_MOST = 1_000
_SOURCE = "fsmcheck"
_SEVERITIES = {
    Severity.ERROR: types.DiagnosticSeverity.Error,
    Severity.WARNING: types.DiagnosticSeverity.Warning,
    Severity.INFO: types.DiagnosticSeverity.Information,
}
_FADED = frozenset({"FSM109", "FSM303"})
"""Rules that find what serves no purpose."""


@dataclass(frozen=True, slots=True)
class Shown:
    """A finding and what the editor was sent for it."""

    finding: Finding
    diagnostic: types.Diagnostic


def visible(report: Report) -> tuple[Finding, ...]:
    """The findings that nothing suppresses, each once though two profiles have it."""
    found: dict[tuple[object, ...], Finding] = {}
    several = len({spec.profile for spec in report.specs}) > 1
    profiles: dict[tuple[object, ...], set[str]] = {}
    for spec in report.specs:
        for finding in spec.findings:
            if finding.suppressed is None:
                key = (finding.rule, finding.span, finding.subject, finding.message)
                found.setdefault(key, finding)
                profiles.setdefault(key, set()).add(spec.profile)
    return tuple(
        replace(each, message=f"{each.message} (under the profile {next(iter(profiles[key]))})")
        if several and len(profiles[key]) == 1
        else each
        for key, each in found.items()
    )


def shown(findings: Iterable[Finding], lines: Lines, uri: str) -> tuple[Shown, ...]:
    """The findings with their diagnostics, the gravest first where there are too many."""
    ordered = sorted(findings, key=lambda each: each.severity.rank)[:_MOST]
    return tuple(Shown(each, _diagnostic(each, lines, uri)) for each in ordered)


def of_notices(notices: Iterable[Notice], lines: Lines) -> Iterator[types.Diagnostic]:
    """What is to be said about the comments that allow findings."""
    for notice in notices:
        if notice.span is not None:
            yield types.Diagnostic(
                lines.range(notice.span),
                sanitise.line(notice.message),
                types.DiagnosticSeverity.Warning,
                code=notice.kind,
                source=_SOURCE,
            )


def _diagnostic(finding: Finding, lines: Lines, uri: str) -> types.Diagnostic:
    message = finding.message
    if finding.caused_by is not None:
        message += f"; this follows from {finding.caused_by.rule}"
    text = sanitise.line(message)
    if finding.help is not None:
        text += f"\nhelp: {sanitise.line(finding.help)}"
    return types.Diagnostic(
        lines.range(finding.span),
        text,
        _SEVERITIES[finding.severity],
        code=finding.rule,
        source=_SOURCE,
        tags=[types.DiagnosticTag.Unnecessary] if finding.rule in _FADED else None,
        related_information=[
            types.DiagnosticRelatedInformation(
                types.Location(uri, lines.range(related.span)), sanitise.line(related.message)
            )
            for related in finding.related
        ]
        or None,
    )


def carried(findings: Iterable[Finding], old: str, new: str) -> tuple[Finding, ...]:
    """The findings on an old text that lie outside of what has changed since, moved to where that is now."""
    start = _common(old, new)
    rest = min(len(old), len(new)) - start
    end = _common(old[::-1][:rest], new[::-1][:rest])
    last, moved = len(old) - end, len(new) - len(old)

    def at(span: Span) -> Span | None:
        if span.end <= start:
            return span
        return Span(span.start + moved, span.end + moved) if span.start >= last else None

    found = []
    for finding in findings:
        span = at(finding.span)
        if span is not None:
            places = ((related, at(related.span)) for related in finding.related)
            related = tuple(replace(each, span=place) for each, place in places if place is not None)
            found.append(replace(finding, span=span, related=related, fix=None))
    return tuple(found)


def _common(left: str, right: str) -> int:
    """The length of the longest common beginning."""
    low, high = 0, min(len(left), len(right))
    while low < high:
        middle = (low + high + 1) // 2
        if left[low:middle] == right[low:middle]:
            low = middle
        else:
            high = middle - 1
    return low
