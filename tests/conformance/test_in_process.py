"""Reducers in this process: what can be one, and the names of what they do wrong."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping
from typing import Any

import pytest

from fsmcheck.conformance.candidate import Trial, complaint, examine_candidate
from fsmcheck.conformance.in_process import CandidateError, InProcess
from fsmcheck.conformance.reference import ReferenceReducer
from fsmcheck.reducer.protocol import ProtocolError, Session, respond
from tests.reducer.machines import loop

SPEC = loop()
TRIAL = Trial(runs=0, deadline=5.0)


def honest(request: Mapping[str, Any], sessions: dict[str, Session] = {}) -> dict[str, Any]:  # noqa: B006
    try:
        sessions["it"], answer = respond(sessions.get("it", Session()), request)
    except ProtocolError as error:
        return {"ok": False, "error": str(error)}
    return answer


class Hostile(ReferenceReducer):
    """The reference but for one thing, done at the second exchange."""

    def __init__(self, act: Callable[[Mapping[str, Any], Any], object]) -> None:
        super().__init__(SPEC)
        self.act = act
        self.made = 0

    def exchange(self, agent: str, writes: Any = None) -> Any:
        answer = super().exchange(agent, writes)
        self.made += 1
        return answer if self.made < 2 else self.act(writes, answer)


def _raise(_writes: object, _answer: object) -> object:
    raise SystemExit("no more")


def _mutate(writes: Any, answer: object) -> object:
    writes["more"] = 1
    return answer


def _hang(_writes: object, _answer: object) -> object:
    while True:
        time.sleep(0.01)


@pytest.mark.parametrize(
    ("act", "name"),
    [
        (_raise, "raises"),
        (_mutate, "mutates"),
        (_hang, "hang"),
        (lambda _, answer: {**answer, "store": {1: 2}}, "garbage"),
        (lambda _, answer: {**answer, "awaits": ()}, "garbage"),
        (lambda _, answer: {**answer, "state": "\ud800"}, "garbage"),
        (lambda _, answer: {**answer, "extra": float("nan")}, "garbage"),
        (lambda _, answer: {**answer, "status": "tired"}, "malformed"),
        (lambda _, answer: [answer], "malformed"),
        (lambda _w, _a: None, "malformed"),
    ],
)
def test_each_failure_has_a_name_and_the_run_before_it(act: Callable[[Any, Any], object], name: str) -> None:
    began = time.monotonic()
    found = examine_candidate(Hostile(act), SPEC, ("gated",), Trial(runs=0, deadline=0.4))
    assert {failure.name for _, failure in found.failures} == {name}
    assert found.failures[0][1].before[0].startswith('{"op": "start"')
    assert f"the reducer fails by {name}: " in complaint(found)
    assert time.monotonic() - began < 5


def test_functions_objects_and_classes_can_be_reducers() -> None:
    class WithLoad(ReferenceReducer):
        def __init__(self) -> None:
            super().__init__(SPEC)

    for candidate in (honest, ReferenceReducer(SPEC), WithLoad):
        assert examine_candidate(candidate, SPEC, ("gated", "eager"), TRIAL).passed
    assert examine_candidate(honest, SPEC, ("gated",), Trial(runs=0, probes=True)).passed


@pytest.mark.parametrize("candidate", [7, None, object()])
def test_other_objects_can_not(candidate: object) -> None:
    with pytest.raises(CandidateError, match="has no methods start and exchange"):
        InProcess(candidate)


def test_a_class_that_cannot_be_made_is_a_failure() -> None:
    class Broken:
        def __init__(self) -> None:
            raise ValueError("not today")

    found = examine_candidate(Broken, SPEC, ("gated",), TRIAL)
    assert [failure.name for _, failure in found.failures] == ["raises"] * len(found.failures)


def test_a_reducer_without_load_has_its_spec_built_in() -> None:
    class Fixed:
        def __init__(self) -> None:
            self.inner = ReferenceReducer(SPEC)

        def start(self, inputs: Any) -> object:
            return self.inner.start(inputs)

        def exchange(self, agent: str, writes: Any) -> object:
            return self.inner.exchange(agent, writes)

    assert examine_candidate(Fixed, SPEC, ("gated",), Trial(runs=20)).passed


def test_what_random_runs_find_is_shrunk_failures_too() -> None:
    class Rare(ReferenceReducer):
        def __init__(self) -> None:
            super().__init__(SPEC)

        def exchange(self, agent: str, writes: Any = None) -> Any:
            if len(writes) == 2 and list(writes) != sorted(writes):
                raise ValueError("unsorted")
            return super().exchange(agent, dict(sorted(writes.items())))

    found = examine_candidate(Rare, SPEC, ("gated",), Trial(runs=300))
    again = examine_candidate(Rare, SPEC, ("gated",), Trial(runs=300))
    assert complaint(found) == complaint(again)
    assert not found.passed


def test_true_is_not_one() -> None:
    def turned(_writes: object, answer: Any) -> object:
        for step in answer["microsteps"]:
            step["transition"] = bool(step["transition"])
        return answer

    found = examine_candidate(Hostile(turned), SPEC, ("gated",), TRIAL)
    assert {failure.name for _, failure in found.failures} == {"malformed"}
