"""A counterexample as frames to step through: one for the start, each exchange and each transition taken."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import field
from typing import Any

from fsmcheck.abridged import gap_line, left_out
from fsmcheck.records import dataclass
from fsmcheck.report.html import text

Json = dict[str, object]
_Told = list[tuple[str, ...]]


@dataclass(frozen=True, slots=True)
class Frame:
    """A configuration on the way and how it came about.

    ``step`` is 0 for the start, then the number of the exchange; ``microstep`` the index of the transition taken in
    that advance, None for the start or the exchange itself. ``via`` is that transition, by state and index. ``store``
    is what is known of the store: before the first microstep of the start only the inputs. ``stale`` are the set
    fields that answer an earlier visit.
    """

    step: int
    microstep: int | None
    state: str
    via: tuple[str, int] | None
    store: Mapping[str, Any]
    stale: frozenset[str]
    told: tuple[str, ...]
    advance: Mapping[str, Any] | None = None
    staged: Mapping[str, Any] = field(default_factory=dict)
    agent: str | None = None
    rejected: str | None = None


@dataclass(frozen=True, slots=True)
class Run:
    """The frames of a trace, what its story ends with, and which frame that is about (the last that it tells of)."""

    frames: tuple[Frame, ...]
    conclusion: tuple[str, ...]
    end: int


def frames(
    trace: Mapping[str, Any],
    story: Sequence[str],
    stale: Sequence[Sequence[str]],
    passing: Sequence[Sequence[Sequence[str]]] = (),
) -> Run:
    """The frames of a ``fsmcheck.trace/1`` document. ``story``, ``stale`` and ``passing`` (``stale_passing``) are those
    of the finding; each may be empty, or shorter than the trace."""
    advances = [trace["start"], *(step["advance"] for step in trace["steps"])]
    told, conclusion, told_of = _tellings(advances, story)
    made: list[Frame] = []
    ends = 0
    before: Mapping[str, Any] = {}
    old: frozenset[str] = frozenset()
    for number, advance in enumerate(advances):
        step = trace["steps"][number - 1] if number else None
        settled = frozenset(stale[number]) if number < len(stale) else None
        then = _Before(trace["inputs"], before, old, passing[number] if number < len(passing) else ())
        made.extend(_advance(number, step, advance, then, settled, told[number]))
        before, old = advance["store"], made[-1].stale
        if number <= told_of:
            ends = len(made) - 1
    return Run(tuple(made), conclusion, ends)


@dataclass(frozen=True, slots=True)
class _Before:
    inputs: Mapping[str, Any]
    store: Mapping[str, Any]
    stale: frozenset[str]
    passing: Sequence[Sequence[str]]


def _advance(
    number: int,
    step: Mapping[str, Any] | None,
    advance: Mapping[str, Any],
    before: _Before,
    settled: frozenset[str] | None,
    told: _Told,
) -> Iterator[Frame]:
    taken = advance["microsteps"]
    state = taken[0]["from"] if taken else advance["state"]
    staged = step["writes"] if step is not None and "rejected" not in step else {}
    if step is None:
        store = before.inputs if taken else advance["store"]
    else:
        store = {**before.store, **staged} if taken else advance["store"]
    old = before.stale - frozenset(staged)
    yield Frame(
        number,
        None,
        state,
        None,
        store,
        old if taken or settled is None else settled,
        told[0] or (_exchange(step) if step is not None else f'start in "{state}"',),
        None if taken else advance,
        staged,
        step["agent"] if step is not None else None,
        step.get("rejected") if step is not None else None,
    )
    gap = left_out(len(taken))
    for index, each in enumerate(taken):
        last = index == len(taken) - 1
        now = each["store"]
        old = (
            frozenset(before.passing[index])
            if index < len(before.passing)
            else frozenset(name for name in old if name in store and now.get(name) == store[name])
        )
        store = now
        if index in gap:
            continue
        yield Frame(
            number,
            index,
            each["to"],
            (each["from"], each["transition"]),
            now,
            settled if last and settled is not None else old,
            told[index + 1 - (len(gap) if gap and index >= gap.stop else 0)] or _moved(each, gap, index),
            advance if last else None,
        )


def _moved(taken: Mapping[str, Any], gap: range, index: int) -> tuple[str, ...]:
    passed = (gap_line(len(gap), "transitions"),) if gap and index == gap.stop else ()
    return (*passed, f'"{taken["from"]}" → "{taken["to"]}" by transition {taken["transition"]}')


def _exchange(step: Mapping[str, Any]) -> str:
    staged = ", ".join(f"{name} = {text.value(given)}" for name, given in step["writes"].items()) or "nothing"
    refused = f", rejected: {step['rejected']}" if "rejected" in step else ""
    return f'"{step["agent"]}" stages {staged}{refused}'


def _tellings(advances: Sequence[Mapping[str, Any]], story: Sequence[str]) -> tuple[list[_Told], tuple[str, ...], int]:
    """For each advance the lines of each of its frames; the lines after the run; the last advance told of.

    A story has a line for each start or exchange, then indented one for each failed guard, each transition taken and
    for how it came to rest. Where an advance is long, one line stands for those left out; it goes with the next.
    """
    told: list[_Told] = []
    lines = list(story)
    last = -1
    for number, advance in enumerate(advances):
        taken = len(advance["microsteps"])
        gap = left_out(taken)
        moves = taken - len(gap)
        errors = _lines(len(advance.get("guardErrors", ())))
        count = 1 + errors + _lines(taken) + 1
        begins = bool(lines) and lines[0].startswith(f"{number}. " if number else "start ")
        if not begins or len(lines) < count or not all(line.startswith("   ") for line in lines[1:count]):
            told.append([()] * (moves + 1))
            continue
        last = number
        mine, lines = [line.strip() for line in lines[:count]], lines[count:]
        parts: _Told = [tuple(mine[: 1 + errors]), *((line,) for line in mine[1 + errors : -1])]
        if gap:
            first = 1 + gap.start
            parts[first : first + 2] = [(*parts[first], *parts[first + 1])]
        parts[-1] = (*parts[-1], mine[-1])
        told.append(parts)
    return told, tuple(line.strip() for line in lines), last if last >= 0 else len(advances) - 1


def _lines(count: int) -> int:
    """How many lines a story has for ``count`` things of a kind."""
    gap = left_out(count)
    return count - len(gap) + (1 if gap else 0)
