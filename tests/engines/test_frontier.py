"""Search of layers against explicit search: configurations, depths, events, runs, and what can still happen."""

from __future__ import annotations

from pathlib import Path

import pytest

pytest.importorskip("numpy")

import numpy as np

from bench.family import Member, family
from fsmcheck.engines.coverage import cyclic, longest_chain, microstep_edges, possibly_ends, surely_ends
from fsmcheck.engines.diagram import backward as by_diagram
from fsmcheck.engines.diagram.budget import BudgetError
from fsmcheck.engines.diagram.order import conjuncts
from fsmcheck.engines.diagram.search import explore_symbolically
from fsmcheck.engines.disagreement import DisagreementError
from fsmcheck.engines.explicit import Graph, Limits, explore
from fsmcheck.engines.frontier import recheck
from fsmcheck.engines.frontier.arrays import Growing, Tagged
from fsmcheck.engines.frontier.backward import can_reach, done, others, returns, surely_reaches, turning, turns
from fsmcheck.engines.frontier.budget import Budget, FrontierLimits
from fsmcheck.engines.frontier.evaluate import Between, Several
from fsmcheck.engines.frontier.pointwise import Tables
from fsmcheck.engines.frontier.recheck import look_again
from fsmcheck.engines.frontier.search import Frontier, explore_layers
from fsmcheck.engines.frontier.steps import _spread
from fsmcheck.engines.frontier.traces import runs_into, runs_with
from fsmcheck.spec.load import load_path
from fsmcheck.system import terms as t
from fsmcheck.system.system import Chooser, Input, Location, Phase, StepKind, System
from fsmcheck.system.terms import BOOL, INT, Sort, SortKind
from fsmcheck.system.translate import translate
from tests.engines.diagrams import assert_run, counted
from tests.engines.layers import differences, lengths
from tests.engines.machines import COPYING, OVERLAPPING
from tests.engines.systems import BAD, FLAG, Drawing, keys_of, system_of
from tests.oracle.generate import load_valid

SEEDS, CHUNK = 150, 15
CLOSELY = range(1000, 1030)
SPECS = sorted(path for path in Path("specs").rglob("*.yaml") if path.name != "verdicts.yaml")
LONG = FrontierLimits(seconds=60)


def searched(system: System) -> tuple[Frontier, Graph]:
    graph = explore(system, Limits(seconds=60))
    frontier = explore_layers(system, LONG)
    assert graph.complete
    assert frontier.complete, frontier.reason
    return frontier, graph


def member(*sizes: int, faulty: bool = False) -> System:
    spec = load_valid(family(Member(*sizes, faulty=faulty)))
    assert spec is not None
    return translate(spec, "gated")


def spec_system(text: str, profile: str = "gated") -> System:
    spec = load_valid(text)
    assert spec is not None
    return translate(spec, profile)


@pytest.mark.parametrize("first", range(0, SEEDS, CHUNK))
def test_generated_specs(first: int) -> None:
    wrong = {seed: differences(*searched(system_of(seed))) for seed in range(first, first + CHUNK)}
    assert {seed: found for seed, found in wrong.items() if found} == {}


@pytest.mark.parametrize("path", SPECS, ids=lambda path: path.stem)
@pytest.mark.parametrize("profile", ["gated", "eager"])
def test_shipped_specs(path: Path, profile: str) -> None:
    for document in load_path(path):
        assert document.spec is not None
        assert differences(*searched(translate(document.spec, profile))) == []


@pytest.mark.parametrize("seed", [*CLOSELY][::3])
def test_the_order_of_the_digits_does_not_matter(seed: int) -> None:
    system = system_of(seed)
    assert differences(explore_layers(system, LONG, backwards=True), explore(system)) == []


@pytest.mark.parametrize("seed", CLOSELY)
def test_runs_to_events(seed: int) -> None:
    frontier, graph = searched(system_of(seed))
    for key in keys_of(graph.system)[seed % 5 :: 5]:
        runs = list(runs_with(frontier, key))[:3]
        assert bool(runs) == (key in graph.hits)
        for run in runs:
            assert_run(graph, run, key)
        if runs:
            steps = graph.system.steps
            exchanges = sum(steps[step].kind is StepKind.STAGE for _, step, _ in runs[0][:-1])
            assert exchanges == min(graph.depths[hit.source] for hit in graph.hits[key])


@pytest.mark.parametrize("seed", CLOSELY)
def test_what_can_still_happen(seed: int) -> None:
    frontier, graph = searched(system_of(seed))
    ends = done(frontier)
    possible, certain = can_reach(frontier, ends), surely_reaches(frontier, ends)
    assert lengths(frontier, possible) == counted(graph, possibly_ends(graph))
    assert lengths(frontier, certain) == counted(graph, surely_ends(graph))
    assert lengths(frontier, others(frontier, certain)) == counted(graph, [not sure for sure in surely_ends(graph)])
    edges = microstep_edges(graph)
    around, longest = turning(frontier)
    assert any(map(len, around)) == bool(cyclic(edges, edges))
    if not any(map(len, around)):
        assert longest == longest_chain(graph)


@pytest.mark.parametrize("seed", [*CLOSELY][::2])
def test_how_often_states_are_entered(seed: int) -> None:
    system = system_of(seed)
    frontier, diagram = explore_layers(system, LONG), explore_symbolically(system)
    states = list(dict.fromkeys(location.state for location in system.locations))
    assert [returns(frontier, state) for state in states] == [by_diagram.returns(diagram, state) for state in states]
    fires = {(s.source.state, s.target.state) for s in system.steps if s.kind is StepKind.FIRE}
    for cycle in [(one,) for one, other in fires if one == other] + [
        pair for pair in fires if pair[0] != pair[1] and pair[::-1] in fires
    ]:
        assert turns(frontier, cycle) == by_diagram.turns(diagram, cycle)


@pytest.mark.parametrize("seed", range(2000, 2010))
def test_a_second_look_agrees(seed: int) -> None:
    frontier = explore_layers(system_of(seed), LONG)
    second = look_again(frontier, LONG)
    assert second.frontier is not None
    assert second.frontier.hits.keys() == frontier.hits.keys()


def forget(frontier: Frontier) -> int:
    """Take one configuration out of the location that has most of them; its number."""
    place = max(range(len(frontier.reached)), key=lambda number: len(frontier.reached[number]))
    whole = frontier.reached[place].whole
    frontier.reached[place] = Growing(frontier.setting.codes.kind, [Tagged(whole.members[1:], whole.tags[1:])])
    return place


def test_a_second_look_sees_that_something_is_missing() -> None:
    frontier = explore_layers(member(1, 3, 1, 2))
    forget(frontier)
    with pytest.raises(DisagreementError):
        look_again(frontier, LONG)


@pytest.mark.parametrize("drawn", [0, recheck.DRAWN])
def test_a_second_look_sees_that_an_event_is_missing(drawn: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(recheck, "DRAWN", drawn)
    frontier = explore_layers(member(1, 3, 1, 2))
    del frontier.hits[next(iter(frontier.hits))]
    with pytest.raises(DisagreementError):
        look_again(frontier, LONG)


def test_runs_to_chosen_configurations() -> None:
    frontier, graph = searched(member(1, 3, 1, 2))
    place = max(range(len(frontier.reached)), key=lambda number: len(frontier.reached[number]))
    found = list(runs_into(frontier, {place: frontier.at(place)}, 5))
    assert found
    for point, run in found:
        assert frontier.number_of[point.location] == place
        number = graph.values.index(point.values)
        assert (graph.locations[number], graph.values[number]) == (place, point.values)
        exchanges = sum(graph.system.steps[step].kind is StepKind.STAGE for _, step, _ in run)
        assert exchanges == graph.depths[number]
        values, location = graph.packing.initial(), graph.system.start
        for before, step, inputs in run:
            assert (before, graph.system.steps[step].source) == (values, location)
            out: list[tuple[tuple[int, ...], tuple[int, ...], int]] = []
            graph.functions[step](before, out)
            (values,) = {after for after, chosen, _ in out if chosen == inputs}
            location = graph.system.steps[step].target
        assert (values, location) == (point.values, point.location)


def test_earlier_transitions_come_first() -> None:
    """Of the six pairs of answers three go to the first, (y, x) and (y, z) to the second, (y, y) to the third. While
    the machine is in ``ask``, nothing is answered, before any exchange or after some, or a, or b, or both."""
    frontier, graph = searched(spec_system(OVERLAPPING))
    ends = {location.state: count for location, count in frontier.counts.items() if location.phase.value == "done"}
    assert ends == {"first": 3, "second": 2, "third": 1}
    asked = [count for location, count in frontier.counts.items() if location == Location("ask", Phase.RUNNING)]
    assert asked == [2 + 2 + 3 + 6]
    assert differences(frontier, graph) == []


def test_copies_and_comparisons() -> None:
    """Three answers are the same, six are not; those are swapped, and c is what a was, that is now b."""
    frontier, graph = searched(spec_system(COPYING))
    ends = {location.state: count for location, count in frontier.counts.items() if location.phase.value == "done"}
    assert ends == {"same": 3, "kept": 6}
    assert differences(frontier, graph) == []


COUNTING = """\
fsm:
  name: counting
  version: 1
  initialState: ask
  context:
    go: { type: enum, values: [up, stop], default: "" }
    n: { type: integer, default: 0 }
  agents:
    ann: { canTransition: [ask] }
  states:
    ask:
      requires: [ { name: go, from: { agent: ann } } ]
      transitions:
        - toState: ask
          guards: [ { backend: cel, expression: "context.go == 'up' && context.n < 5" } ]
          onTransition: [ { assign: { n: "${ context.n + 2 }", go: "" } } ]
        - { toState: over, guards: [ { backend: cel, expression: "context.n > 5" } ] }
        - { toState: done }
    over: { terminal: true }
    done: { terminal: true }
"""


def test_integers_of_known_value() -> None:
    """n is 0, 2, 4 and then 6: stopped at one of the first three, or over at 6 with whatever answer."""
    frontier, graph = searched(spec_system(COUNTING))
    ends = {location.state: count for location, count in frontier.counts.items() if location.phase.value == "done"}
    assert differences(frontier, graph) == []
    assert ends == {"done": 3, "over": 2}


STAGED = """\
fsm:
  name: staged
  version: 1
  initialState: ask
  context:
    n: { type: integer }
    m: { type: integer }
  agents:
    ann: { canTransition: [ask] }
  states:
    ask:
      requires: [ { name: n, from: { agent: ann } }, { name: m, from: { agent: ann } } ]
      transitions:
        - { toState: low, guards: [ { backend: cel, expression: "context.n + context.m < 3" } ] }
        - { toState: equal, guards: [ { backend: cel, expression: "context.n == context.m" } ] }
        - { toState: high, guards: [ { backend: cel, expression: "context.n * 2 > 9 || context.m % 3 == 1" } ] }
        - toState: low
          onTransition: [ { assign: { n: "${ context.n > context.m ? context.m : context.n - 1 }" } } ]
    low: { terminal: true }
    equal: { terminal: true }
    high: { terminal: true }
"""


@pytest.mark.parametrize("profile", ["gated", "eager"])
def test_integers_between_bounds(profile: str) -> None:
    system = spec_system(STAGED, profile)
    assert any(variable.sort is INT for variable in system.variables)
    assert differences(*searched(system)) == []


def test_what_integers_decide_about_other_values() -> None:
    """A value chosen by a comparison that may go either way is one of both, in updates and in later comparisons."""
    colour = Sort(SortKind.FINITE, "colour", ("red", "green", "blue"))
    n, c, p = t.var("n", INT), t.var("c", colour), t.var("p", BOOL)
    above = t.lt(t.integer(1_000), t.arithmetic(t.Op.MUL, n, t.integer(3)))
    chosen = t.ite(above, c, t.label(colour, 2))
    drawing = Drawing("a", {"n": (INT, 0), "c": (colour, 0), "p": FLAG})
    answer = Input("a#n", INT, Chooser.AGENT, lower=-5, upper=9_000)
    which = Input("a#c", colour, Chooser.AGENT, domain=(0, 1))
    drawing.loop("a", StepKind.PARK)
    staged = {"n": t.var("a#n", INT), "c": t.var("a#c", colour)}
    drawing.edge("a", "b", kind=StepKind.STAGE, updates=staged, inputs=(answer, which))
    drawing.edge("b", "c", t.eq(chosen, t.label(colour, 2)), {"c": chosen, "p": above}, bad=t.eq(chosen, c))
    drawing.edge("b", "b", t.le(n, t.integer(5_000)), {"n": t.arithmetic(t.Op.MUL, n, t.integer(3))})
    drawing.edge("c", "d", p, {"n": t.arithmetic(t.Op.SUB, n, t.integer(7))}, bad=t.eq(c, t.label(colour, 1)))
    frontier, graph = searched(drawing.system())
    assert differences(frontier, graph) == []
    assert BAD in graph.hits


def test_events_with_inputs() -> None:
    """Of the step's own inputs the event needs those with which the step is taken; of its own any."""
    drawing = Drawing("a", {"p": FLAG, "q": FLAG})
    x, y = Input("x", BOOL, Chooser.AGENT), Input("y", BOOL, Chooser.AGENT)
    p, q, vx, vy = t.var("p", BOOL), t.var("q", BOOL), t.var("x", BOOL), t.var("y", BOOL)
    drawing.loop("a", StepKind.PARK)
    drawing.edge("a", "b", vx, {"p": vx, "q": vy}, kind=StepKind.STAGE, inputs=(x, y), bad=t.not_(vx))
    drawing.edge("b", "c", t.and_(t.or_(vx, vy), q), {"p": vy}, inputs=(x, y), bad=t.and_(vx, t.not_(vy), p))
    frontier, graph = searched(drawing.system())
    assert differences(frontier, graph) == []
    only_bad = Drawing("a", {"p": FLAG})
    only_bad.edge("a", "b", vx, {"p": vx}, inputs=(x,), bad=t.not_(vx))
    frontier, graph = searched(only_bad.system())
    assert (set(frontier.hits), set(graph.hits)) == (set(), set())


def test_many_answers_at_once_are_taken_one_by_one() -> None:
    """Eight answers of four values are 5^8 ways to make one exchange, more than explicit search tries. They are all the
    same in four of the 4^8 ways to answer everything."""
    fields = [f"f{number}" for number in range(8)]
    same = " && ".join(f"context.f0 == context.{name}" for name in fields[1:])
    text = f"""
fsm:
  name: wide
  version: 1
  initialState: ask
  context: {{ {", ".join(f"{name}: {{ type: enum, values: [a, b, c, d] }}" for name in fields)} }}
  agents: {{ ann: {{ canTransition: [ask] }} }}
  states:
    ask:
      requires: [ {", ".join(f"{{ name: {name}, from: {{ agent: ann }} }}" for name in fields)} ]
      transitions: [ {{ toState: same, guards: [ {{ backend: cel, expression: "{same}" }} ] }}, {{ toState: done }} ]
    same: {{ terminal: true }}
    done: {{ terminal: true }}
"""
    system = spec_system(text)
    frontier, diagram = explore_layers(system, LONG), explore_symbolically(system)
    assert explore(system).reason == 'step "ask<ann" has more than 100000 combinations of values'
    assert frontier.complete
    ends = {location.state: count for location, count in frontier.counts.items() if location.phase is Phase.DONE}
    assert ends == {"same": 4, "done": 4**8 - 4}
    assert frontier.counts == diagram.counts
    assert {key for key in diagram.asked if diagram.happens(key)} == set(frontier.hits)
    assert look_again(frontier, LONG).frontier is not None
    ends_surely = surely_reaches(frontier, done(frontier))
    assert lengths(frontier, others(frontier, ends_surely)) == {}
    first = frontier.number_of[Location("ask", Phase.WAITING)]
    ((point, run),) = runs_into(frontier, {first: frontier.at(first)[-1:]}, 1)
    assert (point.location, len(run)) == (Location("ask", Phase.WAITING), 4)


@pytest.mark.parametrize(
    ("limits", "reason"),
    [(FrontierLimits(megabytes=0), "more than 0 MB"), (FrontierLimits(seconds=0), "out of time")],
)
def test_limits(limits: FrontierLimits, reason: str) -> None:
    frontier = explore_layers(member(2, 3, 4, 3), limits)
    assert not frontier.complete
    assert frontier.reason == reason


def test_configurations_that_do_not_fit() -> None:
    frontier = explore_layers(member(1, 3, 70, 2))
    assert not frontier.complete
    assert frontier.reason == "the values of a configuration do not fit into 64 bits"


@pytest.mark.parametrize("flags", [8, 32, 64])
@pytest.mark.parametrize("last", [False, True])
def test_a_variable_of_one_value_takes_no_room(flags: int, last: bool) -> None:
    """All numbers of a type are taken by the flags; ``only`` comes before them or after."""
    single = Sort(SortKind.FINITE, "single", ("it",))
    named = {f"p{number}": FLAG for number in range(flags)}
    drawing = Drawing("a", {**named, "only": (single, 0)} if last else {"only": (single, 0), **named})
    first, end, only = t.var("p0", BOOL), t.var(f"p{flags - 1}", BOOL), t.var("only", single)
    x, y = Input("x", BOOL, Chooser.AGENT), Input("y", single, Chooser.AGENT)
    drawing.loop("a", StepKind.PARK)
    staged = {"p0": t.var("x", BOOL), f"p{flags - 1}": t.not_(t.var("x", BOOL)), "only": t.var("y", single)}
    drawing.edge("a", "b", kind=StepKind.STAGE, updates=staged, inputs=(x, y))
    drawing.edge("b", "c", t.and_(first, t.eq(only, t.label(single, 0))), bad=end)
    drawing.edge("b", "d", end, {"only": only}, bad=end)
    frontier, graph = searched(drawing.system())
    assert differences(frontier, graph) == []
    assert look_again(frontier, LONG).frontier is not None
    place = frontier.number_of[Location("d", Phase.RUNNING)]
    assert len(list(runs_into(frontier, {place: frontier.at(place)}, 5))) == len(frontier.at(place)) == 1


def test_terms_as_deep_as_a_list_of_actions_is_long() -> None:
    increments = ", ".join(['{ assign: { n: "${ context.n + 1 }" } }'] * 1_200)
    system = spec_system(COUNTING.replace('{ assign: { n: "${ context.n + 2 }", go: "" } }', increments))
    assert explore_layers(system, LONG).complete


def test_time_passes_while_a_table_is_made() -> None:
    frontier = explore_layers(spec_system(STAGED), LONG)
    conditions = [term for step in frontier.system.steps for term in conjuncts(step.guard)]
    compared = next(term for term in conditions if term.op in (t.Op.LT, t.Op.LE))
    in_time, late = (Tables(frontier.setting.packing, Budget(FrontierLimits(seconds=left))) for left in (60, -1))
    assert len(in_time.comparison(compared, {}).content[0]) > 1
    with pytest.raises(BudgetError, match="out of time"):
        late.comparison(compared, {})


@pytest.mark.parametrize(
    ("sets", "each"),
    [
        (Between(np.zeros((1, 1), np.int32), np.full((1, 1), 3, np.int32)), [0, 1, 2, 3]),
        (Several(np.full((1, 1), 0b1001, np.uint64)), [0, 3]),
    ],
)
def test_values_are_counted_before_they_are_told_apart(sets: Between | Several, each: list[int]) -> None:
    few, many = np.zeros(2, np.intp), np.zeros(200_000, np.intp)
    budget = Budget(FrontierLimits(megabytes=8))
    which, values = _spread(sets, few, few, 4, budget)
    assert (which.tolist(), values.tolist()) == ([0] * len(each) + [1] * len(each), each * 2)
    with pytest.raises(BudgetError, match="more than 8 MB"):
        _spread(sets, many, many, 4, budget)
