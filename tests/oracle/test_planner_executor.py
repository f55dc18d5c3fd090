"""Section 7 of the semantics page: the planner/executor machine and its faults, under both profiles."""

from __future__ import annotations

from pathlib import Path

import pytest

from fsmcheck.diagnostics import Subject
from tests.oracle.brute import explore
from tests.oracle.generate import load_valid
from tests.oracle.machine import Profile

SPEC = Path(__file__).parents[2] / "specs" / "planner_executor.yaml"
CONSUMED = 'assign: { directive: "", outcome: "", result: "" }'

PLAN = ("FSM405", Subject(state="replan", field="plan"))
LATE = ("FSM407", Subject(state="execute", field="result"))
CAPPED = ("FSM505", Subject(state="execute"))
OLD_OUTCOME = ("FSM403", Subject(state="execute", transition=1, field="outcome"))
BOUNCE = ("FSM401", Subject(state="execute"))
OLD_RESULT = ("FSM404", Subject(state="execute", field="result"))
SKIPPED = {("FSM401", Subject(state="replan")), ("FSM402", Subject(state="replan"))}
ENDLESS = ("FSM204", Subject(state="replan"))

WANTED = {
    "correct": (CONSUMED, {PLAN}, {PLAN, LATE}),
    "outcome kept": (
        'assign: { directive: "", result: "" }',
        {PLAN, OLD_OUTCOME, ("FSM405", Subject(state="execute", field="outcome"))},
        {PLAN, OLD_OUTCOME, BOUNCE, ENDLESS, LATE},
    ),
    "result kept": (
        'assign: { directive: "", outcome: "" }',
        {PLAN, OLD_RESULT, ("FSM405", Subject(state="execute", field="result"))},
        {PLAN, OLD_RESULT, ("FSM405", Subject(state="execute", field="result")), LATE},
    ),
    "directive kept": ('assign: { outcome: "", result: "" }', SKIPPED, SKIPPED | {LATE}),
}


@pytest.mark.parametrize("name", WANTED)
def test_faults_are_told_apart(name: str) -> None:
    text = SPEC.read_text(encoding="utf-8")
    assert CONSUMED in text
    consumed, gated, eager = WANTED[name]
    spec = load_valid(text.replace(CONSUMED, consumed))
    assert spec is not None
    for profile, wanted in ((Profile.GATED, gated), (Profile.EAGER, eager)):
        result = explore(spec, profile)
        assert result.complete
        assert result.failing() == wanted | {CAPPED}
        assert result.terminals == {"done": 3}
