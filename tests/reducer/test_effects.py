"""What actions write, at once or in order, and how they fail. Expected values worked out by hand."""

from __future__ import annotations

import pytest

from fsmcheck.reducer.trace import advance_json
from tests.reducer.machines import run_of, spec_of, statuses

FAILING = """
    initialState: one
    context:
      n: { type: integer, default: 1 }
      gap: { type: integer }
      go: { type: string }
    agents: { hand: { canTransition: [one] } }
    states:
      one:
        requires: [{ name: go, from: { agent: hand } }]
        exit: [{ assign: { n: 2 } }]
        transitions:
          - toState: two
            onTransition: [{ assign: { n: 3 } }]
      two:
        entry:
          - assign: { gap: null }
          - assign: { n: "${ context.gap + 1 }" }
        terminal: true
"""


def test_a_failed_action_undoes_the_whole_microstep() -> None:
    run = run_of(spec_of(FAILING), ("hand", {"go": "x"}), ("hand", {"go": "y"}))
    assert statuses(run) == ["one waiting", "one failed", "one failed"]
    assert dict(run[1].configuration.store) == {"n": 1, "gap": None, "go": "x"}
    assert run[1].advance.microsteps == ()
    assert run[1].advance.failure is not None
    assert [effect.phase.value for effect in run[1].advance.failure.effects] == [
        "exit",
        "onTransition",
        "entry",
        "entry",
    ]
    assert run[2].rejected == "not-waiting"


def test_a_failed_entry_of_the_initial_state() -> None:
    spec = spec_of("""
        initialState: one
        context: { n: { type: integer, default: 5 }, gap: { type: integer, default: null } }
        states:
          one:
            entry: [{ assign: { n: 6 } }, { assign: { n: "${ context.gap + 1 }" } }]
            transitions: [{ toState: two }]
          two: { terminal: true }
    """)
    (step,) = run_of(spec)
    assert (step.configuration.status, step.configuration.store["n"]) == ("failed", 5)


@pytest.mark.parametrize(
    ("action", "text"),
    [
        ("append: { log: '${ context.gap }' }", "null"),
        ("put: { book: { k: '${ context.gap }' } }", "null"),
        ("assign: { kind: '${ context.word }' }", "unknown"),
        ("assign: { word: 'n is ${ context.gap }' }", "null"),
    ],
)
def test_null_elements_and_texts_outside_an_enum_fail(action: str, text: str) -> None:
    spec = spec_of(f"""
        initialState: one
        context:
          gap: {{ type: integer, default: null }}
          word: {{ type: string, default: unknown }}
          kind: {{ type: enum, values: [a, b], default: "" }}
          log: {{ type: list, of: integer, default: [] }}
          book: {{ type: map, of: integer, default: {{}} }}
        states:
          one: {{ transitions: [{{ toState: two, onTransition: [{{ {action} }}] }}] }}
          two: {{ terminal: true }}
    """)
    (step,) = run_of(spec)
    assert step.configuration.status == "failed"
    failure = step.advance.failure
    assert failure is not None
    assert failure.effects[-1].fault is not None
    assert text in failure.effects[-1].fault.message


def test_null_and_empty_text_empty_a_field_of_any_type() -> None:
    spec = spec_of("""
        initialState: one
        context:
          s: { type: string, default: x }
          e: { type: enum, values: [a], default: a }
          i: { type: integer, default: 0 }
          n: { type: number, default: 1 }
          b: { type: boolean, default: false }
          l: { type: list, of: string, default: [x] }
          m: { type: map, of: string, default: { k: x } }
        states:
          one:
            exit: [{ assign: { s: null, e: null, i: "", n: "", b: "", l: "", m: null } }]
            transitions: [{ toState: two }]
          two: { terminal: true }
    """)
    (step,) = run_of(spec)
    assert advance_json(step)["store"] == {"s": "", "e": "", "i": None, "n": None, "b": None, "l": [], "m": {}}
    assert step.advance.microsteps[0].before["n"] == 1.0
    assert isinstance(step.advance.microsteps[0].before["n"], float)


def test_one_assign_writes_at_once_and_action_lists_in_order() -> None:
    spec = spec_of("""
        initialState: one
        context:
          a: { type: string, default: a }
          b: { type: string, default: b }
          log: { type: list, of: string }
          book: { type: map, of: string, default: { k: old, z: z } }
        states:
          one:
            exit:
              - assign: { a: "${ context.b }", b: "${ context.a }" }
              - append: { log: "exit ${ context.a }${ context.b }" }
            transitions:
              - toState: two
                onTransition:
                  - append: { log: "on ${ size(context.log) }" }
                  - put: { book: { k: "${ context.a }", j: new } }
          two:
            entry: [{ append: { log: "entry" } }]
            terminal: true
    """)
    (step,) = run_of(spec)
    store = advance_json(step)["store"]
    assert store == {
        "a": "b",
        "b": "a",
        "log": ["exit ba", "on 1", "entry"],
        "book": {"k": "b", "z": "z", "j": "new"},
    }
