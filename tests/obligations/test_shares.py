"""Obligations that are handed out: the answers do not depend on who gives them, and when."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from functools import cache, partial
from pathlib import Path
from random import Random

import pytest

from fsmcheck.engines.diagram.budget import DiagramLimits
from fsmcheck.engines.diagram.machine import Machine
from fsmcheck.engines.explicit import Limits
from fsmcheck.obligations import case as cases
from fsmcheck.obligations import diagrams, layers
from fsmcheck.obligations import run as running
from fsmcheck.obligations.case import Case, make_case
from fsmcheck.obligations.course import Course, Crew, Labour
from fsmcheck.obligations.decide import took_too_long
from fsmcheck.obligations.obligation import Obligation, Verdict
from fsmcheck.obligations.run import Outcome, _decide, run
from fsmcheck.obligations.shares import Parts
from fsmcheck.spec.files import read_source
from fsmcheck.spec.load import load
from fsmcheck.spec.model import Spec

ROOT = Path(__file__).parents[2]
SPECS = (
    "specs/planner_executor.yaml",
    "specs/faulty/outcome_not_consumed.yaml",
    "tests/cases/FSM203/bad_shadowed.yaml",
    "tests/cases/FSM303/bad_safety_net.yaml",
    "tests/cases/FSM504/bad_two_agents.yaml",
)


@cache
def spec(path: str) -> Spec:
    (document,) = load(read_source(str(ROOT / path)))
    assert document.spec is not None
    return document.spec


class Strangers:
    """A crew in which every part is done by somebody who knows nothing but the spec, in the order of a lottery."""

    def __init__(self, labour: Parts, of: Spec, lottery: Random) -> None:
        self._labour = labour
        self._spec = of
        self._lottery = lottery
        self._parts: list[object] = []

    @property
    def hands(self) -> int:
        return 2

    def add(self, task: Sequence[object]) -> None:
        self._parts += task

    def answers(self, meanwhile: Iterator[object]) -> Iterator[tuple[object, object]]:
        while self._parts:
            part = self._parts.pop(self._lottery.randrange(len(self._parts)))
            case = make_case(self._spec, "gated", running.Limits())  # type: ignore[attr-defined]
            yield part, Parts(case, self._labour.plan, partial(_decide, case, unentered=set())).do(part)
        for _ in meanwhile:
            pass


def decided(path: str, seed: int | None = None) -> Outcome:
    """The verdicts of one who does all, or of strangers."""

    @contextmanager
    def share(labour: Labour, _patience: float) -> Iterator[Crew | None]:
        assert isinstance(labour, Parts)
        yield Strangers(labour, spec(path), Random(seed))

    course = Course() if seed is None else Course(share=share)
    outcome = run(spec(path), "gated", lambda _rule: True, None, course=course)
    return replace(outcome, system=None, verdicts=tuple(replace(each, seconds=0.0) for each in outcome.verdicts))


def cut_off(by: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """The whole is not searched, and most is decided by something else."""
    monkeypatch.setattr(running, "LEAST", 1)
    monkeypatch.setattr(cases, "WHOLE", 1)
    monkeypatch.setattr(cases, "SHARE", 1000)
    if by != "diagram":
        monkeypatch.setattr(diagrams, "DiagramLimits", partial(DiagramLimits, nodes=10))
    if by != "frontier":
        monkeypatch.setattr(layers, "MEGABYTES", 0)
    if by == "spacer+induction":
        monkeypatch.setattr(running, "Limits", partial(Limits, configurations=3))


@pytest.mark.parametrize(
    ("by", "path"),
    [
        ("diagram", "specs/planner_executor.yaml"),
        ("diagram", "tests/cases/FSM203/bad_shadowed.yaml"),
        ("diagram", "tests/cases/FSM303/bad_safety_net.yaml"),
        ("diagram", "tests/cases/FSM504/bad_two_agents.yaml"),
        ("frontier", "specs/planner_executor.yaml"),
        ("frontier", "tests/cases/FSM303/bad_safety_net.yaml"),
        ("explicit", "specs/planner_executor.yaml"),
        ("explicit", "specs/patterns/faulty/score_overlap.yaml"),
        ("explicit", "tests/cases/FSM303/bad_safety_net.yaml"),
        ("spacer+induction", "tests/cases/FSM203/bad_shadowed.yaml"),
        ("spacer+induction", "tests/cases/FSM504/bad_two_agents.yaml"),
    ],
)
def test_strangers_come_to_the_same_where_the_search_is_cut_off(
    by: str, path: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    if by == "frontier":
        pytest.importorskip("numpy")
    cut_off(by, monkeypatch)
    alone = decided(path)
    assert any(verdict.method.startswith(by) for verdict in alone.verdicts)
    assert decided(path, 1) == alone


@pytest.mark.parametrize(("slices", "share"), [(False, 0.9), (True, 0.4)])
def test_the_time_of_the_spec_as_a_whole_is_up_for_the_same_obligations(
    slices: bool, share: float, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Each obligation wastes 1.1 seconds, by itself or, the first of those that depend on the same, by their slice."""
    cut_off("diagram", monkeypatch)
    monkeypatch.setattr(cases, "SHARE", share)

    def costly(case: Case, obligation: Obligation) -> Verdict:
        if case.exhausted:
            return took_too_long(obligation)
        paid: set[frozenset[str]] = vars(case).setdefault("paid", set())
        cone = case.cones.by_subject.get((obligation.rule, obligation.subject), case.cones.machine)
        if not slices or cone not in paid:
            case.wasted += 1.1
        if slices and cone not in paid:
            paid.add(cone)
            case.sliced[cone] = 1.1
        return Verdict(obligation, "proved", "explicit")

    monkeypatch.setattr(running, "decide", costly)
    alone = decided("specs/planner_executor.yaml")
    late = [verdict.verdict == "unknown" for verdict in alone.verdicts]
    assert sorted(late) == late
    assert 5 < sum(late) < len(late) - 5
    for seed in (1, 2):
        assert decided("specs/planner_executor.yaml", seed) == alone


def test_what_is_forgotten_is_worked_out_again(monkeypatch: pytest.MonkeyPatch) -> None:
    """Diagrams that forget what they did after each question; without a limit they come to the same."""
    cut_off("diagram", monkeypatch)
    kept = decided("specs/planner_executor.yaml")
    monkeypatch.setattr(diagrams, "DiagramLimits", partial(DiagramLimits, results=0))
    forgot: list[Machine] = []
    forget = Machine.forget

    def noted(machine: Machine) -> None:
        forgot.append(machine)
        forget(machine)

    monkeypatch.setattr(Machine, "forget", noted)
    assert decided("specs/planner_executor.yaml") == kept
    assert len(forgot) > 50


@pytest.mark.parametrize("path", SPECS)
def test_strangers_come_to_the_same(path: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(running, "LEAST", 1)
    alone = decided(path)
    for seed in (1, 2):
        assert decided(path, seed) == alone


def test_a_question_takes_as_much_patience_where_its_runs_are_remembered() -> None:
    case = make_case(spec(SPECS[0]), "gated", Limits())
    path = case.whole.path(len(case.whole.values) - 1)
    spent = [0]
    for _ in range(3):
        assert case.show(case.whole, path, lambda _run: None) is None
        spent.append(case.stage.spent)
    assert spent[1] > 0
    assert spent == [0, spent[1], 2 * spent[1], 3 * spent[1]]
