"""The figures of a report: what it found and what it decided."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping

from fsmcheck.diagnostics import Finding, Severity
from fsmcheck.results import ObligationRecord, Report

SEVERITIES = ("error", "warning", "info")
VERDICTS = ("proved", "vacuous", "violated", "unknown")


def tally(findings: Iterable[Finding], obligations: Iterable[ObligationRecord]) -> dict[str, int]:
    """Findings that are not suppressed, by severity, and obligations by verdict, in the order of the format.

    ``vacuous`` counts those of the proved ones whose subject is never reached.
    """
    obligations = tuple(obligations)
    counts = Counter(finding.severity.value for finding in findings if finding.suppressed is None)
    counts.update(obligation.verdict for obligation in obligations)
    counts["vacuous"] = sum(obligation.vacuous for obligation in obligations)
    return {key: counts[key] for key in (*SEVERITIES, *VERDICTS)}


def summary(report: Report) -> dict[str, int]:
    """The figures of a whole report."""
    return tally(
        (finding for spec in report.specs for finding in spec.findings),
        (obligation for spec in report.specs for obligation in spec.obligations),
    )


def reaches(report: Report, threshold: Severity) -> bool:
    """Whether any finding that is not suppressed is at or above a severity."""
    return any(
        finding.severity.rank <= threshold.rank and finding.suppressed is None
        for spec in report.specs
        for finding in spec.findings
    )


def caveat(report: Report) -> str:
    """Why the absence of findings means nothing; empty where it does."""
    if report.interrupted:
        return "interrupted, nothing may be concluded"
    lost = len(report.lost)
    return f"nothing was decided of {plural(lost, 'spec')}, so nothing may be concluded" if lost else ""


def proofs(counts: Mapping[str, int]) -> str:
    """``69 proved (3 of them vacuous)``: what was proved, apart from it what was proved of nothing."""
    vacuous = f" ({counts['vacuous']} of them vacuous)" if counts["vacuous"] else ""
    return f"{counts['proved']} proved{vacuous}"


def extent(report: Report) -> str:
    """``2 specs``, or ``2 specs under both profiles``: a spec is counted once however often it was checked."""
    profiles = Counter(spec.profile for spec in report.specs)
    under = " under both profiles" if len(profiles) > 1 else ""
    return plural(max(profiles.values(), default=0), "spec") + under


def plural(count: int, noun: str) -> str:
    """``1 error``, ``2 errors``."""
    return f"{count} {noun}" if count == 1 else f"{count} {noun}s"
