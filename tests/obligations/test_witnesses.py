"""What few runs show to be possible, against each question asked alone."""

from __future__ import annotations

import pytest

from fsmcheck.diagnostics import Subject
from fsmcheck.engines.explicit import Limits
from fsmcheck.obligations.case import Case, make_case, obligations_of
from fsmcheck.obligations.concretise import READABLE
from fsmcheck.obligations.confirm import Run
from fsmcheck.obligations.decide import decide, profile_named
from fsmcheck.obligations.obligation import QUESTIONS, Question
from fsmcheck.obligations.witnesses import _Watch, witnessed
from fsmcheck.reducer.monitors import witnesses
from tests.oracle.generate import generate, load_valid

CHAIN = """
fsm:
  name: chain
  version: 1
  initialState: one
  context:
    go: { type: enum, values: [left, right] }
  agents:
    worker: { canTransition: [one, two, three, four] }
  states:
    one: { transitions: [{ toState: two }] }
    two:
      requires: [{ name: go, from: { agent: worker } }]
      transitions:
        - { toState: three, guards: [{ backend: cel, expression: "context.go == 'left'" }] }
        - { toState: three, guards: [{ backend: cel, expression: "context.go == 'left'" }] }
        - { toState: done }
    three: { transitions: [{ toState: done }] }
    four: { transitions: [{ toState: done }] }
    done: { terminal: true }
"""


def case_of(text: str, profile: str = "gated") -> Case:
    spec = load_valid(text)
    assert spec is not None
    return make_case(spec, profile_named(profile), Limits())


def edge(state: str, number: int) -> tuple[str, Subject]:
    return "FSM303", Subject(state=state, transition=number)


def entered(state: str) -> tuple[str, Subject]:
    return "FSM203", Subject(state=state)


def test_a_long_run_shows_all_that_is_on_its_way() -> None:
    case = case_of(CHAIN)
    by_left = {edge("one", 0), edge("two", 0), edge("three", 0)}
    by_right = {edge("two", 2)}
    found = witnessed(case, case.whole)
    assert {each for each in found if each[0] != "FSM504"} == {
        *by_left,
        *by_right,
        *(entered(state) for state in ("one", "two", "three", "done")),
    }
    assert {each[1].state for each in found if each[0] == "FSM504"} == {"one", "two", "three"}
    # One run goes by way of "three", one straight to the end; each is performed once.
    assert len(case.stage._runs) == 2


@pytest.mark.parametrize("seed", range(24))
@pytest.mark.parametrize("profile", ["gated", "eager"])
def test_nothing_is_shown_that_a_question_asked_alone_denies(seed: int, profile: str) -> None:
    spec = load_valid(generate(seed))
    if spec is None:
        pytest.skip("not a valid spec")
    case = make_case(spec, profile_named(profile), Limits())
    alone = make_case(spec, profile_named(profile), Limits())
    alone.__dict__["witnessed"] = frozenset()
    for obligation in obligations_of(case):
        if (QUESTIONS[obligation.rule] is Question.POSSIBLE or obligation.rule == "FSM504") and case.whole.complete:
            together, apart = decide(case, obligation), decide(alone, obligation)
            assert (together.verdict, together.method) == (apart.verdict, apart.method), obligation.id


@pytest.mark.parametrize("seed", range(12))
def test_a_run_that_goes_on_from_another_shows_what_the_monitor_sees_in_it_alone(seed: int) -> None:
    spec = load_valid(generate(seed))
    if spec is None:
        pytest.skip("not a valid spec")
    case = make_case(spec, profile_named(("gated", "eager")[seed % 2]), Limits())
    watch = _Watch(spec)
    seen = 0

    def find(run: Run) -> None:
        nonlocal seen
        seen += 1
        assert watch.see(run) == {(found.rule, found.subject) for found in witnesses(spec, run)}

    # Longer and shorter runs in turns, many of which begin alike.
    ends = sorted(range(len(case.base.values)), key=lambda number: (number * 7) % 31)
    for number in ends[:40]:
        case.show(case.base, case.base.path(number), find, READABLE)
    assert seen > 0
