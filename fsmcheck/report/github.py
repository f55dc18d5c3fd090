"""The report as workflow commands, which GitHub shows as annotations of the changed lines; gravest first.

One more plain line at the end gives the figures.
"""

from __future__ import annotations

from fsmcheck.diagnostics import Finding, Severity
from fsmcheck.report import sanitise
from fsmcheck.report.tally import VERDICTS, extent, plural, proofs, summary
from fsmcheck.results import Report, SpecReport

_COMMANDS = {Severity.ERROR: "error", Severity.WARNING: "warning", Severity.INFO: "notice"}


def render(report: Report) -> str:
    """One line for each finding that is not suppressed, and a last one with the figures."""
    found = [
        (finding.severity.rank, _annotation(finding, spec))
        for spec in report.specs
        for finding in spec.findings
        if finding.suppressed is None
    ]
    lines = [line for _, line in sorted(found, key=lambda pair: pair[0])]
    return "\n".join([*dict.fromkeys(lines), _figures(report)]) + "\n"


def _annotation(finding: Finding, spec: SpecReport) -> str:
    line, column = spec.source.position(finding.span.start)
    end_line, end_column = spec.source.position(max(finding.span.start, finding.span.end))
    properties = {"file": spec.source.path.removeprefix("./"), "line": str(line), "endLine": str(end_line)}
    if end_line == line:
        properties |= {"col": str(column), "endColumn": str(max(column, end_column - 1))}
    properties["title"] = f"{finding.rule} {finding.slug}"
    told = [finding.message]
    if finding.help is not None:
        told.append(f"help: {finding.help}")
    if finding.story:
        told.append(f"how it happens ({spec.profile}):")
        told.extend(finding.story)
    listed = ",".join(f"{key}={_property(value)}" for key, value in properties.items())
    return f"::{_COMMANDS[finding.severity]} {listed}::{_data(chr(10).join(sanitise.line(each) for each in told))}"


def _data(text: str) -> str:
    return text.replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A")


def _property(text: str) -> str:
    return _data(sanitise.line(text)).replace(":", "%3A").replace(",", "%2C")


def _figures(report: Report) -> str:
    counts = summary(report)
    nouns = {"error": "error", "warning": "warning", "info": "note"}
    found = ", ".join(plural(counts[key], noun) for key, noun in nouns.items() if counts[key]) or "no findings"
    verdicts = ", ".join((proofs(counts), *(f"{counts[key]} {key}" for key in VERDICTS[2:])))
    note = "; interrupted, nothing may be concluded" if report.interrupted else ""
    return f"fsmcheck: {extent(report)}: {found}; {verdicts}{note}"
