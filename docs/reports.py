"""Writes the HTML reports of the shipped specs into reports/; checking all of them takes a minute or two.

tests/test_reports.py says whether they are current.
"""

from __future__ import annotations

from pathlib import Path

from fsmcheck.check import check
from fsmcheck.options import Options
from fsmcheck.report.html import render
from fsmcheck.results import Report
from fsmcheck.source import SourceFile

ROOT = Path(__file__).parent.parent
REPORTS = ROOT / "reports"
LOOP = "specs/planner_executor.yaml"


def shipped() -> list[str]:
    """The paths of all shipped specs."""
    paths = sorted((ROOT / "specs").rglob("*.yaml"))
    return [path.relative_to(ROOT).as_posix() for path in paths if path.name != "verdicts.yaml"]


def checked(paths: list[str], *, certificates: bool) -> Report:
    """What is found in specs, under both profiles."""
    sources = [SourceFile(path, (ROOT / path).read_text(encoding="utf-8")) for path in paths]
    return check(sources, Options(profile="both", certificates=certificates, outline=True))


def main() -> None:
    for name, paths, certificates in (("planner_executor", [LOOP], True), ("specs", shipped(), False)):
        page = render(checked(paths, certificates=certificates))
        file = REPORTS / f"{name}.html"
        file.write_text(page, encoding="utf-8", newline="\n")
        print(f"{file.relative_to(ROOT)}: {len(page.encode()) // 1024} KiB")


if __name__ == "__main__":
    main()
