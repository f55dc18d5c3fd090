"""What a log says after an event against what the reference reducer did: quickly whether, slowly where and why."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import cast

from fsmcheck.cel.values import Value
from fsmcheck.conformance.answers import Answer
from fsmcheck.conformance.attribute import attribute
from fsmcheck.conformance.compare import Difference, differences
from fsmcheck.monitoring.blame import refined
from fsmcheck.monitoring.event import Said
from fsmcheck.monitoring.route import filled_in
from fsmcheck.records import dataclass
from fsmcheck.reducer.configuration import Configuration, Profile
from fsmcheck.reducer.json_values import JsonValue, store_json, to_json
from fsmcheck.reducer.record import Microstep, Step
from fsmcheck.reducer.replay import same_value
from fsmcheck.reducer.store import Store
from fsmcheck.reducer.trace import advance_json
from fsmcheck.spec.model import Spec

_Items = list[Mapping[str, JsonValue]]


def agrees(spec: Spec, step: Step, said: Said, *, counted: bool = True) -> bool:
    """Whether all that is said is as the reference has it. ``counted`` is False where no caps are known."""
    configuration = step.configuration
    if said.rejected is not None and not _same_refusal(said.rejected, step.rejected):
        return False
    if said.state is not None and said.state != configuration.state:
        return False
    if said.status is not None and not _same_status(said.status, configuration, counted):
        return False
    if said.store is not None and not _same_store(spec, said.store, configuration.store):
        return False
    if said.cap is not None and counted and said.cap != configuration.cap:
        return False
    if said.awaits is not None and not _same_awaits(said.awaits, step, counted):
        return False
    return said.microsteps is None or _same_way(spec, said.microsteps, step.advance.microsteps)


def _same_refusal(said: str | bool, code: str | None) -> bool:
    return (said is not False) == (code is not None) if isinstance(said, bool) else said == code


def _same_status(said: str, configuration: Configuration, counted: bool) -> bool:
    return said == configuration.status or (not counted and said == "capped" and configuration.status == "waiting")


def _same_store(spec: Spec, said: Mapping[str, JsonValue], store: Store) -> bool:
    """Whether the fields that are given, and declared, hold what is said, by the type of each."""
    fields = spec.field_by_name
    for name, value in said.items():
        if name not in fields:
            continue
        if not _same(store[name], value) and not same_value(fields[name].type, to_json(store[name]), value):
            return False
    return True


def _same(own: Value, said: JsonValue) -> bool:
    """Whether two values are certainly the same, found out in little time."""
    if type(own) is tuple and type(said) is list:
        return list(own) == said and [type(item) for item in own] == [type(item) for item in said]
    return type(own) is type(said) and own == said


def _same_awaits(said: _Items, step: Step, counted: bool) -> bool:
    if not counted and step.configuration.status == "waiting" and not said:
        return True
    wanted = sorted((req.field.text, req.agent.text) for req in step.advance.awaits)
    return wanted == sorted((str(item["field"]), str(item["agent"])) for item in said)


def _same_way(spec: Spec, said: _Items, taken: Sequence[Microstep]) -> bool:
    return len(said) == len(taken) and all(
        told["from"] == done.source
        and told["transition"] == done.transition
        and told["to"] == done.target
        and _same_store(spec, cast("Mapping[str, JsonValue]", told.get("store", {})), done.store)
        for told, done in zip(said, taken, strict=True)
    )


@dataclass(frozen=True, slots=True)
class Disagreement:
    """The first thing in which a log and the reference differ.

    ``path`` names it as in a trace; ``clause`` is the clause of the language that it speaks of, None where what was
    logged does not tell; ``answer`` is an advance with all that was logged, the rest as the reference has it.
    """

    path: str
    expected: JsonValue
    logged: JsonValue
    clause: str | None
    answer: Answer


def disagreement(spec: Spec, profile: Profile, number: int, step: Step, said: Said) -> Disagreement:
    """Where a log that does not agree differs first. ``number`` is that of the step in its run."""
    answer = _answer(spec, step, said)
    full = filled_in(spec, step, answer) if said.microsteps is None else answer
    found = differences(spec, number, step, full)
    shown = differences(spec, number, step, answer)
    if not found or not shown:
        return Disagreement("rejected", step.rejected, said.rejected, None, answer)
    first = found[0]
    clause = None
    if _can_tell(said, step, full, first):
        clause = refined(spec, step, full, first, attribute(spec, profile, step, full, first))
    if first.path == "rejected" and step.agent is None:
        clause = "inputs"
    return Disagreement(shown[0].path, shown[0].expected, shown[0].actual, clause, answer)


def _can_tell(said: Said, step: Step, full: Answer, first: Difference) -> bool:
    """Whether the log holds enough: another state says something only where one route leads to it."""
    if first.path == "rejected" and said.rejected is True and step.rejected is not None:
        return False
    statuses = {str(step.configuration.status), str(full["status"])}
    if statuses & {"no-progress", "runaway"}:
        return said.microsteps is not None or len(statuses) > 1
    routeless = said.microsteps is None and step.rejected is None
    return not (routeless and first.path == "state" and first.microstep is None and "microsteps" in full)


def _answer(spec: Spec, step: Step, said: Said) -> Answer:
    answer: dict[str, JsonValue] = advance_json(step)
    answer.pop("guardErrors", None)
    if step.rejected is not None:
        answer["rejected"] = step.rejected
    if said.rejected is False:
        answer.pop("rejected", None)
    elif isinstance(said.rejected, str):
        answer["rejected"] = said.rejected
    elif said.rejected is True and step.rejected is None:
        answer["rejected"] = "(no code)"
    if said.state is not None:
        answer["state"] = said.state
    if said.status is not None:
        answer["status"] = said.status
        if said.status != "capped" and said.cap is None:
            answer.pop("cap", None)
    if said.cap is not None:
        answer["cap"] = said.cap
    if said.awaits is not None:
        answer["awaits"] = cast("JsonValue", said.awaits)
    if said.store is not None:
        known = {name: value for name, value in said.store.items() if name in spec.field_by_name}
        answer["store"] = {**cast("dict[str, JsonValue]", answer["store"]), **known}
    if said.microsteps is not None:
        answer["microsteps"] = [_microstep(step, index, one) for index, one in enumerate(said.microsteps)]
    return answer


def _microstep(step: Step, index: int, said: Mapping[str, JsonValue]) -> JsonValue:
    """A microstep as logged; where its store, or a part of it, was not, as the reference has it."""
    taken = step.advance.microsteps
    store = taken[index].store if index < len(taken) else step.configuration.store
    told = cast("Mapping[str, JsonValue]", said.get("store", {}))
    known = {name: value for name, value in told.items() if name in store}
    return {
        "from": said["from"],
        "transition": said["transition"],
        "to": said["to"],
        "store": store_json(store) | known,
    }
