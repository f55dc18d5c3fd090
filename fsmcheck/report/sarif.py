"""The report as SARIF 2.1.0, for code scanning.

It keeps to what GitHub takes: at most 25,000 results, relative URIs, help for each rule, and fingerprints that stay
when lines move. A counterexample is a code flow.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterator, Mapping
from urllib.parse import quote

from fsmcheck.diagnostics import Finding, Severity
from fsmcheck.fingerprint import Identity, identities
from fsmcheck.report import json_writer, sanitise
from fsmcheck.report.run_steps import run_steps
from fsmcheck.report.tally import caveat
from fsmcheck.results import Report, RuleRecord, SpecReport
from fsmcheck.source import SourceFile, Span

MOST_RESULTS = 25_000
SCHEMA = "https://docs.oasis-open.org/sarif/sarif/v2.1.0/os/schemas/sarif-schema-2.1.0.json"
_LEVELS = {Severity.ERROR: "error", Severity.WARNING: "warning", Severity.INFO: "note"}
_PROBLEMS = {Severity.ERROR: "error", Severity.WARNING: "warning", Severity.INFO: "recommendation"}
_LINK = re.compile(r"\[(?=[^\[\]]*\]\()")

_Json = dict[str, object]


def render(report: Report) -> str:
    """The report as one SARIF document with a final line break."""
    return "".join(pieces(report))


def pieces(report: Report) -> Iterator[str]:
    """The same, piece by piece."""
    found = list(_told_once(report))
    kept = sorted(found, key=lambda each: each[1].severity.rank)[:MOST_RESULTS] if len(found) > MOST_RESULTS else found
    rules = _rules(report)
    index = {rule.id: number for number, rule in enumerate(rules)}
    run: _Json = {
        "tool": {
            "driver": {
                "name": "fsmcheck",
                "version": report.tool_version,
                "rules": [_rule(rule) for rule in rules],
            }
        },
        "columnKind": "unicodeCodePoints",
        "invocations": [_invocation(report, len(found) - len(kept))],
        "results": (_result(spec, finding, identity, index) for spec, finding, identity in kept),
    }
    yield from json_writer.pieces({"$schema": SCHEMA, "version": "2.1.0", "runs": iter((run,))})
    yield "\n"


def _told_once(report: Report) -> Iterator[tuple[SpecReport, Finding, Identity]]:
    """All findings, without those that were said of the other profile before: they are about the text and no run."""
    said: dict[tuple[str, str, Span, str], str] = {}
    for spec in report.specs:
        for finding, identity in identities(spec):
            key = (spec.source.path, finding.rule, finding.span, finding.message)
            if finding.trace is not None or said.setdefault(key, spec.profile) == spec.profile:
                yield spec, finding, identity


def _rules(report: Report) -> list[RuleRecord]:
    """The rules that were asked for, and whatever else has a finding."""
    rules = {rule.id: rule for rule in report.rules}
    for spec in report.specs:
        for finding in spec.findings:
            rules.setdefault(
                finding.rule, RuleRecord(finding.rule, finding.slug, finding.severity, finding.slug, finding.slug)
            )
    return sorted(rules.values(), key=lambda rule: rule.id)


def _rule(rule: RuleRecord) -> _Json:
    first = rule.documentation.partition("\n## ")[0].strip()
    return {
        "id": rule.id,
        "name": rule.slug,
        "shortDescription": {"text": rule.summary},
        "fullDescription": {"text": first[:1000]},
        "help": {"text": rule.documentation, "markdown": rule.documentation},
        "defaultConfiguration": {"level": _LEVELS[rule.severity]},
        "properties": {"tags": ["state-machine"], "problem.severity": _PROBLEMS[rule.severity]},
    }


def _invocation(report: Report, dropped: int) -> _Json:
    invocation: _Json = {"executionSuccessful": not caveat(report)}
    notes: list[_Json] = []
    if caveat(report):
        notes.append({"level": "error", "message": {"text": caveat(report)}})
    if dropped:
        told = f"{dropped} more results are left out, those of the least severity"
        notes.append({"level": "warning", "message": {"text": told}})
    notes.extend({"level": "warning", "message": _message(notice.message)} for notice in report.notices)
    if notes:
        invocation["toolExecutionNotifications"] = notes
    return invocation


def _result(spec: SpecReport, finding: Finding, identity: Identity, index: Mapping[str, int]) -> _Json:
    told = finding.message if finding.help is None else f"{finding.message}\nhelp: {finding.help}"
    result: _Json = {
        "ruleId": finding.rule,
        "ruleIndex": index[finding.rule],
        "level": _LEVELS[finding.severity],
        "message": _message(told),
        "locations": [{**_location(spec.source, finding.span), "logicalLocations": [_logical(spec, finding)]}],
        "partialFingerprints": {"fsmcheckIdentity/v1": identity.digest},
        "properties": {"profile": spec.profile, "subject": finding.subject.as_dict()},
    }
    if finding.related:
        result["relatedLocations"] = [
            {"id": number, **_location(spec.source, related.span), "message": _message(related.message)}
            for number, related in enumerate(finding.related, 1)
        ]
    flow = list(_flow(spec, finding))
    if flow:
        head = _message(f"how it happens ({spec.profile})")
        result["codeFlows"] = [{"message": head, "threadFlows": [{"locations": flow}]}]
    if finding.suppressed is not None:
        suppression: _Json = {"kind": "inSource" if finding.suppressed == "inline" else "external"}
        if finding.justification is not None:
            suppression["justification"] = finding.justification
        result["suppressions"] = [suppression]
    return result


def _flow(spec: SpecReport, finding: Finding) -> Iterator[_Json]:
    if finding.trace is not None:
        for step in run_steps(finding.trace, spec.places):
            yield {
                "location": {**_location(spec.source, step.span), "message": _message(step.told)},
                "state": {name: {"text": value} for name, value in step.store},
            }


def _message(text: str) -> _Json:
    return {"text": _LINK.sub(r"\\[", sanitise.block(text))}


def _logical(spec: SpecReport, finding: Finding) -> _Json:
    parts = [spec.name or "", *(str(value) for value in finding.subject.as_dict().values())]
    return {"fullyQualifiedName": sanitise.line("/".join(parts))}


def _location(source: SourceFile, span: Span) -> _Json:
    line, column = source.position(span.start)
    end_line, end_column = source.position(max(span.start, span.end))
    region = {"startLine": line, "startColumn": column, "endLine": end_line, "endColumn": end_column}
    return {"physicalLocation": {"artifactLocation": {"uri": _uri(source.path)}, "region": region}}


def _uri(path: str) -> str:
    """The path as a URI of the bytes that the file's name has in the system: a relative one stays relative."""
    path = path.removeprefix("./")
    try:
        name = os.fsencode(path)
    except UnicodeEncodeError:  # a name that no file here has
        name = path.encode("utf-8", "surrogatepass")
    quoted = quote(name, safe="/")
    return f"file://{quoted}" if quoted.startswith("/") else quoted
