"""What is carried over to a spec whose guards were written differently: what a run without a cache finds as well."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path

import pytest

from fsmcheck.engines.agreement import Pair, Values, agree, values_met
from fsmcheck.engines.agreement_in_z3 import agree_in_z3
from fsmcheck.engines.explicit import Limits
from fsmcheck.obligations import cache, carry_over
from fsmcheck.obligations.cache import remembering
from fsmcheck.obligations.case import make_case
from fsmcheck.obligations.run import Outcome, run
from fsmcheck.obligations.skeleton import digests
from fsmcheck.reducer.replay import replay
from fsmcheck.reducer.trace import parse_trace
from fsmcheck.source import SourceFile
from fsmcheck.spec.load import load
from fsmcheck.spec.model import Spec
from fsmcheck.system import terms as t
from fsmcheck.system.system import Chooser, Input, Variable
from fsmcheck.system.terms import BOOL, INT, Sort, SortKind, Term
from tests.cache.edits import edited, guard_mutated, guard_rewritten
from tests.oracle.generate import generate, load_valid

GATE = """fsm:
  name: gate
  initialState: ask
  context:
    verdict: { type: enum, values: [good, bad, later] }
    urgent: { type: boolean, default: false }
    note: { type: string }
    tries: { type: list, of: string, default: [] }
  agents:
    judge: { canTransition: [ask, again] }
  states:
    ask:
      description: Decide.
      requires:
        - { name: verdict, from: { agent: judge } }
        - { name: note, from: { agent: judge } }
      exit:
        - append: { tries: "${context.note}" }
      transitions:
        - { toState: done, guards: [{ backend: cel, expression: "GUARD" }] }
        - { toState: again, guards: [{ backend: cel, expression: "OTHER" }], onTransition: [assign: { verdict: "" }] }
    again:
      requires:
        - { name: verdict, from: { agent: judge } }
      transitions:
        - { toState: ask, onTransition: [assign: { verdict: "" }] }
    done: { terminal: true }
"""
GUARD, OTHER = "context.verdict == 'good'", "context.verdict == 'bad' || context.verdict == 'later'"


def text(guard: str = GUARD, other: str = OTHER) -> str:
    return GATE.replace("GUARD", guard).replace("OTHER", other)


def spec_of(given: str) -> Spec:
    spec = load(SourceFile("a.yaml", given))[0].spec
    assert spec is not None
    return spec


def everything(_rule: str) -> bool:
    return True


def facts(outcome: Outcome) -> list[tuple[object, ...]]:
    return [
        (v.obligation, v.verdict, v.method, v.reason, v.vacuous, v.detail, None if v.trace is None else dict(v.trace))
        for v in outcome.verdicts
    ]


def carried(first: str, second: str, folder: Path, profile: str = "gated") -> bool:
    """Whether all that was found of the first text is carried over to the second, which must be what is found anew."""
    with remembering(folder) as memory:
        run(spec_of(first), profile, everything, None, memory=memory)
    with remembering(folder) as memory:
        after = run(spec_of(second), profile, everything, None, memory=memory)
    anew = run(spec_of(second), profile, everything, None)
    assert facts(after) == facts(anew)
    assert after.bounds == anew.bounds
    return len(after.recalled) == len(after.verdicts)


SAME = {
    "the same twice": ("context.verdict == 'good' || context.verdict == 'good'", OTHER),
    "by what it is not": ("context.verdict != 'bad' && context.verdict != 'later'", OTHER),
    "negated": (GUARD, "!(context.verdict == 'good')"),
    "in a list": (GUARD, "context.verdict in ['bad', 'later']"),
    "a choice": ("context.verdict == 'good' ? true : false", OTHER),
    "both": ("context.verdict in ['good']", "context.verdict in ['later', 'bad']"),
}
OTHERWISE = {
    "the other value": ("context.verdict == 'bad'", OTHER),
    "one value more": ("context.verdict != 'later'", OTHER),
    "never": ("context.verdict == 'good' && context.verdict == 'bad'", OTHER),
    "always": ("context.verdict == 'good' || context.verdict != 'good'", OTHER),
    "a gap between them": (GUARD, "context.verdict == 'bad'"),
}


@pytest.mark.parametrize("profile", ["gated", "eager"])
@pytest.mark.parametrize(("guard", "other"), SAME.values(), ids=SAME)
def test_guards_that_decide_the_same_keep_everything(guard: str, other: str, profile: str, tmp_path: Path) -> None:
    """An eager machine tries guards on the empty value, too, of which all that it is not is true."""
    differs = profile == "eager" and "!" in guard + other
    assert carried(text(), text(guard, other), tmp_path, profile) is not differs


@pytest.mark.parametrize("profile", ["gated", "eager"])
@pytest.mark.parametrize(("guard", "other"), OTHERWISE.values(), ids=OTHERWISE)
def test_guards_that_decide_otherwise_keep_nothing_whole(guard: str, other: str, profile: str, tmp_path: Path) -> None:
    assert not carried(text(), text(guard, other), tmp_path, profile)


def test_before_anything_is_staged_a_guard_of_an_eager_machine_is_evaluated_on_the_empty_value() -> None:
    """Hence the two are not the same there: '' is not 'bad', and not 'later' either."""
    assert "" not in ("no", "later")


OPEN = {
    "parts of a text": ("context.note.startsWith('a')", "context.note.startsWith('b')"),
    "a part and its end": ("context.note.contains('a')", "context.note.endsWith('a')"),
    "sizes": ("size(context.tries) < 3", "size(context.tries) <= 2"),
    "larger sizes": ("size(context.tries) < 3", "size(context.tries) < 4"),
    "elements": ("context.tries.exists(e, e == 'a')", "context.tries.exists(e, e == 'b')"),
    "another literal": ("context.note == 'a'", "context.note == 'b'"),
}


@pytest.mark.parametrize(("before", "after"), OPEN.values(), ids=OPEN)
def test_what_the_abstraction_leaves_open_is_never_taken_for_the_same(before: str, after: str, tmp_path: Path) -> None:
    """To the abstraction the first pairs are alike: a choice that it does not know."""
    assert not carried(text(before, "true"), text(after, "true"), tmp_path)


def test_beside_an_unchanged_guard_about_sizes(tmp_path: Path) -> None:
    bounded = "size(context.tries) < 3 && context.verdict != 'good'"
    assert carried(text(GUARD, bounded), text("!(context.verdict != 'good')", bounded), tmp_path)


@pytest.mark.parametrize(("default", "fails"), [("", True), (", default: false", False)])
def test_a_guard_that_may_fail_where_the_other_could_not_is_asked_about(
    default: str, fails: bool, tmp_path: Path
) -> None:
    """Null is not true, and both guards are false then; but only the second has no truth value, which is FSM304. It is
    null in ``ask`` until ``again`` has asked for it."""
    asked_later = "    again:\n      requires:\n        - { name: urgent, from: { agent: judge } }\n"
    before = (
        text("context.urgent == true", "!(context.urgent == true)")
        .replace("{ type: boolean, default: false }", f"{{ type: boolean{default} }}")
        .replace("    again:\n      requires:\n", asked_later)
    )
    after = before.replace('"context.urgent == true"', '"context.urgent"')
    assert before != after
    assert carried(before, after, tmp_path) is not fails
    found = {
        v.verdict for v in run(spec_of(after), "gated", everything, None).verdicts if v.obligation.rule == "FSM304"
    }
    assert ("violated" in found) is fails
    row = json.loads(json.dumps(carry_over.kept_for_later(make_case(spec_of(before), "gated", Limits()))))
    asked = carry_over._asked(row, {"ask": row["guards"]["ask"]}, spec_of(after), "gated")
    assert (asked is None) is fails  # whatever runs that are performed again would have shown


DESCRIBED = {
    "a description": ("description: Decide.", "description: Decide whether it is good enough."),
    "a name": ("name: gate", "name: door"),
    "a version": ("name: gate", "name: gate\n  version: 2"),
}


@pytest.mark.parametrize(("old", "new"), DESCRIBED.values(), ids=DESCRIBED)
def test_what_is_there_for_people_changes_nothing_but_the_identity_of_traces(
    old: str, new: str, tmp_path: Path
) -> None:
    assert carried(text(), text().replace(old, new, 1), tmp_path)


def test_a_description_that_mentions_a_field_counts_as_looking_at_it(tmp_path: Path) -> None:
    assert not carried(text(), text().replace("Decide.", "Decide on {{ context.note }}.", 1), tmp_path)


def test_traces_are_those_of_the_spec_as_it_is_now(tmp_path: Path) -> None:
    """Nobody empties ``note``, so that the second time ``ask`` is left an old one may be recorded: FSM404."""
    after = spec_of(text(*SAME["both"]))
    with remembering(tmp_path) as memory:
        run(spec_of(text()), "gated", everything, None, memory=memory)
    with remembering(tmp_path) as memory:
        found = run(after, "gated", everything, None, memory=memory)
    traces = [v.trace for v in found.verdicts if v.trace is not None]
    assert traces
    assert len(found.recalled) == len(found.verdicts)
    for trace in traces:
        assert replay(after, parse_trace(json.dumps(dict(trace)))) == []


def test_a_run_that_comes_out_otherwise_is_not_carried_over(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(carry_over.Reruns, "of", lambda *_: None)
    assert not carried(text(), text(*SAME["both"]), tmp_path)


def test_a_run_that_is_judged_otherwise_is_not_carried_over(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(carry_over, "violation_finder", lambda *_: lambda _run: None)
    assert not carried(text(), text(*SAME["both"]), tmp_path)


def test_nothing_is_carried_over_without_z3(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("fsmcheck.engines.agreement_in_z3.agree_in_z3", lambda *_: None)
    assert not carried(text(), text(*SAME["both"]), tmp_path)


@pytest.mark.parametrize(
    "damage",
    [
        lambda row: {},
        lambda row: {**row, "guards": {}},
        lambda row: {**row, "guards": [1]},
        lambda row: {**row, "width": 0},
        lambda row: {**row, "width": -1},
        lambda row: {**row, "members": {}},
        lambda row: {**row, "width": row["width"] + 1},
        lambda row: {**row, "members": {"ask": "no such thing"}},
        lambda row: {**row, "members": {"ask": 7}},
        lambda row: {**row, "variables": "other"},
        lambda row: {**row, "whole": "missing"},
    ],
)
def test_damaged_rows_are_no_answer(damage: object, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    get = cache.Store.get

    def damaged(self: cache.Store, kind: str, key: str) -> object | None:
        row = get(self, kind, key)
        return damage(row) if kind == "search" and row is not None else row  # type: ignore[operator]

    monkeypatch.setattr(cache.Store, "get", damaged)
    assert not carried(text(), text(*SAME["both"]), tmp_path)


@pytest.mark.parametrize("seed", range(12))
def test_small_changes_to_guards_of_generated_specs(seed: int, tmp_path: Path) -> None:
    spec = load_valid(generate(seed))
    assert spec is not None
    profile = ("gated", "eager")[seed % 2]
    for edit in (guard_rewritten, guard_mutated):
        after = edited(spec, edit, seed)
        if after is not None:
            carried(spec.source.text, after, tmp_path / edit.__name__, profile)


def test_some_generated_specs_keep_everything(tmp_path: Path) -> None:
    specs = [spec for seed in range(24) if (spec := load_valid(generate(seed))) is not None]
    pairs = [(spec.source.text, after) for spec in specs if (after := edited(spec, guard_rewritten, 3)) is not None]
    found = [carried(before, after, tmp_path / str(number)) for number, (before, after) in enumerate(pairs[:8])]
    assert sum(found) > 2


SKELETONS: Mapping[str, tuple[str, str]] = {
    "a target": ("toState: again", "toState: done"),
    "an action": ('"${context.note}"', "\"${context.note + '!'}\""),
    "an entry": ("    again:\n", "    again:\n      entry: [assign: { urgent: true }]\n"),
    "an exit": ("    again:\n", "    again:\n      exit: [assign: { urgent: true }]\n"),
    "a state's name": ("    done: {", "    over: {"),
    "a further guard": ("'good'\" }]", '\'good\'" }, { backend: cel, expression: "true" }]'),
    "a backend": ("backend: jq, expression: x", "backend: yq, expression: x"),
    "the text of an opaque guard": ("backend: jq, expression: x", "backend: jq, expression: y"),
    "a requirement": ("        - { name: note, from: { agent: judge } }\n", ""),
    "an agent": ("[ask, again]", "[ask]"),
    "a default": ("default: false", "default: true"),
    "a value": ("[good, bad, later]", "[good, bad, later, never]"),
    "the start": ("initialState: ask", "initialState: again"),
    "a cap": ("    done: { terminal: true }", "    done: { terminal: true }\n  policy: { maxIterations: 3 }"),
    "an opaque guard": ("backend: cel, expression: \"context.verdict == 'good'\"", "backend: jq, expression: x"),
    "another field in a guard": ("context.verdict == 'good'", "context.urgent"),
}


@pytest.mark.parametrize(("old", "new"), SKELETONS.values(), ids=SKELETONS)
def test_what_else_is_said_makes_another_skeleton(old: str, new: str) -> None:
    whole = text(GUARD, "true").replace('"true" }]', '"true" }, { backend: jq, expression: x }]')
    assert old in whole
    one, other = (digests(spec_of(each), "gated", Limits()).skeleton for each in (whole, whole.replace(old, new)))
    assert one != other


def test_profiles_and_limits_make_other_skeletons() -> None:
    spec = spec_of(text())
    asked = (("gated", Limits()), ("eager", Limits()), ("gated", Limits(3)))
    assert len({digests(spec, *each).skeleton for each in asked}) == 3


COLOUR = Sort(SortKind.FINITE, "colour", ("red", "green", "blue"))
C, B = t.var("c", COLOUR), t.var("b", BOOL)
DECLARED = (Variable("c", COLOUR), Variable("n", INT), Variable("b", BOOL))
CHOICE = Input("i", COLOUR, Chooser.AGENT, (1, 2))


def is_(index: int, term: Term = C) -> Term:
    return t.eq(term, t.label(COLOUR, index))


@pytest.mark.parametrize(
    ("left", "right", "rows", "same"),
    [
        (is_(0), t.not_(is_(1)), {(0, 9, 1), (1, 9, 1)}, True),
        (is_(0), t.not_(is_(1)), {(0, 9, 1), (2, 9, 1)}, False),
        (t.and_(B, is_(0)), t.FALSE, {(1, 0, 1), (0, 5, 0)}, True),
        (t.and_(B, is_(0)), t.FALSE, {(1, 0, 1), (0, 5, 1)}, False),
        (is_(0), t.TRUE, set(), True),
        (t.or_(is_(1), is_(0)), is_(0, t.ite(B, C, t.label(COLOUR, 0))), {(0, 0, 0), (1, 0, 0), (0, 0, 1)}, True),
        (t.or_(is_(1), is_(0)), is_(0, t.ite(B, C, t.label(COLOUR, 0))), {(1, 0, 1)}, False),
        (is_(0, t.var("i", COLOUR)), t.FALSE, {(0, 0, 0)}, True),
        (is_(2, t.var("i", COLOUR)), t.FALSE, {(0, 0, 0)}, False),
    ],
)
def test_terms_agree_where_both_engines_say_so(left: Term, right: Term, rows: set[tuple[int, ...]], same: bool) -> None:
    pair = Pair(left, right, (CHOICE,))
    met = values_met(pair, DECLARED, rows)
    assert pair.is_exact
    assert agree(pair, met) is same
    assert agree_in_z3([(pair, met)], DECLARED) is same


def test_one_pair_that_differs_is_enough() -> None:
    good, bad = Pair(is_(0), is_(0)), Pair(is_(0), is_(1))
    met = Values(("c",), ((0,),))
    assert agree_in_z3([(good, met)], DECLARED) is True
    assert agree_in_z3([(good, met), (bad, met)], DECLARED) is False


COUNT = t.lt(t.var("n", INT), t.integer(3))


@pytest.mark.parametrize(
    ("left", "right", "same", "for_z3"),
    [
        (COUNT, t.TRUE, None, False),
        (COUNT, COUNT, None, True),
        (t.and_(is_(0), COUNT, is_(1)), t.FALSE, True, True),
        (t.or_(is_(0), COUNT), t.TRUE, True, True),
        (t.or_(is_(1), COUNT), t.FALSE, None, False),
        (t.ite(COUNT, is_(0), t.not_(is_(1))), is_(0), True, True),
        (t.ite(COUNT, is_(0), is_(1)), is_(0), None, False),
        (t.not_(COUNT), t.lt(t.integer(2), t.var("n", INT)), None, True),
    ],
)
def test_what_hangs_on_an_integer_has_no_value(left: Term, right: Term, same: bool | None, for_z3: bool) -> None:
    pair = Pair(left, right)
    met = values_met(pair, DECLARED, {(0, 2, 0), (0, 7, 1)})
    assert agree(pair, met) is same
    assert agree_in_z3([(pair, met)], DECLARED) is for_z3


def test_choices_of_the_abstraction_are_not_exact() -> None:
    unknown = Input("u", BOOL, Chooser.ABSTRACTION)
    assert not Pair(t.var("u", BOOL), t.TRUE, (unknown,)).is_exact
    assert Pair(B, t.TRUE, (unknown,)).is_exact
