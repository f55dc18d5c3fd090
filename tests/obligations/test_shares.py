"""Obligations that are handed out: the answers do not depend on who gives them, and when."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from functools import cache, partial
from pathlib import Path
from random import Random

import pytest

from fsmcheck.engines.explicit import Limits
from fsmcheck.obligations import run as running
from fsmcheck.obligations.case import make_case
from fsmcheck.obligations.course import Course, Crew, Labour
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
            case = make_case(self._spec, "gated", Limits())
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
    return replace(outcome, verdicts=tuple(replace(each, seconds=0.0) for each in outcome.verdicts))


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
