"""What the page shows, as plain data: its script only puts it in place."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from hashlib import sha256

from fsmcheck.report.html import text
from fsmcheck.report.html.machine import Machine, machine
from fsmcheck.report.html.places import place
from fsmcheck.report.html.said import certificate, finding, numbers, obligation
from fsmcheck.report.tally import extent, summary, tally
from fsmcheck.results import Bounds, Notice, Report, SpecReport

Json = dict[str, object]


def document(report: Report) -> Json:
    """The report as data for the page: every text made safe to show, no times, places by index."""
    return {key: _whole(value) for key, value in lazy_document(report).items()}


def _whole(value: object) -> object:
    if isinstance(value, Iterator):
        return [_whole(item) for item in value]
    return {key: _whole(item) for key, item in value.items()} if isinstance(value, dict) else value


def lazy_document(report: Report) -> Json:
    """The same, where specs, findings and obligations are made when they are asked for, once."""
    return {
        "tool": {"version": text.line(report.tool_version), "z3": text.line(report.z3_version)},
        "extent": extent(report),
        "profile": report.profile,
        "interrupted": report.interrupted,
        "summary": summary(report),
        "notices": [_notice(notice) for notice in report.notices],
        "rules": _rules(report),
        "specs": map(_spec, report.specs, keys(report)),
    }


def keys(report: Report) -> list[str]:
    """A key for each spec, for links: its name where no other has it, else its path; the profile if there are two."""
    names = Counter((spec.name, spec.profile) for spec in report.specs)
    several = len({spec.profile for spec in report.specs}) > 1
    used: Counter[str] = Counter()
    made = []
    for spec in report.specs:
        known = spec.name if spec.name and names[spec.name, spec.profile] == 1 else spec.source.path
        key = text.line(known) + (f"@{spec.profile}" if several else "")
        used[key] += 1
        made.append(key if used[key] == 1 else f"{key}#{used[key]}")
    return made


def _rules(report: Report) -> Json:
    """The rules that the report mentions; the whole documentation of those with findings."""
    found = {each.rule for spec in report.specs for each in spec.findings}
    posed = {each.rule for spec in report.specs for each in spec.obligations}
    return {
        rule.id: {
            "slug": text.line(rule.slug),
            "severity": rule.severity.value,
            "summary": text.line(rule.summary),
            **({"documentation": text.block(rule.documentation)} if rule.id in found else {}),
        }
        for rule in sorted(report.rules, key=lambda rule: rule.id)
        if rule.id in found | posed
    }


def _notice(notice: Notice) -> Json:
    where = place(notice.source, notice.span) if notice.source is not None and notice.span is not None else None
    return {"kind": text.line(notice.kind), "message": text.block(notice.message), "place": where}


def _spec(spec: SpecReport, key: str) -> Json:
    shape = machine(spec)
    known = numbers(spec)
    return {
        "key": key,
        "path": text.line(spec.source.path),
        "sha256": sha256(spec.source.text.encode("utf-8", "surrogatepass")).hexdigest(),
        "name": text.line(spec.name or ""),
        "version": text.line(str(spec.version)) if spec.version is not None else None,
        "profile": text.line(spec.profile),
        "counts": tally(spec.findings, spec.obligations),
        "suppressed": sum(each.suppressed is not None for each in spec.findings),
        "findings": (finding(each, spec, shape, known) for each in spec.findings),
        "obligations": (obligation(each, shape, known) for each in spec.obligations),
        "bounds": _bounds(spec.bounds, shape) if spec.bounds is not None else None,
        "certificates": [certificate(each) for each in spec.certificates],
        "machine": shape.json,
    }


def _bounds(bounds: Bounds, shape: Machine) -> Json:
    return {
        "fewest": [[text.line(state), shape.states.get(state), count] for state, count in bounds.fewest_exchanges],
        "microsteps": bounds.most_microsteps,
        "loops": [
            {
                "states": [[text.line(state), shape.states.get(state)] for state in loop.states],
                "exchanges": loop.exchanges_per_turn,
                "machine": loop.turns_in_machine,
                "policy": loop.turns_under_policy,
                "bounded": loop.bounded,
            }
            for loop in bounds.loops
        ],
    }
