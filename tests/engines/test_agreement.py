"""Explicit search, bounded search, k-induction, Spacer and the check of invariants give one answer."""

from __future__ import annotations

from dataclasses import dataclass

import pytest

from fsmcheck.engines.explicit import Graph, Key, Limits, explore
from fsmcheck.engines.horn import solve
from fsmcheck.engines.induction import ReachableSet, check_induction
from fsmcheck.engines.moves import graph_moves
from fsmcheck.engines.symbolic import bounded_search, k_induction
from fsmcheck.system import terms as t
from fsmcheck.system.slice import slice_system
from fsmcheck.system.system import StepKind, System
from fsmcheck.system.terms import BOOL, INT
from tests.engines.systems import BAD, FLAG, ZERO, Drawing, happening, is_finite, keys_of, system_of
from tests.system.naive import value

SEEDS = range(3200, 3212)
DEPTH = 12
LIMITS = Limits(configurations=1_500)
KEYS = 5


@dataclass
class Asked:
    key: Key
    system: System
    graph: Graph
    depth: int | None


def asked(seed: int) -> list[Asked]:
    """A few events of a generated spec, each in its slice, with the fewest steps before it by explicit search."""
    system = system_of(seed)
    keys = keys_of(system)
    found = []
    for key in keys[seed % 3 :: max(1, len(keys) // KEYS)]:
        sliced = slice_system(system, lambda event, key=key: (event.rule, event.subject, event.case) == key)  # type: ignore[misc]
        graph = explore(sliced, LIMITS)
        if graph.complete:
            found.append(Asked(key, sliced, graph, happening(graph).get(key)))
    return found


@pytest.mark.parametrize("seed", SEEDS)
def test_bounded_search_finds_events_at_their_depth(seed: int) -> None:
    for question in asked(seed):
        answer = bounded_search(question.system, [question.key], DEPTH)
        assert not answer.exhausted
        if is_finite(question.system) and (question.depth is None or question.depth < DEPTH):
            assert (None if answer.moves is None else answer.depth) == question.depth, question.key
        if answer.moves is not None:
            assert question.depth is not None, question.key
            assert question.depth <= answer.depth
            assert_that_it_is_a_run(question, answer.moves)


def assert_that_it_is_a_run(question: Asked, moves: object) -> None:
    """Followed plainly, the moves lead from the start to the event."""
    system = question.system
    location, values = system.start, dict(system.initial)
    for move in moves:  # type: ignore[attr-defined]
        step = system.steps[move.step]
        assert step.source == location
        inputs = {
            choice.name: bool(move.chosen[choice.name]) if choice.sort == BOOL else move.chosen[choice.name]
            for choice in step.inputs
        }
        here = {**values, **inputs}
        assert value(step.guard, here)
        values = {**values, **{name: value(term, here) for name, term in step.updates.items()}}
        location = step.target
    last = system.steps[moves[-1].step]  # type: ignore[index]
    assert any((event.rule, event.subject, event.case) == question.key for event in last.events)


@pytest.mark.parametrize("seed", SEEDS)
def test_spacer_and_the_check_of_its_invariant(seed: int) -> None:
    for question in asked(seed)[:3]:
        answer = solve(question.system, [question.key])
        if answer.safe is None:
            continue
        if is_finite(question.system):
            assert answer.safe is (question.depth is None), question.key
        if answer.safe is False:
            assert question.depth is not None
        if answer.safe and answer.invariant is not None:
            assert check_induction(question.system, answer.invariant, [question.key]).holds is not False
            assert bounded_search(question.system, [question.key], 8).moves is None


@pytest.mark.parametrize("seed", SEEDS)
def test_the_reachable_set_is_an_invariant(seed: int) -> None:
    for question in asked(seed):
        checked = check_induction(question.system, ReachableSet(question.graph), [question.key])
        if question.depth is None:
            assert checked.holds is not False, checked.reason
        elif is_finite(question.system):
            assert checked.holds is False
            assert checked.reason.startswith("safety")


@pytest.mark.parametrize("seed", SEEDS)
def test_k_induction_excludes_only_what_cannot_happen(seed: int) -> None:
    for question in asked(seed)[:3]:
        if k_induction(question.system, [question.key], 4) is not None and is_finite(question.system):
            assert question.depth is None, question.key


def counting(limit: int, bad: int) -> System:
    """Counts to a limit; the event is that it has counted to ``bad``."""
    n = t.var("n", INT)
    drawing = Drawing("a", {"n": ZERO})
    drawing.edge("a", "a", t.lt(n, t.integer(limit)), {"n": t.add(n, t.integer(1))}, bad=t.eq(n, t.integer(bad)))
    drawing.edge("a", "b", t.le(t.integer(limit), n), bad=t.lt(t.integer(limit), n))
    return drawing.system()


def test_counting_is_exact_in_z3() -> None:
    assert bounded_search(counting(9, 5), [BAD], 20).depth == 6
    beyond = counting(5, 7)
    assert bounded_search(beyond, [BAD], 12).moves is None
    answer = solve(beyond, [BAD])
    assert answer.safe is True
    assert answer.invariant is not None
    assert check_induction(beyond, answer.invariant, [BAD]).holds is True
    assert solve(counting(9, 5), [BAD]).safe is False


def test_a_set_that_is_not_closed_is_no_invariant() -> None:
    graph = explore(counting(3, 7))
    last = max(range(len(graph.values)), key=lambda number: graph.values[number])
    del graph.values[last], graph.locations[last]
    checked = check_induction(graph.system, ReachableSet(graph), [BAD])
    assert checked.holds is False
    assert checked.reason.startswith("consecution")


def test_a_set_without_the_start_is_no_invariant() -> None:
    graph = explore(counting(3, 7))
    del graph.values[0], graph.locations[0]
    assert check_induction(graph.system, ReachableSet(graph), [BAD]).reason == "initiation"


def test_an_event_that_earlier_steps_exclude_needs_them_in_the_induction() -> None:
    p, q = t.var("p", BOOL), t.var("q", BOOL)
    drawing = Drawing("a", {"p": FLAG, "q": FLAG})
    drawing.edge("a", "a", updates={"p": q, "q": t.FALSE}, bad=p)
    system = drawing.system()
    assert k_induction(system, [BAD], 1) is None
    assert k_induction(system, [BAD], 5) == 4


def test_what_happens_is_never_excluded_by_induction() -> None:
    assert k_induction(counting(9, 5), [BAD], 12) is None


def test_the_moves_of_explicit_search_are_a_run_too() -> None:
    (question,) = [q for q in asked(3200) if q.depth is not None][:1]
    hit = question.graph.hits[question.key][0]
    path = [*question.graph.path(hit.source), (hit.source, hit.step, hit.inputs)]
    moves = graph_moves(question.graph, path)
    kinds = [question.system.steps[move.step].kind for move in moves]
    assert kinds[0] is StepKind.START
    assert len(moves) > (question.depth or 0)
