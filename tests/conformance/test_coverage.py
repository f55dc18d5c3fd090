"""The coverage that suites claim, against another count of it; what they call impossible, against random runs."""

from __future__ import annotations

import json
import random

import pytest

from fsmcheck.conformance.conduct import reference_run
from fsmcheck.conformance.goals import conditions
from fsmcheck.conformance.shipped import shipped
from fsmcheck.conformance.suite import Suite, coverage_lines, explained, make_suite
from fsmcheck.conformance.suite_files import job_of
from fsmcheck.reducer.configuration import Profile
from fsmcheck.reducer.exchange import may_act
from fsmcheck.reducer.record import Step
from fsmcheck.reducer.reducer import exchange, start
from fsmcheck.spec.model import Spec
from tests.conformance.counter import Found, measured, universe
from tests.reducer.machines import spec_of

SUITES = [name for name in shipped() if name.startswith("suites/")]


@pytest.mark.parametrize("name", SUITES)
def test_shipped_suites_cover_what_they_say(name: str) -> None:
    data = json.loads(shipped()[name])
    job = job_of(name, data)
    found: set[Found] = set()
    for scenario in job.scenarios:
        found |= measured(job.spec, job.profile, reference_run(job.spec, job.profile, scenario))
    whole = universe(job.spec)
    rows = data["coverage"]
    missing = {(kind, what) for kind, row in rows.items() for what in row["missing"]}
    impossible = {(kind, each["what"]) for kind, row in rows.items() for each in row["impossible"]}
    assert found <= whole
    assert whole - found == missing | impossible
    assert not missing & impossible
    assert {kind: row["total"] for kind, row in rows.items()} == {
        kind: sum(each[0] == kind for each in whole) for kind in rows
    }
    assert not {each for each in missing if each[0] not in ("status", "cap")}, "a gap in the suite"


def test_hardly_anything_is_left_open() -> None:
    """What is neither covered nor shown to be impossible, in all suites together."""
    left = [
        (name, kind, what)
        for name in SUITES
        for kind, row in json.loads(shipped()[name])["coverage"].items()
        for what in row["missing"]
    ]
    assert len(left) <= 8, left


@pytest.mark.parametrize("name", [name for name in SUITES if "gated" in name][::3])
def test_no_random_run_does_what_is_called_impossible(name: str) -> None:
    data = json.loads(shipped()[name])
    job = job_of(name, data)
    impossible = {(kind, each["what"]) for kind, row in data["coverage"].items() for each in row["impossible"]}
    _refute(job.spec, job.profile, impossible, 60)


def _refute(spec: Spec, profile: Profile, impossible: set[Found], runs: int) -> None:
    chance = random.Random(7)
    for _ in range(runs):
        run = _random_run(spec, profile, chance)
        assert not measured(spec, profile, run) & impossible


def _random_run(spec: Spec, profile: Profile, chance: random.Random) -> list[Step]:
    run = [start(spec, {name: _random_value(spec, name, chance) for name in spec.input_names}, profile)]
    while run[-1].configuration.status == "waiting" and len(run) < 40:
        state = run[-1].configuration.state
        agents = may_act(spec, state) or tuple(spec.agent_by_name)
        agent = chance.choice(agents)
        asked = [need.field.text for need in spec.state_by_name[state].requires if need.agent.text == agent]
        names = [name for name in asked if chance.random() < 0.8]
        writes = {name: _random_value(spec, name, chance) for name in names}
        if chance.random() < 0.2:
            agent = chance.choice([*spec.agent_by_name, "nobody"])
            names = chance.sample([*spec.field_by_name, "nothing"], chance.randint(0, 2))
            writes = {name: chance.choice(("", "none", 1, True, None, ["a"])) for name in names}
        run.append(exchange(spec, run[-1].configuration, agent, writes, profile))
    return run


def _random_value(spec: Spec, name: str, chance: random.Random) -> object:
    kind = spec.field_by_name[name].type
    match str(kind).partition("<")[0].partition("(")[0].split(" ")[0]:
        case "boolean":
            return chance.random() < 0.5
        case "integer":
            return chance.randint(-2, 12)
        case "number":
            return chance.randint(-2, 12) / 2
        case _ if kind.values:
            return chance.choice(kind.values)
        case "string":
            return chance.choice(("a", "b", "yes"))
    return chance.choice(([], ["a"])) if "list" in str(kind) else {"k": "a"}


def missing_and_impossible(suite: Suite) -> tuple[set[Found], set[Found]]:
    return (
        {(row.kind, what) for row in suite.coverage for what in row.missing},
        {(row.kind, what) for row in suite.coverage for what, _ in row.impossible},
    )


TWO_GUARDS = """
    initialState: ask
    context: {{ a: {{ type: {kind} }}, b: {{ type: integer }}, n: {{ type: integer, default: 0 }} }}
    agents: {{ hand: {{ canTransition: [ask] }} }}
    states:
      ask:
        requires: [{{ name: a, from: {{ agent: hand }} }}, {{ name: b, from: {{ agent: hand }} }}]
        transitions:
          - toState: rest
            guards:
              - {{ backend: cel, expression: "{first}" }}
              - {{ backend: cel, expression: "context.b > 3" }}
          - toState: ask
            guards: [{{ backend: cel, expression: "context.n < 2" }}]
            onTransition: [{{ assign: {{ b: null, n: "${{context.n + 1}}" }} }}]
          - {{ toState: rest }}
      rest: {{ terminal: true }}
"""


@pytest.mark.parametrize(
    ("kind", "first", "profile", "always_true"),
    [
        ("boolean", "context.a", "gated", False),
        ("boolean", "context.a || !context.a", "gated", True),  # a is set wherever a guard is tried
        ("boolean", "context.a || !context.a", "eager", False),  # a null is no boolean
        ("string", "context.a != ''", "gated", True),
        ("string", "context.a != ''", "eager", False),
        ("string", "size(context.a) < 1000", "gated", False),
        ("string", "int(context.a) > 0", "gated", False),  # what fails to evaluate counts as false
    ],
)
def test_the_first_of_two_guards_can_or_cannot_be_false(
    kind: str, first: str, profile: Profile, always_true: bool
) -> None:
    spec = spec_of(TWO_GUARDS.format(kind=kind, first=first))
    missing, impossible = missing_and_impossible(explained(make_suite(spec, profile)))
    goal = ("guard", "ask → rest (0) guards[0] false")
    assert (goal in impossible) is always_true
    assert ("guard", "ask → rest (0) guards[1] false") not in impossible
    assert "int(" in first or ("guard", "ask → rest (0) guards[1] false") not in missing
    _refute(spec, profile, impossible, 200)


def test_a_goal_behind_another_that_is_missing_is_not_called_impossible() -> None:
    """Ways out must not hide what lies behind them."""
    spec = spec_of("""
        initialState: ask
        context: { a: { type: integer }, n: { type: integer, default: 0 } }
        agents: { hand: { canTransition: [ask] } }
        states:
          ask:
            requires: [{ name: a, from: { agent: hand } }]
            transitions:
              - toState: odd
                guards: [{ backend: cel, expression: "context.a * context.a == 1522756" }]
              - { toState: rest }
          odd:
            transitions:
              - toState: rest
                guards: [{ backend: cel, expression: "context.a > 0" }]
              - toState: ask
                onTransition: [{ assign: { a: null } }]
          rest: { terminal: true }
    """)
    _, impossible = missing_and_impossible(explained(make_suite(spec, "gated")))
    run = [start(spec, {}, "gated")]
    run.append(exchange(spec, run[-1].configuration, "hand", {"a": -1234}, "gated"))
    run.append(exchange(spec, run[-1].configuration, "hand", {"a": 1234}, "gated"))
    covered = measured(spec, "gated", run)
    assert ("transition", "odd → ask (1)") in covered
    assert not covered & impossible


def test_an_agent_that_is_listed_and_asked_for_nothing() -> None:
    """Its empty exchange is not-authorised, whatever it writes is not-writable."""
    text = """
        initialState: ask
        context: { a: { type: string } }
        agents: { hand: { canTransition: [ask] }, foot: { canTransition: [ask] } }
        states:
          ask:
            requires: [{ name: a, from: { agent: hand } }]
            transitions: [{ toState: rest }]
          rest: { terminal: true }
    """
    _, impossible = missing_and_impossible(suite := explained(make_suite(spec_of(text), "gated")))
    assert not {("rejection", "not-authorised"), ("rejection", "not-writable")} & impossible
    assert {what for row in suite.coverage if row.kind == "rejection" for what in row.missing} == set()
    alone = text.replace(", foot: { canTransition: [ask] }", "")
    _, impossible = missing_and_impossible(explained(make_suite(spec_of(alone), "gated")))
    assert {what for kind, what in impossible if kind == "rejection"} == {
        "not-authorised",
        "not-writable",
        "not-in-values",
    }


def test_the_text_of_a_condition_keeps_its_parentheses() -> None:
    spec = spec_of("""
        initialState: ask
        context: { a: { type: string }, b: { type: string } }
        agents: { hand: { canTransition: [ask] } }
        states:
          ask:
            requires: [{ name: a, from: { agent: hand } }, { name: b, from: { agent: hand } }]
            transitions:
              - toState: rest
                guards:
                  - backend: cel
                    expression: "((context.a == '(' || context.b == 'x') || (context.a == 'y')) && (context.b != 'q')"
              - { toState: rest }
          rest: { terminal: true }
    """)
    parts = conditions(spec.state_by_name["ask"].transitions[0])
    assert [part.text for part in parts] == [
        "(context.a == '(' || context.b == 'x') || (context.a == 'y')",
        "context.b != 'q'",
    ]
    suite = explained(make_suite(spec, "gated"))
    assert "  condition     2 of 2" in coverage_lines(suite)


def test_what_is_impossible_is_told_with_the_reason() -> None:
    told = coverage_lines(explained(make_suite(job_of("it", json.loads(shipped()[_PLANNER])).spec, "gated")))
    assert "  guard         5 of 6 (1 impossible)" in told
    assert "  impossible: guard execute → abort (2) guards[0] false: no run gets there (proved)" in told
    assert "  impossible: cap maxExchangesPerStage: maxIterations (8) ends a run before it" in told


_PLANNER = "suites/planner_executor-gated.json"
