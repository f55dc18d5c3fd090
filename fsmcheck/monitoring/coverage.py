"""What production has exercised of a spec: states, transitions, guards and the parts of their conjunctions."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from typing import Literal, cast

from fsmcheck.cel.ast import Expr
from fsmcheck.cel.errors import EvaluationError
from fsmcheck.cel.evaluate import evaluate
from fsmcheck.conformance.goals import conjuncts
from fsmcheck.outline import Coverage
from fsmcheck.reducer.configuration import Profile
from fsmcheck.reducer.json_values import JsonValue
from fsmcheck.reducer.record import Search, Step
from fsmcheck.reducer.store import Store
from fsmcheck.reducer.strict_json import StrictJsonError, parse_json
from fsmcheck.spec.model import Guard, Spec

SCHEMA = "fsmcheck.coverage/1"

Result = Literal["true", "false", "error"]
RESULTS: tuple[Result, ...] = ("true", "false", "error")

_Part = tuple[str, int, int, int]


class CoverageError(Exception):
    """A text is no coverage, or of another spec; the message is one sentence."""


class Counts:
    """Counts of one spec under one profile, growing as runs go on."""

    __slots__ = ("_conjuncts", "_outcomes", "_parts", "_profile", "_spec", "_states", "_transitions", "events", "runs")

    def __init__(self, spec: Spec, profile: Profile) -> None:
        self._spec = spec
        self._profile = profile
        self.events = 0
        self.runs = 0
        self._states: Counter[str] = Counter()
        self._transitions: Counter[tuple[str, int]] = Counter()
        self._outcomes: Counter[tuple[str, int, int, Result]] = Counter()
        self._parts: Counter[tuple[_Part, Result]] = Counter()
        split = {(state, index, number): conjuncts(guard) for state, index, number, guard in self._guards()}
        self._conjuncts = {place: parts for place, parts in split.items() if len(parts) > 1}

    def step(self, step: Step) -> None:
        """Count one step."""
        advance = step.advance
        if step.agent is None:
            self.runs += 1
            self._states[self._spec.initial.text] += 1
        for microstep in advance.microsteps:
            self._search(microstep.search)
            self._states[microstep.target] += 1
            self._transitions[microstep.source, microstep.transition] += 1
        if advance.failure is not None and advance.failure.search is not None:
            self._search(advance.failure.search)
        elif advance.last is not None:
            self._search(advance.last)

    def _search(self, search: Search) -> None:
        for tried in search.tried:
            for result in tried.guards:
                outcome: Result = "error" if result.fault is not None else "true" if result.holds else "false"
                place = search.state, tried.transition, result.guard
                self._outcomes[*place, outcome] += 1
                for number, part in enumerate(self._conjuncts.get(place, ())):
                    self._parts[(*place, number), _result(part.expr, search.store)] += 1

    def coverage(self) -> Coverage:
        """The counts as report data."""
        guards = {
            (state, index, number): cast(
                "tuple[int, int, int]", tuple(self._outcomes[state, index, number, each] for each in RESULTS)
            )
            for state, index, number, _ in self._guards()
        }
        states = {state.name.text: self._states[state.name.text] for state in self._spec.states}
        return Coverage(self.events, states, {place: self._transitions[place] for place in self._places()}, guards)

    def _places(self) -> Iterator[tuple[str, int]]:
        for state in self._spec.states:
            if not state.terminal:
                yield from ((state.name.text, transition.index) for transition in state.transitions)

    def _guards(self) -> Iterator[tuple[str, int, int, Guard]]:
        for state, index in self._places():
            for number, guard in enumerate(self._spec.state_by_name[state].transitions[index].guards):
                yield state, index, number, guard

    def as_json(self) -> dict[str, JsonValue]:
        """The counts as ``fsmcheck.coverage/1``."""
        spec = self._spec
        states: dict[str, JsonValue] = {state.name.text: self._states[state.name.text] for state in spec.states}
        transitions: list[JsonValue] = [
            {
                "state": state,
                "transition": index,
                "to": spec.state_by_name[state].transitions[index].target.text,
                "count": self._transitions[state, index],
            }
            for state, index in self._places()
        ]
        guards: list[JsonValue] = []
        conditions: list[JsonValue] = []
        for state, index, number, guard in self._guards():
            place: dict[str, JsonValue] = {"state": state, "transition": index, "guard": number}
            outcome: dict[str, JsonValue] = {each: self._outcomes[state, index, number, each] for each in RESULTS}
            guards.append({**place, "expression": guard.text, **outcome})
            for which, part in enumerate(self._conjuncts.get((state, index, number), ())):
                outcome = {each: self._parts[(state, index, number, which), each] for each in RESULTS}
                conditions.append({**place, "part": which, "expression": part.text, **outcome})
        return {
            "schema": SCHEMA,
            "spec": {
                "name": spec.name.text if spec.name is not None else None,
                "version": spec.version,
                "sha256": spec.sha256,
            },
            "profile": self._profile,
            "events": self.events,
            "runs": self.runs,
            "states": states,
            "transitions": transitions,
            "guards": guards,
            "conditions": conditions,
        }

    def add(self, text: str) -> None:
        """Add what an earlier ``as_json`` counted. Raises ``CoverageError``."""
        data = self._read(text)
        try:
            self._add(data)
        except (LookupError, TypeError, AttributeError, ValueError):
            raise CoverageError("a part of the coverage is missing or has another shape") from None

    def _read(self, text: str) -> Mapping[str, JsonValue]:
        try:
            data = parse_json(text)
        except StrictJsonError as error:
            raise CoverageError(str(error)) from None
        if not isinstance(data, dict) or data.get("schema") != SCHEMA:
            raise CoverageError(f'no coverage: expected an object whose "schema" is "{SCHEMA}"')
        identity = data.get("spec")
        if not isinstance(identity, dict) or identity.get("sha256") != self._spec.sha256:
            raise CoverageError("the coverage is of another spec, or of this one before or after a change")
        if data.get("profile") != self._profile:
            raise CoverageError(f'the coverage is not of the profile "{self._profile}"')
        return data

    def _add(self, data: Mapping[str, JsonValue]) -> None:
        events, runs = _number(data["events"]), _number(data["runs"])
        states = {name: _number(count) for name, count in cast("dict[str, JsonValue]", data["states"]).items()}
        rows = cast("dict[str, list[dict[str, JsonValue]]]", data)
        transitions = {
            (str(row["state"]), _number(row["transition"])): _number(row["count"]) for row in rows["transitions"]
        }
        outcomes = {(*_place(row), each): _number(row[each]) for row in rows["guards"] for each in RESULTS}
        parts = {
            ((*_place(row), _number(row["part"])), each): _number(row[each])
            for row in rows["conditions"]
            for each in RESULTS
        }
        self.events += events
        self.runs += runs
        self._states.update(states)
        self._transitions.update(transitions)
        self._outcomes.update(outcomes)
        self._parts.update(parts)


def _result(expr: Expr, store: Store) -> Result:
    try:
        value = evaluate(expr, store)
    except EvaluationError:
        return "error"
    return "true" if value is True else "false" if value is False else "error"


def _place(row: Mapping[str, JsonValue]) -> tuple[str, int, int]:
    return str(row["state"]), _number(row["transition"]), _number(row["guard"])


def _number(value: JsonValue) -> int:
    if not isinstance(value, int) or isinstance(value, bool) or value < 0:
        raise ValueError
    return value


def table(coverage: Mapping[str, JsonValue]) -> list[str]:
    """The coverage as a table for people; what was never exercised is marked."""
    lines = ["states entered"]
    for name, count in cast("Mapping[str, int]", coverage["states"]).items():
        lines.append(f"  {count:>9}  {name}{_never(count)}")
    lines.append("transitions taken")
    for row in cast("list[Mapping[str, JsonValue]]", coverage["transitions"]):
        count = cast("int", row["count"])
        lines.append(f"  {count:>9}  {row['state']} → {row['to']} ({row['transition']}){_never(count)}")
    for key, title in (("guards", "guards"), ("conditions", "parts of guards")):
        rows = cast("list[Mapping[str, JsonValue]]", coverage[key])
        if rows:
            lines.append(f"{title}: true, false, error")
        for row in rows:
            counts = [cast("int", row[each]) for each in RESULTS]
            missing = [each for each, count in zip(RESULTS[:2], counts, strict=False) if not count]
            mark = f"  ← never {' nor '.join(missing)}" if missing else ""
            numbers = " ".join(f"{count:>9}" for count in counts)
            lines.append(f"  {numbers}  {row['state']} ({row['transition']}): {row['expression']}{mark}")
    return lines


def _never(count: int) -> str:
    return "" if count else "  ← never"
