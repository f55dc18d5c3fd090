"""Advances in words, from trace data alone."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from typing import cast, overload

from fsmcheck.reducer.json_values import JsonValue
from fsmcheck.same_json import changed_fields

Data = Mapping[str, JsonValue]

_LONGEST_VALUE = 72

_ENDINGS = {
    "done": "the run is done",
    "stuck": "the machine is stuck: every requirement is met and no transition is enabled",
    "no-progress": "no progress: this state and store were reached before in the same advance",
    "runaway": "runaway: the machine keeps moving and never comes to rest",
    "failed": "an action failed to evaluate: the machine stays as it was",
}


def quoted(name: object) -> str:
    return f'"{name}"'


def shown(value: JsonValue) -> str:
    """A value as JSON, cut where it is long."""
    text = json.dumps(value, ensure_ascii=False)
    return text if len(text) <= _LONGEST_VALUE else text[: _LONGEST_VALUE - 1] + "…"


def listed(parts: Iterable[str]) -> str:
    """``a``, ``a and b``, ``a, b and c``."""
    items = list(parts)
    return " and ".join([", ".join(items[:-1]), items[-1]] if len(items) > 1 else items)


def values_text(values: Data) -> str:
    """Fields and values: ``plan = "…" and directive = "…"``."""
    return listed(f"{field} = {shown(value)}" for field, value in values.items())


def microstep_lines(advance: Data, before: Data) -> Sequence[str]:
    """One line a microstep: the states, the transition, what changed in the store. ``before`` is the first store. A
    line is written when it is asked for, since of a thousand few are read."""
    return _MicrostepLines(cast("Sequence[Data]", advance["microsteps"]), before)


class _MicrostepLines(Sequence[str]):
    def __init__(self, microsteps: Sequence[Data], before: Data) -> None:
        self._microsteps = microsteps
        self._before = before

    def __len__(self) -> int:
        return len(self._microsteps)

    @overload
    def __getitem__(self, index: int) -> str: ...

    @overload
    def __getitem__(self, index: slice) -> list[str]: ...

    def __getitem__(self, index: int | slice) -> str | list[str]:
        numbers = range(len(self))[index]
        return [self._line(each) for each in numbers] if isinstance(numbers, range) else self._line(numbers)

    def _line(self, number: int) -> str:
        microstep = self._microsteps[number]
        before = cast("Data", self._microsteps[number - 1]["store"]) if number else self._before
        changed = cast("Data", changed_fields(before, cast("Data", microstep["store"])))
        change = f": {values_text(changed)}" if changed else ""
        source, target = quoted(microstep["from"]), quoted(microstep["to"])
        return f"{source} → {target} by transition {microstep['transition']}{change}"


def ending_line(advance: Data) -> str:
    """Why an advance came to rest, and whom the machine waits for."""
    status, state = str(advance["status"]), quoted(advance["state"])
    if status == "waiting":
        return f"waiting in {state} for {awaited(advance)}"
    if status == "capped":
        return f"capped in {state}: the next exchange would exceed {advance.get('cap', 'a cap of the policy')}"
    return f"in {state}, {_ENDINGS.get(status, status)}"


def awaited(advance: Data) -> str:
    """Who owes what: ``result and outcome from "executor"``."""
    owed: dict[str, list[str]] = {}
    for item in cast("Sequence[Data]", advance["awaits"]):
        owed.setdefault(str(item["agent"]), []).append(str(item["field"]))
    return listed(f"{listed(fields)} from {quoted(agent)}" for agent, fields in owed.items())


def guard_error_lines(advance: Data) -> list[str]:
    """One line for each guard that had no truth value."""
    return [
        f"guard {error['guard']} of transition {error['transition']} in {quoted(error['state'])} counts as false:"
        f" {error.get('message', 'it failed to evaluate')}"
        for error in cast("Sequence[Data]", advance.get("guardErrors", []))
    ]


def exchange_line(step: Data) -> str:
    """Who staged what, and whether it was taken."""
    writes = cast("Data", step["writes"])
    deed = f"stages {values_text(writes)}" if writes else "stages nothing"
    refused = f": rejected, {step['rejected']}" if "rejected" in step else ""
    return f"{quoted(step['agent'])} {deed}{refused}"
