"""The commands conform and suite."""

from __future__ import annotations

import json
import sys
from pathlib import Path

import pytest

from fsmcheck.cli.main import main

ROOT = Path(__file__).parents[2]
SPEC = str(ROOT / "specs" / "planner_executor.yaml")
MUTANT = [sys.executable, str(ROOT / "tests" / "conformance" / "mutants" / "reducer.py")]


@pytest.fixture(autouse=True)
def _path(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PYTHONPATH", str(ROOT))


def test_a_suite_is_written_and_read(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["suite", SPEC, "--output", str(tmp_path), "--profile", "both"]) == 0
    assert "  transition    7 of 7" in capsys.readouterr().out
    assert sorted(path.name for path in tmp_path.iterdir()) == [
        "planner-executor-eager.json",
        "planner-executor-gated.json",
    ]
    assert main(["conform", "--no-probes", "--suite", str(tmp_path), "--", *MUTANT]) == 0
    assert capsys.readouterr().out == "7 runs: the reducer does what the spec language says\n"


def test_what_differs_is_told_and_written(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    arguments = ["conform", SPEC, "--no-probes", "--random", "30", "--trace-dir", str(tmp_path), "--", *MUTANT]
    assert main([*arguments, "exit-last"]) == 1
    assert "it breaks action-order: " in capsys.readouterr().out
    traces = [json.loads(path.read_text(encoding="utf-8")) for path in sorted(tmp_path.iterdir())]
    assert {trace["diverges"]["clause"] for trace in traces} == {"action-order"}


def test_a_reducer_that_fails(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["conform", "--deadline", "0.3", "--", sys.executable, "-c", "import time; time.sleep(9)"]) == 1
    out = capsys.readouterr().out
    assert "hang: no answer came within the deadline (0.3 s), on the request" in out
    assert out.endswith("the reducer fails by hang\n")


@pytest.mark.parametrize(
    "arguments",
    [
        ["conform"],
        ["conform", SPEC],
        ["conform", "--no-probes", "--", "ls"],
        ["conform", "--suite", "nowhere", "--", "ls"],
    ],
)
def test_wrong_command_lines(arguments: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    assert main(arguments) == 2
    assert capsys.readouterr().err
