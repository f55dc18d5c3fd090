"""Random runs find what differs, shrink it, and do the same again for the same seed."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from fsmcheck.conformance.divergence import random_examination
from fsmcheck.conformance.process import Bounds
from fsmcheck.conformance.render import trace_of
from fsmcheck.reducer.replay import replay
from tests.reducer.machines import loop, spec_of

HERE = Path(__file__).parent
MUTANT = [sys.executable, str(HERE / "mutants" / "reducer.py")]


@pytest.fixture(autouse=True)
def _path(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PYTHONPATH", str(HERE.parents[1]))


def test_an_honest_reducer_does_not_diverge() -> None:
    found = random_examination(MUTANT, loop(), "eager", 60, 0)
    assert found.passed
    assert found.runs >= 20


def test_a_divergence_is_shrunk_to_the_shortest_run() -> None:
    spec = loop()
    found = random_examination([*MUTANT, "exit-last"], spec, "gated", 400, 3)
    (miss,) = found.misses
    assert miss.deviation.clause == "action-order"
    assert len(miss.scenario.exchanges) <= 3
    assert miss.scenario.exchanges[-1][0] == "executor"
    trace = trace_of(miss)
    assert trace is not None
    assert replay(spec, trace) == []
    again = random_examination([*MUTANT, "exit-last"], spec, "gated", 400, 3)
    assert again.misses[0].scenario == miss.scenario


def test_what_suites_do_not_try_is_found() -> None:
    spec = spec_of("""
        initialState: ask
        context: { a: { type: string }, b: { type: integer } }
        agents: { hand: { canTransition: [ask] } }
        states:
          ask:
            requires: [{ name: a, from: { agent: hand } }, { name: b, from: { agent: hand } }]
            transitions: [{ toState: rest }]
          rest: { terminal: true }
    """)
    found = random_examination([*MUTANT, "no-overwriting"], spec, "gated", 400, 0)
    (miss,) = found.misses
    assert len(miss.scenario.exchanges) == 2


def test_a_reducer_that_hangs_is_a_failure() -> None:
    hostile = [sys.executable, str(HERE / "hostile.py"), "hang"]
    found = random_examination(hostile, loop(), "gated", 50, 0, Bounds(0.5))
    assert [failure.name for _, failure in found.failures] == ["hang"]
