"""What is decided of a rule does not depend on whether others are asked."""

from __future__ import annotations

from pathlib import Path

import pytest

from fsmcheck.obligations.obligation import QUESTIONS, Question
from fsmcheck.obligations.run import Outcome, run
from fsmcheck.spec.load import load_path
from fsmcheck.spec.model import Spec
from tests.oracle.generate import generate, load_valid

SPECS = Path(__file__).parents[2] / "specs"
SHIPPED = ("planner_executor.yaml", "faulty/outcome_not_consumed.yaml", "patterns/retry_counter.yaml")
SEEDS = (3, 8, 23, 31, 44, 50)
NEVER = sorted(rule for rule, question in QUESTIONS.items() if question is Question.NEVER)


def told(outcome: Outcome, rules: tuple[str, ...]) -> dict[str, tuple[str, bool]]:
    return {
        each.obligation.id: (each.verdict, each.vacuous) for each in outcome.verdicts if each.obligation.rule in rules
    }


def compare(spec: Spec, profile: str) -> None:
    whole = run(spec, profile, lambda _: True, None)
    for rules in (*((rule,) for rule in NEVER), tuple(NEVER), ("FSM303", "FSM403"), ("FSM203", "FSM303")):
        alone = run(spec, profile, lambda rule, rules=rules: rule in rules, None)
        assert told(alone, rules) == told(whole, rules)
        assert alone.bounds == whole.bounds


@pytest.mark.parametrize("name", SHIPPED)
def test_shipped(name: str) -> None:
    (document,) = load_path(str(SPECS / name))
    assert document.spec is not None
    compare(document.spec, "gated")


@pytest.mark.parametrize("seed", SEEDS)
def test_generated(seed: int) -> None:
    spec = load_valid(generate(seed))
    assert spec is not None
    compare(spec, "gated" if seed % 2 else "eager")
