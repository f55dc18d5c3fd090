"""How often each rule was broken, for ``--statistics``."""

from __future__ import annotations

from collections import Counter

from fsmcheck.report import sanitise
from fsmcheck.results import Report


def render(report: Report) -> str:
    """A line for each rule with findings, the most frequent first, and one with the sum."""
    found = [finding for spec in report.specs for finding in spec.findings]
    shown = Counter(finding.rule for finding in found if finding.suppressed is None)
    hidden = Counter(finding.rule for finding in found if finding.suppressed is not None)
    slugs = {finding.rule: sanitise.line(finding.slug) for finding in found}
    rules = sorted(slugs, key=lambda rule: (-shown[rule], rule))
    lines = [f"{shown[rule]:>6}  {rule}  {slugs[rule]}{_suppressed(hidden[rule])}" for rule in rules]
    return "\n".join([*lines, f"{shown.total():>6}  in all{_suppressed(hidden.total())}"]) + "\n"


def _suppressed(count: int) -> str:
    return f" ({count} suppressed)" if count else ""
