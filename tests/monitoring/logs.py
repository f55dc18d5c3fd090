"""Logs of runs that the reference reducer makes."""

from __future__ import annotations

import json
import random
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from fsmcheck.cel.types import Kind, Type
from fsmcheck.monitoring.lines import Line, lines
from fsmcheck.monitoring.mapping import LogMapping
from fsmcheck.monitoring.monitor import Limits, Monitor
from fsmcheck.monitoring.outcome import Outcome
from fsmcheck.reducer.configuration import Profile
from fsmcheck.reducer.exchange import may_act
from fsmcheck.reducer.json_values import store_json
from fsmcheck.reducer.record import Step
from fsmcheck.reducer.reducer import exchange, start
from fsmcheck.reducer.trace import advance_json
from fsmcheck.spec.model import Spec

Entry = dict[str, Any]


def value_of(type_: Type, rng: random.Random) -> Any:
    """A value that fits."""
    match type_.kind:
        case Kind.STRING:
            return rng.choice(["one", "two", f"text {rng.randrange(10**6)}"])
        case Kind.ENUM:
            return rng.choice(sorted(type_.values))
        case Kind.BOOLEAN:
            return rng.random() < 0.5
        case Kind.INTEGER:
            return rng.choice([0, 1, 2, 3, 5, 100, -1])
        case Kind.NUMBER:
            return rng.choice([0.0, 0.5, 0.9, 1.0, 1, 7, -2.5])
        case Kind.LIST:
            assert type_.element is not None
            return [value_of(type_.element, rng) for _ in range(rng.randrange(1, 4))]
        case Kind.MAP:
            assert type_.element is not None
            return {f"k{number}": value_of(type_.element, rng) for number in range(rng.randrange(1, 4))}
        case _:
            raise AssertionError(type_)


def random_run(spec: Spec, profile: Profile, rng: random.Random, longest: int = 25) -> list[Step]:
    """A run of exchanges that mostly fit, some of them empty, partial or to be rejected."""
    run = [start(spec, {name: value_of(spec.field_by_name[name].type, rng) for name in spec.input_names}, profile)]
    while len(run) <= longest and run[-1].configuration.status == "waiting":
        before = run[-1].configuration
        agents = may_act(spec, before.state)
        agent = rng.choice(agents) if agents and rng.random() < 0.95 else rng.choice(["nobody", *spec.agent_by_name])
        fields = [req.field.text for req in spec.state_by_name[before.state].requires if req.agent.text == agent]
        chosen = [name for name in fields if rng.random() < 0.8]
        writes = {name: value_of(spec.field_by_name[name].type, rng) for name in chosen}
        if rng.random() < 0.05:
            writes[rng.choice([*spec.field_by_name, "nothing"])] = rng.choice(["", None, True, "odd", 2**60, [None]])
        run.append(exchange(spec, before, agent, writes, profile))
    return run


def entries(run: Iterable[Step], name: str, *, full: bool = True) -> list[Entry]:
    """The events of a run, each with all that came of it or with state, status and store."""
    return [_entry(step, name, full) for step in run]


def _entry(step: Step, name: str, full: bool) -> Entry:
    entry: Entry = {"run": name, "event": "start" if step.agent is None else "exchange"}
    if step.agent is None:
        entry["inputs"] = dict(step.given)
    else:
        entry |= {"agent": step.agent, "writes": dict(step.given)}
    if step.rejected is not None:
        entry["rejected"] = step.rejected
    if full:
        return entry | {"advance": advance_json(step)}
    configuration = step.configuration
    return entry | {
        "state": configuration.state,
        "status": configuration.status,
        "store": dict(store_json(configuration.store)),
    }


def interleaved(runs: Iterable[list[Entry]], rng: random.Random) -> Iterator[Entry]:
    """The events of many runs as they might come in, each run's in order."""
    open_runs = [list(reversed(run)) for run in runs]
    while open_runs:
        run = rng.choice(open_runs)
        yield run.pop()
        if not run:
            open_runs.remove(run)


def text_lines(events: Iterable[Mapping[str, Any]]) -> list[Line]:
    return [Line(number, json.dumps(event).encode()) for number, event in enumerate(events, 1)]


def watch(
    spec: Spec,
    profile: Profile,
    events: Iterable[Mapping[str, Any]],
    *,
    mapping: LogMapping | None = None,
    limits: Limits | None = None,
    every: bool = False,
) -> tuple[list[Outcome], Monitor]:
    """What a monitor says of some events."""
    monitor = Monitor(spec, profile, mapping, limits, every=every)
    found = [outcome for line in text_lines(events) for outcome in monitor.feed("log", line)]
    return [*found, *monitor.close("log")], monitor


def watch_bytes(spec: Spec, data: bytes, profile: Profile = "gated") -> tuple[list[Outcome], Monitor]:
    """What a monitor says of a file's content."""
    monitor = Monitor(spec, profile)
    parts = iter([data])
    found = [outcome for line in lines(lambda _size: next(parts, b"")) for outcome in monitor.feed("log", line)]
    return [*found, *monitor.close("log")], monitor
