"""The JSON Schema (draft 7) of the language, for editors and other tools.

It agrees with the loader: a document is invalid by the schema just when loading gives FSM002. The exceptions:
a key that YAML reads as something else than text (``1: …``) is FSM002, but JSON has only text keys; a number
written with a fractional part of zero (``version: 1.0``) is FSM002, but an integer to JSON Schema. What the
names stand for and what expressions mean is the business of other rules.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from fsmcheck.spec.decode_fields import ELEMENT_NAMES, TYPE_NAMES

Schema = dict[str, object]

_NAME: Schema = {"type": "string", "minLength": 1}
_POSITIVE: Schema = {"type": "integer", "minimum": 1}


def json_schema() -> Schema:
    """A new copy of the schema, as plain data."""
    return {
        "$schema": "http://json-schema.org/draft-07/schema#",
        "title": "fsmcheck spec",
        "description": "A state machine that drives agents.",
        **_record(
            {
                "fsm": {"$ref": "#/definitions/fsm"},
                "properties": {"description": "Reserved for user properties."},
            },
            required=["fsm"],
        ),
        "definitions": {
            "fsm": _fsm(),
            "field": _field(),
            "agent": _agent(),
            "state": _state(),
            "requirement": _requirement(),
            "transition": _transition(),
            "guard": _guard(),
            "actions": {"type": "array", "items": {"$ref": "#/definitions/action"}},
            "action": _action(),
            "policy": _policy(),
        },
    }


def _record(properties: Mapping[str, object], required: Sequence[str] = ()) -> Schema:
    schema: Schema = {"type": "object", "properties": dict(properties), "additionalProperties": False}
    return {**schema, "required": list(required)} if required else schema


def _described(schema: Mapping[str, object], description: str) -> Schema:
    return {**schema, "description": description}


def _map_of(definition: str, description: str) -> Schema:
    entries: Schema = {"$ref": f"#/definitions/{definition}"}
    schema: Schema = {"type": "object", "propertyNames": {"minLength": 1}, "additionalProperties": entries}
    return _described(schema, description)


def _list_of(definition: str, description: str) -> Schema:
    return {"type": "array", "items": {"$ref": f"#/definitions/{definition}"}, "description": description}


def _text(description: str) -> Schema:
    return {"type": "string", "description": description}


def _fsm() -> Schema:
    return _record(
        {
            "name": _described(_NAME, "What the machine is called."),
            "version": {"type": ["string", "integer"], "description": "Text or an integer."},
            "description": _text("What the machine is for."),
            "initialState": _described(_NAME, "The state in which a run starts."),
            "context": _map_of("field", "The typed fields of the store."),
            "agents": _map_of("agent", "The agents and where they may act."),
            "states": {**_map_of("state", "The states."), "minProperties": 1},
            "policy": {"$ref": "#/definitions/policy"},
        },
        required=["initialState", "states"],
    )


def _field() -> Schema:
    values: Schema = {"type": "array", "items": _NAME, "minItems": 1, "uniqueItems": True}
    record = _record(
        {
            "type": {"enum": list(TYPE_NAMES), "description": "The type of the field."},
            "values": _described(values, "The values of an enum."),
            "of": {"enum": list(ELEMENT_NAMES), "description": "The type of the elements of a list or map."},
            "default": {"description": "The value at the start of a run; it makes the field no input."},
            "description": _text("What the field holds."),
        },
        required=["type"],
    )
    return {
        **record,
        "allOf": [_key_belongs_to("values", ("enum",)), _key_belongs_to("of", ("list", "map"))],
    }


def _key_belongs_to(key: str, types: Sequence[str]) -> Schema:
    """The key is required with these types and not allowed with others."""
    return {
        "if": {"properties": {"type": {"enum": list(types)}}, "required": ["type"]},
        "then": {"required": [key]},
        "else": {"not": {"required": [key]}},
    }


def _agent() -> Schema:
    states: Schema = {"type": "array", "items": _NAME}
    return _record(
        {
            "canTransition": _described(states, "The states in which the agent may act."),
            "description": _text("Who the agent is."),
        },
        required=["canTransition"],
    )


def _state() -> Schema:
    actions: Schema = {"$ref": "#/definitions/actions"}
    return _record(
        {
            "description": _text("What is to be done; {{ … }} holds a CEL expression."),
            "requires": _list_of("requirement", "What the state waits for, and from whom."),
            "entry": actions,
            "exit": actions,
            "transitions": _list_of("transition", "Tried in this order."),
            "terminal": {"type": "boolean", "description": "Whether a run ends here."},
        }
    )


def _requirement() -> Schema:
    return _record(
        {
            "name": _described(_NAME, "The field."),
            "from": _record({"agent": _described(_NAME, "The agent that is asked.")}, required=["agent"]),
        },
        required=["name", "from"],
    )


def _transition() -> Schema:
    return _record(
        {
            "toState": _described(_NAME, "The state it leads to."),
            "guards": _list_of("guard", "All must hold; none means always."),
            "onTransition": {"$ref": "#/definitions/actions"},
            "description": _text("What the transition means; {{ … }} holds a CEL expression."),
        },
        required=["toState"],
    )


def _guard() -> Schema:
    return _record(
        {
            "backend": _described(_NAME, 'The language of the expression: "cel" is analysed.'),
            "expression": _text("A condition."),
        },
        required=["backend", "expression"],
    )


def _action() -> Schema:
    targets: Schema = {"type": "object", "minProperties": 1}
    record = _record(
        {
            "assign": _described(targets, "Sets fields."),
            "append": _described(targets, "Adds an element to lists."),
            "put": _described({**targets, "additionalProperties": targets}, "Sets entries of maps."),
        }
    )
    return {**record, "minProperties": 1, "maxProperties": 1, "description": "Exactly one operator."}


def _policy() -> Schema:
    return _record(
        {
            "maxIterations": _described(_POSITIVE, "The most exchanges of a run."),
            "maxExchangesPerStage": _described(_POSITIVE, "The most exchanges in one visit of a state."),
            "maxExchangesPerAgentPerStage": _described(_POSITIVE, "The most of one agent in one visit of a state."),
            "checkpointEvery": _described(_POSITIVE, "How many exchanges apart the store is saved."),
        }
    )
