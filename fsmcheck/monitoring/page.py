"""The report of a spec as a page on which what production has exercised is drawn in."""

from __future__ import annotations

from dataclasses import replace

from fsmcheck.check import check
from fsmcheck.options import Options
from fsmcheck.outline import Coverage
from fsmcheck.report.formats import render
from fsmcheck.results import SpecReport
from fsmcheck.spec.model import Spec


def page(spec: Spec, profile: str, coverage: Coverage) -> str:
    """The HTML report of a spec, checked anew under the profile of the runs, with their coverage."""
    report = check([spec.source], Options(profile=profile, outline=True))
    name = spec.name.text if spec.name is not None else None
    drawn = tuple(_drawn(each, coverage) if each.name == name else each for each in report.specs)
    return render("html", replace(report, specs=drawn))


def _drawn(report: SpecReport, coverage: Coverage) -> SpecReport:
    if report.outline is None:
        return report
    return replace(report, outline=replace(report.outline, coverage=coverage))
