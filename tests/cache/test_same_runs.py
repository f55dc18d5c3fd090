"""Guards that decide the same, of specs whose searches or runs a check without a cache would make otherwise."""

from __future__ import annotations

from pathlib import Path

import pytest

from fsmcheck.engines.explicit import Limits
from fsmcheck.obligations import carry_over, recheck
from fsmcheck.obligations.cache import Recall, remembering
from fsmcheck.obligations.case import make_case
from fsmcheck.obligations.kept_search import kept_members, members_of
from fsmcheck.obligations.run import run
from fsmcheck.obligations.same_guards import Asked, Before, decide_the_same, variables_digest
from tests.cache.test_carry_over import SAME, carried, everything, spec_of, text
from tests.cache.test_recall import compared

COUNTED = """fsm:
  name: counted
  initialState: ask
  context:
    kind: { type: enum, values: [a, b] }
    count: { type: integer }
    depth: { type: integer, default: 1 }
  agents:
    who: { canTransition: [ask, again] }
  states:
    ask:
      requires: [{ name: kind, from: { agent: who } }, { name: count, from: { agent: who } }]
      transitions:
        - { toState: done, guards: [{ backend: cel, expression: "GUARD" }] }
        - { toState: again, onTransition: [assign: { kind: "" }] }
    again:
      requires: [{ name: kind, from: { agent: who } }, { name: count, from: { agent: who } }]
      transitions:
        - toState: ask
          guards: [{ backend: cel, expression: "context.count < 0" }]
          onTransition: [assign: { kind: "" }]
        - { toState: done }
    done: { terminal: true }
"""
IMPOSSIBLE = "(context.count > %s && context.kind == 'a' && context.kind == 'b') || context.kind == 'a'"


NEVER = "context.kind == 'a' && context.kind == 'b'"


def counted(limit: str) -> str:
    return COUNTED.replace("GUARD", IMPOSSIBLE % limit)


@pytest.mark.parametrize(("limit", "other"), [("700", "-700"), ("2", "-3"), ("0", "5")])
def test_integers_that_are_compared_otherwise_are_cut_otherwise(limit: str, other: str, tmp_path: Path) -> None:
    """Nothing hangs on the comparison, but the run that comes to ``again`` brings the first integer of an interval."""
    assert not carried(counted(limit), counted(other), tmp_path)


def test_the_same_literals_cut_another_field_where_they_are_compared_with_it(tmp_path: Path) -> None:
    one, other = (
        f"(context.{left} > -700 && context.{right} > 5 && {NEVER}) || context.kind == 'a'"
        for left, right in (("depth", "count"), ("count", "depth"))
    )
    assert not carried(COUNTED.replace("GUARD", one), COUNTED.replace("GUARD", other), tmp_path)


def test_integers_that_are_compared_alike_are_no_hindrance(tmp_path: Path) -> None:
    once, twice = "context.kind == 'a' && context.kind == 'b'", "context.kind == 'b' && context.kind == 'a'"
    assert once in counted("2")
    assert carried(counted("2"), counted("2").replace(once, twice), tmp_path)


FLAGGED = """fsm:
  name: flagged
  initialState: ask
  context:
    kind: { type: enum, values: [a, b] }
    flag: { type: boolean }
  agents:
    who: { canTransition: [ask, again] }
  states:
    ask:
      requires: [{ name: kind, from: { agent: who } }, { name: flag, from: { agent: who } }]
      transitions:
        - { toState: done, guards: [{ backend: cel, expression: "GUARD" }] }
        - { toState: again, onTransition: [assign: { kind: "" }] }
    again:
      requires: [{ name: kind, from: { agent: who } }]
      transitions:
        - toState: ask
          guards: [{ backend: cel, expression: "context.kind == 'b'" }]
          onTransition: [assign: { kind: "" }]
        - { toState: done }
    done: { terminal: true }
"""
ANY_FLAG = ("(context.flag == true || context.flag == false)", "(context.flag || !context.flag)")
NO_FLAG = ("context.flag == context.flag", "(context.flag || true)")


@pytest.mark.parametrize("first", ANY_FLAG)
@pytest.mark.parametrize("second", NO_FLAG)
def test_a_value_that_nothing_looks_at_is_sliced_away(first: str, second: str, tmp_path: Path) -> None:
    """The run without end is looked for in the slice of the machine, which may do without the flag: there any will
    do, while the first of both is false."""
    before, after = (FLAGGED.replace("GUARD", f"context.kind == 'a' && {each}") for each in (first, second))
    assert not carried(before, after, tmp_path / "one")
    assert not carried(after, before, tmp_path / "other")


DRAWN = """fsm:
  name: drawn
  initialState: ask
  context:
    kind: { type: enum, values: [alpha, beta, gamma] }
    note: { type: string }
  agents:
    who: { canTransition: [ask, look, settled] }
  states:
    ask:
      requires: [{ name: kind, from: { agent: who } }]
      transitions:
        - { toState: look, guards: [{ backend: cel, expression: "GUARD" }] }
        - { toState: done }
    look:
      requires: [{ name: note, from: { agent: who } }]
      transitions:
        - { toState: settled, guards: [{ backend: cel, expression: "context.note.endsWith('eta')" }] }
        - { toState: done }
    settled:
      requires: [{ name: kind, from: { agent: who } }]
      transitions:
        - { toState: done }
    done: { terminal: true }
"""
DRAWN_ALIKE = ("context.kind in ['gamma', 'beta']", "context.kind in ['beta', 'gamma']")
MORE_TO_DRAW = "context.kind in ['gamma', 'beta'] && 'zeta' != 'theta'"


def drawn(guard: str) -> str:
    return DRAWN.replace("GUARD", guard)


def test_values_that_are_drawn_from_other_literals_make_other_runs(tmp_path: Path) -> None:
    """``settled`` is complete when it is entered, which takes a note that ends so: drawn from all literals."""
    assert not carried(drawn(DRAWN_ALIKE[0]), drawn(MORE_TO_DRAW), tmp_path)


def test_values_that_are_drawn_from_the_same_literals_make_the_same_runs(tmp_path: Path) -> None:
    """Values of an enum are not drawn, and the order in which literals stand does not matter."""
    assert carried(*map(drawn, DRAWN_ALIKE), tmp_path)


OVERLAPPING = text("context.verdict != 'later'", "context.verdict != 'good'")
OVERLAPPING_ALIKE = text("context.verdict in ['bad', 'good']", "context.verdict in ['later', 'bad']")


def test_an_overlap_is_judged_again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert carried(OVERLAPPING, OVERLAPPING_ALIKE, tmp_path / "judged so")
    monkeypatch.setattr(carry_over, "overlap_finder", lambda *_: lambda _run: None)
    assert not carried(OVERLAPPING, OVERLAPPING_ALIKE, tmp_path / "judged otherwise")


def test_a_search_that_z3_did_not_confirm_is_not_carried_over(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(recheck, "holds", lambda *_: False)
    assert not carried(text(), text(*SAME["both"]), tmp_path)


READ = """fsm:
  name: read
  initialState: look
  context:
    note: { type: string }
    kind: { type: enum, values: [a, b] }
  agents:
    who: { canTransition: [look] }
  states:
    look:
      requires: [{ name: note, from: { agent: who } }, { name: kind, from: { agent: who } }]
      transitions:
        - { toState: done, guards: [{ backend: cel, expression: "GUARD" }] }
        - { toState: end }
    done: { terminal: true }
    end: { terminal: true }
"""
LEFT_OPEN = {
    "the other end": ("context.note.startsWith('a')", "context.note.endsWith('a')"),
    "anywhere": ("context.note.contains('a')", "context.note.endsWith('a')"),
    "not there": ("context.note.contains('a')", "!context.note.contains('a')"),
    "with more": (
        "context.note.contains('a') && context.kind == 'a'",
        "context.note.endsWith('a') && context.kind == 'a'",
    ),
}


@pytest.mark.parametrize(("before", "after"), LEFT_OPEN.values(), ids=LEFT_OPEN)
def test_choices_that_the_abstraction_leaves_open_have_the_same_names(before: str, after: str, tmp_path: Path) -> None:
    """All is settled, literals and runs are the same; only what the choices stand for is not."""
    found = run(spec_of(READ.replace("GUARD", before)), "gated", everything, None)
    assert all(each.verdict != "unknown" for each in found.verdicts)
    assert not carried(*(READ.replace("GUARD", each) for each in (before, after)), tmp_path)


LOOKED_FOR = """fsm:
  name: looked-for
  initialState: look
  context:
    count: { type: integer }
    note: { type: string }
    other: { type: string }
  agents:
    who: { canTransition: [look, later] }
  states:
    look:
      requires: [{ name: note, from: { agent: who } }, { name: count, from: { agent: who } }]
      transitions:
        - toState: later
          guards:
            - backend: cel
              expression: "context.count > 3 && context.note.contains('q1') && context.note.contains('z9')"
        - { toState: end, guards: [{ backend: cel, expression: "context.count * context.count == 1000007" }] }
        - { toState: done }
    later:
      requires: [{ name: other, from: { agent: who } }]
      transitions:
        - { toState: done, guards: [{ backend: cel, expression: "context.other.contains('SOUGHT')" }] }
        - { toState: end }
    done: { terminal: true }
    end: { terminal: true }
"""


def test_a_run_that_literals_elsewhere_led_to_shows_nothing_once_they_are_gone(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """With ``q1z9`` among the literals a note is drawn that has both parts; without it none is. Z3 is asked about the
    square, and the proofs of that state are recalled."""
    asked: list[str] = []
    proof = Recall.proof

    def noted(self: Recall, *about: object) -> object:
        asked.append("")
        return proof(self, *about)  # type: ignore[arg-type]

    monkeypatch.setattr(Recall, "proof", noted)
    compared([LOOKED_FOR.replace("SOUGHT", each) for each in ("q1z9", "other")], tmp_path)
    assert asked


TWICE = """fsm:
  name: twice
  initialState: first
  context:
    one: { type: enum, values: [a, b, c] }
    other: { type: enum, values: [a, b, c] }
    flag: { type: boolean, default: false }
    items: { type: list, of: string, default: [] }
  agents:
    who: { canTransition: [first, second] }
  states:
    first:
      requires: [{ name: one, from: { agent: who } }]
      transitions:
        - { toState: second, guards: [{ backend: cel, expression: "context.one != 'c'" }] }
        - { toState: done }
    second:
      requires: [{ name: other, from: { agent: who } }]
      entry: [append: { items: "${context.one}" }]
      transitions:
        - { toState: done, guards: [{ backend: cel, expression: "FIRST" }] }
        - { toState: end, guards: [{ backend: cel, expression: "SECOND" }] }
        - { toState: done }
    apart:
      requires: [{ name: other, from: { agent: who } }]
      transitions:
        - { toState: done, guards: [{ backend: cel, expression: "APART" }] }
        - { toState: end }
    done: { terminal: true }
    end: { terminal: true }
"""


def twice(first: str = "context.one == 'a'", second: str = "context.other == 'a'", apart: str = "true") -> str:
    return TWICE.replace("FIRST", first).replace("SECOND", second).replace("APART", apart)


def decided(before: str, after: str, *states: str) -> Asked | None:
    """Whether the guards of some states decide the same, with what a search of the first text reaches, state by state
    in this order."""
    case = make_case(spec_of(before), "gated", Limits())
    variables = case.whole.system.variables
    kept = kept_members(case.whole)
    members = {name: members_of(kept, name, len(variables)) for name in states}
    old = Before(case.spec, variables_digest(variables), members)
    return decide_the_same(old, spec_of(after), "gated", frozenset(states))


ONLY_A_OR_B = [
    ("context.one == 'a'", "context.one != 'b'", True),
    ("context.one == 'a'", "context.one == 'b'", False),
    ("context.other == 'a'", "context.other != 'b'", False),
]


@pytest.mark.parametrize(("before", "after", "same"), ONLY_A_OR_B)
def test_values_are_those_with_which_the_state_is_evaluated(
    before: str, after: str, same: bool, tmp_path: Path
) -> None:
    """``c`` does not come to the second state as the one value, but it does as the other."""
    assert carried(twice(before), twice(after), tmp_path) is same


FIRST = "context.one != 'c'"
BOTH_CHANGED = [("context.one in ['b', 'a']", True), ("context.one in ['c', 'b', 'a']", False)]


@pytest.mark.parametrize(("guard", "same"), BOTH_CHANGED)
def test_each_of_two_states_has_values_of_its_own(guard: str, same: bool, tmp_path: Path) -> None:
    """Both are changed; the first is evaluated with ``c``, the second is not."""
    before = twice("context.one == 'a'")
    assert before.count(FIRST) == 1
    after = twice("context.one != 'b'").replace(FIRST, guard)
    assert carried(before, after, tmp_path) is same
    for states in (("first", "second"), ("second", "first")):
        assert (decided(before, after, *states) is not None) is same


def test_guards_that_are_not_tried_may_overlap(tmp_path: Path) -> None:
    """The same steps are taken, since the earlier guard comes first; but now both hold with ``bad``."""
    before = text("context.verdict != 'later'", "context.verdict == 'later'")
    after = text("context.verdict != 'later'", "context.verdict != 'good'")
    assert not carried(before, after, tmp_path)


DIFFERENT = ("context.one == 'a'", "context.one == 'b'")


def test_two_have_to_say_that_guards_decide_the_same(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with monkeypatch.context() as patch:
        patch.setattr("fsmcheck.engines.agreement_in_z3.agree_in_z3", lambda *_: True)
        assert not carried(*map(twice, DIFFERENT), tmp_path / "one")
    for answer in (True, None):
        monkeypatch.setattr("fsmcheck.obligations.same_guards.agree", lambda *_, said=answer: said)
        assert not carried(*map(twice, DIFFERENT), tmp_path / f"other {answer}")


def test_what_is_not_known_to_be_the_same_is_not(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("fsmcheck.obligations.same_guards.agree", lambda *_: None)
    assert not carried(*map(twice, NEITHER_FAILS), tmp_path)


def test_only_what_both_have_in_common_is_left_out_of_the_comparison() -> None:
    """Without what they say of sizes the two would be alike; with three elements and ``bad`` only one holds."""
    few = "size(context.tries) < 3"
    before = f"{few} && context.verdict != 'good'"
    after = f"({few} || context.verdict == 'bad') && context.verdict != 'good'"
    assert decided(text(other=before), text(other=before), "ask") == Asked()
    assert decided(text(other=before), text(other=after), "ask") is None


def test_why_a_transition_is_dead_is_said_anew(tmp_path: Path) -> None:
    """No run brings ``c`` there; and nothing is both."""
    never, nothing = "context.one == 'c' && context.one != 'a'", "context.one == 'c' && context.one == 'a'"
    assert decided(twice(never), twice(nothing), "second") is not None
    assert not carried(twice(never), twice(nothing), tmp_path)


NEITHER_FAILS = ("context.one == 'a'", "context.one == 'a' && context.one != 'b'")


def test_whether_a_guard_fails_is_asked_or_not_as_it_is_written(tmp_path: Path) -> None:
    """Of a conjunction it is asked, though neither part can fail."""
    plain, joined = (twice(each) for each in NEITHER_FAILS)
    asked = [{each.obligation.id for each in run(spec_of(each), "gated", everything, None).verdicts} for each in (
        plain, joined)]  # fmt: skip
    assert asked[1] - asked[0] == {"FSM304:second/0:gated"}
    assert carried(plain, joined, tmp_path / "more")
    assert carried(joined, plain, tmp_path / "less")


def test_nothing_is_asked_of_guards_that_fail_where_the_rule_is_not_wanted(tmp_path: Path) -> None:
    def wants(rule: str) -> bool:
        return rule in {"FSM203", "FSM303"}

    found = []
    for each in NEITHER_FAILS:
        with remembering(tmp_path) as memory:
            found.append(run(spec_of(twice(each)), "gated", wants, None, memory=memory))
    assert len(found[1].recalled) == len(found[1].verdicts)
    assert {each.obligation.rule for each in found[1].verdicts} == {"FSM203", "FSM303"}


def test_that_a_guard_does_not_fail_takes_a_search_that_z3_confirmed(tmp_path: Path) -> None:
    """Where the first check had nothing to confirm, nothing new is said to be."""

    def wants(rule: str) -> bool:
        return rule in {"FSM303", "FSM304"}

    found = []
    for each in NEITHER_FAILS:
        with remembering(tmp_path) as memory:
            found.append(run(spec_of(twice(each)), "gated", wants, None, memory=memory))
    assert {each.obligation.rule for each in found[0].verdicts} == {"FSM303"}
    assert {each.method for each in found[0].verdicts} == {"witness"}
    assert not found[1].recalled


def test_rules_that_were_not_wanted_are_not_carried_over(tmp_path: Path) -> None:
    with remembering(tmp_path) as memory:
        run(spec_of(twice(NEITHER_FAILS[0])), "gated", lambda rule: rule == "FSM203", None, memory=memory)
    with remembering(tmp_path) as memory:
        assert not run(spec_of(twice("'a' == context.one")), "gated", everything, None, memory=memory).recalled


def test_of_a_state_that_is_never_entered_other_things_are_said(tmp_path: Path) -> None:
    """The dead way to ``apart`` makes it one that the graph has; what is asked of its guards holds of no run."""
    dead = "        - { toState: apart, guards: [{ backend: cel, expression: \"context.one == 'c'\" }] }\n"
    last = "        - { toState: done }\n    apart"
    way = twice(apart="APART").replace(last, dead + last)
    before, after = (way.replace("APART", each.replace("one", "other")) for each in NEITHER_FAILS)
    assert dead in before
    assert not carried(before, after, tmp_path)


STALE = text(*SAME["both"])


def test_a_violation_is_to_be_told_in_the_same_words(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    finder = carry_over.violation_finder

    def other(*about: object) -> object:
        find = finder(*about)  # type: ignore[arg-type]

        def found(made: tuple[object, ...]) -> object:
            at = find(made)  # type: ignore[arg-type]
            return None if at is None else (at[0], {**at[1], "reason": "another"})

        return found

    monkeypatch.setattr(carry_over, "violation_finder", other)
    assert not carried(text(), STALE, tmp_path)


def test_a_violation_is_to_be_found_where_the_run_ends(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    finder = carry_over.violation_finder

    def earlier(*about: object) -> object:
        find = finder(*about)  # type: ignore[arg-type]

        def found(made: tuple[object, ...]) -> object:
            at = find(made)  # type: ignore[arg-type]
            return None if at is None else (at[0] - 1, at[1])

        return found

    monkeypatch.setattr(carry_over, "violation_finder", earlier)
    assert not carried(text(), STALE, tmp_path)


def test_a_search_that_was_cut_off_is_not_kept(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Slices settle all of it."""
    monkeypatch.setattr("fsmcheck.obligations.case.WHOLE", 2)
    before, after = text("context.verdict == 'good'", "true"), text("context.verdict in ['good']", "true")
    found = run(spec_of(before), "gated", everything, None)
    assert all(each.verdict != "unknown" for each in found.verdicts)
    assert not carried(before, after, tmp_path)
