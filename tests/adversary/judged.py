"""The verdicts on a small spec written as Python data."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from fsmcheck.check import verdicts
from fsmcheck.source import SourceFile
from fsmcheck.spec.load import load

Verdicts = Mapping[tuple[str, tuple[object, ...]], str]


def go(to: str, *guards: str, on: list[dict[str, Any]] | None = None) -> dict[str, Any]:
    """A transition."""
    found: dict[str, Any] = {"toState": to}
    if guards:
        found["guards"] = [{"backend": "cel", "expression": guard} for guard in guards]
    if on:
        found["onTransition"] = on
    return found


def state(*transitions: dict[str, Any], ask: tuple[str, ...] = (), **more: Any) -> dict[str, Any]:
    """A state that requires some fields from the one agent there is."""
    found: dict[str, Any] = dict(more)
    if ask:
        found["requires"] = [{"name": name, "from": {"agent": "worker"}} for name in ask]
    found["transitions"] = list(transitions)
    return found


END: dict[str, Any] = {"terminal": True}


def judged(
    context: Mapping[str, Any],
    states: Mapping[str, Any],
    profile: str = "gated",
    timeout: float | None = None,
    **more: Any,
) -> Verdicts:
    """For each rule and the values of its subject, the verdict. The run starts in the first state."""
    document = {
        "fsm": {
            "initialState": next(iter(states)),
            "context": {name: {"type": kind} if isinstance(kind, str) else kind for name, kind in context.items()},
            "agents": {"worker": {"canTransition": [name for name, each in states.items() if "requires" in each]}},
            "states": dict(states),
            **more,
        }
    }
    (loaded,) = load(SourceFile("spec.yaml", json.dumps(document)))
    assert loaded.faults == ()
    assert loaded.spec is not None
    found = verdicts(loaded.spec, profile, timeout=timeout)
    return {(rule, tuple(subject.as_dict().values())): verdict for (rule, subject), (verdict, _) in found.items()}
