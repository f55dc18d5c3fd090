"""Verdicts by decision diagrams: those of the other engines on specs small enough for these, then on large ones."""

from __future__ import annotations

import json
from collections import Counter
from pathlib import Path

import pytest

from bench.family import Member, family
from fsmcheck.certify.solvers import solver
from fsmcheck.certify.verify import Status, certify
from fsmcheck.engines.diagram.budget import DiagramLimits
from fsmcheck.engines.diagram.recheck import Second
from fsmcheck.engines.disagreement import DisagreementError
from fsmcheck.engines.explicit import Limits
from fsmcheck.obligations import case as cases
from fsmcheck.obligations import diagrams
from fsmcheck.obligations.by_diagram import decide_by_diagram
from fsmcheck.obligations.case import make_case, obligations_of
from fsmcheck.obligations.decide import profile_named
from fsmcheck.obligations.layers import Layers
from fsmcheck.obligations.obligation import Verdict
from fsmcheck.obligations.run import run
from fsmcheck.reducer.replay import replay
from fsmcheck.reducer.trace import parse_trace
from fsmcheck.spec.load import load_path
from fsmcheck.spec.model import Spec
from tests.certify.written import PLANNER, manifests, write
from tests.forgetful import forgetful
from tests.oracle.compare import profile_of
from tests.oracle.generate import generate, load_valid

SPECS = Path(__file__).parents[2] / "specs"
BY_RUN = (
    *("FSM203", "FSM204", "FSM205", "FSM301", "FSM302", "FSM303", "FSM401", "FSM402", "FSM403", "FSM404"),
    *("FSM501", "FSM502", "FSM503", "FSM504", "FSM505"),
)


@pytest.fixture
def cut_off(monkeypatch: pytest.MonkeyPatch) -> None:
    """Explicit search of the whole gives up at once, so that every question goes to the diagrams."""
    monkeypatch.setattr(cases, "WHOLE", 1)


def large(*sizes: int, faulty: bool = False) -> Spec:
    spec = load_valid(family(Member(*sizes, faulty=faulty)))
    assert spec is not None
    return spec


def verdicts_of(spec: Spec, profile: str) -> dict[str, Verdict]:
    return {verdict.obligation.id: verdict for verdict in run(spec, profile, BY_RUN.__contains__, None).verdicts}


def compared(spec: Spec, profile: str, monkeypatch: pytest.MonkeyPatch) -> Counter[str]:
    """How many verdicts the diagrams gave, after holding each against that of the other engines."""
    expected = verdicts_of(spec, profile)
    with monkeypatch.context() as patch:
        patch.setattr(cases, "WHOLE", 1)
        found = verdicts_of(spec, profile)
    assert found.keys() == expected.keys()
    for name, verdict in found.items():
        assert (verdict.verdict, verdict.vacuous) == (expected[name].verdict, expected[name].vacuous), name
        assert verdict.reason == expected[name].reason, name
    return Counter(verdict.method for verdict in found.values())


FAILS_AT_ONCE = 50007
"""The ``entry`` of the initial state always fails, so that no run enters it."""


@pytest.mark.parametrize("seed", [*range(4000, 4012), FAILS_AT_ONCE])
def test_generated_specs(seed: int, monkeypatch: pytest.MonkeyPatch) -> None:
    spec = load_valid(generate(seed))
    assert spec is not None
    compared(spec, profile_of(seed).value, monkeypatch)


@pytest.mark.parametrize("name", ["planner_executor", "faulty/outcome_not_consumed", "faulty/planner_lacks_abort"])
@pytest.mark.parametrize("profile", ["gated", "eager"])
def test_shipped_specs(name: str, profile: str, monkeypatch: pytest.MonkeyPatch) -> None:
    (document,) = load_path(SPECS / f"{name}.yaml")
    assert document.spec is not None
    methods = compared(document.spec, profile, monkeypatch)
    assert methods["explicit"] <= 1  # FSM501: a run that turns the loop without end
    assert methods["diagram+induction"] > 20


@pytest.mark.usefixtures("cut_off")
def test_proofs_by_diagram_have_certificates(tmp_path: Path) -> None:
    report = write(PLANNER, tmp_path)
    assert {claim.method for claim in report.specs[0].obligations} >= {"diagram+induction"}
    assert len(manifests(tmp_path, "induction")) == 1
    results = certify(tmp_path, [solver("z3"), solver("cvc5")])
    assert [result.status for result in results].count(Status.ACCEPTED) == 1
    assert Status.REFUSED not in {result.status for result in results}


def test_too_many_ways_between_few_configurations(monkeypatch: pytest.MonkeyPatch) -> None:
    """That a search one by one would take too long is known before it is begun."""
    spec = large(1, 3, 2, 2, faulty=True)
    expected = verdicts_of(spec, "gated")
    monkeypatch.setattr(cases, "WIDE", 10)
    monkeypatch.setattr(cases, "WHOLE_SUCCESSORS", 100)
    case = make_case(spec, profile_named("gated"), Limits())
    assert not case.whole.complete
    assert case.base.complete
    found = verdicts_of(spec, "gated")
    assert {name: verdict.verdict for name, verdict in found.items()} == {
        name: verdict.verdict for name, verdict in expected.items()
    }
    assert Counter(verdict.method for verdict in found.values())["diagram+induction"] > 10


def test_a_second_search_that_gives_up_proves_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(cases, "WHOLE", 1)
    monkeypatch.setattr(diagrams, "look_again", lambda _diagram, _limits: Second(None, "more than 5 nodes"))
    case = make_case(large(1, 3, 1, 2), profile_named("gated"), Limits())
    asked = [obligation for obligation in obligations_of(case) if obligation.rule in ("FSM204", "FSM301", "FSM502")]
    assert {decide_by_diagram(case, obligation) for obligation in asked} == {None}
    assert case.diagrams.reason == "the second search gave up: more than 5 nodes"


def test_ten_million_configurations() -> None:
    spec = large(3, 5, 11, 4)
    case = make_case(spec, profile_named("gated"), Limits())
    searched = case.diagrams.whole()
    assert searched is not None
    assert searched.diagram.count > 10**7
    rules = ("FSM203", "FSM204", "FSM301", "FSM403", "FSM501", "FSM502")
    asked = [obligation for obligation in obligations_of(case) if obligation.rule in rules]
    found = [decide_by_diagram(case, obligation) for obligation in asked]
    assert {verdict.verdict for verdict in found if verdict} == {"proved"}
    assert None not in found


def test_a_fault_among_a_million_configurations_is_shown() -> None:
    spec = large(2, 4, 8, 4, faulty=True)
    verdicts = run(spec, "gated", lambda rule: rule == "FSM403", None).verdicts
    assert Counter((verdict.verdict, verdict.method) for verdict in verdicts)["violated", "diagram"] == 4
    for verdict in verdicts:
        if verdict.verdict == "violated":
            assert verdict.trace is not None
            assert replay(spec, parse_trace(json.dumps(dict(verdict.trace)))) == []


def test_what_was_too_much_is_said(monkeypatch: pytest.MonkeyPatch) -> None:
    small = lambda seconds: DiagramLimits(nodes=10, seconds=seconds)  # noqa: E731
    monkeypatch.setattr(diagrams, "DiagramLimits", small)
    monkeypatch.setattr(Layers, "_made", lambda *_: None)
    monkeypatch.setattr(cases, "WHOLE", 1)
    case = make_case(large(1, 3, 2, 2), profile_named("gated"), Limits(configurations=20))
    (obligation,) = [found for found in obligations_of(case) if found.id == "FSM204:plan1:gated"]
    assert decide_by_diagram(case, obligation) is None
    assert case.diagrams.reason == "more than 10 nodes"
    verdict = next(v for v in _decided(case, "FSM204"))
    assert verdict.verdict == "unknown"
    assert verdict.reason == "limit reached: more than 20 configurations; diagrams: more than 10 nodes"


def _decided(case: cases.Case, rule: str) -> list[Verdict]:
    from fsmcheck.obligations.decide import decide

    return [decide(case, obligation) for obligation in obligations_of(case) if obligation.rule == rule]


@pytest.mark.usefixtures("cut_off")
def test_a_search_that_misses_something_proves_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    """One of two searches forgets a configuration: nothing may be said then."""
    monkeypatch.setattr(diagrams, "explore_symbolically", forgetful(diagrams.explore_symbolically))
    with pytest.raises(DisagreementError):
        run(large(1, 3, 1, 2), "gated", lambda rule: rule == "FSM301", None)
