"""Search by diagrams against explicit search: counts, depths, events, runs, and what can still happen."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import pytest

from bench.family import Member, family
from fsmcheck.engines.compile import TooWideError, compile_steps
from fsmcheck.engines.coverage import cyclic, longest_chain, microstep_edges, possibly_ends, surely_ends
from fsmcheck.engines.diagram.backward import can_reach, done, others, returns, surely_reaches, turning, turns
from fsmcheck.engines.diagram.budget import DiagramLimits
from fsmcheck.engines.diagram.projected import counts_of
from fsmcheck.engines.diagram.recheck import look_again
from fsmcheck.engines.diagram.search import Diagram, explore_symbolically
from fsmcheck.engines.diagram.traces import Rings
from fsmcheck.engines.disagreement import DisagreementError
from fsmcheck.engines.explicit import Graph, Limits, explore
from fsmcheck.source import SourceFile
from fsmcheck.spec.load import load, load_path
from fsmcheck.system import terms as t
from fsmcheck.system.slice import Cones
from fsmcheck.system.system import Chooser, Input, Location, Phase, StepKind, System
from fsmcheck.system.terms import BOOL
from fsmcheck.system.translate import translate
from tests.engines.diagrams import assert_run, counted, differences, exchanges, sizes
from tests.engines.machines import COPYING, OVERLAPPING
from tests.engines.systems import Drawing, keys_of, system_of
from tests.oracle.generate import load_valid

SEEDS, CHUNK = 150, 15
CLOSELY = range(1000, 1030)
SPECS = sorted(path for path in Path("specs").rglob("*.yaml") if path.name != "verdicts.yaml")


def searched(system: System) -> tuple[Diagram, Graph]:
    graph = explore(system, Limits(seconds=60))
    diagram = explore_symbolically(system, DiagramLimits(seconds=60))
    assert graph.complete
    assert diagram.complete
    return diagram, graph


def member(*sizes: int, faulty: bool = False) -> System:
    (document,) = load(SourceFile("family.yaml", family(Member(*sizes, faulty=faulty))))
    assert not document.faults
    assert document.spec is not None
    return translate(document.spec, "gated")


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


@pytest.mark.parametrize("seed", CLOSELY)
def test_runs_to_events(seed: int) -> None:
    diagram, graph = searched(system_of(seed))
    rings = Rings(diagram)
    for key in keys_of(graph.system)[seed % 5 :: 5]:
        runs = list(rings.hits(key, 3))
        assert bool(runs) == (key in graph.hits)
        for run in runs:
            assert_run(graph, run, key)
        if runs:
            assert exchanges(diagram, runs[0]) == min(graph.depths[hit.source] for hit in graph.hits[key])


@pytest.mark.parametrize("seed", CLOSELY)
def test_what_can_still_happen(seed: int) -> None:
    diagram, graph = searched(system_of(seed))
    ends = done(diagram)
    possible, certain = can_reach(diagram, ends), surely_reaches(diagram, ends)
    assert sizes(diagram, possible) == counted(graph, possibly_ends(graph))
    assert sizes(diagram, certain) == counted(graph, surely_ends(graph))
    assert sizes(diagram, others(diagram, certain)) == counted(graph, [not sure for sure in surely_ends(graph)])
    edges = microstep_edges(graph)
    around, longest = turning(diagram)
    assert any(around) == bool(cyclic(edges, edges))
    if not any(around):
        assert longest == longest_chain(graph)


@pytest.mark.parametrize("seed", range(2000, 2010))
def test_a_second_look_agrees(seed: int) -> None:
    diagram = explore_symbolically(system_of(seed))
    second = look_again(diagram, DiagramLimits())
    assert second.diagram is not None
    assert second.diagram.hits == diagram.hits
    assert {key for key in diagram.asked if second.denies(key)} == set(diagram.asked) - diagram.hits


def test_a_second_look_sees_that_something_is_missing() -> None:
    diagram = explore_symbolically(member(1, 3, 1, 2))
    sets = diagram.ready.sets
    place = max(range(len(diagram.reached)), key=lambda number: sets.count(diagram.reached[number]))
    node = diagram.reached[place]
    diagram.reached[place] = sets.minus(node, sets.single(sets.first(node)))
    with pytest.raises(DisagreementError):
        look_again(diagram, DiagramLimits())


def test_steps_are_drawn_beside_one_that_is_too_wide() -> None:
    """A plan of seventeen flags has too many ways to be drawn, what follows it has not."""
    diagram = explore_symbolically(member(1, 3, 17, 2))
    machine = diagram.ready
    with pytest.raises(TooWideError):
        compile_steps(machine.packing)
    place = machine.location_numbers[Location("execute1", Phase.RUNNING)]
    diagram.reached[place] = machine.sets.minus(diagram.reached[place], diagram.reached[place])
    with pytest.raises(DisagreementError, match="explicit search"):
        look_again(diagram, DiagramLimits())


def test_inputs_lead_where_a_step_leads() -> None:
    """The way to the next stage empties the plan: no inputs lead to a configuration in which it is still there."""
    diagram = explore_symbolically(member(2, 3, 0, 2))
    machine, sets = diagram.ready, diagram.ready.sets
    number = next(number for number, step in enumerate(machine.system.steps) if step.name == "execute1/0")
    source, target = (diagram.reached[place] for place in machine.ends[number])
    before = sets.first(machine.relation(number).before(source, target))
    after = sets.first(machine.relation(number).image(sets.single(before)))
    assert machine.inputs_for(number, before, after) is not None
    plan = machine.packing.index["plan"]
    kept = list(machine.packed(after))
    kept[plan] = machine.packed(before)[plan]
    assert tuple(kept) != machine.packed(after)
    assert machine.inputs_for(number, before, machine.encoded(tuple(kept))) is None


@pytest.mark.parametrize("seed", range(2010, 2020))
def test_configurations_that_differ_in_some_variables(seed: int) -> None:
    system = system_of(seed)
    diagram, graph = searched(system)
    for names in (Cones(system).machine, frozenset(list(diagram.ready.packing.index)[::2]), frozenset()):
        kept = [place for name, place in graph.packing.index.items() if name in names]
        apart = {(graph.location(n), *(values[place] for place in kept)) for n, values in enumerate(graph.values)}
        assert counts_of(diagram, names) == Counter(location for location, *_ in apart)


def test_earlier_transitions_come_first() -> None:
    """Of the six pairs of answers three go to the first, (y, x) and (y, z) to the second, (y, y) to the third."""
    spec = load_valid(OVERLAPPING)
    assert spec is not None
    diagram, graph = searched(translate(spec, "gated"))
    ends = {location.state: count for location, count in diagram.counts.items() if location.phase.value == "done"}
    assert ends == {"first": 3, "second": 2, "third": 1}
    assert differences(diagram, graph) == []


def test_copies_and_comparisons() -> None:
    """Three answers are the same, six are not; those are swapped, and c is what a was, that is now b."""
    spec = load_valid(COPYING)
    assert spec is not None
    diagram, graph = searched(translate(spec, "gated"))
    ends = {location.state: count for location, count in diagram.counts.items() if location.phase.value == "done"}
    assert ends == {"same": 3, "kept": 6}
    assert differences(diagram, graph) == []


def test_the_family_of_the_benchmarks() -> None:
    small = [searched(member(2, 4, 1, 2, faulty=faulty)) for faulty in (False, True)]
    assert [differences(diagram, graph) for diagram, graph in small] == [[], []]
    assert small[0][0].count < small[1][0].count


def test_a_search_beyond_counting_one_by_one() -> None:
    """With each flag, the planner's configurations triple, so 24 flags make 3^24 and more."""
    diagram = explore_symbolically(member(1, 3, 24, 2))
    assert diagram.complete
    assert diagram.count > 3**24
    assert diagram.peak_nodes < 5_000
    assert sizes(diagram, others(diagram, surely_reaches(diagram, done(diagram)))) == {}


@pytest.mark.parametrize("history", [0, 1, 2, 3])
def test_how_often_a_state_is_entered(history: int) -> None:
    """There is a new plan as often as the history may have entries: from execute round to execute takes one, from
    replan to replan a second."""
    diagram = explore_symbolically(member(1, 3, 1, history))
    assert turns(diagram, ("execute1", "replan1")) == (history >= 1)
    assert turns(diagram, ("replan1", "execute1")) == (history >= 2)
    assert not any(returns(diagram, state) for state in ("plan1", "execute1", "replan1", "nowhere"))


def test_a_state_that_is_entered_without_end() -> None:
    (document,) = load_path(Path("specs/planner_executor.yaml"))
    assert document.spec is not None
    diagram = explore_symbolically(translate(document.spec, "gated"))
    assert [returns(diagram, state) for state in ("plan", "execute", "replan", "finish")] == [False, True, True, False]
    assert turns(diagram, ("execute", "replan"))
    assert not turns(diagram, ("plan", "execute"))


def test_a_system_without_variables() -> None:
    """Its steps may still depend on what is chosen."""
    chosen = Input("start#0", BOOL, Chooser.AGENT)
    drawing = Drawing("a", {})
    drawing.edge("a", "a", kind=StepKind.START, guard=t.var("start#0", BOOL), inputs=(chosen,))
    drawing.edge(
        "a", "b", guard=t.not_(t.var("a#0", BOOL)), inputs=(Input("a#0", BOOL, Chooser.ABSTRACTION),), bad=t.TRUE
    )
    drawing.edge("b", "b", kind=StepKind.FINISH, guard=t.FALSE)
    diagram, graph = searched(drawing.system())
    assert diagram.count == 3
    assert differences(diagram, graph) == []


@pytest.mark.parametrize(
    ("limits", "reason"),
    [
        (DiagramLimits(nodes=50), "more than 50 nodes"),
        (DiagramLimits(terms=20), "more than 20 nodes for the guards and updates"),
        (DiagramLimits(relation=3), 'step "start" relates too many fields'),
        (DiagramLimits(seconds=0), "out of time"),
    ],
)
def test_limits(limits: DiagramLimits, reason: str) -> None:
    diagram = explore_symbolically(member(2, 3, 4, 3), limits)
    assert not diagram.complete
    assert diagram.reason == reason
