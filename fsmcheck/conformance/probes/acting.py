"""What actions do."""

from __future__ import annotations

from fsmcheck.conformance.probes.probe import Probe, at_start

_STEP = """
initialState: first
context:
  trail: {{ type: string, default: s }}
  keep: {{ type: list, of: string, default: [] }}
  n: {{ type: integer, default: null }}
states:
  first:
    exit: [{exit}]
    transitions: [{{ toState: second, onTransition: [{on}] }}]
  second:
    entry: [{entry}]
    terminal: true
"""


def _passing(exit_: str = "", on: str = "", entry: str = "") -> str:
    return _STEP.format(exit=exit_, on=on, entry=entry)


def _trail(letter: str) -> str:
    return f"{{ assign: {{ trail: \"${{ context.trail + '{letter}' }}\" }} }}"


_FAILING = '{ assign: { n: "${ context.n + 1 }" } }'
_MARK = "{ assign: { trail: marked } }"

_SELF = """
initialState: turn
context: { trail: { type: string, default: s }, n: { type: integer, default: 0 } }
states:
  turn:
    entry: [{ assign: { trail: "${ context.trail + 'e' }" } }]
    exit: [{ assign: { trail: "${ context.trail + 'x' }" } }]
    transitions:
      - toState: turn
        guards: [{ backend: cel, expression: "context.n < 2" }]
        onTransition: [{ assign: { n: "${ context.n + 1 }" } }]
      - { toState: rest }
  rest: { terminal: true }
"""

_EMPTIES = (
    ("text", "f: { type: string, default: t }", '""'),
    ("text by null", "f: { type: string, default: t }", "null"),
    ("an integer", "f: { type: integer, default: 7 }", "null"),
    ("an integer by text", "f: { type: integer, default: 7 }", '""'),
    ("a boolean", "f: { type: boolean, default: true }", "null"),
    ("an enum", "f: { type: enum, values: [x], default: x }", '""'),
    ("a list", "f: { type: list, of: string, default: [x] }", "[]"),
    ("a list by text", "f: { type: list, of: string, default: [x] }", '""'),
    ("a map", "f: { type: map, of: string, default: { k: v } }", "{}"),
    ("a map by null", "f: { type: map, of: string, default: { k: v } }", "null"),
)

_CONSUMING = """
initialState: ask
context: { go: { type: enum, values: [again, stop] } }
agents: { hand: { canTransition: [ask] } }
states:
  ask:
    requires: [{ name: go, from: { agent: hand } }]
    transitions:
      - toState: ask
        guards: [{ backend: cel, expression: "context.go == 'again'" }]
        onTransition: [{ assign: { go: "" } }]
      - toState: rest
        guards: [{ backend: cel, expression: "context.go == 'stop'" }]
  rest: { terminal: true }
"""

_AFTER_A_STEP = """
initialState: first
context: { trail: { type: string }, n: { type: integer } }
states:
  first: { transitions: [{ toState: second, onTransition: [{ assign: { trail: moved } }] }] }
  second:
    exit: [{ assign: { trail: lost } }]
    transitions: [{ toState: third, onTransition: [{ assign: { n: "${ context.n + 1 }" } }] }]
  third: { terminal: true }
"""

_STAGED_BEFORE_FAILING = """
initialState: ask
context: { a: { type: string }, n: { type: integer } }
agents: { hand: { canTransition: [ask] } }
states:
  ask:
    requires: [{ name: a, from: { agent: hand } }]
    transitions: [{ toState: rest, onTransition: [{ assign: { a: "" } }, { assign: { n: "${ context.n + 1 }" } }] }]
  rest: { terminal: true }
"""

PROBES = (
    Probe("action-order", "exit, onTransition, entry", _passing(_trail("x"), _trail("t"), _trail("e"))),
    Probe(
        "action-order",
        "evidence kept by exit before onTransition clears it",
        _passing('{ append: { keep: "${ context.trail }" } }', '{ assign: { trail: "" } }'),
    ),
    Probe("action-order", "entry sees what onTransition wrote", _passing("", _trail("t"), _trail("e"))),
    Probe("re-entry", "a transition to the same state", _SELF),
    Probe("actions-in-sequence", "two actions in exit", _passing(f"{_trail('1')}, {_trail('2')}")),
    Probe(
        "actions-in-sequence",
        "an action reads what the one before wrote",
        at_start(
            "x: { type: integer }, y: { type: integer }", '{ assign: { x: 1 } }, { assign: { y: "${ context.x }" } }'
        ),
    ),
    Probe(
        "assign-simultaneous",
        "a swap",
        at_start(
            "x: { type: string, default: l }, y: { type: string, default: r }",
            '{ assign: { x: "${ context.y }", y: "${ context.x }" } }',
        ),
    ),
    Probe(
        "assign-simultaneous",
        "a field emptied beside one that takes its value",
        at_start(
            "x: { type: string, default: v }, y: { type: string }",
            '{ assign: { x: "", y: "${ context.x }" } }',
        ),
    ),
    Probe(
        "append",
        "two elements, the newest last",
        at_start("l: { type: list, of: string, default: [a] }", "{ append: { l: b } }, { append: { l: b } }"),
    ),
    Probe("append", "empty text is an element", at_start("l: { type: list, of: string }", '{ append: { l: "" } }')),
    Probe(
        "put",
        "a new entry and a replaced one",
        at_start(
            "m: { type: map, of: string, default: { a: one, b: two } }",
            "{ put: { m: { c: three } } }, { put: { m: { a: four } } }",
        ),
    ),
    Probe(
        "put",
        "several entries at once",
        at_start(
            "m: { type: map, of: string, default: { a: one } }, n: { type: map, of: integer }",
            "{ put: { m: { b: two, a: three }, n: { k: 1, j: 2 } } }",
        ),
    ),
    *(
        Probe("emptying", f"emptying {what}", at_start(field, f"{{ assign: {{ f: {value} }} }}"))
        for what, field, value in _EMPTIES
    ),
    Probe(
        "emptying",
        "a consumed trigger is asked for again",
        _CONSUMING,
        (("hand", {"go": "again"}), ("hand", {}), ("hand", {"go": "stop"})),
    ),
    Probe(
        "text-parts",
        "text, integers and booleans in text",
        at_start(
            "s: { type: string, default: x }, i: { type: integer, default: 3 }, b: { type: boolean, default: true }, "
            "out: { type: string }",
            '{ assign: { out: "a ${ context.s }, ${ context.i } and ${ context.b }." } }',
        ),
    ),
    Probe(
        "text-parts",
        "text that begins and ends with an expression",
        at_start(
            "a: { type: string, default: x }, b: { type: string, default: y }, out: { type: string }",
            '{ assign: { out: "${ context.a } and ${ context.b }" } }',
        ),
    ),
    Probe(
        "text-parts",
        "numbers in text",
        at_start(
            "a: { type: number, default: 2 }, b: { type: number, default: 123456.5 }, "
            "c: { type: number, default: 1000000 }, d: { type: number, default: 0.0001 }, "
            "e: { type: number, default: 0.00001 }, out: { type: string }",
            '{ assign: { out: "${ context.a } ${ context.b } ${ context.c } ${ context.d } ${ context.e }" } }',
        ),
    ),
    Probe(
        "text-parts",
        "an expression alone keeps its type",
        at_start("i: { type: integer, default: 3 }, j: { type: integer }", '{ assign: { j: "${ context.i }" } }'),
    ),
    Probe(
        "enum-check",
        "a text that is not listed",
        at_start(
            "e: { type: enum, values: [x, y], default: x }, s: { type: string, default: z }",
            '{ assign: { e: "${ context.s }" } }',
        ),
    ),
    Probe(
        "enum-check",
        "a text that is listed in another case",
        at_start(
            "e: { type: enum, values: [x, y], default: x }, s: { type: string, default: Y }",
            '{ assign: { e: "${ context.s }" } }',
        ),
    ),
    Probe(
        "enum-check",
        "a text that is listed, then none",
        at_start(
            "e: { type: enum, values: [x, y] }, f: { type: enum, values: [x], default: x }, "
            "s: { type: string, default: y }, t: { type: string, default: '' }",
            '{ assign: { e: "${ context.s }", f: "${ context.t }" } }',
        ),
    ),
    Probe(
        "null-element",
        "null appended",
        at_start(
            "l: { type: list, of: integer }, n: { type: integer, default: null }", '{ append: { l: "${ context.n }" } }'
        ),
    ),
    Probe(
        "null-element",
        "null put",
        at_start(
            "m: { type: map, of: integer }, n: { type: integer, default: null }",
            '{ put: { m: { k: "${ context.n }" } } }',
        ),
    ),
    Probe(
        "null-element",
        "null in text",
        at_start("s: { type: string }, n: { type: integer, default: null }", '{ assign: { s: "n ${ context.n }" } }'),
    ),
    Probe("failed-store", "onTransition fails after exit", _passing(_MARK, _FAILING)),
    Probe("failed-store", "entry of the target fails", _passing("", _MARK, _FAILING)),
    Probe("failed-store", "the second of two actions fails", _passing(f"{_MARK}, {_FAILING}")),
    Probe("failed-store", "the transition before is kept", _AFTER_A_STEP),
    Probe("failed-store", "what was staged is kept", _STAGED_BEFORE_FAILING, (("hand", {"a": "text"}), ("hand", {}))),
    Probe(
        "failed-store",
        "entry of the initial state fails",
        at_start(
            "s: { type: string }, n: { type: integer, default: null }, k: { type: integer }",
            '{ assign: { s: marked } }, { assign: { k: "${ context.n + 1 }" } }',
        ),
    ),
)
