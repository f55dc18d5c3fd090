"""What is stale along a trace does not depend on the traces that were marked before it."""

from __future__ import annotations

import random
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from fsmcheck.check import Options, check
from fsmcheck.diagnostics import Finding
from fsmcheck.outlining import traces
from fsmcheck.outlining.traces import StaleTraces
from fsmcheck.reducer.monitors.staleness import stale_fields
from fsmcheck.reducer.replay import rerun
from fsmcheck.reducer.runnable import UnrunnableSpecError
from fsmcheck.source import SourceFile
from fsmcheck.spec.files import read_source
from fsmcheck.spec.load import load

ROOT = Path(__file__).parents[2]
SPECS = sorted((ROOT / "specs" / "faulty").glob("*.yaml"))


def told(path: Path) -> tuple[Any, list[Finding]]:
    source = read_source(str(path))
    report = check([source], Options(profile="both"))
    spec = load(source)[0].spec
    return spec, [finding for each in report.specs for finding in each.findings]


@pytest.mark.parametrize("path", SPECS, ids=lambda path: path.stem)
def test_each_trace_is_marked_as_if_it_were_alone(path: Path) -> None:
    spec, findings = told(path)
    with_traces = [finding for finding in findings if finding.trace is not None]
    # Where true is taken for 1, or another profile for the same, runs are shared that are not the same.
    for seed in range(3):
        shuffled = [*with_traces, *with_traces]
        random.Random(seed).shuffle(shuffled)
        stale = StaleTraces(spec)
        for finding in shuffled:
            found: Any = finding.trace
            alone = stale_fields(spec, rerun(spec, found))
            marked = stale.marked(finding)
            assert marked.stale == tuple(each.resting for each in alone)
            assert marked.stale_passing == tuple(each.passing for each in alone)
            assert replace(marked, stale=finding.stale, stale_passing=finding.stale_passing) == finding
    for finding in findings:
        if finding.trace is None:
            assert StaleTraces(spec).marked(finding) is finding


def test_what_begins_alike_is_run_once(monkeypatch: pytest.MonkeyPatch) -> None:
    spec, findings = told(SPECS[0])
    finding = max((each for each in findings if each.trace is not None), key=lambda each: len(each.trace["steps"]))
    assert finding.trace is not None
    run: list[str] = []
    begin, exchange = traces.begin, traces.exchange
    monkeypatch.setattr(traces, "begin", lambda *args, **how: (run.append("start"), begin(*args, **how))[1])
    monkeypatch.setattr(traces, "exchange", lambda *args, **how: (run.append("step"), exchange(*args, **how))[1])
    stale = StaleTraces(spec)
    longest = len(finding.trace["steps"])
    stale.marked(finding)
    assert run == ["start", *["step"] * longest]
    shorter = replace(finding, trace={**finding.trace, "steps": finding.trace["steps"][:-1]})
    stale.marked(shorter)
    stale.marked(finding)
    assert run == ["start", *["step"] * (longest + 1)]
    eager = "eager" if finding.trace["profile"] == "gated" else "gated"
    stale.marked(replace(shorter, trace={**shorter.trace, "profile": eager}))
    assert run.count("start") == 2


def test_a_spec_that_cannot_be_run_is_refused() -> None:
    _, findings = told(SPECS[0])
    finding = next(each for each in findings if each.trace is not None)
    text = (ROOT / "specs" / "planner_executor.yaml").read_text(encoding="utf-8")
    spec = load(SourceFile("broken.yaml", text.replace("toState: finish", "toState: x")))[0].spec
    assert spec is not None
    with pytest.raises(UnrunnableSpecError):
        StaleTraces(spec).marked(finding)
