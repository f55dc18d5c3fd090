"""Operations on sets as diagrams against sets of tuples; terms as functions against their values."""

from __future__ import annotations

import random
from itertools import product

from fsmcheck.engines.diagram.budget import Budget, DiagramLimits
from fsmcheck.engines.diagram.functions import FALSE, TRUE, Functions
from fsmcheck.engines.diagram.mdd import EMPTY, Sets

WIDTHS = (3, 2, 4)
ALL = list(product(*map(range, WIDTHS)))


def of(sets: Sets, members: set[tuple[int, ...]]) -> int:
    node = EMPTY
    for values in sorted(members):
        node = sets.union(node, sets.single(values))
    return node


def listed(sets: Sets, node: int) -> set[tuple[int, ...]]:
    return {values for values in ALL if sets.has(node, values)}


def test_operations_on_sets() -> None:
    rng = random.Random(1)
    sets = Sets(len(WIDTHS), Budget(DiagramLimits()))
    for _ in range(200):
        a, b = ({values for values in ALL if rng.random() < 0.4} for _ in range(2))
        x, y = of(sets, a), of(sets, b)
        assert sets.count(x) == len(a)
        assert listed(sets, sets.union(x, y)) == a | b
        assert listed(sets, sets.meet(x, y)) == a & b
        assert listed(sets, sets.minus(x, y)) == a - b
        assert (x == y) == (a == b)
        assert sets.union(sets.minus(x, y), sets.meet(x, y)) == x
        if a:
            assert sets.first(x) in a
            assert sets.draw(x, rng) in a


def test_draws_are_spread_evenly() -> None:
    rng = random.Random(2)
    sets = Sets(len(WIDTHS), Budget(DiagramLimits()))
    node = of(sets, {(0, 0, 0), (1, 0, 0), (1, 0, 1), (1, 0, 2), (1, 1, 3)})
    drawn = [sets.draw(node, rng) for _ in range(1000)]
    assert all(150 < drawn.count(values) < 250 for values in set(drawn))
    assert len(set(drawn)) == 5


def test_functions_follow_their_values() -> None:
    rng = random.Random(3)
    functions = Functions(Budget(DiagramLimits()))

    def build(place: int, table: dict[tuple[int, ...], bool], values: tuple[int, ...] = ()) -> int:
        if place == len(WIDTHS):
            return functions.leaf(table[values])
        return functions.node(place, tuple(build(place + 1, table, (*values, value)) for value in range(WIDTHS[place])))

    def true_in(node: int) -> set[tuple[int, ...]]:
        found = set()
        for values in ALL:
            here = node
            while functions.place[here] < len(WIDTHS):
                here = functions.children[here][values[functions.place[here]]]
            if here == TRUE:
                found.add(values)
        return found

    for _ in range(100):
        first, second = ({values: rng.random() < 0.5 for values in ALL} for _ in range(2))
        a, b = build(0, first), build(0, second)
        assert true_in(functions.and_(a, b)) == {v for v in ALL if first[v] and second[v]}
        assert true_in(functions.or_(a, b)) == {v for v in ALL if first[v] or second[v]}
        assert true_in(functions.not_(a)) == {v for v in ALL if not first[v]}
        assert functions.and_(a, functions.not_(a)) == FALSE
        solutions = list(functions.solutions([a, b], {0: 1}))
        assert bool(solutions) == any(first[v] and second[v] for v in ALL if v[0] == 1)
        for found in solutions:
            matching = [v for v in ALL if v[0] == 1 and all(v[place] == choice for place, choice in found.items())]
            assert matching
            assert all(first[v] and second[v] for v in matching)
