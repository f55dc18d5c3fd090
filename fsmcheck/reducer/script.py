"""Scripts of writes: what agents stage, a line an exchange."""

from __future__ import annotations

import json
from collections.abc import Mapping

from fsmcheck.records import dataclass
from fsmcheck.reducer.json_values import JsonValue
from fsmcheck.reducer.strict_json import StrictJsonError, parse_json


class ScriptError(Exception):
    """A line cannot be read; ``line`` is its 1-based number, the message one sentence."""

    def __init__(self, line: int, message: str) -> None:
        super().__init__(f"line {line}: {message}")
        self.line = line


@dataclass(frozen=True, slots=True)
class ScriptedExchange:
    """One exchange of a script and the line it stands in."""

    line: int
    agent: str
    writes: Mapping[str, JsonValue]


@dataclass(frozen=True, slots=True)
class Script:
    """The inputs of a run and its exchanges, in order."""

    inputs: Mapping[str, JsonValue]
    exchanges: tuple[ScriptedExchange, ...]


def parse_script(text: str) -> Script:
    """Read a script.

    A line is ``agent field=value …`` for an exchange or, without an agent, ``field=value …`` for inputs.
    A value is JSON (``"some text"``, ``3``, ``true``, ``["a", "b"]``) or, where it is none, the bare text up to the
    next space. ``#`` at the beginning of a word starts a comment. Raises ``ScriptError``.
    """
    inputs: dict[str, JsonValue] = {}
    exchanges: list[ScriptedExchange] = []
    for number, line in enumerate(text.splitlines(), 1):
        agent, writes = parse_line(line, number)
        if agent is not None:
            exchanges.append(ScriptedExchange(number, agent, writes))
            continue
        for field in writes:
            if field in inputs:
                raise ScriptError(number, f'the input "{field}" is given twice')
        if writes and exchanges:
            raise ScriptError(number, "inputs stand before the first exchange")
        inputs.update(writes)
    return Script(inputs, tuple(exchanges))


def parse_line(line: str, number: int = 1) -> tuple[str | None, dict[str, JsonValue]]:
    """The agent (None without one) and the writes of one line; both absent in an empty line."""
    agent: str | None = None
    writes: dict[str, JsonValue] = {}
    rest = line.strip()
    while rest and not rest.startswith("#"):
        head = rest.split(None, 1)[0]
        field, equals, _ = head.partition("=")
        if not equals:
            if agent is not None or writes:
                raise ScriptError(number, f'"{head}" is no field=value')
            agent, rest = head, rest[len(head) :].lstrip()
            continue
        if not field or field in writes:
            problem = "a field is missing before =" if not field else f'the field "{field}" is written twice'
            raise ScriptError(number, problem)
        writes[field], rest = _value(rest[len(field) + 1 :], number)
    return agent, writes


def _value(text: str, number: int) -> tuple[JsonValue, str]:
    """The value at the beginning of the text, and what follows it."""
    try:
        _, end = json.JSONDecoder().raw_decode(text)
    except (ValueError, RecursionError):
        end = 0
    if not end or text[end : end + 1].strip():
        bare = text.split(None, 1)[0] if text and not text[0].isspace() else ""
        if bare[:1] in ('"', "[", "{"):
            raise ScriptError(number, f"{bare} begins a JSON value that does not end")
        return bare, text[len(bare) :].lstrip()
    try:
        return parse_json(text[:end]), text[end:].lstrip()
    except StrictJsonError as error:
        raise ScriptError(number, str(error)) from error
