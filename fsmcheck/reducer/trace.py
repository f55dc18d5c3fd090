"""Traces, ``fsmcheck.trace/1``: a run as plain data, complete without the tool that made it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import cast

from fsmcheck.diagnostics import Subject
from fsmcheck.reducer.configuration import Profile
from fsmcheck.reducer.json_values import JsonValue, StoreWriter, given_json
from fsmcheck.reducer.record import Microstep, Step
from fsmcheck.reducer.reducer import MICROSTEP_LIMIT
from fsmcheck.reducer.strict_json import StrictJsonError, parse_json
from fsmcheck.spec.model import Spec

SCHEMA = "fsmcheck.trace/1"

Trace = dict[str, JsonValue]


class TraceError(Exception):
    """A text is no trace; the message is one sentence."""


def build_trace(
    spec: Spec,
    profile: Profile,
    run: Sequence[Step],
    *,
    violates: tuple[str, Subject] | None = None,
    detail: Mapping[str, JsonValue] | None = None,
    caps: bool = True,
    microstep_limit: int = MICROSTEP_LIMIT,
) -> Trace:
    """The trace of a run (the step of its start, then one step an exchange).

    ``violates`` is a rule and a subject; ``detail``, what a monitor says of it, goes beside them so that the trace
    can tell its story. Two keys are there only where a run was not made in the usual way and
    must be repeated likewise: ``policy`` is ``"ignored"`` where the caps were (``caps=False``),
    ``microstepLimit`` gives a limit other than 1000. Stores share what did not change from one to the next.
    """
    trace: Trace = {
        "schema": SCHEMA,
        "spec": identity(spec),
        "profile": profile,
    }
    if not caps:
        trace["policy"] = "ignored"
    if microstep_limit != MICROSTEP_LIMIT:
        trace["microstepLimit"] = microstep_limit
    if violates is not None:
        told: dict[str, JsonValue] = {} if detail is None else {"detail": dict(detail)}
        trace["violates"] = {"rule": violates[0], "subject": dict(violates[1].as_dict()), **told}
    trace["inputs"] = given_fields_json(run[0])
    stores = StoreWriter()
    trace["start"] = advance_json(run[0], stores)
    trace["steps"] = [step_json(step, stores) for step in run[1:]]
    return trace


def identity(spec: Spec) -> dict[str, JsonValue]:
    """What a trace says of its spec."""
    name = spec.name.text if spec.name is not None else None
    return {"name": name, "version": spec.version, "sha256": spec.sha256}


def given_fields_json(step: Step) -> dict[str, JsonValue]:
    """The inputs of a start, the writes of an exchange."""
    return {field: given_json(value) for field, value in step.given.items()}


def step_json(step: Step, stores: StoreWriter | None = None) -> dict[str, JsonValue]:
    """One exchange of a trace; ``stores`` is what wrote those before it."""
    data: dict[str, JsonValue] = {"agent": step.agent, "writes": given_fields_json(step)}
    if step.rejected is not None:
        data["rejected"] = step.rejected
    data["advance"] = advance_json(step, stores)
    return data


def advance_json(step: Step, stores: StoreWriter | None = None) -> dict[str, JsonValue]:
    """An advance as the formats write it; ``stores`` is what wrote the stores before it.

    ``cap`` names the cap where the status is ``capped``. ``guardErrors`` lists the guards that had no truth value,
    in the order of evaluation: ``microstep`` counts the microsteps taken before.
    """
    configuration = step.configuration
    stores = stores or StoreWriter()
    data: dict[str, JsonValue] = {
        "microsteps": [_microstep_json(microstep, stores) for microstep in step.advance.microsteps],
        "state": configuration.state,
        "status": configuration.status,
        "store": stores.json(configuration.store),
        "awaits": [{"field": req.field.text, "agent": req.agent.text} for req in step.advance.awaits],
    }
    if configuration.cap is not None:
        data["cap"] = configuration.cap
    errors = _guard_errors(step)
    if errors:
        data["guardErrors"] = errors
    return data


def _microstep_json(microstep: Microstep, stores: StoreWriter) -> JsonValue:
    return {
        "from": microstep.source,
        "transition": microstep.transition,
        "to": microstep.target,
        "store": stores.json(microstep.store),
    }


def _guard_errors(step: Step) -> list[JsonValue]:
    return [
        {
            "microstep": number,
            "state": search.state,
            "transition": tried.transition,
            "guard": result.guard,
            "message": result.fault.message,
        }
        for number, search in enumerate(step.advance.searches())
        for tried in search.tried
        for result in tried.guards
        if result.fault is not None
    ]


def parse_trace(text: str) -> Trace:
    """Read a trace; further keys are let be. Raises ``TraceError`` where it is no strict JSON or has another shape."""
    try:
        data = parse_json(text)
    except StrictJsonError as error:
        raise TraceError(str(error)) from error
    if not isinstance(data, dict) or data.get("schema") != SCHEMA:
        raise TraceError(f'no trace: expected an object whose "schema" is "{SCHEMA}"')
    _need(data, "spec", dict, "the trace")
    _need(data, "inputs", dict, "the trace")
    if data.get("profile") not in ("gated", "eager"):
        raise TraceError('the "profile" of the trace is neither "gated" nor "eager"')
    if "policy" in data and data["policy"] != "ignored":
        raise TraceError('the "policy" of the trace, where there is one, can only be "ignored"')
    limit = data.get("microstepLimit", MICROSTEP_LIMIT)
    if not isinstance(limit, int) or isinstance(limit, bool) or limit < 1:
        raise TraceError('the "microstepLimit" of the trace is no positive integer')
    if "violates" in data:
        _need(data, "violates", dict, "the trace")
        _need(cast("Mapping[str, JsonValue]", data["violates"]), "rule", str, '"violates"')
        _need(cast("Mapping[str, JsonValue]", data["violates"]), "subject", dict, '"violates"')
    _check_advance(data.get("start"), "the start")
    _need(data, "steps", list, "the trace")
    steps = data["steps"]
    for number, step in enumerate(steps if isinstance(steps, list) else (), 1):
        _check_step(step, f"step {number}")
    return data


def _check_step(step: JsonValue, where: str) -> None:
    if not isinstance(step, dict):
        raise TraceError(f"{where} is no object")
    _need(step, "agent", str, where)
    _need(step, "writes", dict, where)
    if not isinstance(step.get("rejected", ""), str):
        raise TraceError(f'"rejected" of {where} is no text')
    _check_advance(step.get("advance"), where)


def _check_advance(advance: JsonValue, where: str) -> None:
    if not isinstance(advance, dict):
        raise TraceError(f"{where} has no advance")
    for key, kind in (("state", str), ("status", str), ("store", dict)):
        _need(advance, key, kind, where)
    microsteps, awaits = advance.get("microsteps"), advance.get("awaits")
    _check_list(
        microsteps, (("from", str), ("transition", int), ("to", str), ("store", dict)), f"microsteps of {where}"
    )
    _check_list(awaits, (("field", str), ("agent", str)), f"awaits of {where}")
    places = (("state", str), ("transition", int), ("guard", int))
    _check_list(advance.get("guardErrors", []), places, f"guardErrors of {where}")


def _check_list(items: JsonValue, keys: tuple[tuple[str, type], ...], where: str) -> None:
    if not isinstance(items, list):
        raise TraceError(f"the {where} are no list")
    for item in items:
        if not isinstance(item, dict):
            raise TraceError(f"one of the {where} is no object")
        for key, kind in keys:
            _need(item, key, kind, f"one of the {where}")


def _need(data: Mapping[str, JsonValue], key: str, kind: type, where: str) -> None:
    value = data.get(key)
    if not isinstance(value, kind) or (kind is int and isinstance(value, bool)):
        names = {dict: "an object", list: "a list", str: "a text", int: "an integer"}
        raise TraceError(f'"{key}" of {where} is not {names[kind]}')
