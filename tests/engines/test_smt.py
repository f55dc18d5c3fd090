"""Terms and steps in Z3 mean what they mean when they are evaluated plainly."""

from __future__ import annotations

import itertools

import pytest
import z3
from hypothesis import given, settings

from fsmcheck.engines.smt import Encoding, answer_of
from fsmcheck.system import terms as t
from fsmcheck.system.system import Location, Phase, System
from fsmcheck.system.terms import BOOL, INT, Op, Sort, Term
from fsmcheck.system.translate import translate
from tests.engines.systems import sample, system_of
from tests.oracle.generate import load_valid
from tests.system.naive import DividedByZeroError, Values, successors, truncated, value
from tests.system.term_strategies import VALUES, any_term

START = Location("a", Phase.START)


def encoded(encoding: Encoding, term: Term, values: Values) -> z3.ExprRef:
    constants = {name: encoding.value(sort, values[name]) for name, sort in t.variables([term]).items()}
    return z3.simplify(encoding.term(term, constants))


def plain(encoding: Encoding, sort: Sort, found: bool | int) -> z3.ExprRef:
    return encoding.value(sort, found)


@settings(deadline=None)
@given(any_term(), VALUES)
def test_terms(term: Term, values: Values) -> None:
    try:
        expected = value(term, values)
    except DividedByZeroError:
        return
    encoding = Encoding(System("", "", START, (), {}, ()))
    assert encoded(encoding, term, values).eq(plain(encoding, term.sort, expected))


@pytest.mark.parametrize(("left", "right"), list(itertools.product((-7, -1, 0, 1, 7), (-3, -2, 2, 3))))
def test_division_is_rounded_towards_zero(left: int, right: int) -> None:
    encoding = Encoding(System("", "", START, (), {}, ()))
    values = {"m": left, "n": right}
    m, n = t.var("m", INT), t.var("n", INT)
    quotient = encoded(encoding, t.arithmetic(Op.DIV, m, n), values)
    remainder = encoded(encoding, t.arithmetic(Op.MOD, m, n), values)
    assert quotient.as_long() == truncated(left, right)
    assert remainder.as_long() == left - right * truncated(left, right)


@pytest.mark.parametrize("seed", range(3000, 3008))
def test_steps(seed: int) -> None:
    """From a sample of configurations every plain successor satisfies the relation, and Z3 knows no other."""
    system = system_of(seed)
    encoding = Encoding(system)
    solver = z3.Solver(ctx=encoding.context)
    state, after = encoding.state(0), encoding.state(1)
    for number, before in sample(system, 6, seed):
        step = system.steps[number]
        expected = {
            tuple(found[variable.name] for variable in system.variables)
            for found, _ in successors(step, before, (0, 1, 2, 3))
        }
        solver.push()
        solver.add(encoding.step(number, 0))
        solver.add(*(state[v.name] == encoding.value(v.sort, before[v.name]) for v in system.variables))
        for choice in step.inputs:
            if choice.sort is INT:
                constant = encoding.inputs([choice], 0)[choice.name]
                solver.add(constant >= 0, constant <= 3)
        outcomes = [
            encoding.all(
                [after[v.name] == encoding.value(v.sort, x) for v, x in zip(system.variables, found, strict=True)]
            )
            for found in expected
        ]
        for outcome in outcomes:
            assert solver.check(outcome) == z3.sat
        assert solver.check(z3.Not(encoding.any(outcomes))) == z3.unsat
        solver.pop()


def test_declared_bounds_hold_of_what_is_declared() -> None:
    text = """
fsm:
  initialState: a
  context: { l: { type: list, of: string }, e: { type: enum, values: [x, y] }, s: { type: string, default: z } }
  states:
    a:
      transitions:
        - { toState: b, guards: [{ backend: cel, expression: "context.e == 'x' || context.s == context.e" }] }
    b: { terminal: true }
"""
    spec = load_valid(text)
    assert spec is not None
    encoding = Encoding(translate(spec, "gated"))
    solver = z3.Solver(ctx=encoding.context)
    solver.add(encoding.bounds(0))
    state = encoding.state(0)
    assert solver.check(state["l.size"] == -1) == z3.unsat
    assert solver.check(state["l.size"] == 0) == z3.sat
    sort = encoding.system.by_name["e"].sort
    allowed = {i for i in range(sort.size) if solver.check(state["e"] == encoding.value(sort, i)) == z3.sat}
    assert {sort.labels[index] for index in allowed} == {"", "x", "y"}


def test_sorts_of_one_name_are_made_once() -> None:
    encoding = Encoding(System("", "", START, (), {}, ()))
    assert encoding.sort_of(BOOL) == z3.BoolSort(encoding.context)
    colour = Sort(t.SortKind.FINITE, "colour", ("red", "green"))
    assert encoding.sort_of(colour) == encoding.sort_of(colour)
    assert encoding.constructor("colour!1").eq(encoding.value(colour, 1))
    with pytest.raises(ValueError, match="no value"):
        encoding.constructor("colour!2")


class Failing:
    """A solver that says this instead of an answer."""

    def __init__(self, said: str | bytes) -> None:
        self._said = said

    def check(self, *_: object) -> z3.CheckSatResult:
        raise z3.Z3Exception(self._said)


def test_a_solver_that_is_refused_memory_has_not_just_given_up() -> None:
    assert answer_of(Failing("canceled")) == z3.unknown
    for said in ("out of memory", b"out of memory"):
        with pytest.raises(z3.Z3Exception):
            answer_of(Failing(said))
