"""The step function: statuses, exchanges, actions, guards, both profiles. Expected values worked out by hand."""

from __future__ import annotations

import math

import pytest

from fsmcheck.reducer.configuration import Configuration
from fsmcheck.reducer.reducer import InputError, UnrunnableSpecError, exchange, start
from fsmcheck.reducer.trace import advance_json
from fsmcheck.source import SourceFile
from fsmcheck.spec.load import load
from tests.reducer.machines import loop, run_of, spec_of, statuses


def counting(guard: str, action: str, fields: str = "n: { type: integer, default: 0 }") -> str:
    """One state that goes round by itself."""
    return f"""
        initialState: spin
        context: {{ {fields} }}
        states:
          spin:
            transitions:
              - toState: spin
                guards: [{{ backend: cel, expression: "{guard}" }}]
                onTransition: [{{ {action} }}]
              - toState: rest
          rest: {{ terminal: true }}
    """


def test_a_run_waits_and_is_done() -> None:
    spec = loop()
    run = run_of(spec, ("planner", {"plan": "p", "directive": "d"}), ("executor", {"result": "r", "outcome": "done"}))
    assert statuses(run) == ["plan waiting", "execute waiting", "done done"]
    assert advance_json(run[0])["awaits"] == [
        {"field": "plan", "agent": "planner"},
        {"field": "directive", "agent": "planner"},
    ]
    assert run[2].configuration.store["history"] == ("d: r",)
    assert advance_json(run[2])["awaits"] == []


def test_a_run_may_wait_in_the_same_state_again() -> None:
    run = run_of(loop(), ("planner", {"plan": "p"}), ("planner", {}))
    assert statuses(run) == ["plan waiting", "plan waiting", "plan waiting"]
    assert advance_json(run[2])["awaits"] == [{"field": "directive", "agent": "planner"}]
    assert run[2].configuration.counters.visit == 2


STUCK = """
    initialState: ask
    context: { verdict: { type: enum, values: [yes, no] } }
    agents: { judge: { canTransition: [ask] } }
    states:
      ask:
        requires: [{ name: verdict, from: { agent: judge } }]
        transitions:
          - { toState: rest, guards: [{ backend: cel, expression: "context.verdict == 'yes'" }] }
      rest: { terminal: true }
"""


def test_stuck_asks_nobody() -> None:
    run = run_of(spec_of(STUCK), ("judge", {"verdict": "no"}), ("judge", {"verdict": "yes"}))
    assert statuses(run) == ["ask waiting", "ask stuck", "ask stuck"]
    assert [step.rejected for step in run] == [None, None, "not-waiting"]
    assert advance_json(run[1])["awaits"] == []


def test_no_progress_is_the_same_state_and_store_twice() -> None:
    spec = spec_of(counting("true", "assign: { n: 0 }"))
    (step,) = run_of(spec)
    assert step.configuration.status == "no-progress"
    assert len(step.advance.microsteps) == 1  # the configuration it began in counts


def test_no_progress_needs_an_equal_store() -> None:
    spec = spec_of(counting("context.n < 3", "assign: { n: '${context.n + 1}' }"))
    (step,) = run_of(spec)
    assert step.configuration.status == "done"
    assert [micro.store["n"] for micro in step.advance.microsteps] == [1, 2, 3, 3]


@pytest.mark.parametrize(("turns", "status"), [(9, "done"), (10, "runaway"), (11, "runaway")])
def test_runaway_is_one_microstep_more_than_the_limit(turns: int, status: str) -> None:
    spec = spec_of(counting(f"context.n < {turns}", "assign: { n: '${context.n + 1}' }"))
    step = start(spec, {}, "gated", microstep_limit=10)  # and one more microstep leads to rest
    assert step.configuration.status == status
    assert len(step.advance.microsteps) == 10


def test_the_default_limit_is_1000_microsteps() -> None:
    (step,) = run_of(spec_of(counting("true", "assign: { n: '${context.n + 1}' }")))
    assert (step.configuration.status, len(step.advance.microsteps)) == ("runaway", 1000)


def test_nan_equals_itself_in_a_store() -> None:
    text = counting("true", "assign: { x: '${context.zero / context.zero}' }", NUMBERS)
    (step,) = run_of(spec_of(text))
    assert step.configuration.status == "no-progress"
    assert len(step.advance.microsteps) == 2
    assert advance_json(step)["store"] == {"zero": 0.0, "x": "NaN"}
    assert math.isnan(step.configuration.store["x"])  # type: ignore[arg-type]


NUMBERS = "zero: { type: number, default: 0.0 }, x: { type: number, default: 1.0 }"

PROFILES = """
    initialState: ask
    context: { a: { type: string }, b: { type: string } }
    agents: { hand: { canTransition: [ask] } }
    states:
      ask:
        requires: [{ name: a, from: { agent: hand } }, { name: b, from: { agent: hand } }]
        transitions:
          - { toState: guarded, guards: [{ backend: cel, expression: "context.a == 'go'" }] }
          - toState: unguarded
      guarded: { terminal: true }
      unguarded: { terminal: true }
"""


def test_gated_waits_for_every_requirement_eager_for_the_guards_only() -> None:
    spec = spec_of(PROFILES)
    assert statuses(run_of(spec, ("hand", {"a": "go"})))[-1] == "ask waiting"
    assert statuses(run_of(spec, ("hand", {"a": "go"}), profile="eager"))[-1] == "guarded done"
    assert statuses(run_of(spec, ("hand", {"a": "stop"}), profile="eager"))[-1] == "ask waiting"
    assert statuses(run_of(spec, ("hand", {"a": "stop", "b": "x"}), profile="eager"))[-1] == "unguarded done"


def test_gated_tries_no_transition_while_a_requirement_is_unmet() -> None:
    spec = spec_of(PROFILES)
    gated, eager = run_of(spec), run_of(spec, profile="eager")
    assert gated[0].advance.last is not None
    assert gated[0].advance.last.tried == ()
    assert eager[0].advance.last is not None
    assert [(tried.transition, tried.enabled) for tried in eager[0].advance.last.tried] == [(0, False), (1, False)]


def test_a_failing_guard_counts_as_false_and_is_recorded() -> None:
    spec = spec_of("""
        initialState: one
        context: { gap: { type: integer, default: null }, flag: { type: boolean, default: null } }
        states:
          one:
            transitions:
              - toState: two
                guards:
                  - { backend: cel, expression: "true" }
                  - { backend: cel, expression: "context.gap > 1" }
                  - { backend: cel, expression: "context.gap > 2" }
              - { toState: two, guards: [{ backend: cel, expression: "context.flag" }] }
              - { toState: three }
          two: { terminal: true }
          three: { terminal: true }
    """)
    (step,) = run_of(spec)
    assert step.configuration.state == "three"
    errors = advance_json(step)["guardErrors"]
    places = [(error["microstep"], error["state"], error["transition"], error["guard"]) for error in errors]
    assert places == [(0, "one", 0, 1), (0, "one", 1, 0)]


def test_an_opaque_guard_counts_as_false() -> None:
    text = """
fsm:
  initialState: one
  states:
    one:
      transitions:
        - { toState: two, guards: [{ backend: script, expression: "whatever()" }] }
        - { toState: three }
    two: { terminal: true }
    three: { terminal: true }
"""
    (document,) = load(SourceFile("spec.yaml", text))
    assert document.spec is not None
    (step,) = run_of(document.spec)
    assert step.configuration.state == "three"
    (result,) = step.advance.microsteps[0].search.tried[0].guards
    assert result.fault is not None
    assert result.fault.opaque


def test_inputs_are_checked_all_at_once() -> None:
    spec = spec_of("""
        initialState: one
        context:
          goal: { type: string }
          size: { type: integer }
          mode: { type: enum, values: [fast, slow] }
          kept: { type: string, default: "" }
          tags: { type: list, of: string }
        states: { one: { terminal: true } }
    """)
    with pytest.raises(InputError) as caught:
        start(spec, {"goal": "", "size": True, "mode": "other", "kept": "x", "nowhere": 1}, "gated")
    assert len(caught.value.problems) == 6
    assert all(f'"{name}"' in str(caught.value) for name in ("goal", "size", "mode", "kept", "nowhere", "tags"))
    step = start(spec, {"goal": "g", "size": 0, "mode": "slow", "tags": ["a"]}, "gated")
    assert dict(step.configuration.store) == {"goal": "g", "size": 0, "mode": "slow", "kept": "", "tags": ("a",)}


def test_dangling_names_cannot_be_run() -> None:
    text = "fsm:\n  initialState: one\n  states:\n    one:\n      transitions: [{ toState: nowhere }]\n"
    (document,) = load(SourceFile("spec.yaml", text))
    assert document.spec is not None
    with pytest.raises(UnrunnableSpecError, match='"nowhere"'):
        start(document.spec, {}, "gated")


def test_configurations_are_values() -> None:
    spec = loop()
    first, second = (start(spec, {}, "gated").configuration for _ in range(2))
    assert isinstance(first, Configuration)
    assert first == second
    assert len({first, second}) == 1
    exchange(spec, first, "planner", {"plan": "p"}, "gated")
    assert first == second
