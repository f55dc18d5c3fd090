"""Logs of what the reference does hold no departure, and the rules that are broken are those that its runs break."""

from __future__ import annotations

import random
from collections import Counter
from pathlib import Path

import pytest

from fsmcheck.monitoring.outcome import Breach
from fsmcheck.reducer.configuration import Profile
from fsmcheck.reducer.monitors import violations
from fsmcheck.spec.load import load_path
from fsmcheck.spec.model import Spec
from tests.monitoring.logs import entries, interleaved, random_run, watch

ROOT = Path(__file__).parents[2]
SPECS = sorted(path for path in (ROOT / "specs").rglob("*.yaml") if path.name != "verdicts.yaml")


def spec_of(path: Path) -> Spec:
    spec = load_path(str(path))[0].spec
    assert spec is not None
    return spec


@pytest.mark.parametrize("profile", ["gated", "eager"])
@pytest.mark.parametrize("path", SPECS, ids=lambda path: str(path.relative_to(ROOT / "specs")))
def test_honest_logs_hold_no_departure_and_just_the_breaches_of_their_runs(path: Path, profile: Profile) -> None:
    spec, rng = spec_of(path), random.Random(3)
    runs = [random_run(spec, profile, rng) for _ in range(10)]
    for full in (True, False):
        logs = [entries(run, f"r{number}", full=full) for number, run in enumerate(runs)]
        found, monitor = watch(spec, profile, interleaved(logs, rng), every=True)
        assert [each for each in found if not isinstance(each, Breach)] == []
        expected = Counter(
            (f"r{number}", each.rule, each.subject, each.step)
            for number, run in enumerate(runs)
            for each in violations(spec, profile, run)
        )
        told = Counter(
            (each.run, each.violation.rule, each.violation.subject, each.step)
            for each in found
            if isinstance(each, Breach)
        )
        assert told == expected
        assert monitor.tally.runs == len(runs)
        assert monitor.tally.ended == sum(run[-1].configuration.status != "waiting" for run in runs)


def test_what_is_told_of_a_breach_is_what_the_plain_monitors_say() -> None:
    spec, rng = spec_of(ROOT / "specs/faulty/outcome_not_consumed.yaml"), random.Random(11)
    runs = [random_run(spec, "gated", rng) for _ in range(40)]
    logs = [entries(run, str(number)) for number, run in enumerate(runs)]
    found, _ = watch(spec, "gated", interleaved(logs, rng), every=True)
    told = {
        (each.run, each.violation.rule, each.violation.subject, each.violation.step): each.violation
        for each in found
        if isinstance(each, Breach)
    }
    plain = {
        (str(number), each.rule, each.subject, each.step): each
        for number, run in enumerate(runs)
        for each in violations(spec, "gated", run)
    }
    assert told == plain
    assert "FSM403" in {rule for _, rule, _, _ in told}


FAULTY = {
    "directive_not_consumed": "FSM401",
    "emptied_before_recorded": "FSM406",
    "outcome_not_consumed": "FSM403",
    "planner_lacks_abort": "FSM205",
    "result_not_consumed": "FSM404",
    "approval_null_operand": "FSM304",
    "department_ping_pong": "FSM502",
    "triage_unmatched_severity": "FSM301",
    "triage_passed_over": "FSM402",
}


@pytest.mark.parametrize("name", FAULTY)
def test_the_rule_that_runs_of_a_faulty_spec_break_is_named(name: str) -> None:
    path = next(path for path in SPECS if path.stem == name)
    spec, rng = spec_of(path), random.Random(4)
    logs = [entries(random_run(spec, "gated", rng), str(number)) for number in range(40)]
    found, monitor = watch(spec, "gated", interleaved(logs, rng))
    first = next(each for each in found if isinstance(each, Breach) and each.violation.rule == FAULTY[name])
    assert first.telling.trace is not None
    assert first.telling.trace["violates"]["rule"] == FAULTY[name]  # type: ignore[index,call-overload]
    assert first.telling.story[-1].strip()
    assert len(found) == len({(each.violation.rule, each.violation.subject) for each in found})  # type: ignore[union-attr]
    assert sum(monitor.tally.breaches.values()) >= len(found)
