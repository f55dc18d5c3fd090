"""The guard matrix on specs small enough to work it out by hand (semantics of guards, profiles and document order)."""

from __future__ import annotations

from collections.abc import Mapping

import pytest

from fsmcheck.outline import GuardMatrix, MatrixColumn, Outline
from fsmcheck.outlining import classes, matrix
from fsmcheck.outlining.build import build
from fsmcheck.reducer.configuration import Profile
from fsmcheck.source import SourceFile
from fsmcheck.spec.load import load

HEAD = "fsm:\n  name: m\n  initialState: s\n  agents: { w: { canTransition: [s] } }\n"


def outline(context: str, state: str, profile: Profile = "gated") -> Outline:
    ends = "    t: { terminal: true }\n    u: { terminal: true }\n"
    text = f"{HEAD}  context: {{ {context} }}\n  states:\n    s: {{ {state} }}\n{ends}"
    (document,) = load(SourceFile("m.yaml", text))
    assert document.spec is not None
    assert document.is_whole
    return build(document.spec, profile)


def guarded(*pairs: tuple[str, str]) -> str:
    guards = (f'{{ toState: {to}, guards: [{{ backend: cel, expression: "{text}" }}] }}' for to, text in pairs)
    return f"transitions: [{', '.join(guards)}]"


def of_s(context: str, state: str, profile: Profile = "gated") -> GuardMatrix:
    (found,) = outline(context, state, profile).matrices
    assert found.state == "s"
    return found


def shape(found: GuardMatrix) -> set[tuple[str, int | None, bool, bool | None]]:
    return {
        ("".join(outcome[0] for outcome in each.outcomes), each.taken, each.overlap, each.reachable)
        for each in found.columns
    }


def column(found: GuardMatrix, outcomes: str) -> MatrixColumn:
    (each,) = [each for each in found.columns if "".join(outcome[0] for outcome in each.outcomes) == outcomes]
    return each


REQUIRED = "requires: [{ name: n, from: { agent: w } }], "
NULLABLE = "n: { type: integer }"


def test_an_enum_has_a_column_a_value_that_guards_name_and_one_for_the_rest() -> None:
    found = of_s(
        "v: { type: enum, values: [a, b, c, d] }",
        "requires: [{ name: v, from: { agent: w } }], " + guarded(("t", "context.v == 'a'"), ("u", "context.v == 'b'")),
    )
    assert found.fields == ("v",)
    assert (found.omitted, found.complete) == (0, True)
    assert shape(found) == {("tf", 0, False, True), ("ft", 1, False, True), ("ff", None, False, True)}
    assert column(found, "tf").context == {"v": "a"}
    assert column(found, "ft").context == {"v": "b"}
    assert column(found, "ff").context["v"] in {"c", "d"}


def test_guards_that_hold_together_are_an_overlap_and_the_first_of_them_is_taken() -> None:
    found = of_s(NULLABLE, REQUIRED + guarded(("t", "context.n >= 3"), ("u", "context.n <= 5")))
    assert shape(found) == {("tt", 0, True, True), ("tf", 0, False, True), ("ft", 1, False, True)}
    assert column(found, "tt").context["n"] in {3, 4, 5}
    assert column(found, "tf").context["n"] > 5


def test_a_hole_between_guards_is_a_gap_with_a_context_in_it() -> None:
    found = of_s(NULLABLE, REQUIRED + guarded(("t", "context.n < 3"), ("u", "context.n > 3")))
    assert column(found, "ff").taken is None
    assert column(found, "ff").context == {"n": 3}
    assert column(found, "ff").reachable is True


def test_a_guard_that_fails_is_an_error_and_not_enabled() -> None:
    # n starts null and nobody gives it: comparing null by order fails; the null test itself does not.
    found = of_s(
        "n: { type: integer, default: null }, m: { type: string }",
        guarded(("t", "context.n > 0"), ("u", "context.n == null")),
    )
    assert shape(found) == {("et", 1, False, True), ("tf", 0, False, False), ("ff", None, False, False)}
    assert column(found, "et").context == {"n": None}


def test_guards_after_one_that_is_false_are_not_evaluated() -> None:
    found = of_s(
        "n: { type: integer, default: null }",
        "transitions: [{ toState: t, guards: [{ backend: cel, expression: context.n != null },"
        " { backend: cel, expression: context.n > 0 }] }]",
    )
    assert {"".join(each.outcomes) for each in found.columns} == {"true", "false"}


def test_under_gated_required_fields_are_set_when_guards_are_evaluated() -> None:
    state = "requires: [{ name: v, from: { agent: w } }], " + guarded(
        ("t", "context.v == ''"), ("u", "context.v != ''")
    )
    assert shape(of_s("v: { type: string }", state)) == {("ft", 1, False, True)}
    # Under eager the machine leaves on the empty text at once, so nobody ever gives another.
    assert shape(of_s("v: { type: string }", state, "eager")) == {("tf", 0, False, True), ("ft", 1, False, False)}


def test_under_eager_a_transition_without_guards_reads_the_requirements() -> None:
    state = "requires: [{ name: v, from: { agent: w } }], transitions: [{ toState: t }]"
    gated, eager = of_s("v: { type: string }", state), of_s("v: { type: string }", state, "eager")
    assert gated.fields == ()
    assert shape(gated) == {("t", 0, False, True)}
    assert eager.fields == ("v",)
    assert shape(eager) == {("t", 0, False, True), ("f", None, False, True)}
    assert column(eager, "f").context == {"v": ""}


def test_a_number_that_is_only_given_is_never_nan_and_one_that_is_computed_may_be() -> None:
    state = "requires: [{ name: x, from: { agent: w } }], " + guarded(
        ("t", "context.x < 0.5"), ("u", "context.x >= 0.5")
    )
    assert shape(of_s("x: { type: number }", state)) == {("tf", 0, False, True), ("ft", 1, False, True)}
    computing = "entry: [{ assign: { x: '${ 1.0 / 3.0 }' } }], " + state
    found = of_s("x: { type: number }", computing)
    assert column(found, "ff").context == {"x": "NaN"}
    assert shape(found) == {("tf", 0, False, True), ("ft", 1, False, False), ("ff", None, False, False)}


def test_contexts_that_no_run_comes_to_are_told_from_those_that_one_does() -> None:
    found = of_s("n: { type: integer, default: 4 }", guarded(("t", "context.n == 4"), ("u", "context.n == 5")))
    assert shape(found) == {("tf", 0, False, True), ("ft", 1, False, False), ("ff", None, False, False)}


def test_relations_that_no_list_of_likely_values_has_are_found_by_the_solver() -> None:
    found = of_s(
        "n: { type: integer }, m: { type: integer }",
        "requires: [{ name: n, from: { agent: w } }, { name: m, from: { agent: w } }], "
        + guarded(("t", "context.n * 7 == context.m + 1000"), ("u", "context.n != 0")),
    )
    met = column(found, "tt").context
    assert met["n"] * 7 == met["m"] + 1000
    assert found.complete


def test_what_the_abstraction_admits_and_nothing_shows_is_owned_up_to() -> None:
    found = of_s("v: { type: string }", guarded(("t", "context.v.matches('^q{3}[0-9]{4}z$')")))
    assert not found.complete
    assert ("f", None, False, True) in shape(found)


def test_of_too_many_columns_the_gaps_stay(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(matrix, "MOST_COLUMNS", 5)
    names = "abcd"
    context = ", ".join(f"{name}: {{ type: boolean, default: false }}" for name in names)
    found = of_s(context, guarded(*(("t", f"context.{name} == true") for name in names)))
    assert len(found.columns) == 5
    assert found.omitted == 2**4 - 5
    assert column(found, "ffff").taken is None
    assert [each.taken for each in found.columns] == [0, 1, 2, 3, None]


def test_a_search_that_is_cut_off_claims_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(classes, "ASKED", 0)
    assert not of_s(NULLABLE, REQUIRED + guarded(("t", "context.n < 3"))).complete


def test_terminal_states_and_those_without_transitions_have_no_matrix() -> None:
    assert outline("v: { type: string }", "description: nothing").matrices == ()


def test_guards_of_other_backends_are_not_evaluated() -> None:
    state = "transitions: [{ toState: t, guards: [{ backend: llm, expression: is it good? }] }, { toState: u }]"
    assert shape(of_s("v: { type: string }", state)) == {("et", 1, False, True)}


@pytest.mark.parametrize(
    ("context", "guard", "wanted"),
    [
        ("x: { type: list, of: string }", "'a' in context.x", {"t", "f"}),
        ("x: { type: list, of: integer }", "size(context.x) > 2 && context.x[0] == 7", {"t", "f"}),
        ("x: { type: map, of: integer }", "has(context.x.k) && context.x.k > 3", {"t", "f"}),
        ("x: { type: map, of: integer }", "context.x['k'] > 3", {"t", "f", "e"}),
        ("x: { type: number }", "context.x > 0.25 && context.x < 0.5", {"t", "f"}),
        ("x: { type: string }", "context.x.startsWith('ab')", {"t", "f"}),
        ("x: { type: string }", "size(context.x) == 12", {"t", "f"}),
    ],
)
def test_every_type_has_contexts_on_both_sides(context: str, guard: str, wanted: set[str]) -> None:
    state = "requires: [{ name: x, from: { agent: w } }], " + guarded(("t", guard))
    found = of_s(context, state)
    assert {each.outcomes[0][0] for each in found.columns} == wanted
    assert all(isinstance(each.context, Mapping) for each in found.columns)
