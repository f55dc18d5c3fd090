from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from fsmcheck.cli.main import main
from fsmcheck.diagnostics import Subject
from fsmcheck.reducer.reducer import exchange, start
from fsmcheck.reducer.trace import build_trace
from fsmcheck.spec.load import load_path

SPEC = str(Path(__file__).parents[2] / "specs" / "faulty" / "outcome_not_consumed.yaml")


def refire() -> dict[str, Any]:
    """The trace of the second round's verdict being the first's."""
    (document,) = load_path(SPEC)
    spec = document.spec
    assert spec is not None
    run = [start(spec, {"objective": "x"}, "gated")]
    for agent, writes in (
        ("planner", {"plan": "p", "directive": "d"}),
        ("executor", {"outcome": "replan", "result": "r"}),
        ("planner", {"directive": "d2"}),
        ("executor", {"result": "r2"}),
    ):
        run.append(exchange(spec, run[-1].configuration, agent, writes, "gated"))
    subject = Subject(state="execute", transition=1, field="outcome")
    return build_trace(spec, "gated", run, violates=("FSM403", subject))


def put(path: Path, trace: object) -> str:
    path.write_text(json.dumps(trace), encoding="utf-8")
    return str(path)


def test_a_true_trace_replays_and_tells_its_story(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["replay", put(tmp_path / "t.json", refire()), "--spec", SPEC]) == 0
    told = capsys.readouterr().out
    assert '4. "executor" stages result = "r2"' in told
    assert '"outcome" is "replan", which "executor" staged in step 2' in told
    assert told.endswith("t.json: every configuration is as the reducer has it\n")


def test_a_trace_that_was_tampered_with_does_not(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    trace = refire()
    trace["steps"][3]["advance"]["store"]["history"] = ["something else"]
    assert main(["replay", put(tmp_path / "t.json", trace), "--spec", SPEC]) == 1
    assert "step 4, store.history: the trace says" in capsys.readouterr().out


def test_a_trace_of_another_spec_does_not(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    other = str(Path(SPEC).with_name("result_not_consumed.yaml"))
    assert main(["replay", put(tmp_path / "t.json", refire()), "--spec", other]) == 1
    assert "t.json: of another spec, or of this one before or after a change: spec.sha256 " in capsys.readouterr().out


@pytest.mark.parametrize("content", [[], {"schema": "fsmcheck.trace/1"}, {"schema": "other"}])
def test_what_is_no_trace_is_a_usage_error(content: object, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["replay", put(tmp_path / "t.json", content), "--spec", SPEC]) == 2
    assert "t.json: " in capsys.readouterr().err


def test_a_missing_trace_is_a_usage_error(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["replay", str(tmp_path / "t.json"), "--spec", SPEC]) == 2
    assert "there is no such file" in capsys.readouterr().err


def test_what_takes_more_than_a_run_is_said(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    trace = {**refire(), "violates": {"rule": "FSM505", "subject": {"state": "execute"}}}
    assert main(["replay", put(tmp_path / "t.json", trace), "--spec", SPEC]) == 0
    assert capsys.readouterr().out.endswith("as the reducer has it; one run does not tell whether FSM505 holds\n")


def test_a_rule_that_there_is_not_cannot_be_violated(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    trace = {**refire(), "violates": {"rule": "FSM999", "subject": {"state": "execute"}}}
    assert main(["replay", put(tmp_path / "t.json", trace), "--spec", SPEC]) == 2
    assert 't.json: there is no rule "FSM999" to violate' in capsys.readouterr().err
