from __future__ import annotations

import io
from pathlib import Path

import pytest

from fsmcheck.cli.main import main

SPEC = str(Path(__file__).parents[2] / "specs" / "planner_executor.yaml")
SCRIPT = """\
objective="ship it"
planner plan=p directive=d
executor outcome=replan result=r  # a surprise
planner directive="d 2"
executor outcome=done result=ok
planner summary=all
"""


def test_a_script_prints_every_microstep(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    script = tmp_path / "script.txt"
    script.write_text(SCRIPT, encoding="utf-8")
    assert main(["simulate", SPEC, "--script", str(script)]) == 0
    told = capsys.readouterr().out.splitlines()
    assert told[:2] == ['start with objective = "ship it"', '  waiting in "plan" for plan and directive from "planner"']
    assert '"planner" stages directive = "d 2"' in told
    assert [line for line in told if "→" in line and "by transition" in line][1].startswith(
        '  "execute" → "replan" by transition 1: '
    )
    assert told[-1] == '  in "done", the run is done'


def test_a_person_can_run_it(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.setattr("sys.stdin", io.StringIO("ship\nplan=x directive=y\nquit\n"))
    assert main(["simulate", SPEC]) == 0
    told = capsys.readouterr().out
    assert 'waiting in "execute" for result and outcome from "executor"' in told
    assert "the session ends" in told


@pytest.mark.parametrize(
    ("script", "message"),
    [
        ("planner plan=p\n", 'the input "objective" is missing'),
        ('objective="x', "does not end"),
        ("objective=x objective=y\n", "written twice"),
    ],
)
def test_a_script_that_makes_no_sense_is_a_usage_error(
    script: str, message: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "script.txt"
    path.write_text(script, encoding="utf-8")
    assert main(["simulate", SPEC, "--script", str(path)]) == 2
    assert message in capsys.readouterr().err


def test_a_spec_with_faults_is_not_run(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "broken.yaml"
    path.write_text("fsm:\n  initialState: a\n  states: 5\n", encoding="utf-8")
    assert main(["simulate", str(path)]) == 2
    assert "broken.yaml:3:11" in capsys.readouterr().err


def test_a_file_with_several_specs_wants_a_name(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    one = "fsm:\n  name: {}\n  initialState: a\n  states:\n    a: {{ terminal: true }}\n"
    path = tmp_path / "two.yaml"
    path.write_text(f"{one.format('first')}---\n{one.format('second')}", encoding="utf-8")
    assert main(["simulate", str(path)]) == 2
    assert 'name one of them with --name: "first", "second"' in capsys.readouterr().err
    assert main(["simulate", str(path), "--name", "third"]) == 2
    script = tmp_path / "empty.txt"
    script.write_text("", encoding="utf-8")
    assert main(["simulate", str(path), "--name", "second", "--script", str(script)]) == 0
    assert 'in "a", the run is done' in capsys.readouterr().out
