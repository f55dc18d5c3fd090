"""Verdicts by layers: those of the other engines on small specs, then on large ones that diagrams are too small for."""

from __future__ import annotations

import builtins
import importlib.util
import json
import sys
from collections import Counter
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from bench.family import Member, family
from bench.shuffled import shuffled
from fsmcheck.check import check_unit
from fsmcheck.engines.diagram.budget import DiagramLimits
from fsmcheck.engines.disagreement import DisagreementError
from fsmcheck.engines.explicit import Limits
from fsmcheck.obligations import case as cases
from fsmcheck.obligations import diagrams, layers
from fsmcheck.obligations.answers import Answers
from fsmcheck.obligations.by_diagram import decide_by_diagram, decide_by_layers
from fsmcheck.obligations.case import Case, make_case, obligations_of
from fsmcheck.obligations.course import Course
from fsmcheck.obligations.decide import decide, profile_named
from fsmcheck.obligations.obligation import Verdict
from fsmcheck.obligations.run import run
from fsmcheck.obligations.shortfall import shortfall
from fsmcheck.options import Options
from fsmcheck.parallel.losses import has_losses
from fsmcheck.parallel.unit import units
from fsmcheck.reducer.replay import replay
from fsmcheck.reducer.trace import parse_trace
from fsmcheck.source import SourceFile
from fsmcheck.spec.load import load, load_path
from fsmcheck.spec.model import Spec
from tests.oracle.compare import profile_of
from tests.oracle.generate import generate, load_valid

SPECS = Path(__file__).parents[2] / "specs"
BY_RUN = (
    *("FSM111", "FSM203", "FSM204", "FSM205", "FSM301", "FSM302", "FSM303", "FSM401", "FSM402", "FSM403", "FSM404"),
    *("FSM405", "FSM501", "FSM502", "FSM503", "FSM504", "FSM505"),
)
LONG = 120.0

needs_numpy = pytest.mark.skipif(importlib.util.find_spec("numpy") is None, reason="NumPy is not installed")


@pytest.fixture
def cut_off(monkeypatch: pytest.MonkeyPatch) -> None:
    """Explicit search of the whole and the diagrams give up at once, so that every question goes to the layers."""
    monkeypatch.setattr(cases, "WHOLE", 1)
    monkeypatch.setattr(diagrams, "DiagramLimits", lambda seconds: DiagramLimits(nodes=2, seconds=seconds))


def large(*sizes: int, faulty: bool = False) -> Spec:
    spec = load_valid(family(Member(*sizes, faulty=faulty)))
    assert spec is not None
    return spec


def valid(text: str) -> Spec:
    spec = load_valid(text)
    assert spec is not None
    return spec


def verdicts_of(spec: Spec, profile: str) -> dict[str, Verdict]:
    return {verdict.obligation.id: verdict for verdict in run(spec, profile, BY_RUN.__contains__, LONG).verdicts}


def compared(spec: Spec, profile: str, request: pytest.FixtureRequest) -> Counter[str]:
    """How many verdicts the layers gave, after holding each against that of the other engines."""
    expected = verdicts_of(spec, profile)
    request.getfixturevalue("cut_off")
    found = verdicts_of(spec, profile)
    assert found.keys() == expected.keys()
    for name, verdict in found.items():
        assert (verdict.verdict, verdict.vacuous) == (expected[name].verdict, expected[name].vacuous), name
        if verdict.verdict != "unknown":
            assert verdict.reason == expected[name].reason, name
    return Counter(verdict.method for verdict in found.values())


@needs_numpy
@pytest.mark.parametrize("seed", [*range(4000, 4012), 50007])
def test_generated_specs(seed: int, request: pytest.FixtureRequest) -> None:
    compared(valid(generate(seed)), profile_of(seed).value, request)


@needs_numpy
@pytest.mark.parametrize("name", ["planner_executor", "faulty/outcome_not_consumed", "faulty/planner_lacks_abort"])
@pytest.mark.parametrize("profile", ["gated", "eager"])
def test_shipped_specs(name: str, profile: str, request: pytest.FixtureRequest) -> None:
    (document,) = load_path(SPECS / f"{name}.yaml")
    assert document.spec is not None
    methods = compared(document.spec, profile, request)
    assert methods["frontier"] > 20
    assert methods["diagram"] == methods["diagram+induction"] == 0


def case_without_whole(spec: Spec) -> Case:
    return make_case(spec, profile_named("gated"), Limits(configurations=20, seconds=LONG))


def of_rule(case: Case, rule: str) -> list[Verdict]:
    return [decide(case, obligation) for obligation in obligations_of(case) if obligation.rule == rule]


@needs_numpy
@pytest.mark.usefixtures("cut_off")
def test_every_order_of_a_pack_of_cards() -> None:
    """With 8! orders the machine may wait before any exchange or after one that said nothing; it ends in each."""
    case = case_without_whole(valid(shuffled(8)))
    found = {verdict.obligation.id: verdict for verdict in (*of_rule(case, "FSM203"), *of_rule(case, "FSM204"))}
    assert (found["FSM203:twice:gated"].verdict, found["FSM203:twice:gated"].method) == ("violated", "frontier")
    assert (found["FSM203:sorted:gated"].verdict, found["FSM203:sorted:gated"].method) == ("proved", "witness")
    assert (found["FSM204:arrange:gated"].verdict, found["FSM204:arrange:gated"].method) == ("proved", "frontier")
    searched = case.layers.whole()
    assert searched is not None
    ends = {place.state: count for place, count in searched.counts.items() if place.phase.value == "done"}
    assert ends == {"sorted": 1, "done": 40_319}


@pytest.mark.slow
@needs_numpy
def test_what_diagrams_are_too_small_for() -> None:
    """With 9! orders nothing is left open that was for want of a search of all of them."""
    verdicts = run(valid(shuffled(9)), "gated", ("FSM203", "FSM303", "FSM403").__contains__, LONG).verdicts
    methods = Counter((verdict.verdict, verdict.method) for verdict in verdicts)
    assert methods["violated", "frontier"] == 2  # "twice" is not entered, by no transition
    assert {verdict.verdict for verdict in verdicts} == {"proved", "violated"}


@needs_numpy
@pytest.mark.usefixtures("cut_off")
def test_counterexamples_replay() -> None:
    spec = large(2, 4, 4, 4, faulty=True)
    verdicts = run(spec, "gated", lambda rule: rule in ("FSM403", "FSM404"), LONG).verdicts
    assert Counter((verdict.verdict, verdict.method) for verdict in verdicts)["violated", "frontier"] == 4
    for verdict in verdicts:
        if verdict.verdict == "violated":
            assert verdict.trace is not None
            assert replay(spec, parse_trace(json.dumps(dict(verdict.trace)))) == []


@needs_numpy
@pytest.mark.usefixtures("cut_off")
def test_a_search_that_misses_something_proves_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    from fsmcheck.engines.frontier import search
    from tests.engines.test_frontier import forget

    honest = search.explore_layers

    def forgetful(*arguments: Any, **options: Any) -> Any:
        frontier = honest(*arguments, **options)
        forget(frontier)
        return frontier

    monkeypatch.setattr(search, "explore_layers", forgetful)
    with pytest.raises(DisagreementError):
        run(large(1, 3, 1, 2), "gated", lambda rule: rule == "FSM301", LONG)


@needs_numpy
@pytest.mark.usefixtures("cut_off")
def test_a_search_that_misses_an_event_proves_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    from fsmcheck.engines.frontier import recheck, search

    honest = search.explore_layers

    def blind(*arguments: Any, **options: Any) -> Any:
        frontier = honest(*arguments, **options)
        for key in [key for key in frontier.hits if key[0] == "FSM403"]:
            del frontier.hits[key]
        return frontier

    monkeypatch.setattr(search, "explore_layers", blind)
    monkeypatch.setattr(recheck, "DRAWN", 0)
    with pytest.raises(DisagreementError):
        run(large(1, 3, 1, 2, faulty=True), "gated", lambda rule: rule == "FSM403", LONG)


@needs_numpy
@pytest.mark.usefixtures("cut_off")
def test_a_second_search_that_gives_up_proves_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    from fsmcheck.engines.frontier import recheck

    monkeypatch.setattr(recheck, "look_again", lambda _frontier, _limits: recheck.Second(None, "more than 5 MB"))
    case = case_without_whole(large(1, 3, 1, 2))
    asked = [obligation for obligation in obligations_of(case) if obligation.rule in ("FSM204", "FSM301", "FSM502")]
    assert {decide_by_layers(case, obligation) for obligation in asked} == {None}
    assert case.layers.reason == "the second search gave up: more than 5 MB"


@needs_numpy
@pytest.mark.usefixtures("cut_off")
def test_what_was_too_much_is_said(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(layers, "MEGABYTES", 0)
    case = case_without_whole(large(1, 3, 2, 2))
    verdict = of_rule(case, "FSM204")[0]
    assert verdict.verdict == "unknown"
    assert verdict.reason == (
        "limit reached: more than 20 configurations; diagrams: more than 2 nodes; layers: more than 0 MB"
    )


@needs_numpy
@pytest.mark.usefixtures("cut_off")
def test_where_little_memory_is_allowed_layers_take_a_third() -> None:
    case = case_without_whole(large(1, 3, 2, 2))
    case.memory = 2 << 20
    assert case.layers.whole() is None
    assert case.layers.reason == "more than 0 MB, which is all that --memory leaves"
    assert shortfall(case, Answers()) == (f"layers were not searched to the end: {case.layers.reason}",)
    case = case_without_whole(large(1, 3, 2, 2))
    case.memory = 30 << 20
    searched = case.layers.whole()
    assert searched is not None
    assert searched.frontier.budget.limits.megabytes == 10
    assert shortfall(case, Answers()) == ()


@needs_numpy
@pytest.mark.usefixtures("cut_off")
def test_what_little_memory_cut_off_is_told_and_not_remembered(tmp_path: Path) -> None:
    """A limit that is always the same is no such thing."""
    source = SourceFile("family.yaml", family(Member(1, 3, 2, 2)))
    (unit,) = units(load(source), Options(timeout=LONG, cache=tmp_path, select=("FSM301",)))
    report = check_unit(unit, Course(memory=2 << 20))
    assert report.losses == ("layers were not searched to the end: more than 0 MB, which is all that --memory leaves",)
    assert has_losses(report)
    assert all("--memory" in str(each.reason) for each in report.obligations if each.verdict == "unknown")
    assert has_losses(replace(report, losses=())) == any(each.verdict == "unknown" for each in report.obligations)
    whole = check_unit(unit, Course())
    assert not has_losses(whole)
    assert not any(each.cached for each in whole.obligations)
    assert check_unit(unit, Course(memory=2 << 20)).bounds == whole.bounds


@pytest.fixture
def no_numpy(monkeypatch: pytest.MonkeyPatch) -> None:
    """NumPy is not installed, and nobody may try to import it all the same."""
    honest_find, honest_import = importlib.util.find_spec, builtins.__import__

    def find(name: str, package: str | None = None) -> Any:
        return None if name == "numpy" else honest_find(name, package)

    def import_(name: str, *arguments: Any, **options: Any) -> Any:
        if name.partition(".")[0] == "numpy":
            raise ModuleNotFoundError("No module named 'numpy'")
        return honest_import(name, *arguments, **options)

    for name in [name for name in sys.modules if name.startswith("fsmcheck.engines.frontier")]:
        monkeypatch.delitem(sys.modules, name)
    monkeypatch.setattr(layers, "find_spec", find)
    monkeypatch.setattr(builtins, "__import__", import_)


@pytest.mark.usefixtures("cut_off", "no_numpy")
def test_without_numpy_the_reason_names_the_extra() -> None:
    case = case_without_whole(large(1, 3, 2, 2))
    verdict = of_rule(case, "FSM204")[0]
    assert verdict.verdict == "unknown"
    assert verdict.reason == (
        "limit reached: more than 20 configurations; diagrams: more than 2 nodes; "
        'layers: not searched without the extra "frontier" (NumPy)'
    )


@pytest.mark.usefixtures("cut_off", "no_numpy")
def test_without_numpy_the_extra_is_not_named_where_it_would_not_help() -> None:
    case = case_without_whole(large(1, 3, 70, 2))
    asked = [obligation for obligation in obligations_of(case) if obligation.rule == "FSM301"]
    assert decide_by_layers(case, asked[0]) is None
    assert case.layers.reason == "the values of a configuration do not fit into 64 bits"


@needs_numpy
def test_layers_are_not_searched_where_diagrams_do(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(cases, "WHOLE", 1)
    case = make_case(large(1, 3, 1, 2), profile_named("gated"), Limits(seconds=LONG))
    (obligation,) = [found for found in obligations_of(case) if found.id == "FSM301:plan1:gated"]
    assert decide_by_diagram(case, obligation) is not None
    assert decide(case, obligation).method == "diagram"
    assert not case.layers.are_searched
