"""Formulas made in Z3's library itself mean what those of its Python package mean, and what terms mean plainly."""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from ctypes import CDLL
from types import SimpleNamespace
from typing import cast

import pytest
from hypothesis import given, settings

from fsmcheck.diagnostics import Subject
from fsmcheck.engines import handles
from fsmcheck.engines.explicit import Graph, Key, explore
from fsmcheck.engines.formulas import Formulas
from fsmcheck.engines.handles import Handles, encoded
from fsmcheck.engines.induction import RLIMIT, SEED, Checked, ReachableSet, check_induction
from fsmcheck.engines.library import _TABLES, LibraryError, _make_room, library
from fsmcheck.engines.smt import Encoding
from fsmcheck.system import terms as t
from fsmcheck.system.system import Location, Phase, System
from fsmcheck.system.terms import BOOL, INT, Op, Sort, SortKind, Term
from tests.engines.systems import is_finite, system_of
from tests.system.naive import DividedByZeroError, Values, truncated, value
from tests.system.term_strategies import VALUES, any_term

NOTHING = System("", "", Location("a", Phase.START), (), {}, ())
COLOUR = Sort(SortKind.FINITE, "colour", ("red", "green", "blue"))


@pytest.fixture
def made() -> Iterator[Handles]:
    made = Handles(NOTHING)
    yield made
    made.close()


def means(made: Handles, term: Term, values: Values, expected: bool | int) -> bool:
    constants = {name: made.value(sort, values[name]) for name, sort in t.variables([term]).items()}
    return made.is_plainly_true(made.equal(made.term(term, constants), made.value(term.sort, expected)))


@settings(deadline=None)
@given(any_term(), VALUES)
def test_terms(term: Term, values: Values) -> None:
    try:
        expected = value(term, values)
    except DividedByZeroError:
        return
    made = Handles(NOTHING)
    assert means(made, term, values, expected)
    made.close()


@pytest.mark.parametrize(("left", "right"), list(itertools.product((-7, -1, 0, 1, 7), (-3, -2, 2, 3))))
def test_division_is_rounded_towards_zero(left: int, right: int, made: Handles) -> None:
    values = {"m": left, "n": right}
    m, n = t.var("m", INT), t.var("n", INT)
    quotient = truncated(left, right)
    assert means(made, t.arithmetic(Op.DIV, m, n), values, quotient)
    assert not means(made, t.arithmetic(Op.DIV, m, n), values, quotient + 1)
    assert means(made, t.arithmetic(Op.MOD, m, n), values, left - right * quotient)


@pytest.mark.parametrize("number", [0, 1, -1, 2**31, -(2**63), 10**40])
def test_numbers_of_any_size(number: int, made: Handles) -> None:
    solver = made.solver(SEED, RLIMIT)
    n = made.named("n", INT)
    here = made.equal(n, made.value(INT, number))
    for claim, expected in (
        (made.at_least(n, number), True),
        (made.at_most(n, number), True),
        (made.at_least(n, number + 1), False),
        (made.at_most(n, number - 1), False),
    ):
        assert solver.decide(made.all([here, claim])) is expected
        assert solver.decide(made.all([here, made.negation(claim)])) is not expected


def test_values_of_a_sort_differ_and_there_are_no_others(made: Handles) -> None:
    solver = made.solver(SEED, RLIMIT)
    colour = made.named("c", COLOUR)
    assert [solver.decide(made.one_of(colour, COLOUR, [n])) for n in range(3)] == [True] * 3
    assert solver.decide(made.equal(made.value(COLOUR, 0), made.value(COLOUR, 2))) is False
    assert solver.decide(made.negation(made.one_of(colour, COLOUR, range(3)))) is False
    assert solver.decide(made.negation(made.one_of(colour, COLOUR, range(2)))) is True


def test_true_and_false(made: Handles) -> None:
    solver = made.solver(SEED, RLIMIT)
    assert [solver.decide(made.value(BOOL, each)) for each in (False, True)] == [False, True]
    assert (solver.decide(made.any([])), solver.decide(made.all([]))) == (False, True)


def test_what_was_asked_before_does_not_count(made: Handles) -> None:
    solver = made.solver(SEED, RLIMIT)
    p = made.named("p", BOOL)
    assert [solver.decide(each) for each in (made.any([]), p, made.negation(p), made.all([]))] == [
        False,
        True,
        True,
        True,
    ]


@pytest.mark.parametrize("of", [Encoding, Handles])
@pytest.mark.parametrize(("one", "other"), [("x\0y#0", "x\0y#1"), ("\0", "\\0"), ("\\\0", "\\\\0"), ("x", "x\0")])
def test_names_that_differ_behind_a_zero_are_two(of: type[Formulas[object]], one: str, other: str) -> None:
    made = of(NOTHING)
    both = made.all([made.named(one, BOOL), made.negation(made.named(other, BOOL))])
    assert made.solver(SEED, RLIMIT).decide(both) is True
    same = made.all([made.named(one, BOOL), made.negation(made.named(one, BOOL))])
    assert made.solver(SEED, RLIMIT).decide(same) is False
    made.close()


def test_constants_are_moved_all_at_once(made: Handles) -> None:
    solver = made.solver(SEED, RLIMIT)
    m, n = made.named("m", INT), made.named("n", INT)
    less = made.compared(Op.LT, m, n)
    turned = made.moved(less, [(m, n), (n, m)])
    assert solver.decide(made.all([less, turned])) is False
    assert solver.decide(turned) is True
    assert made.moved(less, []) == less


def squares(made: Handles) -> int:
    """That a square is one more than another, both of them large: true of none, but Z3 has to find out."""
    m, n = made.named("m", INT), made.named("n", INT)
    square = made.computed(Op.MUL, m, m)
    other = made.computed(Op.ADD, made.computed(Op.MUL, n, n), made.value(INT, 7))
    return made.all([made.equal(square, made.computed(Op.MUL, other, other)), made.at_least(n, 1000)])


def test_a_solver_that_may_not_work_does_not_know(made: Handles) -> None:
    assert made.solver(SEED, 1).decide(squares(made)) is None


def test_what_is_refused_is_told(made: Handles) -> None:
    p, n = made.named("p", BOOL), made.named("n", INT)
    for attempt in (lambda: made.negation(n), lambda: made.all([p, n]), lambda: made.choice(n, p, p)):
        with pytest.raises(LibraryError, match="Sort mismatch"):
            attempt()
    assert made.solver(SEED, RLIMIT).decide(p) is True


def test_what_is_not_asserted_is_not_answered(made: Handles) -> None:
    """A number is no claim."""
    with pytest.raises(LibraryError, match=r"\w"):
        made.solver(SEED, RLIMIT).decide(made.named("n", INT))


def test_a_check_that_fails_is_no_answer(made: Handles, monkeypatch: pytest.MonkeyPatch) -> None:
    solver = made.solver(SEED, RLIMIT)
    monkeypatch.setattr(made.library, "get_error_code", lambda _: 0)
    assert solver.check() == 1
    monkeypatch.setattr(made.library, "get_error_code", lambda _: 11)
    assert solver.check() == 0


# -- inductions, beside those by way of the package


def exported(graph: Graph, of: type[Formulas[object]]) -> ReachableSet:
    class Chosen(ReachableSet):
        def encoded(self, system: System) -> Formulas[object]:
            return of(system)

    return Chosen(graph)


def forged(graph: Graph, without: int) -> Graph:
    """A search that left out one configuration."""
    wrong = Graph(graph.system, graph.packing)
    keep = [number for number in range(len(graph.values)) if number != without]
    wrong.locations = [graph.locations[number] for number in keep]
    wrong.values = [graph.values[number] for number in keep]
    return wrong


def checked(graph: Graph, keys: list[Key]) -> list[Checked]:
    return [check_induction(graph.system, exported(graph, of), keys) for of in (Encoding, Handles)]  # type: ignore[type-abstract]


@pytest.mark.parametrize("seed", range(3200, 3230))
def test_both_ways_to_ask_have_one_answer(seed: int) -> None:
    graph = explore(system_of(seed))
    events = {(event.rule, event.subject, event.case) for step in graph.system.steps for event in step.events}
    never = sorted((key for key in events if key not in graph.hits), key=repr)
    one, other = checked(graph, never)
    assert one == other
    if is_finite(graph.system) and graph.complete:
        assert one.holds is True
    for number in (0, len(graph.values) // 2, len(graph.values) - 1):
        one, other = checked(forged(graph, number), never)
        assert one == other
        assert other.holds is not True
    for key in sorted(graph.hits, key=repr)[:2]:
        one, other = checked(graph, [key])
        assert one == other
        assert other.holds is not True


def test_an_event_that_happens_is_not_excluded() -> None:
    system = system_of(3100)
    graph = explore(system)
    assert graph.hits
    for key in graph.hits:
        answer = check_induction(system, ReachableSet(graph), [key])
        assert answer.holds is not True
    assert check_induction(system, ReachableSet(graph), [("FSM999", Subject(), "")]).holds is True


# -- where the library is


def test_it_is_found_inside_the_package() -> None:
    assert library() is library() is not None
    made = encoded(NOTHING)
    assert isinstance(made, Handles)
    made.close()
    made.close()


def test_without_it_the_package_does(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(handles, "library", lambda: None)
    assert isinstance(encoded(NOTHING), Encoding)
    with pytest.raises(LibraryError, match="not where its package is"):
        Handles(NOTHING)


def test_large_pages_are_advised_inside_a_block_that_is_given_back() -> None:
    blocks = [0x7F0000001010, 0x555555600010]
    left, freed, advised = list(blocks), list[int](), list[tuple[int, int, int]]()
    system = SimpleNamespace(
        malloc=lambda _size: left.pop(0),
        free=lambda block: freed.append(block),  # noqa: PLW0108 - a method of a list has no place for its types
        madvise=lambda *given: advised.append(given),
    )
    _make_room(cast("CDLL", system))
    assert freed == blocks
    for block, (first, length, _) in zip(blocks, advised, strict=True):
        assert block <= first
        assert first % (2 << 20) == 0
        assert first + length == block + _TABLES


def test_where_there_is_no_room_none_is_made() -> None:
    free, madvise = (lambda *_: pytest.fail("there is nothing to give back") for _ in range(2))
    _make_room(cast("CDLL", SimpleNamespace(malloc=lambda _size: None, free=free, madvise=madvise)))
