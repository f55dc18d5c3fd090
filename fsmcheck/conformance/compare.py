"""An answer against what the reference did, in the order in which things happen."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from itertools import zip_longest
from typing import cast

from fsmcheck.conformance.answers import Answer, is_refusal
from fsmcheck.records import dataclass
from fsmcheck.reducer.json_values import JsonValue
from fsmcheck.reducer.record import Step
from fsmcheck.reducer.replay import same_value
from fsmcheck.reducer.trace import advance_json
from fsmcheck.spec.model import Spec

_Items = list[Mapping[str, JsonValue]]


@dataclass(frozen=True, slots=True)
class Difference:
    """What the reference has and the reducer says at ``path`` of a step (0 is the start).

    ``microstep`` is the index of the microstep that differs, None where it is about how the advance ended;
    ``field`` the field of the store.
    """

    step: int
    path: str
    expected: JsonValue
    actual: JsonValue
    microstep: int | None = None
    field: str | None = None


def refusal_difference(answer: Answer) -> Difference | None:
    """Inputs that the reference refuses must be refused."""
    if is_refusal(answer):
        return None
    return Difference(0, "ok", False, answer.get("state"))


def differences(spec: Spec, number: int, step: Step, answer: Answer) -> list[Difference]:
    """Every difference, the earliest in the course of the step first.

    Values are compared by the type of their field: true is not 1; 1 is 1.0 in a number, not in an integer. The
    order of ``awaits`` is free. ``guardErrors`` are compared where the answer has them, messages never.
    """
    if is_refusal(answer):
        return [Difference(number, "ok", True, answer.get("error"))]
    expected = advance_json(step)
    found: list[Difference] = []
    if answer.get("rejected") != step.rejected:
        found.append(Difference(number, "rejected", step.rejected, answer.get("rejected")))
    found.extend(
        _microsteps(spec, number, cast("_Items", expected["microsteps"]), cast("_Items", answer["microsteps"]))
    )
    found.extend(
        Difference(number, key, expected[key], answer[key])
        for key in ("state", "status")
        if expected[key] != answer[key]
    )
    found.extend(_store(spec, number, "store", expected["store"], answer["store"], None))
    if _pairs(expected["awaits"]) != _pairs(answer["awaits"]):
        found.append(Difference(number, "awaits", expected["awaits"], answer["awaits"]))
    if expected.get("cap") != answer.get("cap"):
        found.append(Difference(number, "cap", expected.get("cap"), answer.get("cap")))
    if "guardErrors" in answer and _places(answer["guardErrors"]) != _places(expected.get("guardErrors", [])):
        found.append(Difference(number, "guardErrors", expected.get("guardErrors", []), answer["guardErrors"]))
    return found


def _microsteps(spec: Spec, number: int, expected: _Items, actual: _Items) -> Iterator[Difference]:
    """Up to the first that differs; what follows is another run."""
    for index, (told, done) in enumerate(zip_longest(expected, actual)):
        path = f"microsteps[{index}]"
        if told is None or done is None or _route(told) != _route(done):
            yield Difference(number, path, _route(told), _route(done), index)
            return
        wrong = list(_store(spec, number, f"{path}.store", told["store"], done["store"], index))
        if wrong:
            yield from wrong
            return


def _store(
    spec: Spec, number: int, path: str, expected: JsonValue, actual: JsonValue, microstep: int | None
) -> Iterator[Difference]:
    told, said = cast("Mapping[str, JsonValue]", expected), cast("Mapping[str, JsonValue]", actual)
    for name in dict.fromkeys((*told, *said)):
        if name in told and name in said and same_value(spec.field_by_name[name].type, told[name], said[name]):
            continue
        yield Difference(number, f"{path}.{name}", told.get(name), said.get(name, "(missing)"), microstep, name)


def _route(microstep: Mapping[str, JsonValue] | None) -> JsonValue:
    return None if microstep is None else [microstep["from"], microstep["transition"], microstep["to"]]


def _pairs(awaits: JsonValue) -> list[tuple[str, str]]:
    return sorted((str(item["field"]), str(item["agent"])) for item in cast("_Items", awaits))


def _places(errors: JsonValue) -> list[tuple[JsonValue, ...]]:
    return [(item["state"], item["transition"], item["guard"]) for item in cast("_Items", errors)]
