"""The JSON Schema and the loader agree on what a document looks like."""

from __future__ import annotations

import copy
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import jsonschema
import pytest

from fsmcheck.source import SourceFile
from fsmcheck.spec.json_schema import json_schema
from fsmcheck.spec.literals import plain_data
from fsmcheck.spec.load import load
from fsmcheck.spec.yaml_tree import compose

ROOT = Path(__file__).parents[2]
SCHEMA = json_schema()
VALIDATOR = jsonschema.Draft7Validator(SCHEMA)
FILES = sorted([*(ROOT / "specs").rglob("*.yaml"), *(ROOT / "tests" / "cases").rglob("*.yaml")])

SMALL: dict[str, Any] = {
    "fsm": {
        "name": "n",
        "version": 1,
        "description": "d",
        "initialState": "a",
        "context": {
            "t": {"type": "string", "default": "x", "description": "d"},
            "e": {"type": "enum", "values": ["p", "q"]},
            "l": {"type": "list", "of": "string"},
            "m": {"type": "map", "of": "int"},
        },
        "agents": {"g": {"canTransition": ["a"], "description": "d"}},
        "states": {
            "a": {
                "description": "d",
                "requires": [{"name": "t", "from": {"agent": "g"}}],
                "entry": [{"assign": {"t": ""}}],
                "exit": [{"append": {"l": "x"}}, {"put": {"m": {"k": 1}}}],
                "transitions": [
                    {
                        "toState": "b",
                        "guards": [{"backend": "cel", "expression": "context.t != ''"}],
                        "onTransition": [{"assign": {"t": "x"}}],
                        "description": "d",
                    }
                ],
            },
            "b": {"terminal": True},
        },
        "policy": {
            "maxIterations": 8,
            "maxExchangesPerStage": 3,
            "maxExchangesPerAgentPerStage": 2,
            "checkpointEvery": 1,
        },
    },
    "properties": [],
}
REPLACEMENTS: tuple[Any, ...] = (None, "", "x", "list", "enum", 0, 3, -1, 1.5, True, [], {}, ["x"], ["x", "x"], [1])


def loader_accepts(text: str) -> bool:
    return not any(fault.rule == "FSM002" for document in load(SourceFile("t", text)) for fault in document.faults)


def schema_accepts(text: str) -> bool:
    return all(
        VALIDATOR.is_valid(plain_data(document.root)) for document in compose(SourceFile("t", text)) if document.root
    )


def test_the_schema_is_one() -> None:
    jsonschema.Draft7Validator.check_schema(SCHEMA)
    json.dumps(SCHEMA)


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.name)
def test_agrees_on_files(path: Path) -> None:
    text = path.read_bytes().decode("utf-8", "replace")
    documents = compose(SourceFile("t", text))
    if any(fault.rule == "FSM001" for document in documents for fault in document.faults):
        pytest.skip("no whole tree to compare")
    assert schema_accepts(text) == loader_accepts(text)


def paths_of(data: Any, path: tuple[str | int, ...] = ()) -> Iterator[tuple[str | int, ...]]:
    yield path
    for key, value in data.items() if isinstance(data, dict) else enumerate(data) if isinstance(data, list) else ():
        yield from paths_of(value, (*path, key))


def mutations(data: Any, path: tuple[str | int, ...]) -> Iterator[Any]:
    if not path:
        yield from REPLACEMENTS
        return

    def parent(copied: Any) -> Any:
        for key in path[:-1]:
            copied = copied[key]
        return copied

    for replacement in REPLACEMENTS:
        changed = copy.deepcopy(data)
        parent(changed)[path[-1]] = replacement
        yield changed
    changed = copy.deepcopy(data)
    removed = parent(changed).pop(path[-1])
    yield copy.deepcopy(changed)
    if isinstance(path[-1], str):
        for name in (f"{path[-1]}x", ""):
            parent(changed)[name] = removed
            yield copy.deepcopy(changed)
            del parent(changed)[name]
        changed = copy.deepcopy(data)
        parent(changed)["extra"] = removed
        yield changed


@pytest.mark.parametrize("path", list(paths_of(SMALL)), ids=lambda path: ".".join(map(str, path)) or "root")
def test_agrees_on_mutated_documents(path: tuple[str | int, ...]) -> None:
    for mutated in mutations(SMALL, path):
        text = json.dumps(mutated)
        assert schema_accepts(text) == loader_accepts(text), text


@pytest.mark.parametrize("key", ["version", "maxIterations"])
def test_exception_integral_numbers(key: str) -> None:
    spec = copy.deepcopy(SMALL)
    (spec["fsm"] if key == "version" else spec["fsm"]["policy"])[key] = 2.0
    text = json.dumps(spec)
    assert schema_accepts(text)
    assert not loader_accepts(text)


def test_exception_keys_that_are_no_text() -> None:
    text = "fsm: { initialState: a, states: { a: { terminal: true }, 1: { terminal: true } } }"
    assert schema_accepts(text)
    assert not loader_accepts(text)
