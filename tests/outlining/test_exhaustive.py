"""Outcomes told by trying all values are those that Z3 finds, and Z3 is not asked where they are told so."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from bench.large import spec as large
from fsmcheck.engines import outcomes as searches
from fsmcheck.engines.outcomes import OutcomeSearch
from fsmcheck.outlining import reach
from fsmcheck.outlining.build import build
from fsmcheck.outlining.classes import store_variables
from fsmcheck.outlining.exhaustive import admitted
from fsmcheck.outlining.outcomes import OutcomeTerms, Vector, outcome_terms
from fsmcheck.reducer.configuration import Profile
from fsmcheck.source import SourceFile
from fsmcheck.spec.load import load, load_path
from fsmcheck.spec.model import Spec
from fsmcheck.system.domains import domains
from fsmcheck.system.layout import Layout
from fsmcheck.system.system import Variable
from tests.oracle.generate import generate, load_valid

SPECS = Path(__file__).parents[2] / "specs"
PROFILES: tuple[Profile, ...] = ("gated", "eager")


def by_solver(terms: OutcomeTerms, variables: tuple[Variable, ...]) -> set[Vector]:
    """One answer after the other, each left out of what is asked next."""
    used = [*terms.true, *terms.error, terms.side]
    search = OutcomeSearch(variables, terms.choices.used_in(used), terms.true, terms.error, terms.side)
    found: set[Vector] = set()
    while (answer := search.another()) is not None:
        assert answer[0] not in found
        found.add(answer[0])
        search.exclude(answer[0])
    assert search.settled
    return found


def cases(spec: Spec, profile: Profile) -> Iterator[tuple[OutcomeTerms, tuple[Variable, ...]]]:
    layout = Layout(spec, domains(spec))
    for state in spec.states:
        if state.transitions and not state.terminal:
            yield outcome_terms(layout, state, profile), store_variables(layout)


def of_text(guard: str, context: str = "a: { type: boolean }, b: { type: boolean }") -> Spec:
    text = f"""fsm:
  initialState: s
  context: {{ {context} }}
  states:
    s: {{ transitions: [{{ toState: t, guards: [{{ backend: cel, expression: "{guard}" }}] }}, {{ toState: t }}] }}
    t: {{ terminal: true }}
"""
    (document,) = load(SourceFile("s.yaml", text))
    assert document.spec is not None
    return document.spec


@pytest.mark.parametrize("profile", PROFILES)
def test_they_are_those_that_the_solver_finds(profile: Profile) -> None:
    specs = [
        document.spec
        for path in sorted(SPECS.rglob("*.yaml"))[::3]
        for document in load_path(path)
        if document.is_whole
    ]
    specs += [load_valid(generate(seed)) for seed in range(8100, 8112)]
    told = several = 0
    for spec in filter(None, specs):
        for terms, variables in cases(spec, profile):
            every = admitted(terms, variables)
            if every is not None:
                assert every == by_solver(terms, variables)
                told += 1
                several += len(every) > 1
    assert told > 50
    assert several > 20


def test_of_two_conditions_that_may_fail() -> None:
    """An operand that may be null: with null in it the guard fails, unless the other one is enough."""
    ((terms, variables),) = cases(of_text("context.a || context.b"), "gated")
    assert admitted(terms, variables) == {("true", "true"), ("false", "true"), ("error", "true")}
    ((terms, variables),) = cases(of_text("context.a == context.b"), "gated")
    assert admitted(terms, variables) == {("true", "true"), ("false", "true")}


@pytest.mark.parametrize(
    ("guard", "context"),
    [
        ("context.n > 3", "n: { type: integer }"),
        (
            " && ".join(f"context.b{n} == true" for n in range(6)),
            ", ".join(f"b{n}: {{ type: boolean }}" for n in range(6)),
        ),
    ],
)
def test_integers_and_many_values_are_left_to_the_solver(guard: str, context: str) -> None:
    ((terms, variables),) = cases(of_text(guard, context), "gated")
    assert admitted(terms, variables) is None


def test_a_large_spec_is_outlined_without_a_solver_and_each_step_is_looked_at_once(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    (document,) = load(SourceFile("large.yaml", large(60)))
    assert document.spec is not None
    expected = build(document.spec, "gated")
    looked: list[int] = []
    outcomes = reach.outcomes

    def counted(state: object, store: object, profile: Profile) -> Vector:
        looked.append(id(store))
        return outcomes(state, store, profile)  # type: ignore[arg-type]

    kept: list[object] = []
    made = reach._Looks._made

    def once(self: reach._Looks, step: object) -> object:
        kept.append(step)
        return made(self, step)  # type: ignore[arg-type]

    monkeypatch.setattr(reach, "outcomes", counted)
    monkeypatch.setattr(reach._Looks, "_made", once)
    monkeypatch.setattr(searches, "OutcomeSearch", lambda *_: pytest.fail("the solver was asked"))
    assert build(document.spec, "gated") == expected
    assert looked
    assert len({id(step) for step in kept}) == len(kept)
