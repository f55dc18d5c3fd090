"""What can be written at the cursor."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Literal

from fsmcheck.cel.types import Kind
from fsmcheck.outlining.fields import type_text
from fsmcheck.records import dataclass
from fsmcheck.source import Span
from fsmcheck.spec.json_schema import json_schema
from fsmcheck.spec.model import Field, Operator, Spec
from fsmcheck.spec.nodes import Cursor, Style
from fsmcheck.spec.splice import scalar
from fsmcheck.spec.yaml_tree import cursor_at

_FIELD = re.compile(r"\bcontext\s*\.\s*(\w*)$")
_COMPARED = re.compile(r"\bcontext\s*\.\s*(\w+)\s*(?:==|!=)\s*((?:''|')?)([^'\"]*)$")
_SIMPLE = re.compile(r"[\w .-]+")
_WORD = re.compile(r"(?<![\w.'\"])(\w*)$")
_ACTIONS = ("entry", "exit", "onTransition")
_OPERATORS = tuple(operator.value for operator in Operator)
_STATE_KEYS = ("toState", "initialState")

Sort = Literal["state", "field", "agent", "key", "value", "word"]


@dataclass(frozen=True, slots=True)
class Suggestion:
    """One completion: ``text`` takes the place of ``span``, which ends at the cursor. ``detail`` is one line."""

    label: str
    sort: Sort
    text: str
    span: Span
    detail: str = ""
    documentation: str = ""


def completions(text: str, offset: int, spec: Spec | None) -> tuple[Suggestion, ...]:
    """The suggestions at an offset. ``spec`` is what is known of the names, from this text or an earlier one."""
    cursor = cursor_at(text, offset)
    if cursor is None or (cursor.path and cursor.path[0] != "fsm"):
        return ()
    place = _Place(text, offset, cursor, spec)
    found = place.keys() if cursor.is_key else place.values()
    return tuple(dict.fromkeys(found))


@dataclass(frozen=True, slots=True)
class _Place:
    text: str
    offset: int
    cursor: Cursor
    spec: Spec | None

    def keys(self) -> Iterator[Suggestion]:
        path = self.cursor.path
        target = self._target(self.cursor.path)
        if target is not None and len(path) == target + 1:
            kinds = {"append": (Kind.LIST,), "put": (Kind.MAP,)}.get(str(path[-1]))
            for field in self.spec.fields if self.spec is not None else ():
                if kinds is None or field.type.kind in kinds:
                    yield self._name(field.name.text, "field", type_text(field.type), field.description or "", ": ")
            return
        for key, schema in _properties(path).items():
            if key not in self.cursor.siblings:
                yield self._name(key, "key", "", str(schema.get("description", "")), ": ")

    def values(self) -> Iterator[Suggestion]:
        path, spec = self.cursor.path, self.spec
        expression = self._expression()
        if expression is not None:
            yield from self._in_expression(expression)
            return
        last = path[-1] if path else ""
        if last in _STATE_KEYS or (len(path) > 1 and path[-2] == "canTransition"):
            for state in spec.states if spec is not None else ():
                words = (
                    "".join(part for part in state.description.parts if isinstance(part, str))
                    if state.description
                    else ""
                )
                yield self._name(state.name.text, "state", "terminal" if state.terminal else "", words)
        elif len(path) > 2 and path[-3] == "requires" and last == "name":
            for field in spec.fields if spec is not None else ():
                yield self._name(field.name.text, "field", type_text(field.type), field.description or "")
        elif path[-2:] == ("from", "agent"):
            for agent in spec.agents if spec is not None else ():
                yield self._name(agent.name.text, "agent", "", agent.description or "")
        elif last == "backend":
            yield self._name("cel", "value")
        else:
            yield from self._literals()

    def _literals(self) -> Iterator[Suggestion]:
        path = self.cursor.path
        target = self._target(path)
        name = path[-1] if target is not None and path[target] == "assign" and len(path) == target + 2 else None
        if path[1:2] == ("context",) and path[-1] == "default":
            name = path[2]
        field = self.spec.field_by_name.get(str(name)) if self.spec is not None and name is not None else None
        if field is not None:
            yield from self._of_type(field)
            return
        schema = _schema(path)
        for value in _list(schema, "enum"):
            yield self._name(str(value), "value")
        if schema.get("type") == "boolean":
            yield from (self._bare(word, "value") for word in ("true", "false"))

    def _of_type(self, field: Field) -> Iterator[Suggestion]:
        owner = f"of {field.name.text}"
        for value in field.type.values:
            yield self._name(value, "value", owner)
        if field.type.kind is Kind.BOOLEAN:
            yield from (self._bare(word, "value", owner) for word in ("true", "false"))
        if self.cursor.style is Style.PLAIN and not self.cursor.typed:
            empty = '""' if field.type.kind in (Kind.STRING, Kind.ENUM) else "null"
            yield self._bare(empty, "value", f"empties {field.name.text}")

    def _expression(self) -> str | None:
        """The part of an expression before the cursor, None outside expressions."""
        path, typed = self.cursor.path, self.cursor.typed
        if path[-1:] == ("expression",):
            return typed
        for opening, closing, fits in (
            ("{{", "}}", path[-1:] == ("description",)),
            ("${", "}", self._target(path) is not None),
        ):
            start = typed.rfind(opening)
            if fits and start >= 0 and closing not in typed[start:]:
                return typed[start + len(opening) :]
        return None

    def _in_expression(self, expression: str) -> Iterator[Suggestion]:
        field = _FIELD.search(expression)
        if field is not None:
            for each in self.spec.fields if self.spec is not None else ():
                start = self.offset - len(field[1])
                detail, words = type_text(each.type), each.description or ""
                yield Suggestion(each.name.text, "field", each.name.text, Span(start, self.offset), detail, words)
            return
        compared = _COMPARED.search(expression)
        if compared is not None:
            yield from self._compared(compared[1], compared[2], compared[3])
            return
        word = _WORD.search(expression)
        if word is not None:
            span = Span(self.offset - len(word[1]), self.offset)
            yield Suggestion("context", "word", "context.", span, "the fields of the store")
            yield Suggestion("has", "word", "has(context.", span, "whether a field is set")
            yield Suggestion("size", "word", "size(context.", span, "the length of a text, list or map")

    def _compared(self, name: str, quote: str, typed: str) -> Iterator[Suggestion]:
        field = self.spec.field_by_name.get(name) if self.spec is not None else None
        if field is None or (typed and not quote):
            return
        span = Span(self.offset - len(typed), self.offset)
        for value in field.type.values:
            if _SIMPLE.fullmatch(value):
                mark = "''" if self.cursor.style is Style.SINGLE else "'"
                yield Suggestion(value, "value", value if quote else f"{mark}{value}{mark}", span, f"of {name}")

    @staticmethod
    def _target(path: tuple[str | int, ...]) -> int | None:
        """The index in a path of the operator of an action, None where it leads to no action."""
        for index in range(len(path) - 2):
            if (
                path[index] in _ACTIONS
                and isinstance(path[index + 1], int)
                and path[index + 2] in ("assign", "append", "put")
            ):
                return index + 2
        return None

    def _name(self, name: str, sort: Sort, detail: str = "", documentation: str = "", behind: str = "") -> Suggestion:
        style, start = self.cursor.style, self.offset - len(self.cursor.typed)
        if style is Style.PLAIN:
            written = scalar(name, "", Span(0, 0)) + (behind if not self._is_followed_by_colon() else "")
        else:
            written = name.replace("'", "''") if style is Style.SINGLE else scalar(name, '"', Span(0, 1))[1:-1]
        return Suggestion(name, sort, written, Span(max(0, start), self.offset), detail, documentation)

    def _bare(self, word: str, sort: Sort, detail: str = "") -> Suggestion:
        return Suggestion(word, sort, word, Span(self.offset - len(self.cursor.typed), self.offset), detail)

    def _is_followed_by_colon(self) -> bool:
        return self.text[self.offset :].partition("\n")[0].lstrip().startswith(":")


def _schema(path: tuple[str | int, ...]) -> Mapping[str, object]:
    """The JSON Schema of what a path leads to; empty where there is none."""
    whole = json_schema()
    schema: Mapping[str, object] = whole
    for step in path:
        inner = _map(schema, "properties").get(str(step)) if isinstance(step, str) else schema.get("items")
        if inner is None and isinstance(step, str):
            inner = schema.get("additionalProperties")
        schema = _resolved(whole, inner)
    return schema


def _properties(path: tuple[str | int, ...]) -> dict[str, Mapping[str, object]]:
    whole = json_schema()
    entries = _map(_schema(path), "properties").items()
    return {key: _resolved(whole, value) for key, value in entries}


def _resolved(whole: Mapping[str, object], schema: object) -> Mapping[str, object]:
    if not isinstance(schema, Mapping):
        return {}
    reference = schema.get("$ref")
    if isinstance(reference, str):
        return _resolved(whole, _map(whole, "definitions").get(reference.rpartition("/")[2]))
    return schema


def _map(schema: Mapping[str, object], key: str) -> Mapping[str, object]:
    found = schema.get(key)
    return found if isinstance(found, Mapping) else {}


def _list(schema: Mapping[str, object], key: str) -> list[object]:
    found = schema.get(key)
    return found if isinstance(found, list) else []
