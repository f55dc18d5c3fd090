"""The oracle against verdicts worked out by hand from the semantics page.

Each case states *all* rules that a small spec breaks, so it is at once a violation of some rules and a near-twin
that keeps the others.
"""

from __future__ import annotations

import pytest

from fsmcheck.diagnostics import Subject
from tests.oracle.brute import RULES, Result, Verdict, explore
from tests.oracle.generate import load_valid
from tests.oracle.machine import Profile

LOOP = """
fsm:
  initialState: ask
  context:
    verdict: { type: enum, values: [go, back] }
    note: { type: string }
    log: { type: list, of: string }
  agents: { ann: { canTransition: [ask, work] } }
  states:
    ask:
      requires: [{ name: note, from: { agent: ann } }]
      exit: [{ append: { log: "${context.note}" } }]
      transitions: [{ toState: work }]
    work:
      description: "Work"
      requires: [{ name: verdict, from: { agent: ann } }]
      transitions:
        - toState: done
          guards: [{ backend: cel, expression: "context.verdict == 'go'" }]
        - toState: ask
          guards: [{ backend: cel, expression: "context.verdict == 'back'" }]
          onTransition: [{ assign: { verdict: "", note: "" } }]
    done: { terminal: true }
"""
UNRECORDED = LOOP.replace('      exit: [{ append: { log: "${context.note}" } }]\n', "")
WORK_BACK = """        - toState: ask
          guards: [{ backend: cel, expression: "context.verdict == 'back'" }]
          onTransition: [{ assign: { verdict: "", note: "" } }]
"""
LINE = LOOP.replace(WORK_BACK, "").replace("== 'go'", "!= ''")
KEPT = """
fsm:
  initialState: ask
  context:
    verdict: { type: enum, values: [go, back] }
    plan: { type: string }
  agents: { ann: { canTransition: [ask] } }
  states:
    ask:
      requires:
        - { name: verdict, from: { agent: ann } }
        - { name: plan, from: { agent: ann } }
      transitions:
        - toState: done
          guards: [{ backend: cel, expression: "context.verdict == 'go'" }]
        - toState: ask
          guards: [{ backend: cel, expression: "context.verdict == 'back' && context.plan != ''" }]
          onTransition: [{ assign: { verdict: "" } }]
    done: { terminal: true }
"""
PICK = """
fsm:
  initialState: pick
  context: { a: { type: boolean }, b: { type: boolean } }
  agents: { ann: { canTransition: [pick] } }
  states:
    pick:
      requires: [{ name: a, from: { agent: ann } }, { name: b, from: { agent: ann } }]
      transitions:
        - { toState: done, guards: [{ backend: cel, expression: "context.a" }] }
        - { toState: other, guards: [{ backend: cel, expression: "context.b" }] }
        - { toState: done }
    done: { terminal: true }
    other: { terminal: true }
"""
RETRY = """
fsm:
  initialState: attempt
  context: { verdict: { type: enum, values: [go, back] }, tries: { type: integer, default: 0 } }
  agents: { ann: { canTransition: [attempt] } }
  states:
    attempt:
      requires: [{ name: verdict, from: { agent: ann } }]
      transitions:
        - { toState: done, guards: [{ backend: cel, expression: "context.verdict == 'go'" }] }
        - toState: attempt
          guards: [{ backend: cel, expression: "context.verdict == 'back' && context.tries < 2" }]
          onTransition: [{ assign: { verdict: "", tries: "${context.tries + 1}" } }]
        - { toState: done }
    done: { terminal: true }
"""
AUTOMATIC = """
fsm:
  initialState: a
  context: { i: { type: integer, default: 0 } }
  states:
    a: { transitions: [{ toState: b }] }
    b:
      transitions:
        - { toState: a, guards: [{ backend: cel, expression: "context.i < 2" }],
            onTransition: [{ assign: { i: "${context.i + 1}" } }] }
        - { toState: done }
    done: { terminal: true }
"""
ENDLESS = AUTOMATIC.replace('guards: [{ backend: cel, expression: "context.i < 2" }],', "").replace(
    'onTransition: [{ assign: { i: "${context.i + 1}" } }]', "onTransition: [{ assign: { i: 0 } }]"
)
COUNTLESS = ENDLESS.replace("i: 0 }", 'i: "${context.i + 1}" }')
FAILING = """
fsm:
  initialState: a
  context: { i: { type: integer, default: null } }
  states:
    a:
      transitions:
        - { toState: done, guards: [{ backend: cel, expression: "context.i < 2" }] }
        - { toState: done }
    done: { terminal: true }
"""
OUTSIDE = """
fsm:
  initialState: a
  context: { word: { type: string }, verdict: { type: enum, values: [go, back], default: "" } }
  states:
    a: { transitions: [{ toState: done, onTransition: [{ assign: { verdict: "${context.word}" } }] }] }
    done: { terminal: true }
"""
EARLY = """
fsm:
  initialState: ask
  context: { note: { type: string, default: "" }, log: { type: list, of: string } }
  agents: { ann: { canTransition: [ask] } }
  states:
    ask:
      requires: [{ name: note, from: { agent: ann } }]
      entry: [{ append: { log: "${context.note}" } }]
      transitions: [{ toState: done }]
    done: { terminal: true }
"""
SHARED = """
fsm:
  initialState: ask
  context: { verdict: { type: enum, values: [go, back] }, note: { type: string } }
  agents: { ann: { canTransition: [ask] }, bob: { canTransition: [ask] } }
  states:
    ask:
      requires: [{ name: note, from: { agent: ann } }, { name: verdict, from: { agent: bob } }]
      transitions: [{ toState: done, guards: [{ backend: cel, expression: "context.verdict != ''" }] }]
    done: { terminal: true }
  policy: { maxExchangesPerStage: 1 }
"""
PLANNED = LOOP.replace("fsm:", "fsm:\n  policy: { maxIterations: 9 }")

CASES = {
    "loop": (LOOP, "FSM501 ask"),
    "loop under a cap": (PLANNED, "FSM505 ask"),
    "note never looked at": (UNRECORDED, "FSM501 ask, FSM406 work 1 note"),
    "note looked at in a description": (UNRECORDED.replace('"Work"', '"{{ context.note }}"'), "FSM501 ask"),
    # From the second visit on work leaves on the verdict of the first, for ever.
    "verdict kept": (
        LOOP.replace('verdict: "", note', "note"),
        "FSM501 ask, FSM401 work, FSM403 work 1 verdict, FSM204 ask",
    ),
    # From the second visit on ask is complete on entering, and its exit records the old note again.
    "note kept": (LOOP.replace(', note: ""', ""), "FSM501 ask, FSM401 ask, FSM404 ask - note"),
    "no authority": (
        LOOP.replace("[ask, work]", "[ask]"),
        "FSM205 work, FSM204 ask, FSM204 work, FSM203 done, FSM303 work 0, FSM303 work 1",
    ),
    "no way back": (LOOP.replace(WORK_BACK, ""), "FSM301 work, FSM204 work"),
    "a template that is never set": (
        LOOP.replace('"Work"', '"{{ context.verdict }}"'),
        "FSM501 ask, FSM111 work - verdict",
    ),
    "line": (LINE, ""),
    "a guard that is always true": (
        LOOP.replace("context.verdict == 'go'", "context.verdict in ['go', 'back', '']"),
        "FSM305 work 0, FSM303 work 1",
    ),
    "a guard that is true of all set values": (
        LOOP.replace("context.verdict == 'go'", "context.verdict in ['go', 'back']"),
        "FSM303 work 1",
    ),
    # plan is required again although it is kept: never waited for, but no trigger either.
    "a kept field": (KEPT, "FSM501 ask, FSM405 ask - plan"),
    "a kept field as a trigger": (
        KEPT.replace("plan != ''", "plan != 'final'"),
        "FSM501 ask, FSM405 ask - plan, FSM403 ask 1 plan, FSM301 ask, FSM204 ask",
    ),
    "overlapping guards": (PICK, "FSM302 pick 0/1"),
    "disjoint guards": (PICK.replace('"context.b"', '"!context.a && context.b"'), ""),
    "specific before general": (PICK.replace('"context.a"', '"context.a && context.b"'), ""),
    "overlap to the same place": (
        PICK.replace("toState: other,", "toState: done,").replace("    other: { terminal: true }\n", ""),
        "",
    ),
    "retry": (RETRY, ""),
    "retry that forgets its count": (
        RETRY.replace('tries: "${context.tries + 1}"', "tries: 0"),
        "FSM501 attempt, FSM303 attempt 2",
    ),
    "automatic": (AUTOMATIC, ""),
    "no progress": (ENDLESS, "FSM502 a, FSM204 a, FSM303 b 1, FSM203 done"),
    "runaway": (COUNTLESS, "FSM502 a, FSM303 b 1, FSM203 done"),
    "null compared": (FAILING, "FSM304 a 0, FSM303 a 0"),
    "nothing null": (FAILING.replace("null", "0"), "FSM303 a 1"),
    "a text outside the enum": (OUTSIDE, "FSM304 a 0 verdict, FSM204 a"),
    "a text inside the enum": (OUTSIDE.replace('"${context.word}"', "go"), ""),
    "recorded on entry": (EARLY, "FSM407 ask - note"),
    "recorded on entry with care": (
        EARLY.replace("${context.note}", "${context.note != '' ? context.note : 'none'}"),
        "",
    ),
    "complete from the start": (EARLY.replace('default: ""', "default: hello"), "FSM402 ask"),
    "cap below the shortest run": (LINE.replace("fsm:", "fsm:\n  policy: { maxIterations: 1 }"), "FSM503"),
    "cap at the shortest run": (LINE.replace("fsm:", "fsm:\n  policy: { maxIterations: 2 }"), ""),
    "two agents in one exchange": (SHARED, "FSM504 ask"),
    "two agents in two exchanges": (SHARED.replace("Stage: 1", "Stage: 2"), ""),
    "one exchange for each agent": (SHARED.replace("PerStage", "PerAgentPerStage"), ""),
}
EAGER = {
    "two agents in one exchange": "",
    # One may be staged without the other; then guards meet null, and nothing waits for the second.
    "overlapping guards": "FSM302 pick 0/1, FSM304 pick 0, FSM304 pick 1",
    "verdict kept": "FSM501 ask, FSM401 work, FSM403 work 1 verdict, FSM204 ask",
    # Where the plan is 'final' already, a verdict 'back' finds no transition (gated and eager alike); an eager
    # machine leaves on 'back' before there is a plan at all.
    "a kept field as a trigger": "FSM501 ask, FSM405 ask - plan, FSM403 ask 1 plan, FSM301 ask, FSM204 ask",
}


def explored(text: str, profile: Profile) -> Result:
    spec = load_valid(text)
    assert spec is not None
    result = explore(spec, profile)
    assert result.complete
    assert result.books_complete
    return result


def keys(text: str) -> set[tuple[str, Subject]]:
    """``RULE state transition field`` (``-`` for none), parts of a pair as ``0/1``."""
    found = set()
    for entry in filter(None, text.split(", ")):
        rule, state, move, slot = [*entry.split(), None, None, None][:4]
        pair = (move or "").split("/")
        found.add(
            (
                rule or "",
                Subject(
                    state=state,
                    transition=int(pair[0]) if pair[0] not in ("", "-") else None,
                    field=slot,
                    other=int(pair[1]) if len(pair) == 2 else None,
                ),
            )
        )
    return found


@pytest.mark.parametrize("name", CASES)
def test_gated(name: str) -> None:
    text, expected = CASES[name]
    assert explored(text, Profile.GATED).failing() == keys(expected)


@pytest.mark.parametrize("name", EAGER)
def test_eager(name: str) -> None:
    assert explored(CASES[name][0], Profile.EAGER).failing() == keys(EAGER[name])


def test_every_rule_is_broken_somewhere_and_kept_somewhere() -> None:
    broken = {rule for _, expected in CASES.values() for rule, _ in keys(expected)}
    assert broken == set(RULES)


def test_bounds_of_the_automatic_machine() -> None:
    result = explored(AUTOMATIC, Profile.GATED)
    assert result.most_microsteps == 6
    assert result.terminals == {"done": 0}
    assert {(state, *store): depth for (state, store), depth in result.reachable.items()} == {
        ("a", 0): 0, ("b", 0): 0, ("a", 1): 0, ("b", 1): 0, ("a", 2): 0, ("b", 2): 0, ("done", 2): 0,
    }  # fmt: skip


def test_depths_of_the_line() -> None:
    result = explored(LINE, Profile.GATED)
    assert result.terminals == {"done": 2}
    shallow = {state: depth for (state, _), depth in sorted(result.reachable.items(), key=lambda item: -item[1])}
    assert shallow == {"ask": 0, "work": 1, "done": 2}


def test_the_stop_of_a_runaway_is_left_open() -> None:
    result = explored(COUNTLESS, Profile.GATED)
    assert result.verdict("FSM204", Subject(state="a")) is Verdict.UNSETTLED


def test_what_is_not_asked() -> None:
    result = explored(LOOP.replace("[ask, work]", "[ask]"), Profile.GATED)
    assert result.verdict("FSM503", Subject()) is Verdict.NOT_ASKED
    assert result.verdict("FSM501", Subject(state="ask")) is Verdict.NOT_ASKED


def test_an_integer_that_is_staged_and_computed_with_is_not_exhausted() -> None:
    text = RETRY.replace("tries: { type: integer, default: 0 }", "tries: { type: integer }").replace(
        "requires: [", "requires: [{ name: tries, from: { agent: ann } }, "
    )
    spec = load_valid(text)
    assert spec is not None
    result = explore(spec, Profile.GATED)
    assert not result.complete
    assert result.verdict("FSM301", Subject(state="attempt")) is Verdict.INCOMPLETE
