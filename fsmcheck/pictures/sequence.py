"""A trace as a Mermaid sequence diagram: what the machine asks, what the agents stage, and where it goes."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from fsmcheck.abridged import abridged
from fsmcheck.pictures.mermaid import escape


def render(trace: Mapping[str, Any]) -> str:
    """The diagram of a ``fsmcheck.trace/1`` document, with a final line break."""
    return "\n".join(_lines(trace)) + "\n"


def _lines(trace: Mapping[str, Any]) -> Iterator[str]:
    owed = [each["agent"] for advance in _advances(trace) for each in advance["awaits"]]
    agents = list(dict.fromkeys([*owed, *(step["agent"] for step in trace["steps"])]))
    ids = {agent: f"a{number}" for number, agent in enumerate(agents, 1)}
    yield "sequenceDiagram"
    yield f"    participant m as {escape(str(trace['spec']['name'] or 'machine'))}"
    for agent in agents:
        yield f"    participant {ids[agent]} as {escape(agent)}"
    given = _values(trace["inputs"])
    yield f"    Note over m: {escape(f'start with {given}' if given else 'start')}"
    yield from _advance(trace["start"], ids)
    for step in trace["steps"]:
        sender = ids[step["agent"]]
        yield f"    {sender}->>m: {escape(_values(step['writes']) or 'nothing')}"
        if "rejected" in step:
            yield f"    m--x{sender}: {escape(str(step['rejected']))}"
        yield from _advance(step["advance"], ids)
    violates = trace.get("violates")
    if violates is not None:
        subject = ", ".join(f"{key} {value}" for key, value in violates["subject"].items())
        told = f"{violates['rule']} ({subject})" if subject else str(violates["rule"])
        yield f"    Note over m: {escape(told)}"


def _advances(trace: Mapping[str, Any]) -> Iterator[Mapping[str, Any]]:
    yield trace["start"]
    for step in trace["steps"]:
        yield step["advance"]


def _advance(advance: Mapping[str, Any], ids: Mapping[str, str]) -> Iterator[str]:
    moves = [f"    m->>m: {escape(_moved(taken))}" for taken in advance["microsteps"]]
    yield from abridged(moves, "transitions", "    Note over m: ")
    if advance["status"] != "waiting":
        told = f"{advance['status']} in {advance['state']}"
        yield f"    Note over m: {escape(told)}"
    fields: dict[str, list[str]] = {}
    for owed in advance["awaits"]:
        fields.setdefault(owed["agent"], []).append(owed["field"])
    for agent, names in fields.items():
        yield f"    m-->>{ids[agent]}: {escape(_asked(advance['state'], names))}"


def _moved(taken: Mapping[str, Any]) -> str:
    return f"{taken['from']} → {taken['to']}"


def _asked(state: str, names: Sequence[str]) -> str:
    return f"{state} awaits {' and '.join(names)}"


def _values(given: Mapping[str, Any]) -> str:
    return ", ".join(f"{name} = {json.dumps(value, ensure_ascii=False)}" for name, value in given.items())
