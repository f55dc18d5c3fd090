"""What the tool writes it reads again, a run of a thousand transitions with ever longer stores too."""

from __future__ import annotations

from pathlib import Path

import pytest

from fsmcheck.cli.main import main
from tests.report.test_long_runs import GAP, HOT


def test_a_long_counterexample_is_replayed_and_drawn(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    spec = tmp_path / "hot.yaml"
    spec.write_text(HOT, encoding="utf-8")
    arguments = ["check", str(spec), "--select", "FSM502", "--no-cache", "--trace-dir", str(tmp_path / "traces")]
    assert main(arguments) == 1
    (trace,) = (tmp_path / "traces").iterdir()
    assert trace.stat().st_size > 1_000_000
    capsys.readouterr()
    assert main(["replay", str(trace), "--spec", str(spec)]) == 0
    told = capsys.readouterr().out
    assert "every configuration is as the reducer has it" in told
    assert main(["graph", str(spec), "--trace", str(trace)]) == 0
    drawn = capsys.readouterr().out.splitlines()
    assert f"    Note over m: {GAP}" in drawn
    assert sum(line.startswith("    m->>m: ") for line in drawn) == 16
