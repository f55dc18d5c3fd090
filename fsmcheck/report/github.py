"""The report as workflow commands, which GitHub shows as annotations of the changed lines; gravest first.

One more plain line at the end gives the figures.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from fsmcheck.diagnostics import Finding, Severity
from fsmcheck.report import sanitise
from fsmcheck.report.tally import VERDICTS, caveat, extent, plural, proofs, summary
from fsmcheck.results import Notice, Report, SpecReport
from fsmcheck.source import SourceFile, Span

_COMMANDS = {Severity.ERROR: "error", Severity.WARNING: "warning", Severity.INFO: "notice"}


def render(report: Report) -> str:
    """One line for each finding that is not suppressed and for each notice, and a last one with the figures."""
    found = [
        (finding.severity.rank, _annotation(finding, spec))
        for spec in report.specs
        for finding in spec.findings
        if finding.suppressed is None
    ]
    lines = [line for _, line in sorted(found, key=lambda pair: pair[0])]
    lines.extend(_notice(notice) for notice in report.notices)
    return "\n".join([*dict.fromkeys(lines), _figures(report)]) + "\n"


def _annotation(finding: Finding, spec: SpecReport) -> str:
    properties = {**_place(spec.source, finding.span), "title": f"{finding.rule} {finding.slug}"}
    told = [finding.message]
    if finding.help is not None:
        told.append(f"help: {finding.help}")
    if finding.story:
        told.append(f"how it happens ({spec.profile}):")
        told.extend(finding.story)
    return _command(_COMMANDS[finding.severity], properties, told)


def _notice(notice: Notice) -> str:
    place = {} if notice.source is None or notice.span is None else _place(notice.source, notice.span)
    return _command("warning", {**place, "title": f"fsmcheck {notice.kind}"}, [notice.message])


def _place(source: SourceFile, span: Span) -> dict[str, str]:
    line, column = source.position(span.start)
    end_line, end_column = source.position(max(span.start, span.end))
    properties = {"file": source.path.removeprefix("./"), "line": str(line), "endLine": str(end_line)}
    if end_line == line:
        properties |= {"col": str(column), "endColumn": str(max(column, end_column - 1))}
    return properties


def _command(name: str, properties: Mapping[str, str], told: Sequence[str]) -> str:
    listed = ",".join(f"{key}={_property(value)}" for key, value in properties.items())
    return f"::{name} {listed}::{_data(chr(10).join(sanitise.line(each) for each in told))}"


def _data(text: str) -> str:
    return text.replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A")


def _property(text: str) -> str:
    return _data(sanitise.line(text)).replace(":", "%3A").replace(",", "%2C")


def _figures(report: Report) -> str:
    counts = summary(report)
    nouns = {"error": "error", "warning": "warning", "info": "note"}
    found = ", ".join(plural(counts[key], noun) for key, noun in nouns.items() if counts[key]) or "no findings"
    verdicts = ", ".join((proofs(counts), *(f"{counts[key]} {key}" for key in VERDICTS[2:])))
    note = f"; {why}" if (why := caveat(report)) else ""
    return f"fsmcheck: {extent(report)}: {found}; {verdicts}{note}"
