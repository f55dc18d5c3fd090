"""The report for people: each finding with its place, its source, its story and what follows from it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence

from fsmcheck.diagnostics import Finding, Subject
from fsmcheck.report import sanitise
from fsmcheck.report.excerpt import excerpt
from fsmcheck.report.style import Style
from fsmcheck.report.tally import SEVERITIES, caveat, extent, plural, proofs, summary, tally
from fsmcheck.results import Bounds, LoopBound, ObligationRecord, Report, SpecReport
from fsmcheck.source import SourceFile, Span

_INDENT = "    "
_LOOPS_TOLD = 24


def render(report: Report, *, colour: bool = False) -> str:
    """The report as text; with ``colour`` for a terminal."""
    return "".join(pieces(report, colour=colour))


def pieces(report: Report, *, colour: bool = False) -> Iterator[str]:
    """The same, line by line."""
    style = Style(colour)
    for spec in report.specs:
        for line in _spec(spec, style):
            yield f"{line}\n"
        yield "\n"
    yield f"{_summary(report, style)}\n"


def _spec(spec: SpecReport, style: Style) -> Iterator[str]:
    shown = [finding for finding in spec.findings if finding.suppressed is None]
    for finding, consequences in _by_root(shown):
        yield from _finding(finding, spec, style)
        if consequences:
            yield _INDENT + style("label", "follows from it:")
            for consequence in consequences:
                yield _INDENT * 2 + _heading(consequence, spec.source, style)
        yield ""
    yield from _verdicts(spec, style)


def _by_root(findings: Sequence[Finding]) -> list[tuple[Finding, list[Finding]]]:
    """Each root finding with everything that follows from it, directly or not, in the order of the report."""
    named = {(finding.rule, finding.subject): finding for finding in findings}

    def root(finding: Finding) -> Finding:
        seen = {id(finding)}
        while finding.caused_by is not None:
            cause = named.get((finding.caused_by.rule, finding.caused_by.subject))
            if cause is None or id(cause) in seen:
                break
            seen.add(id(cause))
            finding = cause
        return finding

    groups: dict[int, tuple[Finding, list[Finding]]] = {}
    for finding in findings:
        top = root(finding)
        group = groups.setdefault(id(top), (top, []))
        if finding is not top:
            group[1].append(finding)
    return [groups[id(finding)] for finding in findings if id(finding) in groups]


def _place(source: SourceFile, span: Span) -> str:
    line, column = source.position(span.start)
    return f"{sanitise.line(source.path)}:{line}:{column}"


def _heading(finding: Finding, source: SourceFile, style: Style) -> str:
    severity = finding.severity.value
    return (
        f"{style('place', _place(source, finding.span))}: {style(severity, severity)} "
        f"{style('rule', finding.rule)} {sanitise.line(finding.slug)}: {sanitise.line(finding.message)}"
    )


def _finding(finding: Finding, spec: SpecReport, style: Style) -> Iterator[str]:
    yield _heading(finding, spec.source, style)
    part = excerpt(spec.source, finding.span)
    if part is not None:
        number = f"{part.number:>5}"
        yield style("faint", f"{number} | ") + part.text
        mark = " " * part.column + style(finding.severity.value, "^" * part.length)
        yield style("faint", " " * len(number) + " | ") + mark
    if finding.help is not None:
        yield _INDENT + style("label", "help: ") + sanitise.line(finding.help)
    for related in finding.related:
        place = _place(spec.source, related.span)
        yield _INDENT + style("label", "see: ") + f"{place}: {sanitise.line(related.message)}"
    if finding.story:
        yield _INDENT + style("label", f"how it happens ({sanitise.line(spec.profile)}):")
        for told in finding.story:
            yield _INDENT * 2 + sanitise.line(told)


def _verdicts(spec: SpecReport, style: Style) -> Iterator[str]:
    name = f' "{sanitise.line(spec.name)}"' if spec.name else ""
    counts = tally(spec.findings, spec.obligations)
    found = ", ".join(plural(counts[key], _NOUNS[key]) for key in SEVERITIES if counts[key])
    yield (
        f"{style('place', sanitise.line(spec.source.path))}{name}, {sanitise.line(spec.profile)}: "
        f"{found or style('good', 'no findings')}"
    )
    posed = counts["proved"] + counts["violated"] + counts["unknown"]
    if posed:
        parts = [style("good" if counts["proved"] else "faint", proofs(counts))]
        parts.extend(f"{counts[key]} {key}" for key in ("violated", "unknown") if counts[key])
        yield _INDENT + f"{plural(posed, 'obligation')}: {', '.join(parts)}{_methods(spec.obligations)}"
    yield from _undecided(spec.obligations)
    if spec.bounds is not None:
        yield from _bounds(spec.bounds)
    hidden = sum(finding.suppressed is not None for finding in spec.findings)
    if hidden:
        yield _INDENT + f"{plural(hidden, 'finding')} suppressed"


_NOUNS = {"error": "error", "warning": "warning", "info": "note"}


def _methods(obligations: Sequence[ObligationRecord]) -> str:
    used = Counter(obligation.method for obligation in obligations if obligation.verdict == "proved")
    listed = ", ".join(f"{sanitise.line(method)} {count}" for method, count in sorted(used.items()))
    return f" (proved by {listed})" if listed else ""


def _undecided(obligations: Sequence[ObligationRecord]) -> Iterator[str]:
    skipped: dict[str, list[str]] = {}
    for obligation in obligations:
        what = f"{obligation.rule}{_about(obligation.subject)}"
        if obligation.verdict == "skipped":
            skipped.setdefault(obligation.reason or "", []).append(what)
        elif obligation.verdict == "unknown":
            depth = f"; holds up to depth {obligation.depth}" if obligation.depth is not None else ""
            yield _INDENT + f"unknown: {what}{_because(obligation.reason)}{depth}"
    for reason, whats in skipped.items():
        yield _INDENT + f"skipped: {', '.join(whats)}{_because(reason)}"


def _because(reason: str | None) -> str:
    return f": {sanitise.line(reason)}" if reason else ""


def _about(subject: Subject) -> str:
    parts = [f"{key} {sanitise.line(str(value))}" for key, value in subject.as_dict().items()]
    return f" ({', '.join(parts)})" if parts else ""


def _bounds(bounds: Bounds) -> Iterator[str]:
    if bounds.fewest_exchanges:
        ends = ", ".join(f'{count} to "{sanitise.line(state)}"' for state, count in bounds.fewest_exchanges)
        yield _INDENT + f"fewest exchanges: {ends}"
    if bounds.most_microsteps is not None:
        yield _INDENT + f"most microsteps in one advance: {bounds.most_microsteps}"
    for loop in bounds.loops[:_LOOPS_TOLD]:
        turn = " → ".join(sanitise.line(state) for state in (*loop.states, *loop.states[:1]))
        cost = "? exchanges" if loop.exchanges_per_turn is None else plural(loop.exchanges_per_turn, "exchange")
        most = loop.turns_under_policy
        policy = "" if most is None else f", at most {most} in a run that ends within maxIterations"
        yield _INDENT + f"loop {turn}: {cost} a turn, {_machine_bound(loop)}{policy}"
    if len(bounds.loops) > _LOOPS_TOLD:
        yield _INDENT + f"{plural(len(bounds.loops) - _LOOPS_TOLD, 'more loop')}, which --format json lists"


def _machine_bound(loop: LoopBound) -> str:
    if loop.turns_in_machine is not None:
        return f"at most {plural(loop.turns_in_machine, 'turn')}"
    words = {True: "finitely many turns in any run", False: "turns without end", None: "no bound known"}
    return words[loop.bounded]


def _summary(report: Report, style: Style) -> str:
    counts = summary(report)
    found = ", ".join(style(key, plural(counts[key], _NOUNS[key])) for key in SEVERITIES if counts[key]) or style(
        "good", "no findings"
    )
    verdicts = ", ".join((proofs(counts), *(f"{counts[key]} {key}" for key in ("violated", "unknown"))))
    note = f"; {why}" if (why := caveat(report)) else ""
    return f"{extent(report)}: {found}; {verdicts}{note}"
