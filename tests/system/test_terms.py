"""Simplification keeps the meaning of terms."""

from __future__ import annotations

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from fsmcheck.system import terms as t
from fsmcheck.system.terms import BOOL, FALSE, INT, TRUE, Op, Sort, Term
from tests.system.naive import DividedByZeroError, Values, truncated, value
from tests.system.term_strategies import COLOUR, VALUES, any_term, terms


def meaning(term: Term, values: Values) -> bool | int:
    try:
        return value(term, values)
    except DividedByZeroError:
        assume(False)
        raise


def rebuilt(term: Term) -> Term:
    return t.rebuild(term, tuple(rebuilt(arg) for arg in term.args))


@given(any_term(), VALUES)
def test_rebuilding_keeps_the_value(term: Term, values: Values) -> None:
    assert meaning(rebuilt(term), values) == meaning(term, values)


@given(any_term(), VALUES)
def test_substituting_constants_computes(term: Term, values: Values) -> None:
    expected = meaning(term, values)
    sorts = t.variables([term])
    constants = {name: Term(Op.CONST, sort, (), values[name]) for name, sort in sorts.items()}
    result = t.substitute(rebuilt(term), constants)
    assert t.is_const(result)
    assert result.value == expected


@given(any_term(), VALUES, VALUES)
def test_substituting_some_variables(term: Term, values: Values, others: Values) -> None:
    some = {name: Term(Op.CONST, sort, (), values[name]) for name, sort in t.variables([term]).items() if name < "n"}
    mixed = {**others, **{name: values[name] for name in some}}
    assert meaning(t.substitute(term, some), others) == meaning(term, mixed)


@given(terms(BOOL), terms(INT), terms(INT), VALUES)
def test_the_constructors_that_are_not_operations(condition: Term, left: Term, right: Term, values: Values) -> None:
    m, n, p = meaning(left, values), meaning(right, values), meaning(condition, values)
    assert meaning(t.implies(condition, t.lt(left, right)), values) == (not p or m < n)
    assert meaning(t.add(left, right), values) == m + n
    assert meaning(t.le(left, right), values) == (m <= n)
    assert meaning(t.boolean(True), values) is True


@given(terms(COLOUR), st.sets(st.integers(0, 2)), VALUES)
def test_one_of(term: Term, indices: set[int], values: Values) -> None:
    assert meaning(t.one_of(term, indices), values) == (meaning(term, values) in indices)


@given(st.integers(-60, 60), st.integers(-9, 9).filter(bool))
def test_division_is_rounded_towards_zero(left: int, right: int) -> None:
    assert t.truncated_div(left, right) == truncated(left, right)
    remainder = t.arithmetic(Op.MOD, t.integer(left), t.integer(right))
    assert remainder.value == left - right * truncated(left, right)


def test_a_division_by_zero_is_left_alone() -> None:
    for op in (Op.DIV, Op.MOD):
        assert t.arithmetic(op, t.integer(1), t.integer(0)).op is op


def test_what_is_obvious_is_decided() -> None:
    p, q = t.var("p", BOOL), t.var("q", BOOL)
    assert t.and_(p, t.not_(p)) is FALSE
    assert t.or_(p, t.not_(p)) is TRUE
    assert t.and_(p, p, TRUE) is p
    assert t.or_(q, TRUE) is TRUE
    assert t.and_() is TRUE
    assert t.or_() is FALSE
    assert t.not_(t.not_(p)) is p
    assert t.eq(t.var("c", COLOUR), t.var("c", COLOUR)) is TRUE
    assert t.eq(t.label(COLOUR, 0), t.label(COLOUR, 1)) is FALSE
    assert t.ite(p, q, q) is q


def test_values_of_different_sorts_are_not_compared() -> None:
    other = Sort(COLOUR.kind, "another", COLOUR.labels)
    with pytest.raises(TypeError):
        t.eq(t.var("c", COLOUR), t.var("c", other))
    assert not t.same(t.var("c", COLOUR), t.var("c", other))


def test_variables_and_nodes_are_found_once() -> None:
    n = t.var("n", INT)
    shared = t.add(n, t.integer(1))
    term = t.lt(shared, t.arithmetic(Op.MUL, shared, shared))
    assert len(list(t.walk([term, shared]))) == 5
    assert t.variables([term]) == {"n": INT}
