from __future__ import annotations

import json
from pathlib import Path

from fsmcheck.cli.traces import write_traces
from fsmcheck.diagnostics import Subject
from tests.report.sample import TRACE, consequence, finding, report


def test_each_counterexample_gets_a_file(tmp_path: Path) -> None:
    folder = tmp_path / "deep" / "traces"
    assert write_traces(report(finding(), consequence()), folder) == 1
    (name,) = [path.name for path in folder.iterdir()]
    assert name == "loop-gated-FSM403-work-0-verdict.json"
    assert json.loads((folder / name).read_text(encoding="utf-8")) == TRACE


def test_names_that_are_no_file_names_or_clash_are_told_apart(tmp_path: Path) -> None:
    hostile = [finding(subject=Subject(state=state)) for state in ("../a/b", "..\\a\\b", "x" * 500, "X" * 500)]
    assert write_traces(report(*hostile), tmp_path) == 4
    names = [path.name for path in tmp_path.iterdir()]
    assert len({name.lower() for name in names}) == 4
    assert all(len(name) < 140 for name in names)
