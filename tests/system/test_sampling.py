"""A term that is seen to vary does: Z3 finds it true somewhere and false elsewhere."""

from __future__ import annotations

from collections.abc import Sequence

import pytest
from hypothesis import given, settings

from fsmcheck.engines.validity import Validity
from fsmcheck.system import terms as t
from fsmcheck.system.sampling import is_seen_to_vary
from fsmcheck.system.system import Chooser, Input, Variable
from fsmcheck.system.terms import BOOL, INT, Term
from tests.system.term_strategies import COLOUR, VARIABLES, terms

STATE = tuple(
    Variable(str(each.value), sort, lower=0 if each.value == "m" else None, domain=(0, 2) if each.value == "d" else ())
    for sort, several in VARIABLES.items()
    for each in several
)


def named(variables: Sequence[Variable | Input]) -> dict[str, Variable | Input]:
    return {each.name: each for each in variables}


N, D = t.var("n", INT), t.var("d", COLOUR)


@settings(max_examples=150, deadline=None)
@given(terms(BOOL))
def test_what_is_seen_to_vary_varies(term: Term) -> None:
    if is_seen_to_vary(term, named(STATE)):
        assert Validity(STATE).constant_value(term, ()) is None


@pytest.mark.parametrize(
    ("term", "expected"),
    [
        (t.lt(N, t.integer(1000)), True),
        (t.eq(D, t.label(COLOUR, 2)), True),
        (t.eq(D, t.label(COLOUR, 1)), False),  # outside its domain
        (t.le(t.integer(0), t.var("m", INT)), False),  # below its bound
        (t.lt(t.arithmetic(t.Op.DIV, t.integer(1), N), t.integer(1)), True),
        (t.TRUE, False),
    ],
)
def test_seen(term: Term, expected: bool) -> None:
    assert is_seen_to_vary(term, named(STATE)) is expected


def test_a_choice_keeps_to_its_bounds() -> None:
    few = Input("x", INT, Chooser.ABSTRACTION, lower=3, upper=4)
    assert is_seen_to_vary(t.lt(t.var("x", INT), t.integer(4)), named([few]))
    assert not is_seen_to_vary(t.lt(t.var("x", INT), t.integer(5)), named([few]))
    many = [Variable(f"b{number}", BOOL) for number in range(12)]
    assert is_seen_to_vary(t.or_(*(t.var(each.name, BOOL) for each in many)), named(many))
