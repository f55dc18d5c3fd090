"""From a verdict to the outcome of a test."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Literal

from fsmcheck.diagnostics import UNDECIDED, Finding
from fsmcheck.pytest_plugin.planning import Planned
from fsmcheck.pytest_plugin.settings import Settings
from fsmcheck.records import dataclass
from fsmcheck.report import sanitise
from fsmcheck.report.excerpt import excerpt
from fsmcheck.results import ObligationRecord, SpecReport

Kind = Literal["passed", "noted", "failed", "skipped", "xfailed"]


@dataclass(frozen=True, slots=True)
class Outcome:
    """What a test comes to; ``message`` is one line, ``text`` the whole report, ``line`` 1-based.

    ``noted`` passes, with something to say.
    """

    kind: Kind
    message: str = ""
    text: str = ""
    line: int = 1
    properties: tuple[tuple[str, str], ...] = ()


def outcome(report: SpecReport, item: Planned, settings: Settings, path: str) -> Outcome:
    """What came of one rule or obligation of a spec that was checked."""
    record = next((each for each in report.obligations if each.id == item.obligation), None)
    mine = [finding for finding in report.findings if _is_about(finding, item, record)]
    told = _properties(record, mine)
    open_ones = [finding for finding in mine if finding.suppressed is None]
    if mine and not open_ones:
        reasons = {f"suppressed ({each.suppressed}): {each.justification or each.message}" for each in mine}
        return Outcome("skipped", sanitise.line(f"{item.name}: {'; '.join(sorted(reasons))}"), properties=told)
    if record is not None and record.verdict in ("unknown", "skipped"):
        return _without_verdict(record, open_ones, item, settings, told)
    grave = [finding for finding in open_ones if finding.severity.rank <= settings.fail_on.rank]
    if grave or open_ones:
        worst = min(grave or open_ones, key=lambda finding: finding.severity.rank)
        text = "\n\n".join("\n".join(_lines(finding, report, path)) for finding in grave or open_ones)
        line, _ = report.source.position(worst.span.start)
        message = sanitise.line(f"{worst.severity.value}: {worst.message}")
        return Outcome("failed" if grave else "noted", message, text, line, (*told, *_noted(message, grave)))
    if record is not None and record.verdict == "violated":
        return Outcome("failed", f"{item.name} is violated", f"{path}: {item.name} is violated", properties=told)
    return Outcome("passed", properties=told)


def _is_about(finding: Finding, item: Planned, record: ObligationRecord | None) -> bool:
    if record is None:
        return finding.rule == item.rule
    if finding.rule == UNDECIDED:
        named = finding.message.startswith(f"{item.rule} ")
        return record.verdict == "unknown" and named and finding.subject == item.subject
    return finding.rule == item.rule and finding.subject == item.subject


def _noted(message: str, grave: Sequence[Finding]) -> tuple[tuple[str, str], ...]:
    return () if grave else (("note", message),)


def _properties(record: ObligationRecord | None, findings: Sequence[Finding]) -> tuple[tuple[str, str], ...]:
    if record is None:
        return (("verdict", "found" if findings else "nothing found"),)
    pairs = [("verdict", "vacuous" if record.vacuous else str(record.verdict)), ("method", record.method)]
    if record.reason:
        pairs.append(("reason", sanitise.line(record.reason)))
    if record.depth is not None:
        pairs.append(("depth", str(record.depth)))
    return tuple(pairs)


def _without_verdict(
    record: ObligationRecord,
    findings: Sequence[Finding],
    item: Planned,
    settings: Settings,
    told: tuple[tuple[str, str], ...],
) -> Outcome:
    depth = f"; it holds up to depth {record.depth}" if record.depth is not None else ""
    message = sanitise.line(f"{item.name} is {record.verdict}: {record.reason or 'no reason given'}{depth}")
    if record.verdict == "skipped":
        return Outcome("skipped", message, properties=told)
    heavy = any(finding.severity.rank <= settings.fail_on.rank for finding in findings)
    match settings.unknown or ("fail" if heavy else "skip"):
        case "fail":
            return Outcome("failed", message, message, item.line + 1, told)
        case "xfail":
            return Outcome("xfailed", message, properties=told)
        case "pass":
            return Outcome("noted", message, message, properties=(*told, ("note", message)))
    return Outcome("skipped", message, properties=told)


def _lines(finding: Finding, report: SpecReport, path: str) -> Iterator[str]:
    shown = sanitise.line(path)
    line, column = report.source.position(finding.span.start)
    what = f"{finding.severity.value} {finding.rule} {finding.slug}"
    yield f"{shown}:{line}:{column}: {what}: {sanitise.line(finding.message)}"
    part = excerpt(report.source, finding.span)
    if part is not None:
        yield f"{part.number:>5} | {part.text}"
        yield f"{' ' * 5} | {' ' * part.column}{'^' * part.length}"
    if finding.help is not None:
        yield f"    help: {sanitise.line(finding.help)}"
    for related in finding.related:
        line, column = report.source.position(related.span.start)
        yield f"    see: {shown}:{line}:{column}: {sanitise.line(related.message)}"
    if finding.caused_by is not None:
        yield f"    follows from {finding.caused_by.rule}"
    if finding.story:
        yield f"    how it happens ({report.profile}):"
        yield from (f"        {sanitise.line(told)}" for told in finding.story)
