"""Can every run end, for sure or perhaps? And how long an advance can take."""

from __future__ import annotations

import itertools
import random

import pytest

from fsmcheck.engines.coverage import (
    cyclic,
    longest_chain,
    microstep_edges,
    most_microsteps,
    possibly_ends,
    surely_ends,
)
from fsmcheck.engines.explicit import Graph, Limits, explore
from fsmcheck.system import terms as t
from fsmcheck.system.system import Chooser, Input, Phase, StepKind
from fsmcheck.system.terms import BOOL
from tests.engines.systems import FLAG, Drawing

STAGE, PARK, FINISH, STICK, FAIL = StepKind.STAGE, StepKind.PARK, StepKind.FINISH, StepKind.STICK, StepKind.FAIL
P = t.var("p", BOOL)


def ends(graph: Graph) -> dict[tuple[str, Phase], tuple[bool, bool]]:
    """For each location (these graphs have one configuration in each): surely, possibly."""
    sure, maybe = surely_ends(graph), possibly_ends(graph)
    return {(graph.location(n).state, graph.location(n).phase): (sure[n], maybe[n]) for n in range(len(graph.values))}


def test_an_agent_may_choose_the_way_that_ends() -> None:
    drawing = Drawing("a", {}).edge("a", "a", kind=PARK)
    drawing.edge("a", "a", kind=STAGE).edge("a", "b", kind=STAGE).edge("b", "b", kind=FINISH)
    found = ends(explore(drawing.system()))
    assert found["a", Phase.WAITING] == (True, True)
    assert found["a", Phase.RUNNING] == (True, True)


def test_the_abstraction_may_not() -> None:
    """Where it is not known which way the machine goes, both have to end."""
    drawing = Drawing("a", {}).edge("a", "b").edge("a", "c").edge("b", "b", kind=FINISH).edge("c", "c", kind=STICK)
    found = ends(explore(drawing.system()))
    assert found["a", Phase.RUNNING] == (False, True)
    assert found["b", Phase.RUNNING] == (True, True)
    assert found["c", Phase.RUNNING] == (False, False)
    assert found["c", Phase.STUCK] == (False, False)


def test_going_round_is_no_end() -> None:
    drawing = Drawing("a", {}).edge("a", "b").edge("b", "a").edge("b", "c").edge("c", "c", kind=FINISH)
    found = ends(explore(drawing.system()))
    assert found["a", Phase.RUNNING] == (False, True)
    assert found["c", Phase.DONE] == (True, True)


def test_a_failure_is_no_end() -> None:
    drawing = Drawing("a", {}).edge("a", "b").edge("a", "a", kind=FAIL).edge("b", "b", kind=FINISH)
    found = ends(explore(drawing.system()))
    assert found["a", Phase.RUNNING] == (False, True)
    assert found["a", Phase.FAILED] == (False, False)


def test_what_was_not_expanded_may_end() -> None:
    drawing = Drawing("s0", {})
    for number in range(40):
        drawing.edge(f"s{number}", f"s{number + 1}")
    graph = explore(drawing.system(), Limits(configurations=5))
    assert not graph.complete
    assert all(possibly_ends(graph))
    assert not any(surely_ends(graph))


def test_a_choice_of_an_agent_under_a_flag() -> None:
    drawing = Drawing("a", {"p": FLAG}).edge("a", "a", t.not_(P), kind=PARK)
    choice = Input("x", BOOL, Chooser.AGENT)
    drawing.edge("a", "a", updates={"p": t.var("x", BOOL)}, kind=STAGE, inputs=(choice,))
    drawing.edge("a", "b", P).edge("b", "b", kind=FINISH)
    assert all(surely_ends(explore(drawing.system())))


def test_the_longest_advance() -> None:
    drawing = Drawing("a", {}).edge("a", "b").edge("b", "c").edge("a", "c").edge("c", "c", kind=PARK)
    drawing.edge("c", "a", kind=STAGE)
    graph = explore(drawing.system())
    assert most_microsteps(graph) == 2
    assert sum(map(len, microstep_edges(graph).values())) == 3


def test_a_ring_of_microsteps_has_no_longest_advance() -> None:
    graph = explore(Drawing("a", {}).edge("a", "b").edge("b", "a").system())
    assert most_microsteps(graph) is None


def naive_parts(edges: dict[int, list[int]], keep: set[int]) -> set[frozenset[int]]:
    """Nodes that reach each other, by the transitive closure."""
    reach = {(a, b) for a in keep for b in edges.get(a, ()) if b in keep}
    for middle, a, b in itertools.product(keep, repeat=3):
        if (a, middle) in reach and (middle, b) in reach:
            reach.add((a, b))
    return {frozenset(b for b in keep if (a, b) in reach and (b, a) in reach) for a in keep if (a, a) in reach}


@pytest.mark.parametrize("seed", range(40))
def test_cyclic_parts(seed: int) -> None:
    rng = random.Random(seed)
    size = rng.randint(1, 8)
    edges = {node: [rng.randrange(size) for _ in range(rng.randint(0, 3))] for node in range(size)}
    keep = {node for node in range(size) if rng.random() < 0.85}
    found = cyclic(edges, keep)
    assert len(found) == len(set(found))
    assert set(found) == naive_parts(edges, keep)


def test_the_longest_chain_leaves_cycles_out() -> None:
    drawing = Drawing("a", {}).edge("a", "b").edge("b", "c").edge("c", "b").edge("c", "d").edge("d", "e")
    graph = explore(drawing.system())
    assert most_microsteps(graph) is None
    assert longest_chain(graph) == 3
    straight = explore(Drawing("a", {}).edge("a", "b").edge("b", "c").edge("a", "c").system())
    assert longest_chain(straight) == most_microsteps(straight) == 2
