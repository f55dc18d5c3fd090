"""Monitors on leaving a state with earlier answers: FSM401-FSM405, each beside a near-twin that is clean."""

from __future__ import annotations

import pytest

from fsmcheck.reducer.configuration import Profile
from fsmcheck.spec.model import Spec
from tests.reducer.machines import Exchange, at, breaches, loop, run_of, spec_of

PLAN: Exchange = ("planner", {"plan": "p", "directive": "d1"})
AGAIN: Exchange = ("executor", {"result": "r1", "outcome": "replan"})
DIRECTIVE: Exchange = ("planner", {"directive": "d2"})
RESULT: Exchange = ("executor", {"result": "r2"})
OUTCOME: Exchange = ("executor", {"outcome": "done"})

KEPT_PLAN = ("FSM405", at("replan", field="plan"), 2)


def test_the_loop_with_every_trigger_consumed() -> None:
    spec = loop()
    run = run_of(spec, PLAN, AGAIN, DIRECTIVE, RESULT, OUTCOME)
    assert run[-1].configuration.status == "done"
    assert breaches(spec, run) == [KEPT_PLAN]
    eager = run_of(spec, PLAN, AGAIN, DIRECTIVE, OUTCOME, profile="eager")
    assert breaches(spec, eager) == [KEPT_PLAN, ("FSM407", at("execute", field="result"), 4)]


def test_outcome_not_consumed() -> None:
    spec = loop("outcome")
    run = run_of(spec, PLAN, AGAIN, DIRECTIVE, RESULT)
    assert breaches(spec, run) == [
        KEPT_PLAN,
        ("FSM405", at("execute", field="outcome"), 3),
        ("FSM403", at("execute", 1, "outcome"), 4),
        ("FSM405", at("replan", field="plan"), 4),
    ]
    fresh = run_of(spec, PLAN, AGAIN, DIRECTIVE, ("executor", {"result": "r2", "outcome": "replan"}))
    assert breaches(spec, fresh, "FSM403") == []
    eager = run_of(spec, PLAN, AGAIN, DIRECTIVE, profile="eager")
    assert breaches(spec, eager) == [
        KEPT_PLAN,
        ("FSM401", at("execute"), 3),
        ("FSM403", at("execute", 1, "outcome"), 3),
        ("FSM407", at("execute", field="result"), 3),
        ("FSM405", at("replan", field="plan"), 3),
    ]


def test_result_not_consumed() -> None:
    spec = loop("result")
    run = run_of(spec, PLAN, AGAIN, DIRECTIVE, OUTCOME)
    assert breaches(spec, run) == [
        KEPT_PLAN,
        ("FSM405", at("execute", field="result"), 3),
        ("FSM404", at("execute", field="result"), 4),
    ]
    assert run[-1].configuration.store["history"] == ("d1: r1", "d2: r1")
    assert breaches(spec, run_of(spec, PLAN, AGAIN, DIRECTIVE, RESULT, OUTCOME), "FSM404") == []


@pytest.mark.parametrize("profile", ["gated", "eager"])
def test_directive_not_consumed(profile: Profile) -> None:
    spec = loop("directive")
    run = run_of(spec, PLAN, AGAIN, AGAIN, profile=profile)
    assert breaches(spec, run) == [("FSM402", at("replan"), 2), ("FSM401", at("replan"), 3)]


def asked_once(extra: str = "", guard: str = "true", back: str = "", field: str = "a: { type: string }") -> Spec:
    """``ask`` requires one field, ``rest`` another; they take turns."""
    return spec_of(f"""
        initialState: ask
        context: {{ {field}, b: {{ type: string }}, note: {{ type: string, default: "" }} }}
        agents: {{ hand: {{ canTransition: [ask, rest] }} }}
        states:
          ask:
            {extra}
            requires: [{{ name: a, from: {{ agent: hand }} }}]
            transitions:
              - {{ toState: rest, guards: [{{ backend: cel, expression: "{guard}" }}] }}
              - {{ toState: end }}
          rest:
            requires: [{{ name: b, from: {{ agent: hand }} }}]
            transitions:
              - toState: ask
                onTransition: [{{ assign: {{ b: "" }} }}{back}]
          end: {{ terminal: true }}
    """)


A: Exchange = ("hand", {"a": "x"})
B: Exchange = ("hand", {"b": "y"})


def test_falls_through_and_re_fires_on_a_kept_answer() -> None:
    spec = asked_once(guard="context.a == 'x'")
    run = run_of(spec, A, B)
    assert breaches(spec, run, "FSM401", "FSM402", "FSM403") == [
        ("FSM401", at("ask"), 2),
        ("FSM403", at("ask", 0, "a"), 2),
    ]


def test_an_assign_refreshes_an_append_or_put_does_not() -> None:
    refreshed = asked_once(back=", { assign: { a: x } }")
    assert breaches(refreshed, run_of(refreshed, A, B), "FSM401", "FSM402") == [("FSM402", at("ask"), 2)]
    listed = "a: { type: list, of: string }"
    grown = asked_once(back=", { append: { a: more } }", field=listed)
    assert breaches(grown, run_of(grown, ("hand", {"a": ["x"]}), B), "FSM401", "FSM402") == [("FSM401", at("ask"), 2)]


def test_an_assign_on_leaving_keeps_an_answer_from_growing_stale() -> None:
    kept = asked_once(extra="exit: [{ assign: { a: '${ context.a }' } }]")
    assert breaches(kept, run_of(kept, A, B), "FSM401", "FSM402") == [("FSM402", at("ask"), 2)]


def test_an_entry_that_writes_refreshes() -> None:
    written = asked_once(extra="entry: [{ assign: { a: x } }]")
    assert breaches(written, run_of(written, B), "FSM401", "FSM402") == [
        ("FSM402", at("ask"), 0),
        ("FSM402", at("ask"), 1),
    ]


def test_staging_refreshes_even_the_same_value() -> None:
    spec = loop("result")
    run = run_of(spec, PLAN, AGAIN, DIRECTIVE, ("executor", {"result": "r1"}), OUTCOME)
    assert breaches(spec, run, "FSM404") == []


def test_an_empty_exchange_is_an_exchange() -> None:
    spec = spec_of("""
        initialState: ask
        context: { a: { type: string }, b: { type: string } }
        agents: { hand: { canTransition: [ask] } }
        states:
          ask:
            requires: [{ name: a, from: { agent: hand } }, { name: b, from: { agent: hand } }]
            transitions:
              - { toState: ask, guards: [{ backend: cel, expression: "context.a == 'x'" }], onTransition: [
                  { assign: { b: "" } }] }
              - toState: rest
          rest: { terminal: true }
    """)
    run = run_of(spec, ("hand", {"a": "x", "b": "y"}), ("hand", {}), ("hand", {"b": "z"}))
    assert breaches(spec, run, "FSM401", "FSM403") == [("FSM403", at("ask", 0, "a"), 3)]


def test_a_guard_that_only_asks_whether_a_kept_field_is_set_is_no_trigger() -> None:
    spec = asked_once(guard="context.a != ''")
    assert breaches(spec, run_of(spec, A, B), "FSM403") == []


@pytest.mark.parametrize(
    ("type_", "value", "guard", "fires"),
    [
        ("string", "x", "context.a != 'other'", True),
        ("string", "x", "context.a != context.note", False),
        ("string", "x", "context.a.startsWith('x')", True),
        ("string", "x", "!context.a.contains('err')", True),
        ("string", "x", "size(context.a) < 40", True),
        ("string", "x", "size(context.a) > 0", False),
        ("string", "x", "has(context.a)", False),
        ("boolean", False, "context.a != null", False),
        ("boolean", False, "!context.a", True),
        ("integer", 3, "context.a < 100", True),
        ("integer", 3, "context.a != 7", True),
        ("integer", 3, "context.a * 0 == 0", False),
        ("number", 0.5, "context.a < 1.5", True),
        ("number", 0.5, "context.a == context.a", False),
        ("list, of: string", ["x"], "size(context.a) < 5", True),
        ("list, of: string", ["x"], "size(context.a) >= 1", False),
        ("list, of: string", ["x"], "!('bad' in context.a)", True),
        ("list, of: string", ["x"], "context.a.all(e, e != 'bad')", True),
        ("map, of: string", {"k": "v"}, "!('q' in context.a)", True),
        ("map, of: string", {"k": "v"}, "size(context.a) != 3", True),
        ("map, of: string", {"k": "v"}, "size(context.a) != 0", False),
        ("enum, values: [yes, no]", "yes", "context.a == 'yes'", True),
        ("enum, values: [yes, no]", "yes", "context.a == 'yes' || context.a == 'no'", False),
        ("enum, values: [yes]", "yes", "context.a == 'yes'", False),
    ],
)
def test_some_other_set_value_decides_whether_it_re_fires(type_: str, value: object, guard: str, fires: bool) -> None:
    spec = asked_once(guard=guard, field=f"a: {{ type: {type_} }}")
    run = run_of(spec, ("hand", {"a": value}), B)
    assert breaches(spec, run, "FSM403") == ([("FSM403", at("ask", 0, "a"), 2)] if fires else [])


def test_stale_evidence_in_a_transition_carries_it() -> None:
    spec = spec_of("""
        initialState: ask
        context: { a: { type: string }, b: { type: boolean }, log: { type: list, of: string } }
        agents: { hand: { canTransition: [ask] } }
        states:
          ask:
            requires: [{ name: a, from: { agent: hand } }, { name: b, from: { agent: hand } }]
            transitions:
              - toState: rest
                guards: [{ backend: cel, expression: "context.b" }]
              - toState: ask
                onTransition:
                  - assign: { b: null }
                  - append: { log: "${ context.a }" }
          rest: { entry: [{ append: { log: "${ context.a }" } }], terminal: true }
    """)
    first: Exchange = ("hand", {"a": "x", "b": False})
    run = run_of(spec, first, ("hand", {"b": False}), ("hand", {"b": True}))
    assert breaches(spec, run, "FSM404") == [("FSM404", at("ask", 1, "a"), 2)]  # the entry of "rest" is no part of it


def test_pre_satisfied_at_the_start_by_defaults() -> None:
    spec = spec_of("""
        initialState: ask
        context: { a: { type: string, default: x } }
        agents: { hand: { canTransition: [ask] } }
        states:
          ask: { requires: [{ name: a, from: { agent: hand } }], transitions: [{ toState: rest }] }
          rest: { terminal: true }
    """)
    assert breaches(spec, run_of(spec)) == [("FSM402", at("ask"), 0)]


NOT_AWAITED = """
    initialState: ask
    context: {{ a: {{ type: string, default: {default} }}, b: {{ type: string }}, l: {{ type: list, of: string }} }}
    agents: {{ hand: {{ canTransition: [ask] }} }}
    states:
      ask:
        entry: [{entry}]
        requires: [{{ name: a, from: {{ agent: hand }} }}, {{ name: b, from: {{ agent: hand }} }},
                   {{ name: l, from: {{ agent: hand }} }}]
        transitions: [{{ toState: rest }}]
      rest: {{ terminal: true }}
"""


@pytest.mark.parametrize(
    ("default", "entry", "fires"),
    [
        ("x", "", True),
        ('""', "", False),
        ('""', "{ assign: { a: y } }", False),
        ("x", "{ assign: { a: y } }", False),
        ("x", '{ assign: { a: "" } }', False),
        ("x", "{ append: { l: '${ context.a }' } }", True),
    ],
)
def test_not_awaited_unless_the_entry_set_it(default: str, entry: str, fires: bool) -> None:
    spec = spec_of(NOT_AWAITED.format(default=default, entry=entry))
    run = run_of(spec, ("hand", {}))  # parking again in the same visit is no entering
    assert breaches(spec, run, "FSM405") == ([("FSM405", at("ask", field="a"), 0)] if fires else [])
