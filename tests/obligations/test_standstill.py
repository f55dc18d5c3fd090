"""Verdicts on machines that turn in a circle inside one advance, where the first search admits what no run does."""

from __future__ import annotations

import pytest

from fsmcheck.diagnostics import Subject
from fsmcheck.engines import induction
from fsmcheck.engines.disagreement import DisagreementError
from fsmcheck.engines.induction import Checked
from fsmcheck.obligations import standstill
from fsmcheck.obligations.case import Case
from fsmcheck.obligations.obligation import Verdict
from fsmcheck.obligations.run import Outcome, run
from fsmcheck.system.standstill import MOST_FOLLOWED
from tests.oracle import brute
from tests.oracle.compare import Tally, compare
from tests.oracle.generate import load_valid
from tests.oracle.machine import Profile
from tests.oracle.product import complaints_of, reachable_of, verdicts_of
from tests.oracle.turning import turning
from tests.system.test_standstill import EXITS, TWO

ALONE = """fsm:
  name: alone
  initialState: plan
  context:
    verdict: { type: enum, values: [again, good] }
  agents:
    planner: { canTransition: [plan] }
  states:
    plan:
      requires: [{ name: verdict, from: { agent: planner } }]
      transitions:
        - { toState: done, guards: [{ backend: cel, expression: "context.verdict == 'good'" }] }
        - { toState: plan, guards: [{ backend: cel, expression: "context.verdict == 'again'" }] }
    done: { terminal: true }
"""
"""The verdict that is not consumed leads back to where the advance began: no progress, before it could fire again."""

HIDDEN = """fsm:
  name: hidden
  initialState: ask
  context:
    word: { type: enum, values: [x, y] }
    kept: { type: enum, values: [x, y], default: x }
    note: { type: string }
  agents:
    ann: { canTransition: [ask] }
  states:
    ask:
      requires: [{ name: note, from: { agent: ann } }, { name: word, from: { agent: ann } }]
      transitions:
        - toState: ask
          guards: [{ backend: cel, expression: "context.kept == context.word" }]
          onTransition: [assign: { note: "${context.word}" }]
        - { toState: done }
    done: { terminal: true }
"""
"""With the note ``x`` the way round changes nothing, and that is the end; the search comes to it first. Any other note
is overwritten, and the way is taken again, on the word of the visit before."""

UNREAD = """fsm:
  name: unread
  initialState: plan
  context:
    items: { type: list, of: string }
    mark: { type: string, default: "items item 1" }
  agents:
    ann: { canTransition: [plan] }
  states:
    plan:
      requires: [{ name: items, from: { agent: ann } }]
      transitions:
        - { toState: plan, onTransition: [assign: { mark: "${context.items[0]}" }] }
    done: { terminal: true }
"""
"""Nothing reads the mark. Yet where the first item is another, it changes, and the state is left again."""

MANY = """fsm:
  name: many
  initialState: ask
  context:
    word: { type: enum, values: [x, y] }
    kept: { type: enum, values: [x, y], default: x }
    go: { type: enum, values: [x, y] }
    note: { type: string }
  agents:
    ann: { canTransition: [ask, rest] }
  states:
    ask:
      requires: [{ name: word, from: { agent: ann } }]
      transitions:
        - { toState: done, guards: [{ backend: cel, expression: "context.word == 'y'" }] }
        - { toState: turn, onTransition: [assign: { kept: "${context.word}" }] }
    turn:
      transitions:
        - { toState: ask, guards: [{ backend: cel, expression: "context.go == 'x'" }] }
        - { toState: aside }
    aside:
      transitions:
        - { toState: turn, guards: [{ backend: cel, expression: "context.note == ''" }] }
        - { toState: rest }
    rest:
      requires: [{ name: note, from: { agent: ann } }]
      transitions: [{ toState: s0 }]
"""
"""With the word ``x`` the run comes back to where it asked, and that is its end there; it is asked for no more where
too many states would have to be followed."""


def many(beside: int) -> str:
    """The spec, with so many states beside that are perhaps come back to without a change."""
    states = "".join(
        f"    s{number}:\n"
        "      transitions:\n"
        "        - { toState: done, guards: [{ backend: cel, expression: \"context.go == 'x'\" }] }\n"
        f"        - {{ toState: {f's{number + 1}' if number + 1 < beside else 'rest'},"
        ' onTransition: [assign: { kept: "${context.word}" }] }\n'
        for number in range(beside)
    )
    return f"{MANY}{states}    done: {{ terminal: true }}\n"


def decided(text: str, profile: str, *rules: str) -> Outcome:
    """The verdicts of some rules, of all where none is named."""
    spec = load_valid(text)
    assert spec is not None
    return run(spec, profile, lambda rule: not rules or rule in rules, None)


def of(outcome: Outcome, rule: str) -> dict[str | None, Verdict]:
    return {v.obligation.subject.state: v for v in outcome.verdicts if v.obligation.rule == rule}


def brute_force(text: str, rule: str) -> set[Subject]:
    spec = load_valid(text)
    assert spec is not None
    return {subject for name, subject in brute.explore(spec, Profile.GATED).failing() if name == rule}


def test_what_makes_no_progress_does_not_fire_again() -> None:
    outcome = decided(ALONE, "gated")
    assert all(v.verdict != "unknown" for v in outcome.verdicts)
    for rule in ("FSM401", "FSM403"):
        assert (of(outcome, rule)["plan"].verdict, of(outcome, rule)["plan"].method) == ("proved", "explicit+induction")
    assert {v.obligation.rule for v in outcome.verdicts if v.verdict == "violated"} == {"FSM204", "FSM502"}


def test_where_the_store_is_the_same_again_the_second_state_is_not_left_twice() -> None:
    """Subjects of FSM204 are states where a run rests: it never does at ``plan`` without a way on."""
    outcome = decided(TWO.replace("EXIT", EXITS["nothing"][0]), "gated")
    assert all(v.verdict != "unknown" for v in outcome.verdicts)
    found = {state: v.verdict for state, v in of(outcome, "FSM401").items()}
    assert found == {"plan": "violated", "execute": "proved"}
    assert {state: v.verdict for state, v in of(outcome, "FSM204").items()}["plan"] == "proved"


@pytest.mark.parametrize("case", ["a list that grows", "two texts change places"])
def test_where_it_is_not_it_is(case: str) -> None:
    outcome = decided(TWO.replace("EXIT", EXITS[case][0]), "gated")
    assert {state: v.verdict for state, v in of(outcome, "FSM401").items()} == {
        "plan": "violated",
        "execute": "violated",
    }


def test_a_run_is_found_behind_the_end_of_a_shorter_one(monkeypatch: pytest.MonkeyPatch) -> None:
    trigger = Subject(state="ask", transition=0, field="word")

    def verdict() -> Verdict:
        found = decided(HIDDEN, "gated").verdicts
        return next(v for v in found if (v.obligation.rule, v.obligation.subject) == ("FSM403", trigger))

    found = verdict()
    assert found.verdict == "violated"
    assert found.trace is not None
    (step,) = (step for step in found.trace["steps"] if step["advance"]["microsteps"])
    assert len(step["advance"]["microsteps"]) == 2
    monkeypatch.setattr(standstill, "with_standstill", lambda *_: None)
    assert verdict().verdict == "unknown"


@pytest.mark.parametrize("rules", [(), ("FSM401",)])
def test_what_nothing_reads_is_part_of_the_store(rules: tuple[str, ...]) -> None:
    assert brute_force(UNREAD, "FSM401") == {Subject(state="plan")}
    assert of(decided(UNREAD, "gated", *rules), "FSM401")["plan"].verdict != "proved"


@pytest.mark.parametrize("beside", [1, MOST_FOLLOWED])
def test_where_too_many_states_would_be_followed_a_run_ends_where_it_does(
    beside: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert Subject(state="ask") in brute_force(many(beside), "FSM204")
    assert of(decided(many(beside), "gated", "FSM204"), "FSM204")["ask"].verdict == "violated"
    monkeypatch.setattr(Case, "show", lambda *_: None)
    assert of(decided(many(beside), "gated", "FSM204"), "FSM204")["ask"].verdict == "unknown"


def test_z3_has_the_second_word(monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[object] = []
    check = induction.check_induction

    def refuting(system: object, *rest: object, **options: object) -> Checked:
        names = {variable.name for variable in system.variables}  # type: ignore[attr-defined]
        if "!reached[plan]" not in names:
            return check(system, *rest, **options)  # type: ignore[arg-type]
        asked.append(system)
        return Checked(False, "for once")

    monkeypatch.setattr(induction, "check_induction", refuting)
    with pytest.raises(DisagreementError, match="for once"):
        decided(ALONE, "gated")
    assert asked


@pytest.mark.parametrize("first", range(500, 580, 20))
def test_brute_force_agrees(first: int) -> None:
    tally = Tally()
    for seed in range(first, first + 20):
        spec = load_valid(turning(seed))
        assert spec is not None
        for profile in Profile:
            compare(spec, profile, tally, verdicts_of, reachable_of, seed, complaints_of if seed % 10 == 3 else None)
    assert not tally.failures, "\n".join(map(str, tally.failures[:20]))
