"""A counterexample as a story for people."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import cast

from fsmcheck.abridged import abridged
from fsmcheck.reducer.json_values import JsonValue
from fsmcheck.reducer.narrate import (
    Data,
    ending_line,
    exchange_line,
    guard_error_lines,
    listed,
    microstep_lines,
    quoted,
    shown,
    values_text,
)
from fsmcheck.reducer.trace import Trace
from fsmcheck.spec.model import Spec


def story(spec: Spec, trace: Trace, detail: Data) -> list[str]:
    """The run of a trace up to a violation, one line an event, then what went wrong.

    Lines about a step are numbered as in the trace, what follows from it is indented. ``detail`` is that of the
    ``Violation`` that a monitor found in the run.
    """
    last = cast("int", detail["step"])
    return [*_run(trace, spec.initial.text, last), _verdict(trace, detail), *_origins(detail)]


def tell(trace: Mapping[str, object]) -> list[str]:
    """The story of a trace without its spec: to the violation whose detail it holds, if any, else to its end."""
    data = cast("Trace", trace)
    steps = cast("Sequence[Data]", data["steps"])
    start = cast("Data", data["start"])
    microsteps = cast("Sequence[Data]", start["microsteps"])
    initial = microsteps[0]["from"] if microsteps else start["state"]
    violates = data.get("violates")
    detail = violates.get("detail") if isinstance(violates, dict) else None
    if isinstance(detail, dict):
        try:
            ending = [_verdict(data, detail), *_origins(detail)]
            return [*_run(data, str(initial), cast("int", detail["step"])), *ending]
        except (LookupError, TypeError, AttributeError):
            pass  # somebody else's detail
    return _run(data, str(initial), len(steps))


def _run(trace: Trace, initial: str, last: int) -> list[str]:
    """What happened up to and with step ``last``."""
    lines = [*_beginning(trace, initial)]
    before = cast("Data", cast("Data", trace["start"])["store"])
    for number, step in enumerate(cast("Sequence[Data]", trace["steps"])[:last], 1):
        advance = cast("Data", step["advance"])
        lines.append(f"{number}. {exchange_line(step)}")
        staged = {} if "rejected" in step else cast("Data", step["writes"])
        lines.extend(_movement(advance, {**before, **staged}))
        before = cast("Data", advance["store"])
    return lines


def _beginning(trace: Trace, initial: str) -> Iterator[str]:
    inputs = cast("Data", trace["inputs"])
    given = f" with {values_text(inputs)}" if inputs else ""
    yield f"start in {quoted(initial)}{given}"
    start = cast("Data", trace["start"])
    microsteps = cast("Sequence[Data]", start["microsteps"])
    yield from _movement(start, cast("Data", microsteps[0]["store"]) if microsteps else {})


def _movement(advance: Data, before: Data) -> Iterator[str]:
    errors = abridged(guard_error_lines(advance), "guards that fail")
    moves = abridged(microstep_lines(advance, before), "transitions")
    for line in (*errors, *moves, ending_line(advance)):
        yield f"   {line}"


def _verdict(trace: Trace, detail: Data) -> str:
    reason = str(detail["reason"])
    tell = _TELLINGS.get(reason)
    return tell(_place(trace, detail), detail) if tell is not None else reason


def _place(trace: Trace, detail: Data) -> str:
    """The state that the violation is about: the one left, the one entered by an ``entry``, or where it rests."""
    step, microstep = cast("int", detail["step"]), cast("int | None", detail["microstep"])
    steps = cast("Sequence[Data]", trace["steps"])
    advance = cast("Data", trace["start"] if step == 0 else steps[step - 1]["advance"])
    if microstep is None or detail["reason"] == "set-on-entry":
        return quoted(advance["state"])
    taken = cast("Sequence[Data]", advance["microsteps"])[microstep]
    return quoted(taken["to"] if detail.get("phase") == "entry" else taken["from"])


def _names(detail: Data) -> str:
    return listed(quoted(item["field"]) for item in cast("Sequence[Data]", detail["fields"]))


def _are_several(detail: Data) -> bool:
    return len(cast("Sequence[Data]", detail["fields"])) > 1


def _earlier(detail: Data) -> str:
    return "answers to an earlier visit" if _are_several(detail) else "an answer to an earlier visit"


def _action(detail: Data) -> str:
    targets = listed(quoted(target) for target in cast("Sequence[JsonValue]", detail["targets"]))
    return f"{detail['phase']} writes {targets}"


_TELLINGS: dict[str, Callable[[str, Data], str]] = {
    "guards-read-stale": lambda place, detail: (
        f"so {place} is left with no exchange in this visit, by a transition whose guards read {_names(detail)},"
        f" {_earlier(detail)}"
    ),
    "complete-and-stale": lambda place, detail: (
        f"so {place} is left with no exchange in this visit: {_names(detail)} still"
        f" {'answer' if _are_several(detail) else 'answers'} an earlier one"
    ),
    "complete-on-entry": lambda place, detail: (
        f"so {place} is complete on entry and left at once: nobody is asked for {_names(detail)}"
    ),
    "stale-trigger": lambda place, detail: f"so {place} is left because of {_names(detail)}, {_earlier(detail)}",
    "stale-in-action": lambda place, detail: (
        f"so on leaving {place}, {_action(detail)} from {_names(detail)}, {_earlier(detail)}"
    ),
    "set-on-entry": lambda place, detail: (
        f"so the machine waits in {place} with {_names(detail)} already set: nobody need answer that"
    ),
    "emptied-unread": lambda place, detail: (
        f"so at {place} {detail['phase']} empties {_names(detail)} before anything has looked at"
        f" {'them' if _are_several(detail) else 'it'}"
    ),
    "empty-in-action": lambda place, detail: (
        f"so at {place} {_action(detail)} from {_names(detail)}, which {'are' if _are_several(detail) else 'is'} empty"
    ),
    "guard-failed": lambda place, detail: f"so a guard of {place} has no value: {detail['message']}",
    "action-failed": lambda place, detail: (
        f"so an action ({detail['phase']}) fails, and the machine stays in {place}: {detail['message']}"
    ),
    "nobody-may-stage": lambda place, detail: f"so {place} waits for {_blocked(detail)}, who may not act there",
    "stuck": lambda place, _detail: f"so {place} asks nobody for anything, and nothing can ever happen",
    "no-progress": lambda _place, detail: f"so one advance turns in a circle through {_loop(detail)}",
    "no-end": lambda _place, detail: (
        f"so the run is {detail['status']}, and nothing leads from there to a terminal state"
    ),
    "turns-without-end": lambda _place, detail: (
        f"and so on: nothing in the machine stops it from going round {_loop(detail)}"
    ),
    "overlap": lambda place, _detail: f"so in {place} the guards of both transitions hold at once",
    "runaway": lambda _place, detail: f"so one advance never ends, going round through {_loop(detail)}",
}


def _blocked(detail: Data) -> str:
    items = cast("Sequence[Data]", detail["blocked"])
    return listed(f"{quoted(item['field'])} from {quoted(item['agent'])}" for item in items)


def _loop(detail: Data) -> str:
    return listed(quoted(state) for state in cast("Sequence[JsonValue]", detail["loop"]))


def _origins(detail: Data) -> Iterator[str]:
    """Where the values at fault came from, for the reasons where that is the point."""
    for which, store in cast("Data", detail.get("stores", {})).items():
        yield f"   {which} true with {values_text(cast('Data', store))}"
    if detail["reason"] not in _ABOUT_VALUES:
        return
    for item in cast("Sequence[Data]", detail["fields"]):
        value, step = f"{quoted(item['field'])} is {shown(item['value'])}", item["givenIn"]
        if item["origin"] == "staged":
            yield f"   {value}, which {quoted(item['agent'])} staged in step {step}"
        elif item["origin"] == "action":
            yield f"   {value}, as an action left it in step {step}"
        else:
            yield f"   {value}, as it was at the start"


_ABOUT_VALUES = frozenset(
    (
        "guards-read-stale",
        "complete-and-stale",
        "complete-on-entry",
        "stale-trigger",
        "stale-in-action",
        "set-on-entry",
        "emptied-unread",
        "empty-in-action",
    )
)
