"""Making one run on the reference and on a reducer, and the first thing in which they differ."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from types import TracebackType
from typing import Protocol, Self, cast

from fsmcheck.conformance.answers import Answer
from fsmcheck.conformance.attribute import attribute
from fsmcheck.conformance.compare import Difference, differences, refusal_difference
from fsmcheck.records import dataclass
from fsmcheck.reducer.configuration import Profile
from fsmcheck.reducer.json_values import JsonValue
from fsmcheck.reducer.record import Step
from fsmcheck.reducer.reducer import InputError, exchange, start
from fsmcheck.spec.model import Spec


class Reducer(Protocol):
    """Anything that answers as the protocol says."""

    def load(self, document: JsonValue, profile: Profile) -> Answer: ...

    def start(self, inputs: Mapping[str, JsonValue]) -> Answer: ...

    def exchange(self, agent: str, writes: Mapping[str, JsonValue]) -> Answer: ...


class Conversation(Reducer, Protocol):
    """A reducer for some time. Every method may raise ``ReducerFailure``."""

    def close(self) -> None: ...

    def __enter__(self) -> Self: ...

    def __exit__(
        self, _type: type[BaseException] | None, _value: BaseException | None, _traceback: TracebackType | None, /
    ) -> None: ...


@dataclass(frozen=True, slots=True)
class Scenario:
    """What to do to make a run: the inputs, then who writes what."""

    inputs: Mapping[str, JsonValue]
    exchanges: tuple[tuple[str, Mapping[str, JsonValue]], ...]


@dataclass(frozen=True, slots=True)
class Deviation:
    """The first difference of a run: the clause that it speaks of, and what came before (the reference's steps)."""

    clause: str
    difference: Difference
    run: tuple[Step, ...]
    answer: Answer


def reference_run(spec: Spec, profile: Profile, scenario: Scenario) -> tuple[Step, ...]:
    """The run on the reference; empty where the inputs are refused."""
    try:
        run = [start(spec, scenario.inputs, profile)]
    except InputError:
        return ()
    for agent, writes in scenario.exchanges:
        run.append(exchange(spec, run[-1].configuration, agent, writes, profile))
    return tuple(run)


def load_deviation(reducer: Reducer, spec: Spec, profile: Profile) -> Deviation | None:
    """Load a spec that the reference takes."""
    answer = reducer.load(cast("JsonValue", spec.document), profile)
    if answer.get("ok") is True:
        return None
    return Deviation("loading", Difference(0, "load", "ok", answer.get("error")), (), answer)


def deviation(reducer: Reducer, spec: Spec, profile: Profile, scenario: Scenario) -> Deviation | None:
    """Make a run step by step, up to the first difference; the spec is loaded."""
    run = reference_run(spec, profile, scenario)
    if not run:
        answer = reducer.start(scenario.inputs)
        found = refusal_difference(answer)
        return None if found is None else Deviation("inputs", found, (), answer)
    for number in range(len(run)):
        if number == 0:
            answer = reducer.start(scenario.inputs)
        else:
            agent, writes = scenario.exchanges[number - 1]
            answer = reducer.exchange(agent, writes)
        found_here = step_deviation(spec, profile, run[: number + 1], answer)
        if found_here is not None:
            return found_here
    return None


def step_deviation(spec: Spec, profile: Profile, run: Sequence[Step], answer: Answer) -> Deviation | None:
    """Compare an answer with the last step of a run of the reference."""
    found = differences(spec, len(run) - 1, run[-1], answer)
    if not found:
        return None
    return Deviation(attribute(spec, profile, run[-1], answer, found[0]), found[0], tuple(run), answer)
