from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

from fsmcheck.cli.main import main
from fsmcheck.pictures.sequence import render

ROOT = Path(__file__).parents[2]
FAULTY = str(ROOT / "specs" / "faulty" / "outcome_not_consumed.yaml")


@pytest.fixture
def trace(tmp_path: Path) -> Path:
    main(["check", FAULTY, "--select", "FSM403", "--trace-dir", str(tmp_path), "--output", str(tmp_path / "report")])
    (path,) = tmp_path.glob("*FSM403*.json")
    return path


def test_a_counterexample_is_drawn(trace: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["graph", FAULTY, "--trace", str(trace)]) == 0
    drawn = capsys.readouterr().out.splitlines()
    assert drawn[:7] == [
        "sequenceDiagram",
        "    participant m as outcome-not-consumed",
        "    participant a1 as planner",
        "    participant a2 as executor",
        "    Note over m: start with objective = #34;objective 1#34;",
        "    m-->>a1: plan awaits plan and directive",
        "    a1->>m: plan = #34;plan 1#34;, directive = #34;directive 1#34;",
    ]
    assert drawn[-1] == "    Note over m: FSM403 (state execute, transition 1, field outcome)"
    assert "    m->>m: execute → replan" in drawn


def test_a_trace_that_is_no_run_of_the_spec_is_refused(trace: Path, capsys: pytest.CaptureFixture[str]) -> None:
    document = json.loads(trace.read_text(encoding="utf-8"))
    document["steps"][0]["advance"]["state"] = "replan"
    trace.write_text(json.dumps(document), encoding="utf-8")
    assert main(["graph", FAULTY, "--trace", str(trace)]) == 2
    assert "is no run of this spec" in capsys.readouterr().err
    assert main(["graph", FAULTY, "--trace", str(trace), "--format", "dot"]) == 2
    assert main(["graph", FAULTY, "--trace", FAULTY]) == 2


def test_hostile_values_add_no_line_and_no_syntax() -> None:
    hostile = 'x\nm->>m: y; %%"<b>#'
    advance = {"microsteps": [], "state": hostile, "status": "stuck", "awaits": [{"field": hostile, "agent": hostile}]}
    steps = [{"agent": hostile, "writes": {hostile: hostile}, "rejected": hostile, "advance": advance}]
    drawn = render({"spec": {"name": hostile}, "inputs": {}, "start": advance, "steps": steps}).splitlines()
    assert len(drawn) == 10
    for line in drawn[1:]:
        assert re.sub(r"#\d+;", "", line.partition(":")[2]).isprintable()
        assert not set(re.sub(r"#\d+;", "", line.partition(":")[2])) & set(';%"<#')
