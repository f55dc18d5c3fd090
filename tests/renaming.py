"""The same spec with other names, and subjects to match."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import yaml

_FIELD = re.compile(r"context\.(\w+)")
_LITERAL = re.compile(r"'([^']*)'")


@dataclass(frozen=True)
class Renaming:
    """New names by kind, each kind apart: ``plan`` the state and ``plan`` the field need not stay namesakes."""

    states: Mapping[str, str]
    fields: Mapping[str, str]
    agents: Mapping[str, str]
    values: Mapping[str, str]

    def spec(self, text: str) -> str:
        """The YAML text of a spec under the new names."""
        fsm = yaml.safe_load(text)["fsm"]
        renamed = {
            **fsm,
            "name": "something-else",
            "initialState": self.states[fsm["initialState"]],
            "context": {self.fields[name]: self._field(field) for name, field in fsm["context"].items()},
            "agents": {
                self.agents[name]: {**agent, "canTransition": [self.states[state] for state in agent["canTransition"]]}
                for name, agent in fsm["agents"].items()
            },
            "states": {self.states[name]: self._state(state) for name, state in fsm["states"].items()},
        }
        return yaml.safe_dump({"fsm": renamed}, sort_keys=False, allow_unicode=True)

    def subject(self, subject: Mapping[str, Any]) -> dict[str, Any]:
        """A subject under the new names."""
        kinds = {"state": self.states, "field": self.fields, "agent": self.agents}
        return {key: kinds[key][value] if key in kinds else value for key, value in subject.items()}

    def _field(self, field: Mapping[str, Any]) -> dict[str, Any]:
        renamed = dict(field)
        if "values" in renamed:
            renamed["values"] = [self.values[value] for value in renamed["values"]]
        return renamed

    def _state(self, state: Mapping[str, Any]) -> dict[str, Any]:
        renamed = self._text(dict(state))
        if "requires" in renamed:
            renamed["requires"] = [
                {"name": self.fields[req["name"]], "from": {"agent": self.agents[req["from"]["agent"]]}}
                for req in renamed["requires"]
            ]
        for part in ("entry", "exit"):
            if part in renamed:
                renamed[part] = self._actions(renamed[part])
        if "transitions" in renamed:
            renamed["transitions"] = [self._transition(transition) for transition in renamed["transitions"]]
        return renamed

    def _transition(self, transition: Mapping[str, Any]) -> dict[str, Any]:
        renamed = {**transition, "toState": self.states[transition["toState"]]}
        if "onTransition" in renamed:
            renamed["onTransition"] = self._actions(renamed["onTransition"])
        return renamed

    def _actions(self, actions: Sequence[Mapping[str, Any]]) -> list[dict[str, Any]]:
        return [
            {operator: {self.fields[name]: value for name, value in writes.items()}}
            for action in actions
            for operator, writes in action.items()
        ]

    def _text(self, node: Any) -> Any:
        if isinstance(node, dict):
            return {key: self._text(value) for key, value in node.items()}
        if isinstance(node, list):
            return [self._text(item) for item in node]
        if isinstance(node, str):
            fields = _FIELD.sub(lambda match: f"context.{self.fields[match[1]]}", node)
            return _LITERAL.sub(lambda match: f"'{self.values.get(match[1], match[1])}'", fields)
        return node


def fresh(text: str) -> Renaming:
    """Names that mean nothing."""
    return _renaming(text, lambda kind, names: [f"{kind}{len(names) - i}" for i in range(len(names))])


def rotated(text: str) -> Renaming:
    """The names the spec has, each given to the next of its kind: every one now misleads."""
    return _renaming(text, lambda _, names: [*names[1:], *names[:1]])


def _renaming(text: str, rename: Any) -> Renaming:
    fsm = yaml.safe_load(text)["fsm"]
    values = [value for field in fsm["context"].values() for value in field.get("values", ())]

    def names(kind: str, old: list[str]) -> dict[str, str]:
        return dict(zip(old, rename(kind, old), strict=True))

    return Renaming(
        states=names("q", list(fsm["states"])),
        fields=names("v", list(fsm["context"])),
        agents=names("who", list(fsm["agents"])),
        values=names("w", values),
    )
