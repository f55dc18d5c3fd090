"""Logs of what the reference does hold no departure, and the rules that are broken are those that its runs break."""

from __future__ import annotations

import json
import random
from collections import Counter
from pathlib import Path

import pytest

from fsmcheck.monitoring.monitor import Monitor
from fsmcheck.monitoring.outcome import Breach
from fsmcheck.reducer.configuration import Profile
from fsmcheck.reducer.monitors import violations
from fsmcheck.reducer.record import Step
from fsmcheck.spec.load import load_path
from fsmcheck.spec.model import Spec
from tests.monitoring.logs import entries, interleaved, random_run, watch
from tests.oracle.generate import generate, load_valid

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
        monitor = check_honest(spec, profile, runs, rng, full=full)
        assert monitor.tally.ended == sum(run[-1].configuration.status != "waiting" for run in runs)


def check_honest(spec: Spec, profile: Profile, runs: list[list[Step]], rng: random.Random, *, full: bool) -> Monitor:
    """The monitor says of a log of these runs just what the plain monitors say of the runs."""
    logs = [entries(run, f"r{number}", full=full) for number, run in enumerate(runs)]
    found, monitor = watch(spec, profile, interleaved(logs, rng), every=True)
    assert [each for each in found if not isinstance(each, Breach)] == []
    expected = Counter(
        (f"r{number}", json.dumps([each.rule, each.subject.as_dict(), dict(each.detail)]))
        for number, run in enumerate(runs)
        for each in violations(spec, profile, run)
    )
    told = Counter(
        (each.run, json.dumps([each.violation.rule, each.violation.subject.as_dict(), dict(each.violation.detail)]))
        for each in found
        if isinstance(each, Breach)
    )
    assert told == expected
    assert monitor.tally.runs == len(runs)
    return monitor


@pytest.mark.parametrize("first", range(0, 40, 20))
def test_what_is_kept_of_steps_alike_changes_nothing_on_generated_specs(first: int) -> None:
    for seed in range(first, first + 20):
        spec, rng = load_valid(generate(seed)), random.Random(seed)
        if spec is None:
            continue
        profile: Profile = "gated" if seed % 2 else "eager"
        runs = [random_run(spec, profile, rng, longest=12) for _ in range(12)]
        # A run of a thousand microsteps takes long to tell.
        runs = [run for run in runs if all(len(step.advance.microsteps) < 20 for step in run)]
        check_honest(spec, profile, runs, rng, full=seed % 3 == 0)


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
