"""The most turns within a number of exchanges: two ways to work it out, and a third that tries every path."""

from __future__ import annotations

from collections import Counter
from itertools import pairwise

import pytest

from fsmcheck.engines.explicit import Limits
from fsmcheck.engines.most_within import in_layers, in_rounds, most_within
from fsmcheck.engines.turns import Edge, Product, is_exchange, path_between
from fsmcheck.obligations.case import Case, make_case
from tests.oracle.generate import generate, load_valid

WAITING = """
fsm:
  name: three-ways-round
  version: 1
  initialState: ask
  context:
    verdict: { type: enum, values: [go, back, far] }
  agents: { ann: { canTransition: [ask, think] } }
  policy: { maxIterations: 9 }
  states:
    ask:
      requires: [{ name: verdict, from: { agent: ann } }]
      transitions:
        - { toState: done, guards: [{ backend: cel, expression: "context.verdict == 'go'" }] }
        - { toState: think, guards: [{ backend: cel, expression: "context.verdict == 'far'" }] }
        - { toState: ask, onTransition: [{ assign: { verdict: "" } }] }
    think:
      requires: [{ name: verdict, from: { agent: ann } }]
      transitions: [{ toState: ask, onTransition: [{ assign: { verdict: "" } }] }]
    done: { terminal: true }
"""
"""One exchange a turn of "ask", and one more to go on to the end."""


def case_of(text: str) -> Case:
    spec = load_valid(text)
    assert spec is not None
    return make_case(spec, "gated", Limits())


@pytest.mark.parametrize(("limit", "turns"), [(1, 0), (2, 1), (3, 2), (9, 8), (400, 399)])
def test_each_turn_costs_an_exchange_and_so_does_the_end(limit: int, turns: int) -> None:
    case = case_of(WAITING)
    answers = list(most_within(case.product(("ask",)), limit))
    assert answers
    assert {found for found, _ in answers} == {turns}


def test_no_path_ends_without_an_exchange() -> None:
    assert list(most_within(case_of(WAITING).product(("ask",)), 0)) == []


def by_every_path(product: Product, limit: int) -> int | None:
    """The most turns, by all paths with so many exchanges and no more than a few microsteps between two of them."""
    best: int | None = None
    seen: dict[tuple[int, int], int] = {}
    stack = [(0, 0, 0)]
    while stack:
        node, spent, turns = stack.pop()
        if seen.get((node, spent), -1) >= turns:
            continue
        seen[node, spent] = turns
        if product.is_done(node):
            best = turns if best is None else max(best, turns)
        for edge in product.edges[node]:
            cost = spent + is_exchange(product, edge)
            if cost <= limit:
                stack.append((edge[1], cost, turns + edge[3]))
    return best


def is_path(product: Product, path: list[Edge], limit: int, turns: int) -> bool:
    """Whether edges lead from the start to a terminal state, within the limit and with so many turns."""
    joined = all(one[1] == other[0] for one, other in pairwise(path))
    known = all(edge in product.edges[edge[0]] for edge in path)
    cost = sum(is_exchange(product, edge) for edge in path)
    begins = not path or path[0][0] == 0
    ends = product.is_done(path[-1][1] if path else 0)
    return joined and known and begins and ends and cost <= limit and sum(edge[3] for edge in path) == turns


def test_three_ways_agree_on_generated_specs() -> None:
    answered: Counter[str] = Counter()
    for seed in range(160):
        spec = load_valid(generate(seed))
        if spec is None:
            continue
        case = make_case(spec, "gated", Limits(configurations=2_000))
        if not case.base.complete:
            continue
        for head in case.transitions.loop_heads():
            for cycle in case.transitions.cycles_from(head, 8) or ():
                product = case.product(cycle)
                order = product.microstep_order()
                if order is None or len(product.nodes) > 400:
                    continue
                for limit in (0, 1, 2, 3, 5, 8):
                    layered = in_layers(product, limit, order)
                    expected = by_every_path(product, limit)
                    assert (None if layered is None else layered[0]) == expected, (seed, cycle, limit)
                    rounds = in_rounds(product, limit)
                    if rounds is not None:
                        assert rounds[0] == expected, (seed, cycle, limit)
                        assert is_path(product, rounds[1], limit, rounds[0])
                        answered["in rounds"] += rounds[0] > 1
                    answered["in all"] += layered is not None and layered[0] > 1
    assert answered["in rounds"] > 20
    assert answered["in rounds"] * 2 > answered["in all"]


def test_a_goal_at_the_end_of_an_exchange_is_no_nearer_than_one_before_it() -> None:
    """Both lie next to configurations that no exchange leads to; only one of them costs one itself."""
    product = case_of(WAITING).product(("ask",))
    exchange = next(edge for edges in product.edges for edge in edges if is_exchange(product, edge))
    other = next(edge for edges in product.edges for edge in edges if not is_exchange(product, edge) and edge[0] != 0)
    for sources in ([exchange[0], other[0]], [other[0], exchange[0]]):
        found = path_between(product, sources, lambda edge: edge in (exchange, other))
        assert found == (0, [other])
