"""The reference reducer: what a spec does, as a pure step function over immutable configurations."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from fsmcheck.cel.values import Value, is_empty
from fsmcheck.reducer.actions import run_actions
from fsmcheck.reducer.advance import Rest, advance
from fsmcheck.reducer.configuration import Configuration, Counters, Profile
from fsmcheck.reducer.exchange import RejectedError, accepted_writes, capped, exhausted
from fsmcheck.reducer.fitting import UnfitError, staged
from fsmcheck.reducer.record import Advance, Failure, Phase, Rejection, Step
from fsmcheck.reducer.runnable import UnrunnableSpecError, require_runnable
from fsmcheck.reducer.store import Store, empty_value
from fsmcheck.spec.model import Requirement, Spec

__all__ = ["MICROSTEP_LIMIT", "InputError", "UnrunnableSpecError", "begin", "exchange", "start"]

MICROSTEP_LIMIT = 1000

_INPUT_PROBLEMS = {
    "type-mismatch": "is not of type",
    "not-in-values": "is not one of the values of",
    "empty-value": "is empty, expected a set value of type",
}


class InputError(Exception):
    """The inputs of a run are not what the spec asks for; ``problems`` are one sentence each."""

    def __init__(self, problems: tuple[str, ...]) -> None:
        super().__init__("; ".join(problems))
        self.problems = problems


def start(
    spec: Spec,
    inputs: Mapping[str, object],
    profile: Profile,
    *,
    microstep_limit: int = MICROSTEP_LIMIT,
    caps: bool = True,
) -> Step:
    """Start a run: inputs (JSON values), the initial state's ``entry``, then advance.

    Inputs are exactly the fields of ``spec.input_names``, each set. If an entry action fails, the run rests
    ``failed`` in the initial state with the store as the inputs left it. ``caps=False`` ignores the caps of
    ``policy``. Raises ``InputError`` with all problems, ``UnrunnableSpecError`` where names of the spec dangle.
    """
    require_runnable(spec)
    return begin(spec, inputs, profile, microstep_limit=microstep_limit, caps=caps)


def begin(
    spec: Spec,
    inputs: Mapping[str, object],
    profile: Profile,
    *,
    microstep_limit: int = MICROSTEP_LIMIT,
    caps: bool = True,
) -> Step:
    """As ``start``, of a spec that ``require_runnable`` has let pass: for those who start one very often."""
    store = _initial_store(spec, inputs)
    initial = spec.state_by_name[spec.initial.text]
    opening = run_actions(spec, initial.entry, store, Phase.ENTRY, initial.name.text)
    if opening and opening[-1].fault is not None:
        record = Advance(store, (), (), opening, failure=Failure(None, None, opening))
        return Step(None, None, inputs, None, record, Configuration(initial.name.text, store, "failed"))
    store = opening[-1].after if opening else store
    rest, record = advance(spec, initial.name.text, store, profile, microstep_limit)
    configuration = _at_rest(spec, rest, Counters(), caps)
    return Step(None, None, inputs, None, _awaiting(replace(record, opening=opening), configuration), configuration)


def exchange(
    spec: Spec,
    configuration: Configuration,
    agent: str,
    writes: Mapping[str, object],
    profile: Profile,
    *,
    microstep_limit: int = MICROSTEP_LIMIT,
    caps: bool = True,
) -> Step:
    """One exchange: ``agent`` stages ``writes`` (JSON values) all at once, then the machine advances.

    A refused exchange changes nothing but the counters and is not followed by an advance. A waiting
    configuration becomes ``capped`` as soon as no exchange by anybody would stay within the caps of ``policy``.
    While others may still act, an exchange by an agent that has used up the cap per agent is the one that
    would exceed it: the run ends ``capped`` there, and the exchange is refused as ``not-waiting``.
    """
    counters = configuration.counters.counted(agent)
    if configuration.status != "waiting":
        return _refused(configuration, agent, writes, "not-waiting", replace(configuration, counters=counters))
    if caps and exhausted(spec, configuration.counters, agent):
        ended = replace(configuration, counters=counters, status="capped", cap="maxExchangesPerAgentPerStage")
        return _refused(configuration, agent, writes, "not-waiting", ended)
    try:
        values = accepted_writes(spec, configuration.state, agent, writes)
    except RejectedError as error:
        after = replace(configuration, counters=counters)
        return _refused(configuration, agent, writes, error.code, capped(spec, after) if caps else after, spec)
    store = configuration.store.updated(values)
    rest, record = advance(spec, configuration.state, store, profile, microstep_limit)
    after = _at_rest(spec, rest, counters.left() if record.microsteps else counters, caps)
    return Step(configuration, agent, writes, None, _awaiting(record, after), after)


def _at_rest(spec: Spec, rest: Rest, counters: Counters, caps: bool) -> Configuration:
    configuration = Configuration(rest.state, rest.store, rest.status, counters)
    return capped(spec, configuration) if caps else configuration


def _awaiting(record: Advance, configuration: Configuration) -> Advance:
    return record if configuration.status == "waiting" else replace(record, awaits=())


def _refused(
    before: Configuration,
    agent: str,
    writes: Mapping[str, object],
    code: Rejection,
    after: Configuration,
    spec: Spec | None = None,
) -> Step:
    awaits: tuple[Requirement, ...] = ()
    if spec is not None and after.status == "waiting":
        requires = spec.state_by_name[after.state].requires
        awaits = tuple(req for req in requires if not after.store.is_set(req.field.text))
    return Step(before, agent, writes, code, Advance(before.store, (), awaits), after)


def _initial_store(spec: Spec, inputs: Mapping[str, object]) -> Store:
    problems = [f'"{name}" is not an input' for name in inputs if name not in spec.input_names]
    values: dict[str, Value] = {}
    for field in spec.fields:
        name = field.name.text
        if field.default is not None:
            value = field.default.value
            values[name] = empty_value(field.type) if is_empty(value) else value
        elif name not in spec.input_names:
            values[name] = empty_value(field.type)
        elif name not in inputs:
            problems.append(f'the input "{name}" is missing')
        else:
            try:
                values[name] = staged(field.type, inputs[name])
            except UnfitError as error:
                problems.append(f'the input "{name}" {_INPUT_PROBLEMS[error.code]} {field.type}')
    if problems:
        raise InputError(tuple(problems))
    return Store(values)
