"""How often loops turn: figures worked out by hand, and measures that bound them."""

from __future__ import annotations

import pytest

from fsmcheck.engines.explicit import Limits, explore
from fsmcheck.engines.ranking import bounded_by_measure
from fsmcheck.engines.turns import Product, is_exchange, lasso, path_between
from fsmcheck.obligations.case import Case, make_case
from fsmcheck.obligations.concretise import Script
from fsmcheck.obligations.confirm import perform
from fsmcheck.obligations.endless import turns_in
from fsmcheck.obligations.loops import loop_bounds
from fsmcheck.results import LoopBound
from fsmcheck.system import terms as t
from fsmcheck.system.system import StepKind
from fsmcheck.system.terms import BOOL, INT
from tests.engines.systems import FLAG, ZERO, Drawing
from tests.oracle.generate import load_valid

HEAD = """
fsm:
  initialState: ask
  context:
    verdict: { type: enum, values: [go, back] }
    n: { type: integer, default: 0 }
    m: { type: integer, default: 0 }
    limit: { type: integer }
    log: { type: list, of: string, default: [] }
  agents: { ann: { canTransition: [ask, work] } }
POLICY
  states:
    ask:
      requires: [{ name: verdict, from: { agent: ann } }]
      transitions:
        - { toState: done, guards: [{ backend: cel, expression: "context.verdict == 'go'" }] }
        - { toState: TARGET, guards: [{ backend: cel, expression: "GUARD" }],
            onTransition: [{ assign: { verdict: "" } }, ACTION] }
        - { toState: done }
    work: { transitions: [{ toState: ask BACK }] }
    done: { terminal: true }
"""
COUNT = '{ assign: { n: "${context.n + 1}" } }'


def case(guard: str, action: str = COUNT, *, target: str = "ask", policy: str = "", back: str = "") -> Case:
    text = HEAD.replace("GUARD", guard).replace("ACTION", action).replace("TARGET", target).replace("BACK", back)
    spec = load_valid(text.replace("POLICY", policy))
    assert spec is not None
    return make_case(spec, "gated", Limits())


def bound(*given: str, **more: str) -> LoopBound:
    (only,) = loop_bounds(case(*given, **more))
    return only


def test_a_counter_gives_the_number_of_turns() -> None:
    found = bound("context.n < 3")
    assert (found.states, found.exchanges_per_turn, found.turns_in_machine) == (("ask",), 1, 3)


@pytest.mark.parametrize(("limit", "within"), [(1, 0), (2, 1), (3, 2), (4, 3), (9, 3)])
def test_a_policy_leaves_room_for_fewer(limit: int, within: int) -> None:
    found = bound("context.n < 3", policy=f"  policy: {{ maxIterations: {limit} }}")
    assert (found.turns_in_machine, found.turns_under_policy) == (3, within)


def test_a_loop_over_two_states_turns_once_for_both() -> None:
    found = bound("context.n < 2", target="work")
    assert (found.states, found.exchanges_per_turn, found.turns_in_machine) == (("ask", "work"), 1, 2)


def test_a_list_that_grows_bounds() -> None:
    found = bound("size(context.log) < 2", "{ append: { log: x } }")
    assert (found.turns_in_machine, found.bounded) == (2, True)


def test_nothing_bounds() -> None:
    found = bound("true")
    assert (found.turns_in_machine, found.bounded) == (None, False)


def test_a_counter_that_is_reset_is_no_progress() -> None:
    found = bound("context.n < 3", target="work", back=", onTransition: [{ assign: { n: 0 } }]")
    assert (found.turns_in_machine, found.bounded) == (None, False)


def test_a_limit_from_outside_bounds_by_a_measure() -> None:
    found = bound("context.n < context.limit")
    assert found.turns_in_machine is None
    assert found.bounded is True


def test_a_counter_that_moves_away_from_its_limit_is_no_measure() -> None:
    found = bound("context.n < context.limit", '{ assign: { n: "${context.n - 1}" } }')
    assert found.bounded is not True


def two_counters(*, outer_rises: bool = True) -> Product:
    """n counts to x; then m counts to y and n begins anew: bounded by the pair (y - m, x - n)."""
    n, m, x, y = (t.var(name, INT) for name in "nmxy")
    one = t.integer(1)
    drawing = Drawing("a", {"n": ZERO, "m": ZERO, "x": (INT, 9), "y": (INT, 9)})
    drawing.edge("a", "a", t.lt(n, x), {"n": t.add(n, one)})
    reset = {"n": t.integer(0), **({"m": t.add(m, one)} if outer_rises else {})}
    drawing.edge("a", "a", t.and_(t.le(x, n), t.lt(m, y)), reset)
    return Product(explore(drawing.system()), ("a",))


def test_a_pair_of_counters_bounds_lexicographically() -> None:
    assert bounded_by_measure(two_counters())


def test_an_inner_counter_alone_does_not() -> None:
    assert not bounded_by_measure(two_counters(outer_rises=False))


def test_a_measure_has_to_stay_above_something() -> None:
    """It falls for ever where no guard stops it."""
    n, x = t.var("n", INT), t.var("x", INT)
    drawing = Drawing("a", {"n": ZERO, "x": (INT, 9)})
    drawing.edge("a", "a", t.or_(t.lt(n, x), t.le(x, n)), {"n": t.add(n, t.integer(1))})
    assert not bounded_by_measure(Product(explore(drawing.system()), ("a",)))


def ring(*, back: bool = True) -> Product:
    """a -> b -> a, parking in b, which an agent leaves; the flag says that b was left once."""
    p = t.var("p", BOOL)
    drawing = Drawing("a", {"p": FLAG}).edge("a", "b").edge("b", "b", t.not_(p), kind=StepKind.PARK)
    drawing.edge("b", "b", updates={"p": t.TRUE}, kind=StepKind.STAGE)
    after = {"p": t.FALSE} if back else {}
    drawing.edge("b", "a", p, after)
    return Product(explore(drawing.system()), ("a", "b"))


def test_the_product_of_a_ring() -> None:
    product = ring()
    assert product.turns()
    assert product.endless_edge() is not None
    found = lasso(product)
    assert found is not None
    stem, loop = found
    assert sum(edge[3] for edge in loop) == 1
    assert sum(is_exchange(product, edge) for edge in loop) == 1
    assert not any(edge[3] for edge in stem[:-1]) or stem
    cheapest = path_between(product, [0], lambda edge: edge[3])
    assert cheapest is not None
    assert cheapest[0] == 1


def test_a_ring_that_is_left_on_its_second_round() -> None:
    """p stays true: from the second visit on nothing is asked, and the machine goes round inside one advance."""
    product = ring(back=False)
    assert product.endless_edge() is not None
    assert product.microstep_order() is None


def test_a_detour_is_no_turn() -> None:
    drawing = Drawing("a", {"p": FLAG})
    drawing.edge("a", "b", t.not_(t.var("p", BOOL))).edge("b", "c", updates={"p": t.TRUE}).edge("c", "a")
    drawing.edge("a", "d", t.var("p", BOOL)).edge("d", "d", kind=StepKind.FINISH)
    graph = explore(drawing.system())
    assert Product(graph, ("a", "b", "c")).most()[0] == 1
    assert not Product(graph, ("a", "b")).turns()
    assert any(product.is_done(n) for product in [Product(graph, ("a", "b"))] for n in range(len(product.nodes)))


def test_turns_of_a_concrete_run() -> None:
    found = case("context.n < 3", target="work")
    script = Script({"limit": 1}, tuple(("ann", {"verdict": word}) for word in ("back", "back", "go")))
    run = perform(found.spec, "gated", script, caps=True)
    assert run is not None
    assert turns_in(run, ("ask", "work")) == 2
    assert turns_in(run, ("work", "ask")) == 1
    assert run[-1].configuration.status == "done"
