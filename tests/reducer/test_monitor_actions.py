"""Monitors on actions and on coming to rest: FSM205, FSM301, FSM304, FSM406, FSM407, FSM502, and witnesses."""

from __future__ import annotations

import pytest

from fsmcheck.reducer.monitors import witnesses
from fsmcheck.spec.model import Spec
from tests.reducer.machines import Exchange, at, breaches, loop, run_of, spec_of
from tests.reducer.test_effects import FAILING
from tests.reducer.test_steps import STUCK, counting

A: Exchange = ("hand", {"a": "x", "flag": True})


def emptying(actions: str, *, extra: str = "", guard: str = "true") -> Spec:
    """``ask`` takes what is required from an agent and loses some of it on the way to ``rest``."""
    return spec_of(f"""
        initialState: ask
        context:
          a: {{ type: string }}
          flag: {{ type: boolean }}
          note: {{ type: string, default: "" }}
          log: {{ type: list, of: string }}
        agents: {{ hand: {{ canTransition: [ask] }} }}
        states:
          ask:
            requires: [{{ name: a, from: {{ agent: hand }} }}, {{ name: flag, from: {{ agent: hand }} }}]
            {extra}
            transitions:
              - toState: end
                guards: [{{ backend: cel, expression: "context.note == 'x'" }}]
              - toState: rest
                guards: [{{ backend: cel, expression: "{guard}" }}]
                onTransition: [{actions}]
          rest: {{ terminal: true }}
          end: {{ terminal: true, entry: [{{ append: {{ log: x }} }}] }}
    """)


@pytest.mark.parametrize(
    ("actions", "extra", "guard", "lost"),
    [
        ('{ assign: { a: "" } }', "", "true", True),
        ('{ assign: { a: "", note: "${ context.a }" } }', "", "true", False),
        ('{ assign: { note: "${ context.a }" } }, { assign: { a: "" } }', "", "true", False),
        ('{ assign: { a: "" } }, { append: { log: "${ context.a }" } }', "", "true", True),
        ('{ assign: { a: "" } }', "", "context.a != 'q'", False),
        ('{ assign: { a: "" } }', "exit: [{ append: { log: '${ context.a }' } }]", "true", False),
        ('{ assign: { a: "" } }', "description: 'about {{ context.a }}'", "true", True),
        ("{ assign: { a: other } }", "", "true", False),
        ("{ assign: { flag: null } }", "", "true", False),
    ],
)
def test_evidence_is_lost_when_emptied_unread(actions: str, extra: str, guard: str, lost: bool) -> None:
    spec = emptying(actions, extra=extra, guard=guard)
    found = breaches(spec, run_of(spec, A), "FSM406")
    assert found == ([("FSM406", at("ask", 1, "a"), 1)] if lost else [])


def test_parking_in_a_state_whose_description_shows_it_is_reading() -> None:
    spec = emptying('{ assign: { a: "" } }', extra="description: 'about {{ context.a }}'")
    run = run_of(spec, ("hand", {"a": "x"}), ("hand", {"flag": True}))
    assert breaches(spec, run, "FSM406") == []


def test_a_guard_tried_before_the_one_taken_reads() -> None:
    spec = spec_of("""
        initialState: ask
        context: { a: { type: string }, b: { type: string } }
        agents: { hand: { canTransition: [ask] } }
        states:
          ask:
            requires: [{ name: a, from: { agent: hand } }, { name: b, from: { agent: hand } }]
            transitions:
              - { toState: ask, guards: [{ backend: cel, expression: "false" },
                                         { backend: cel, expression: "context.a == 'q'" }] }
              - { toState: rest, onTransition: [{ assign: { a: "", b: "" } }] }
              - { toState: ask, guards: [{ backend: cel, expression: "context.b == 'q'" }] }
          rest: { terminal: true }
    """)
    run = run_of(spec, ("hand", {"a": "x", "b": "y"}))
    assert breaches(spec, run, "FSM406") == [("FSM406", at("ask", 1, "b"), 1)]


def test_evidence_lost_in_an_entry_belongs_to_the_state_entered() -> None:
    spec = spec_of("""
        initialState: ask
        context: { a: { type: string } }
        agents: { hand: { canTransition: [ask] } }
        states:
          ask: { requires: [{ name: a, from: { agent: hand } }], transitions: [{ toState: rest }] }
          rest: { entry: [{ assign: { a: "" } }], terminal: true }
    """)
    assert breaches(spec, run_of(spec, ("hand", {"a": "x"})), "FSM406") == [("FSM406", at("rest", field="a"), 1)]


def recording(value: str, operator: str = "assign") -> Spec:
    target = {"assign": f"{{ out: {value} }}", "append": f"{{ log: {value} }}", "put": f"{{ book: {{ k: {value} }} }}"}
    return spec_of(f"""
        initialState: one
        context:
          gone: {{ type: string, default: "" }}
          verdict: {{ type: enum, values: [a], default: "" }}
          there: {{ type: string, default: x }}
          list: {{ type: list, of: string, default: [] }}
          pair: {{ type: list, of: string, default: [p, q] }}
          out: {{ type: string, default: "" }}
          log: {{ type: list, of: string, default: [] }}
          book: {{ type: map, of: string, default: {{}} }}
        states:
          one: {{ transitions: [{{ toState: two, onTransition: [{{ {operator}: {target[operator]} }}] }}] }}
          two: {{ terminal: true }}
    """)


@pytest.mark.parametrize("operator", ["assign", "append", "put"])
@pytest.mark.parametrize(
    ("value", "used"),
    [
        ('"${ context.gone }"', ["gone"]),
        ('"${ context.there }"', []),
        ('"see ${ context.gone } and ${ context.verdict }"', ["gone", "verdict"]),
        ('"${ context.there + context.gone }"', ["gone"]),
        ("\"${ context.gone == '' ? 'none' : context.gone }\"", []),
        ("\"${ context.gone != '' ? 'none' : context.gone }\"", ["gone"]),
        ('"${ has(context.gone) ? context.gone : context.there }"', []),
        ('"${ string(size(context.gone)) }"', []),
        ("\"${ string(size(context.gone) == 0 && context.verdict != 'a') }\"", []),
        ("\"${ string(context.gone.startsWith('a')) }\"", ["gone"]),
        ("\"${ string(context.there == 'x' || context.gone.startsWith('a')) }\"", []),
        ("\"${ string(context.there == 'x' && context.gone.startsWith('a')) }\"", ["gone"]),
        ('"${ string(size(context.pair.map(e, e + context.gone))) }"', []),
        ('"${ context.pair.map(e, e + context.gone)[0] }"', ["gone"]),
        ("\"${ context.pair.map(e, e == 'p' ? e : context.gone)[0] }\"", ["gone"]),
        ("\"${ context.pair.map(e, e != 'z' ? e : context.gone)[0] }\"", []),
        ('"${ string(context.list.exists(e, e.contains(context.gone))) }"', []),
        ("\"${ string(context.pair.exists(e, e == 'p' || e.contains(context.gone))) }\"", []),
    ],
)
def test_records_empty_looks_at_what_is_used(operator: str, value: str, used: list[str]) -> None:
    spec = recording(value, operator)
    assert breaches(spec, run_of(spec)) == [("FSM407", at("one", 0, name), 0) for name in used]


def test_lists_numbers_and_constants_never_record_empty() -> None:
    spec = recording('"${ string(context.list == []) }"')
    assert breaches(spec, run_of(spec)) == []
    assert breaches(recording('""'), run_of(recording('""'))) == []


@pytest.mark.parametrize("profile", ["gated", "eager"])
def test_deadlock(profile: str) -> None:
    text = """
        initialState: ask
        context: {{ a: {{ type: string }}, b: {{ type: string }} }}
        agents: {{ one: {{ canTransition: [] }}, two: {{ canTransition: [{two}] }} }}
        states:
          ask:
            requires: [{{ name: a, from: {{ agent: one }} }}, {{ name: a, from: {{ agent: two }} }}]
            transitions: [{{ toState: rest }}]
          rest: {{ terminal: true }}
    """
    blocked, served = spec_of(text.format(two="").replace(", b: { type: string }", "")), spec_of(text.format(two="ask"))
    assert breaches(blocked, run_of(blocked, inputs={})) == [("FSM205", at("ask"), 0)]
    assert breaches(served, run_of(served, inputs={"b": "x"})) == []


def test_stuck() -> None:
    spec = spec_of(STUCK)
    run = run_of(spec, ("judge", {"verdict": "no"}), ("judge", {"verdict": "yes"}))
    assert breaches(spec, run) == [("FSM301", at("ask"), 1)]
    assert breaches(spec, run_of(spec, ("judge", {"verdict": "yes"}))) == []


def test_evaluation_errors_of_guards() -> None:
    spec = spec_of(
        counting("context.gap > 1", "assign: { n: 1 }", "n: { type: integer }, gap: { type: integer, default: null }")
    )
    assert breaches(spec, run_of(spec)) == [("FSM304", at("spin", 0), 0)]
    absorbed = "false && context.gap > 1"
    spec = spec_of(
        counting(absorbed, "assign: { n: 1 }", "n: { type: integer }, gap: { type: integer, default: null }")
    )
    assert breaches(spec, run_of(spec)) == []


def test_evaluation_errors_of_actions_and_nothing_else_of_the_attempt() -> None:
    spec = spec_of(FAILING)
    run = run_of(spec, ("hand", {"go": "x"}))
    assert breaches(spec, run) == [("FSM304", at("two", field="n"), 1)]


def test_overflow_counts_only_for_operands_within_2_to_the_53() -> None:
    doubling = spec_of(counting("true", "assign: { n: '${ context.n * 2 }' }", "n: { type: integer, default: 1 }"))
    (step,) = run_of(doubling)
    assert step.configuration.status == "failed"
    assert breaches(doubling, [step]) == []
    squaring = spec_of(
        counting("true", "assign: { n: '${ context.n * context.n }' }", f"n: {{ type: integer, default: {2**31} }}")
    )
    (step,) = run_of(squaring)
    assert step.configuration.store["n"] == 2**62
    assert breaches(squaring, [step]) == []
    near = spec_of(
        counting("true", "assign: { n: '${ context.n * context.n }' }", f"n: {{ type: integer, default: {2**32} }}")
    )
    assert breaches(near, run_of(near)) == [("FSM304", at("spin", 0, "n"), 0)]


ROUND = """
    initialState: start
    context: {{ n: {{ type: integer, default: 0 }}, last: {{ type: integer, default: 0 }} }}
    states:
      b: {{ transitions: [{{ toState: a, onTransition: [{{ {action} }}] }}] }}
      start: {{ transitions: [{{ toState: a }}] }}
      a:
        transitions:
          - {{ toState: rest, guards: [{{ backend: cel, expression: "context.n > 3" }}] }}
          - {{ toState: b }}
      rest: {{ terminal: true }}
"""


@pytest.mark.parametrize(
    ("action", "status"),
    [
        ("assign: { last: 0 }", "no-progress"),
        ("assign: { last: '${ context.last + 1 }' }", "runaway"),
        ("assign: { n: '${ context.n + 1 }' }", "done"),
    ],
)
def test_runs_hot_at_the_loops_first_state_in_the_document(action: str, status: str) -> None:
    spec = spec_of(ROUND.format(action=action))
    run = run_of(spec)
    assert run[0].configuration.status == status
    assert breaches(spec, run) == ([] if status == "done" else [("FSM502", at("b"), 0)])


def test_witnesses_of_what_some_run_shows() -> None:
    spec = loop()
    exchanges: list[Exchange] = [
        ("planner", {"plan": "p", "directive": "d"}),
        ("executor", {"result": "r", "outcome": "replan"}),
    ]
    seen = [(found.rule, found.subject.as_dict()) for found in witnesses(spec, run_of(spec, *exchanges))]
    assert seen == [
        ("FSM203", at("plan")),
        ("FSM303", at("plan", 0)),
        ("FSM203", at("execute")),
        ("FSM111", at("execute", field="directive")),
        ("FSM303", at("execute", 1)),
        ("FSM203", at("replan")),
    ]
