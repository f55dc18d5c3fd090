"""Repeating a trace on the reducer and comparing every configuration."""

from __future__ import annotations

from collections.abc import Container, Iterator, Mapping, Sequence
from itertools import zip_longest
from typing import cast

from fsmcheck.cel.types import DYN, Kind, Type
from fsmcheck.records import dataclass
from fsmcheck.reducer.configuration import Profile
from fsmcheck.reducer.json_values import JsonValue
from fsmcheck.reducer.monitors import JUDGED, violations
from fsmcheck.reducer.record import Step
from fsmcheck.reducer.reducer import MICROSTEP_LIMIT, InputError, UnrunnableSpecError, exchange, start
from fsmcheck.reducer.trace import Trace, advance_json, identity
from fsmcheck.same_json import same_json
from fsmcheck.spec.model import Spec

_Object = Mapping[str, JsonValue]
_IDENTITY = "spec.sha256"
_VIOLATES = "violates"


@dataclass(frozen=True, slots=True)
class Mismatch:
    """A difference between a trace and its replay.

    ``step`` is 0 for the start and what comes before, n for the n-th exchange; ``path`` names the part of it.
    """

    step: int
    path: str
    expected: JsonValue
    actual: JsonValue

    def __str__(self) -> str:
        if self.path == _IDENTITY:
            differ = f"{self.path} {self.expected}, here {self.actual}"
            return f"of another spec, or of this one before or after a change: {differ}"
        if self.path == _VIOLATES:
            return f"the run does not violate what the trace says that it does: {self.expected!r}"
        return f"step {self.step}, {self.path}: the trace says {self.expected!r}, the reducer {self.actual!r}"


def rerun(spec: Spec, trace: Trace) -> tuple[Step, ...]:
    """The run that a parsed trace describes: its inputs and writes on the reducer, in its way (profile, caps).

    Raises ``InputError`` and ``UnrunnableSpecError`` as the reducer does.
    """
    profile = cast("Profile", trace["profile"])
    caps = trace.get("policy") != "ignored"
    limit = cast("int", trace.get("microstepLimit", MICROSTEP_LIMIT))
    run = [start(spec, cast("_Object", trace["inputs"]), profile, microstep_limit=limit, caps=caps)]
    for step in cast("list[_Object]", trace["steps"]):
        agent, writes = cast("str", step["agent"]), cast("_Object", step["writes"])
        before = run[-1].configuration
        run.append(exchange(spec, before, agent, writes, profile, microstep_limit=limit, caps=caps))
    return tuple(run)


def replay(spec: Spec, trace: Trace) -> list[Mismatch]:
    """Every difference between a parsed trace and what the reducer does with its inputs and writes.

    Values are compared by the type of their field: true is not 1; 1 is 1.0 in a number, not in an integer.
    Guard errors and the name of a cap are compared where the trace has them, messages never. What the trace says
    that the run violates is one too where the run does not, and one run is enough to see that (``JUDGED``). A trace of
    another spec is one mismatch, of ``spec.sha256``.
    """
    told = cast("_Object", trace["spec"])
    if told.get("sha256") != spec.sha256:
        return [Mismatch(0, _IDENTITY, told.get("sha256"), spec.sha256)]
    try:
        run = rerun(spec, trace)
    except InputError as error:
        return [Mismatch(0, "inputs", trace["inputs"], str(error))]
    except UnrunnableSpecError as error:
        return [Mismatch(0, "spec", None, str(error))]
    found = [
        Mismatch(0, f"spec.{key}", told.get(key), actual)
        for key, actual in identity(spec).items()
        if not same_json(told.get(key), actual)
    ]
    found.extend(_advance(spec, 0, cast("_Object", trace["start"]), run[0]))
    for number, (step, actual) in enumerate(zip(cast("list[_Object]", trace["steps"]), run[1:], strict=True), 1):
        if step.get("rejected") != actual.rejected:
            found.append(Mismatch(number, "rejected", step.get("rejected"), actual.rejected))
        found.extend(_advance(spec, number, cast("_Object", step["advance"]), actual))
    violates = trace.get("violates")
    if isinstance(violates, dict) and not _is_shown(spec, violates, run, cast("Profile", trace["profile"])):
        found.append(Mismatch(len(run) - 1, _VIOLATES, {key: violates[key] for key in ("rule", "subject")}, None))
    return found


def _is_shown(spec: Spec, violates: _Object, run: Sequence[Step], profile: Profile) -> bool:
    """Whether a run violates a rule at a subject; where it cannot tell by itself, whether there is such a subject."""
    rule, subject = cast("str", violates["rule"]), cast("_Object", violates["subject"])
    if rule not in JUDGED:
        return _exists(spec, subject)
    return any(same_json(found.subject.as_dict(), subject) for found in violations(spec, profile, run, rule))


def _exists(spec: Spec, subject: _Object) -> bool:
    state = spec.state_by_name.get(cast("str", subject["state"])) if isinstance(subject.get("state"), str) else None
    transitions = range(0 if state is None else len(state.transitions))
    known: dict[str, Container[JsonValue]] = {
        "state": list(spec.state_by_name),
        "transition": transitions,
        "other": transitions,
        "field": list(spec.field_by_name),
        "agent": list(spec.agent_by_name),
    }
    return all(type(value) in (str, int) and value in known.get(key, ()) for key, value in subject.items())


def _advance(spec: Spec, step: int, expected: _Object, run: Step) -> Iterator[Mismatch]:
    actual = advance_json(run)
    pairs = zip_longest(cast("list[_Object]", expected["microsteps"]), cast("list[_Object]", actual["microsteps"]))
    for index, (told, done) in enumerate(pairs):
        path = f"microsteps[{index}]"
        if told is None or done is None:
            yield Mismatch(step, path, _route(told), _route(done))
            continue
        if _route(told) != _route(done):
            yield Mismatch(step, path, _route(told), _route(done))
        yield from _store(spec, step, f"{path}.store", cast("_Object", told["store"]), cast("_Object", done["store"]))
    for key in ("state", "status"):
        if expected[key] != actual[key]:
            yield Mismatch(step, key, expected[key], actual[key])
    yield from _store(spec, step, "store", cast("_Object", expected["store"]), cast("_Object", actual["store"]))
    if _pairs(expected["awaits"]) != _pairs(actual["awaits"]):
        yield Mismatch(step, "awaits", expected["awaits"], actual["awaits"])
    if "cap" in expected and expected["cap"] != actual.get("cap"):
        yield Mismatch(step, "cap", expected["cap"], actual.get("cap"))
    errors = actual.get("guardErrors", [])
    if "guardErrors" in expected and not _same_places(expected["guardErrors"], errors):
        yield Mismatch(step, "guardErrors", expected["guardErrors"], errors)


def _route(microstep: _Object | None) -> JsonValue:
    return None if microstep is None else [microstep["from"], microstep["transition"], microstep["to"]]


def _pairs(awaits: JsonValue) -> list[tuple[JsonValue, JsonValue]]:
    return [(item["field"], item["agent"]) for item in cast("list[_Object]", awaits)]


def _same_places(told: JsonValue, done: JsonValue) -> bool:
    """Whether guard errors are at the same guards, and at the same microsteps where the trace has those."""
    left, right = cast("list[_Object]", told), cast("list[_Object]", done)
    return len(left) == len(right) and all(
        same_json(one.get(key, other[key] if key == "microstep" else None), other[key])
        for one, other in zip(left, right, strict=True)
        for key in ("microstep", "state", "transition", "guard")
    )


def _store(spec: Spec, step: int, path: str, expected: _Object, actual: _Object) -> Iterator[Mismatch]:
    for name in dict.fromkeys((*actual, *expected)):
        if name not in actual or name not in expected:
            yield Mismatch(step, f"{path}.{name}", expected.get(name), actual.get(name))
        elif not same_value(spec.field_by_name[name].type, expected[name], actual[name]):
            yield Mismatch(step, f"{path}.{name}", expected[name], actual[name])


def same_value(type_: Type, left: JsonValue, right: JsonValue) -> bool:
    """Whether two JSON values are the same value of a type."""
    element = type_.element or DYN
    match left, right:
        case list(), list():
            pairs = zip(left, right, strict=False)
            return len(left) == len(right) and all(same_value(element, one, other) for one, other in pairs)
        case dict(), dict():
            return left.keys() == right.keys() and all(same_value(element, left[key], right[key]) for key in left)
    numbers = (int, float)
    if type_.kind is Kind.NUMBER and type(left) in numbers and type(right) in numbers:
        return _double(left) == _double(right)
    return type(left) is type(right) and left == right


def _double(value: JsonValue) -> JsonValue:
    """A number as a reader of JSON has it: other languages write large ones with zeros that are not exact."""
    try:
        return float(value) if isinstance(value, int) else value
    except OverflowError:
        return value
