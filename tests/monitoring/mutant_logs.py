"""Logs that reducers write which break one clause each."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from typing import Any

from fsmcheck.conformance.conduct import Reducer, Scenario
from fsmcheck.conformance.examine import Job
from fsmcheck.monitoring.outcome import Departure
from tests.conformance.mutants import reducer as mutants
from tests.monitoring.logs import Entry, watch


class InProcess:
    """The mutants' reducer without a process."""

    def __init__(self) -> None:
        self.conversation = mutants.Conversation()

    def load(self, document: Any, profile: str) -> Mapping[str, Any]:
        return self._ask({"op": "load", "spec": document, "profile": profile})

    def start(self, inputs: Mapping[str, Any]) -> Mapping[str, Any]:
        return self._ask({"op": "start", "inputs": dict(inputs)})

    def exchange(self, agent: str, writes: Mapping[str, Any]) -> Mapping[str, Any]:
        return self._ask({"op": "exchange", "agent": agent, "writes": dict(writes)})

    def _ask(self, request: dict[str, Any]) -> Mapping[str, Any]:
        answer: Mapping[str, Any] = json.loads(json.dumps(self.conversation.answer(json.loads(json.dumps(request)))))
        return answer


def log_of(reducer: Reducer, scenario: Scenario, name: str, *, full: bool) -> Iterator[Entry]:
    """What a service logs that runs on this reducer."""
    answer = reducer.start(scenario.inputs)
    begin: Entry = {"run": name, "event": "start", "inputs": dict(scenario.inputs)}
    if answer.get("ok") is False:
        yield begin | {"rejected": True}
        return
    yield begin | _outcome(answer, full)
    for agent, writes in scenario.exchanges:
        answer = reducer.exchange(agent, writes)
        event: Entry = {"run": name, "event": "exchange", "agent": agent, "writes": dict(writes)}
        if "rejected" in answer:
            event["rejected"] = answer["rejected"]
        yield event | _outcome(answer, full)


def _outcome(answer: Mapping[str, Any], full: bool) -> Entry:
    if full:
        return {"advance": {key: value for key, value in answer.items() if key != "rejected"}}
    return {key: answer[key] for key in ("state", "status", "store", "cap") if key in answer}


def clauses(reducer: Reducer, job: Job, *, full: bool) -> list[str | None]:
    """The clauses that the departures of a probe's runs are said to break, in order."""
    reducer.load(job.spec.document, job.profile)  # type: ignore[arg-type]
    events = [
        event
        for number, scenario in enumerate(job.scenarios)
        for event in log_of(reducer, scenario, f"r{number}", full=full)
    ]
    found, _ = watch(job.spec, job.profile, events)
    return [each.found.clause for each in found if isinstance(each, Departure)]
