"""Which exchanges are accepted."""

from __future__ import annotations

from fsmcheck.conformance.probes.probe import ASK, Probe
from fsmcheck.reducer.json_values import JsonValue

_TWO_AGENTS = """
initialState: ask
agents:
  hand: { canTransition: [ask] }
  eye: { canTransition: [ask] }
  idle: { canTransition: [rest] }
  mute: { canTransition: [rest] }
context: { a: { type: string }, b: { type: string }, m: { type: string }, spare: { type: string, default: s } }
states:
  ask:
    requires:
      - { name: a, from: { agent: hand } }
      - { name: b, from: { agent: eye } }
      - { name: m, from: { agent: mute } }
    transitions: [{ toState: rest }]
  rest: { terminal: true }
"""

_TYPED = (
    ASK
    + """
context:
  f: { type: TYPE }
  g: { type: string }
  h: { type: string }
states:
  ask:
    requires:
      - { name: f, from: { agent: hand } }
      - { name: g, from: { agent: hand } }
      - { name: h, from: { agent: hand } }
    transitions: [{ toState: rest }]
  rest: { terminal: true }
"""
)


def _typed(type_: str) -> str:
    return _TYPED.replace("TYPE", type_)


_LIMIT = 2**53

_WRONG: tuple[tuple[str, str, JsonValue], ...] = (
    ("an integer for text", "string", 3),
    ("a boolean for text", "string", True),
    ("a list for text", "string", ["x"]),
    ("text for an integer", "integer", "3"),
    ("true for an integer", "integer", True),
    ("a fraction for an integer", "integer", 1.5),
    ("text for a number", "number", "1.5"),
    ("false for a number", "number", False),
    ("1 for a boolean", "boolean", 1),
    ("text for a boolean", "boolean", "true"),
    ("a number for an enum", "enum, values: [x, y]", 1),
    ("an empty list for text", "string", []),
    ("text for a list", "list, of: string", "x"),
    ("an element of another type", "list, of: integer", [1, "x"]),
    ("true among integers", "list, of: integer", [1, True]),
    ("null in a list", "list, of: string", ["x", None]),
    ("a list for a map", "map, of: string", ["x"]),
    ("an entry of another type", "map, of: integer", {"k": 1, "j": True}),
)
_EMPTY: tuple[tuple[str, str, JsonValue], ...] = (
    ("empty text", "string", ""),
    ("null for text", "string", None),
    ("null for an integer", "integer", None),
    ("null for a boolean", "boolean", None),
    ("empty text for an integer", "integer", ""),
    ("empty text for an enum", "enum, values: [x, y]", ""),
    ("an empty list", "list, of: string", []),
    ("an empty map", "map, of: string", {}),
)
_RIGHT: tuple[tuple[str, str, JsonValue], ...] = (
    ("text", "string", "é😀"),
    ("an integer", "integer", -3),
    ("nought", "integer", 0),
    ("a number", "number", 1.5),
    ("a whole number", "number", 2),
    ("false", "boolean", False),
    ("an enum's value", "enum, values: [x, y]", "y"),
    ("a list", "list, of: integer", [2, 2, 1]),
    ("a list with empty text", "list, of: string", [""]),
    ("a map", "map, of: integer", {"k": 1, "j": 2}),
)


_HALVED = (
    ASK
    + """
context: { n: { type: number }, l: { type: list, of: number }, r: { type: number }, q: { type: number } }
states:
  ask:
    requires: [{ name: n, from: { agent: hand } }, { name: l, from: { agent: hand } }]
    exit: [{ assign: { r: "${ context.n / 2.0 }", q: "${ context.l[0] / 2.0 }" } }]
    transitions: [{ toState: rest, guards: [{ backend: cel, expression: "has(context.n)" }] }]
  rest: { terminal: true }
"""
)

_ENOUGH = (
    ASK
    + """
context: { a: { type: string }, b: { type: string, default: old } }
states:
  ask:
    requires: [{ name: a, from: { agent: hand } }, { name: b, from: { agent: hand } }]
    transitions: [{ toState: rest, guards: [{ backend: cel, expression: "context.a == 'go'" }] }]
  rest: { terminal: true }
"""
)


def _one(clause: str, name: str, type_: str, value: JsonValue) -> Probe:
    return Probe(clause, name, _typed(type_), (("hand", {"f": value}), ("hand", {"g": "g"})))


def _two(clause: str, name: str, *exchanges: tuple[str, dict[str, JsonValue]]) -> Probe:
    return Probe(clause, name, _TWO_AGENTS, exchanges)


_INTEGER = _typed("integer")

PROBES = (
    *(_one("type-mismatch", name, type_, value) for name, type_, value in _WRONG),
    *(_one("empty-value", name, type_, value) for name, type_, value in _EMPTY),
    *(_one("staging", name, type_, value) for name, type_, value in _RIGHT),
    _one("not-in-values", "a text that is not listed", "enum, values: [x, y]", "z"),
    _one("not-in-values", "a text that is listed in another case", "enum, values: [x, y]", "X"),
    _one("not-in-values", "an element that is not listed", "list, of: string", ["anything"]),
    *(_one("integer-bound", f"{value}", "integer", value) for value in (_LIMIT, _LIMIT + 1, -_LIMIT, -_LIMIT - 1)),
    _one("integer-bound", f"{_LIMIT + 1} in a list", "list, of: integer", [1, _LIMIT + 1]),
    _one("integer-bound", f"{_LIMIT + 1} in a map", "map, of: integer", {"k": 1, "j": _LIMIT + 1}),
    Probe("staging", "whole numbers are numbers", _HALVED, (("hand", {"n": 3, "l": [5]}),)),
    Probe(
        "staging",
        "two writes at once",
        _INTEGER,
        (("hand", {}), ("hand", {"g": "g", "h": "h"}), ("hand", {"f": 3})),
    ),
    Probe(
        "staging",
        "one of two writes would be enough to move on",
        _ENOUGH,
        (("hand", {"a": "go", "b": "new"}),),
    ),
    Probe("overwriting", "a write over one before", _INTEGER, (("hand", {"f": 3}), ("hand", {"f": 4, "g": "g"}))),
    _two("who-may-act", "either of two, in any order", ("eye", {"b": "b"}), ("hand", {"a": "a"})),
    _two("who-may-act", "one whose requirement is met", ("eye", {"b": "b"}), ("eye", {}), ("eye", {"b": "c"})),
    _two("unknown-agent", "an agent that is not declared", ("ghost", {"a": "a"})),
    _two("not-authorised", "an agent that is elsewhere", ("idle", {"a": "a"})),
    _two("not-authorised", "an agent that is asked but does not list the state", ("mute", {"m": "m"})),
    _two("unknown-field", "a field that is not declared", ("hand", {"ghost": "a"})),
    _two("not-writable", "a field asked of another agent", ("hand", {"b": "b"})),
    _two("not-writable", "a field that is asked of nobody", ("hand", {"spare": "x"})),
    Probe(
        "not-waiting",
        "after the end",
        ASK
        + "context: { a: { type: string } }\nstates:\n  ask: { requires: [{ name: a, from: { agent: hand } }], "
        + "transitions: [{ toState: rest }] }\n  rest: { terminal: true }\n",
        (("hand", {"a": "a"}), ("hand", {"a": "b"}), ("ghost", {})),
    ),
    Probe(
        "not-waiting",
        "stuck",
        "initialState: one\nagents: { hand: { canTransition: [one] } }\ncontext: { a: { type: string } }\nstates:\n"
        "  one: { transitions: [{ toState: two, guards: [{ backend: cel, expression: 'false' }] }] }\n"
        "  two: { terminal: true, requires: [{ name: a, from: { agent: hand } }] }\n",
        (("hand", {"a": "a"}),),
    ),
    Probe("first-bad-write", "the field, then the type", _INTEGER, (("hand", {"ghost": 1, "f": "x"}),)),
    Probe("first-bad-write", "the type, then the field", _INTEGER, (("hand", {"f": "x", "ghost": 1}),)),
    Probe("first-bad-write", "the type, then emptiness", _INTEGER, (("hand", {"f": "x", "g": ""}),)),
    Probe("first-bad-write", "emptiness, then the type", _INTEGER, (("hand", {"g": "", "f": "x"}),)),
    Probe(
        "rejection-atomic", "a good write before a bad one", _INTEGER, (("hand", {"g": "g", "f": "x"}), ("hand", {}))
    ),
    Probe("rejection-atomic", "a good write after a bad one", _INTEGER, (("hand", {"f": "x", "g": "g"}), ("hand", {}))),
    Probe(
        "rejection-atomic",
        "all that is missing, and a bad write",
        _INTEGER,
        (("hand", {"f": 3}), ("hand", {"g": "g", "h": "h", "ghost": 1})),
    ),
)
