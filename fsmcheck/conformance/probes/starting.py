"""How a run starts."""

from __future__ import annotations

from fsmcheck.conformance.probes.probe import ASK, Probe, at_start
from fsmcheck.reducer.json_values import JsonValue

_EVERY_TYPE = """
s: { type: string }, i: { type: integer }, n: { type: number }, b: { type: boolean },
e: { type: enum, values: [x, y] }, l: { type: list, of: string }, m: { type: map, of: integer }
"""
_DEFAULTS = """
s: { type: string, default: text }, i: { type: integer, default: 7 }, n: { type: number, default: 2.5 },
b: { type: boolean, default: true }, e: { type: enum, values: [x, y], default: y },
l: { type: list, of: string, default: [p, q] }, m: { type: map, of: integer, default: { k: 1 } }
"""
_EMPTY_DEFAULTS = """
s: { type: string, default: "" }, i: { type: integer, default: null }, e: { type: enum, values: [x], default: "" },
l: { type: list, of: string, default: [] }, m: { type: map, of: string, default: {} }
"""
_TARGETS = (
    "initialState: rest\ncontext: {"
    + _EVERY_TYPE.replace("\n", " ")
    + """}
states:
  rest: { terminal: true, exit: [{ assign: { s: "", i: null, n: null, b: null, e: "", l: [], m: {} } }] }
"""
)


def _asks_for(types: str) -> str:
    context = f"{types}, other: {{ type: string, default: d }}"
    return f"initialState: rest\ncontext: {{ {context} }}\nstates: {{ rest: {{ terminal: true }} }}\n"


_ONE = _asks_for("goal: { type: string }")
_TYPED = _asks_for("i: { type: integer }, n: { type: number }, b: { type: boolean }, e: { type: enum, values: [x, y] }")
_LISTS = _asks_for("l: { type: list, of: integer }, m: { type: map, of: string }")
_FULL: dict[str, JsonValue] = {"i": 3, "n": 2.5, "b": False, "e": "x"}

PROBES = (
    Probe("defaults", "fields of every type without a default", _TARGETS),
    Probe("defaults", "defaults of every type", at_start(_DEFAULTS.replace("\n", " "), "")),
    Probe("defaults", "empty defaults", at_start(_EMPTY_DEFAULTS.replace("\n", " "), "")),
    Probe("inputs", "an input is in the store", _ONE, inputs={"goal": "ship it"}),
    Probe("inputs", "inputs of every scalar type", _TYPED, inputs=_FULL),
    Probe("inputs", "a whole number for a number", _TYPED, inputs={**_FULL, "n": 2}),
    Probe(
        "inputs",
        "a whole number is a number",
        at_start("n: { type: number }, r: { type: number }", '{ assign: { r: "${ context.n / 2.0 }" } }'),
        inputs={"n": 3},
    ),
    Probe("inputs", "an input is missing", _ONE),
    Probe("inputs", "an input is empty", _ONE, inputs={"goal": ""}),
    Probe("inputs", "an input that is none", _ONE, inputs={"goal": "ship it", "other": "x"}),
    Probe("inputs", "an input that is not declared", _ONE, inputs={"goal": "ship it", "ghost": "x"}),
    Probe("inputs", "an input of another type", _TYPED, inputs={**_FULL, "i": "3"}),
    Probe("inputs", "an integer out of bounds", _TYPED, inputs={**_FULL, "i": 2**53 + 1}),
    Probe("inputs", "a list and a map", _LISTS, inputs={"l": [1, 2], "m": {"k": "v"}}),
    Probe("inputs", "an element of another type", _LISTS, inputs={"l": [1, "2"], "m": {"k": "v"}}),
    Probe("inputs", "an entry of another type", _LISTS, inputs={"l": [1], "m": {"k": 1}}),
    Probe("inputs", "an empty list", _LISTS, inputs={"l": [], "m": {"k": "v"}}),
    Probe("inputs", "an input not among the values", _TYPED, inputs={**_FULL, "e": "z"}),
    Probe("start-entry", "entry of the initial state", at_start("s: { type: string }", "{ assign: { s: entered } }")),
    Probe(
        "start-entry",
        "entry of an initial state that waits",
        ASK
        + """
        context: { a: { type: string }, s: { type: string } }
        states:
          ask:
            entry: [{ assign: { s: entered } }]
            requires: [{ name: a, from: { agent: hand } }]
            transitions: [{ toState: rest }]
          rest: { terminal: true }
        """.replace("\n        ", "\n"),
    ),
    Probe(
        "start-anew",
        "the same run twice",
        ASK
        + """
        policy: { maxIterations: 2 }
        context: { a: { type: string }, b: { type: string } }
        states:
          ask:
            requires: [{ name: a, from: { agent: hand } }, { name: b, from: { agent: hand } }]
            transitions: [{ toState: rest }]
          rest: { terminal: true }
        """.replace("\n        ", "\n"),
        (("hand", {"a": "text"}),),
        times=2,
    ),
)
