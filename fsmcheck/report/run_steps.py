"""A counterexample as places in the source that it passes, one after the other."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from typing import Any

from fsmcheck.abridged import gap_line, left_out
from fsmcheck.records import dataclass
from fsmcheck.results import Places
from fsmcheck.source import Span


@dataclass(frozen=True, slots=True)
class RunStep:
    """A place, what happens there, and the store behind it, each value as JSON."""

    span: Span
    told: str
    store: tuple[tuple[str, str], ...]


def run_steps(trace: Mapping[str, Any], places: Places) -> tuple[RunStep, ...]:
    """The places of a ``fsmcheck.trace/1`` document; those that ``places`` does not know are left out."""
    return tuple(_steps(trace, _Teller(places)))


class _Teller:
    """Tells steps at the places it knows. Of a value that did not change, the text is made once."""

    def __init__(self, places: Places) -> None:
        self._places = places
        self._known: dict[str, tuple[object, tuple[str, str]]] = {}

    def at(self, place: tuple[str, int | None], told: str, store: Mapping[str, Any]) -> Iterator[RunStep]:
        span = self._places.get(place)
        if span is not None:
            yield RunStep(span, told, tuple([self._entry(name, value) for name, value in store.items()]))

    def _entry(self, name: str, value: object) -> tuple[str, str]:
        known = self._known.get(name)
        if known is None or known[0] is not value:
            known = self._known[name] = value, (name, _json(value))
        return known[1]


def _steps(trace: Mapping[str, Any], teller: _Teller) -> Iterator[RunStep]:
    given = _values(trace["inputs"])
    yield from _advance(f"start{f' with {given}' if given else ''}", trace["start"], teller)
    for number, step in enumerate(trace["steps"], 1):
        staged = _values(step["writes"]) or "nothing"
        rejected = f", rejected: {step['rejected']}" if "rejected" in step else ""
        what = f'{number}. "{step["agent"]}" stages {staged}{rejected}'
        yield from _advance(what, step["advance"], teller)


def _advance(what: str, advance: Mapping[str, Any], teller: _Teller) -> Iterator[RunStep]:
    microsteps = advance["microsteps"]
    first = microsteps[0]["from"] if microsteps else advance["state"]
    yield from teller.at((first, None), what, {} if microsteps else advance["store"])
    gap = left_out(len(microsteps))
    for number, taken in enumerate(microsteps):
        if number in gap:
            continue
        told = f'"{taken["from"]}" → "{taken["to"]}" by transition {taken["transition"]}'
        if number == gap.stop and gap:
            told = f"{gap_line(len(gap), 'transitions')} {told}"
        yield from teller.at((taken["from"], taken["transition"]), told, taken["store"])
    yield from teller.at((advance["state"], None), f'{advance["status"]} in "{advance["state"]}"', advance["store"])


def _values(given: Mapping[str, Any]) -> str:
    return ", ".join(f"{name} = {_json(value)}" for name, value in given.items())


def _json(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False, default=_plain)


def _plain(value: Any) -> Any:
    return dict(value) if isinstance(value, Mapping) else list(value)
