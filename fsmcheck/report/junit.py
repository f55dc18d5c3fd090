"""The report as JUnit XML: a suite for each spec and profile, a case for each obligation and each rule on the text.

A case fails by what makes the run fail (``Report.fail_on``); lesser findings are in a passing case's output.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from xml.etree import ElementTree as ET

from fsmcheck.diagnostics import Finding, Severity, Subject
from fsmcheck.records import dataclass
from fsmcheck.report import sanitise
from fsmcheck.report.tally import caveat
from fsmcheck.results import ObligationRecord, Report, SpecReport


@dataclass(frozen=True, slots=True)
class _Case:
    rule: str
    subject: Subject
    findings: Sequence[Finding]
    obligation: ObligationRecord | None = None

    @property
    def seconds(self) -> float:
        return self.obligation.seconds if self.obligation else 0.0


def render(report: Report) -> str:
    """The report as one XML document with a final line break."""
    root = ET.Element("testsuites", {"name": "fsmcheck"})
    slugs = {rule.id: rule.slug for rule in report.rules}
    for spec in report.specs:
        slugs.update((finding.rule, finding.slug) for finding in spec.findings)
    totals = {"tests": 0, "failures": 0, "errors": 0, "skipped": 0}
    for spec in report.specs:
        suite = _suite(spec, report, slugs)
        root.append(suite)
        for key in totals:
            totals[key] += int(suite.get(key, "0"))
    if caveat(report):
        _failed(root, totals, caveat(report))
    root.attrib.update({key: str(count) for key, count in totals.items()})
    ET.indent(root)
    return f'<?xml version="1.0" encoding="UTF-8"?>\n{ET.tostring(root, encoding="unicode")}\n'


def _failed(root: ET.Element, totals: dict[str, int], why: str) -> None:
    suite = ET.SubElement(root, "testsuite", {"name": "fsmcheck", "tests": "1", "errors": "1"})
    case = ET.SubElement(suite, "testcase", {"classname": "fsmcheck", "name": "the run"})
    ET.SubElement(case, "error", {"message": why})
    totals["tests"] += 1
    totals["errors"] += 1


def _suite(spec: SpecReport, report: Report, slugs: dict[str, str]) -> ET.Element:
    named = f' "{spec.name}"' if spec.name else ""
    title = sanitise.xml(sanitise.line(f"{spec.source.path}{named}, {spec.profile}"))
    cases = list(_cases(spec, report))
    suite = ET.Element("testsuite", {"name": title})
    counts = {"tests": len(cases), "failures": 0, "errors": 0, "skipped": 0}
    for case in cases:
        element = ET.SubElement(suite, "testcase", _attributes(spec, case, slugs))
        outcome = _outcome(element, case, spec, report.fail_on)
        if outcome is not None:
            counts[outcome] += 1
    suite.attrib.update({key: str(count) for key, count in counts.items()})
    suite.set("time", f"{sum(case.seconds for case in cases):.6f}")
    return suite


def _cases(spec: SpecReport, report: Report) -> Iterator[_Case]:
    left: dict[tuple[str, Subject], list[Finding]] = {}
    for finding in spec.findings:
        left.setdefault((finding.rule, finding.subject), []).append(finding)
    posed = {obligation.rule for obligation in spec.obligations}
    for obligation in spec.obligations:
        mine = left.pop((obligation.rule, obligation.subject), [])
        yield _Case(obligation.rule, obligation.subject, mine, obligation)
    rest: dict[str, list[Finding]] = {rule.id: [] for rule in report.rules if rule.id not in posed}
    for finding in spec.findings:
        if (finding.rule, finding.subject) in left:
            rest.setdefault(finding.rule, []).append(finding)
    for rule, found in sorted(rest.items()):
        yield _Case(rule, Subject(), found)


def _attributes(spec: SpecReport, case: _Case, slugs: dict[str, str]) -> dict[str, str]:
    about = ", ".join(f"{key} {value}" for key, value in case.subject.as_dict().items())
    slug = slugs.get(case.rule)
    name = case.rule + (f" {slug}" if slug else "") + (f" ({about})" if about else "")
    attributes = {
        "classname": f"{spec.source.path}.{case.rule}",
        "name": name,
        "file": spec.source.path,
        "time": f"{case.seconds:.6f}",
    }
    if case.findings:
        attributes["line"] = str(spec.source.position(case.findings[0].span.start)[0])
    return {key: sanitise.xml(sanitise.line(value)) for key, value in attributes.items()}


def _outcome(element: ET.Element, case: _Case, spec: SpecReport, fail_on: Severity) -> str | None:
    """Write what came of a case; the counter it goes to, None where it passed."""
    open_ones = [finding for finding in case.findings if finding.suppressed is None]
    grave = [finding for finding in open_ones if finding.severity.rank <= fail_on.rank]
    told = "\n\n".join(_told(finding, spec) for finding in grave or open_ones)
    if grave:
        worst = min(grave, key=lambda finding: finding.severity.rank)
        _child(element, "failure", worst.message, told).set("type", worst.severity.value)
        return "failures"
    if open_ones:
        ET.SubElement(element, "system-out").text = sanitise.xml(told)
        return None
    if case.findings:
        reasons = {f"suppressed ({each.suppressed}): {each.justification or each.message}" for each in case.findings}
        _child(element, "skipped", "; ".join(sorted(reasons)))
        return "skipped"
    if case.obligation is not None and case.obligation.verdict in ("unknown", "skipped"):
        _child(element, "skipped", f"{case.obligation.verdict}: {case.obligation.reason or 'no reason given'}")
        return "skipped"
    return None


def _child(element: ET.Element, tag: str, message: str, text: str | None = None) -> ET.Element:
    child = ET.SubElement(element, tag, {"message": sanitise.xml(sanitise.line(message))})
    if text is not None:
        child.text = sanitise.xml(text)
    return child


def _told(finding: Finding, spec: SpecReport) -> str:
    line, column = spec.source.position(finding.span.start)
    path = sanitise.line(spec.source.path)
    lines = [f"{path}:{line}:{column}: {finding.severity.value} {finding.rule} {sanitise.line(finding.message)}"]
    if finding.help is not None:
        lines.append(f"help: {sanitise.line(finding.help)}")
    if finding.story:
        lines.append(f"how it happens ({spec.profile}):")
        lines.extend(f"    {sanitise.line(told)}" for told in finding.story)
    return "\n".join(lines)
