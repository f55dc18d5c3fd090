"""The findings as plain HTML, for whoever has no scripts."""

from __future__ import annotations

from collections.abc import Iterator
from html import escape

from fsmcheck.diagnostics import Finding
from fsmcheck.report.html import text
from fsmcheck.report.html.places import place
from fsmcheck.report.tally import SEVERITIES, extent, plural, proofs, summary
from fsmcheck.results import Report, SpecReport

_NOUNS = {"error": "error", "warning": "warning", "info": "note"}


def plain(report: Report) -> Iterator[str]:
    """The lines of a heading with the figures, and for each spec a list of its findings with their stories."""
    counts = summary(report)
    found = ", ".join(plural(counts[key], _NOUNS[key]) for key in SEVERITIES if counts[key]) or "no findings"
    verdicts = ", ".join((proofs(counts), *(f"{counts[key]} {key}" for key in ("violated", "unknown"))))
    yield f"<p>{escape(extent(report))}: {escape(found)}; {escape(verdicts)}</p>"
    if report.interrupted:
        yield "<p><strong>Interrupted, nothing may be concluded.</strong></p>"
    if report.notices:
        yield "<ul>"
        yield from (f"<li>{escape(text.line(notice.message))}</li>" for notice in report.notices)
        yield "</ul>"
    for spec in report.specs:
        yield from _spec(spec)


def _spec(spec: SpecReport) -> Iterator[str]:
    where = f"{text.line(spec.source.path)}, {text.line(spec.profile)}"
    yield f"<h2>{escape(text.line(spec.name or ''))} <small>{escape(where)}</small></h2>"
    shown = [finding for finding in spec.findings if finding.suppressed is None]
    if not shown:
        yield "<p>no findings</p>"
        return
    yield "<ul>"
    for finding in shown:
        yield from _finding(finding, spec)
    yield "</ul>"


def _finding(finding: Finding, spec: SpecReport) -> Iterator[str]:
    yield (
        f"<li><p>{escape(place(spec.source, finding.span))}: {finding.severity.value} "
        f"<strong>{escape(text.line(finding.rule))} {escape(text.line(finding.slug))}</strong>: "
        f"{escape(text.block(finding.message))}</p>"
    )
    if finding.help is not None:
        yield f"<p>help: {escape(text.block(finding.help))}</p>"
    if finding.story:
        told = "\n".join(text.line(line) for line in finding.story)
        yield f"<pre>{escape(told)}</pre>"
    yield "</li>"
