"""The report as Markdown, short enough for a comment on a pull request or ``$GITHUB_STEP_SUMMARY``."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from fsmcheck.diagnostics import Finding, Severity
from fsmcheck.report import sanitise
from fsmcheck.report.excerpt import excerpt
from fsmcheck.report.tally import caveat, extent, plural, summary, tally
from fsmcheck.results import Report, SpecReport

MOST_CHARACTERS = 60_000
"""A comment on GitHub may have 65,536."""

_MOST_ROWS = 100
_LONGEST = 80
_MARKUP = re.compile(r"[\\`*_\[\]<>&|~$#]")
_REFERENCE = re.compile(r"@|#(?=\w)|:(?=//)|(?<=www)\.|GH(?=-\d)", re.IGNORECASE)
_NOUNS = {"error": "error", "warning": "warning", "info": "note"}
_SIGNS = {Severity.ERROR: "❌", Severity.WARNING: "⚠️", Severity.INFO: "ℹ️"}


def render(report: Report) -> str:
    """The figures, a table of the specs, then the findings, the gravest first, as many as there is room for."""
    parts = [_head(report), *_table(report.specs)]
    found = [(finding, spec) for spec in report.specs for finding in spec.findings if finding.suppressed is None]
    found.sort(key=lambda pair: pair[0].severity.rank)
    length = sum(len(part) + 1 for part in parts)
    for number, (finding, spec) in enumerate(found):
        text = "\n".join(_finding(finding, spec))
        if length + len(text) > MOST_CHARACTERS:
            parts.extend(("", f"… and {plural(len(found) - number, 'more finding')}"))
            break
        parts.append(text)
        length += len(text) + 1
    return "\n".join(parts) + "\n"


def prose(text: str) -> str:
    """Foreign text in a line of Markdown: no markup, no HTML, no mention of people, no link."""
    safe = _REFERENCE.sub(lambda match: f"{match.group()}\x00", sanitise.line(text))
    return _MARKUP.sub(lambda match: f"&#{ord(match.group())};", safe).replace("\x00", "&#8203;")


def _head(report: Report) -> str:
    counts = summary(report)
    found = ", ".join(plural(counts[key], noun) for key, noun in _NOUNS.items() if counts[key]) or "no findings"
    why = caveat(report)
    note = f"\n\n**{why[0].upper()}{why[1:]}.**" if why else ""
    return f"## fsmcheck: {found} in {extent(report)}{note}\n"


def _table(specs: Sequence[SpecReport]) -> Iterator[str]:
    if not specs:
        return
    yield "| spec | file | profile | errors | warnings | notes | proved | violated | unknown |"
    yield "|---|---|---|--:|--:|--:|--:|--:|--:|"
    for spec in specs[:_MOST_ROWS]:
        counts = tally(spec.findings, spec.obligations)
        figures = " | ".join(str(counts[key]) for key in (*_NOUNS, "proved", "violated", "unknown"))
        yield f"| {_cut(spec.name or '')} | {_cut(spec.source.path)} | {prose(spec.profile)} | {figures} |"
    if len(specs) > _MOST_ROWS:
        yield f"\n… and {plural(len(specs) - _MOST_ROWS, 'more spec')}"


def _cut(text: str) -> str:
    return prose(text if len(text) <= _LONGEST else f"…{text[1 - _LONGEST :]}")


def _finding(finding: Finding, spec: SpecReport) -> Iterator[str]:
    line, column = spec.source.position(finding.span.start)
    where = f"{prose(spec.source.path)}:{line}:{column}"
    sign = _SIGNS[finding.severity]
    yield f"\n{sign} **{finding.rule} {prose(finding.slug)}** {where}<br>{prose(finding.message)}"
    if finding.help is not None:
        yield f"<br>help: {prose(finding.help)}"
    part = excerpt(spec.source, finding.span)
    if part is not None:
        mark = " " * part.column + "^" * part.length
        yield from ("", *_fenced((f"{part.number:>5} | {part.text}", f"      | {mark}")))
    if finding.story:
        told = [sanitise.line(each) for each in finding.story]
        yield f"\n<details><summary>How it happens ({prose(spec.profile)})</summary>\n"
        yield from _fenced(told)
        yield "\n</details>"


def _fenced(lines: Sequence[str]) -> tuple[str, ...]:
    longest = max((len(run) for line in lines for run in re.findall("`+", line)), default=0)
    fence = "`" * max(3, longest + 1)
    return (f"{fence}text", *lines, fence)
