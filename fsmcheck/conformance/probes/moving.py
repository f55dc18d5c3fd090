"""Which transitions are taken, and how an advance ends."""

from __future__ import annotations

from fsmcheck.conformance.probes.probe import ASK, Probe, choosing

_ONE = "n: { type: integer, default: 1 }"

_BOTH = """
initialState: choose
context: { n: { type: integer, default: 1 } }
states:
  choose:
    transitions:
      - toState: wrong
        guards: [{ backend: cel, expression: "%s" }, { backend: cel, expression: "%s" }]
      - { toState: right }
  wrong: { terminal: true }
  right: { terminal: true }
"""

_THREE = """
initialState: choose
context: { n: { type: integer, default: 1 } }
states:
  choose:
    transitions:
      - toState: wrong
        guards:
          - { backend: cel, expression: "context.n == 1" }
          - { backend: cel, expression: "context.n > 0" }
          - { backend: cel, expression: "context.n == 2" }
      - { toState: right }
  wrong: { terminal: true }
  right: { terminal: true }
"""

_UNGUARDED_FIRST = """
initialState: choose
context: { n: { type: integer, default: 1 } }
states:
  choose:
    transitions:
      - { toState: right }
      - { toState: wrong, guards: [{ backend: cel, expression: "context.n == 1" }] }
  wrong: { terminal: true }
  right: { terminal: true }
"""

_NULL_GUARD = """
initialState: choose
context: { flag: { type: boolean, default: null } }
states:
  choose:
    transitions:
      - { toState: wrong, guards: [{ backend: cel, expression: "context.flag" }] }
      - { toState: right }
  wrong: { terminal: true }
  right: { terminal: true }
"""

_TWO_REQUIRED = (
    ASK
    + """
context: { a: { type: enum, values: [go, stay] }, b: { type: string } }
states:
  ask:
    requires: [{ name: a, from: { agent: hand } }, { name: b, from: { agent: hand } }]
    transitions:
      - { toState: out, guards: [{ backend: cel, expression: "context.a == 'go'" }] }
      - { toState: rest }
  out: { terminal: true }
  rest: { terminal: true }
"""
)

_CHAIN = """
initialState: one
context: { trail: { type: string } }
states:
  one: { transitions: [{ toState: two, onTransition: [{ assign: { trail: one } }] }] }
  two: { transitions: [{ toState: three, onTransition: [{ assign: { trail: two } }] }] }
  three: { transitions: [{ toState: four }] }
  four: { terminal: true }
"""

_CHAIN_AFTER_EXCHANGE = (
    ASK
    + """
context: { a: { type: string } }
states:
  ask: { requires: [{ name: a, from: { agent: hand } }], transitions: [{ toState: two }] }
  two: { transitions: [{ toState: three }] }
  three: { requires: [{ name: a, from: { agent: hand } }], transitions: [{ toState: four }] }
  four: { terminal: true }
"""
)

_TERMINAL_WITH_TRANSITION = """
initialState: one
context: { n: { type: integer, default: 1 } }
states:
  one: { transitions: [{ toState: two }] }
  two: { terminal: true, transitions: [{ toState: three }] }
  three: { terminal: true }
"""

_TERMINAL_WITH_REQUIREMENT = (
    ASK
    + """
context: { a: { type: string } }
states:
  ask: { terminal: true, requires: [{ name: a, from: { agent: hand } }] }
"""
)

_NOTHING_THERE = (
    ASK
    + """
context: { a: { type: string }, n: { type: integer, default: 1 } }
states:
  ask:
    requires: [{ name: a, from: { agent: hand } }]
    transitions: [{ toState: rest, guards: [{ backend: cel, expression: "context.n == 1" }] }]
  rest: { terminal: true }
"""
)

_STUCK = """
initialState: one
context: { n: { type: integer, default: 1 } }
states:
  one: { transitions: [{ toState: two, guards: [{ backend: cel, expression: "context.n == 2" }] }] }
  two: { terminal: true }
"""

_STUCK_AFTER = (
    ASK
    + """
context: { a: { type: enum, values: [go, stay] } }
states:
  ask:
    requires: [{ name: a, from: { agent: hand } }]
    transitions: [{ toState: rest, guards: [{ backend: cel, expression: "context.a == 'go'" }] }]
  rest: { terminal: true }
"""
)

_CIRCLE = """
initialState: one
context: { n: { type: integer, default: 1 } }
states:
  one: { transitions: [{ toState: two, guards: [{ backend: cel, expression: "context.n == 1" }] }, { toState: rest }] }
  two: { transitions: [{ toState: one }] }
  rest: { terminal: true }
"""

_CIRCLE_AFTER = (
    ASK
    + """
context: { a: { type: string } }
states:
  ask: { requires: [{ name: a, from: { agent: hand } }], transitions: [{ toState: ask }] }
  rest: { terminal: true }
"""
)

_COUNTING = """
initialState: turn
context: {{ n: {{ type: integer, default: 0 }} }}
states:
  turn:
    transitions:
      - toState: turn
        guards: [{{ backend: cel, expression: "context.n < {limit}" }}]
        onTransition: [{{ assign: {{ n: "${{ context.n + 1 }}" }} }}]
      - {{ toState: rest }}
  rest: {{ terminal: true }}
"""

_LASSO = """
initialState: turn
context: { n: { type: integer, default: 0 } }
states:
  turn:
    transitions:
      - toState: turn
        onTransition: [{ assign: { n: "${ context.n == 2 ? 1 : context.n + 1 }" } }]
"""

_STUCK_AFTER_TURNS = """
initialState: turn
context: { n: { type: integer, default: 0 } }
states:
  turn:
    transitions:
      - toState: turn
        guards: [{ backend: cel, expression: "context.n < 1000" }]
        onTransition: [{ assign: { n: "${ context.n + 1 }" } }]
"""

_OTHER_ELEMENTS = """
initialState: turn
context: { l: { type: list, of: string, default: [a] } }
states:
  turn:
    transitions:
      - toState: turn
        guards: [{ backend: cel, expression: "'a' in context.l" }]
        onTransition: [{ assign: { l: [b] } }]
      - { toState: rest }
  rest: { terminal: true }
"""

_OTHER_ORDER = """
initialState: turn
context: { m: { type: map, of: integer, default: { a: 1, b: 2 } } }
states:
  turn:
    transitions:
      - toState: turn
        onTransition: [{ assign: { m: { b: 2, a: 1 } } }]
"""

_NOUGHTS = (
    ASK
    + """
context:
  a: { type: integer, default: 0 }
  b: { type: boolean, default: false }
  c: { type: string, default: "" }
states:
  ask:
    requires: [{ name: a, from: { agent: hand } }, { name: b, from: { agent: hand } }]
    transitions: [{ toState: next }]
  next:
    requires: [{ name: c, from: { agent: hand } }]
    transitions: [{ toState: rest }]
  rest: { terminal: true }
"""
)

_AWAITING = """
initialState: ask
agents: { hand: { canTransition: [ask] }, eye: { canTransition: [ask] } }
context: { a: { type: string }, b: { type: list, of: string }, c: { type: integer, default: 0 } }
states:
  ask:
    requires: [{ name: a, from: { agent: hand } }, { name: b, from: { agent: eye } }, { name: c, from: { agent: eye } }]
    transitions: [{ toState: rest }]
  rest: { terminal: true }
"""

_ASKED_OF_TWO = """
initialState: ask
agents: { hand: { canTransition: [ask] }, eye: { canTransition: [ask] } }
context: { a: { type: string } }
states:
  ask:
    requires: [{ name: a, from: { agent: hand } }, { name: a, from: { agent: eye } }]
    transitions: [{ toState: rest }]
  rest: { terminal: true }
"""

PROBES = (
    Probe("document-order", "both hold", choosing(_ONE, "context.n == 1", "context.n > 0")),
    Probe("document-order", "the second and the third hold", choosing(_ONE, "context.n == 2", "context.n > 0", "true")),
    Probe("document-order", "one without guards comes first", _UNGUARDED_FIRST),
    Probe("guards", "the first of two guards is false", _BOTH % ("context.n == 2", "context.n == 1")),
    Probe("guards", "the second of two guards is false", _BOTH % ("context.n == 1", "context.n == 2")),
    Probe("guards", "the third of three guards is false", _THREE),
    Probe("guards", "no guard holds", choosing(_ONE, "context.n == 2", "context.n < 0")),
    Probe("guard-errors", "a comparison with null", choosing("n: { type: integer, default: null }", "context.n < 9")),
    Probe(
        "guard-errors", "the negation of an error", choosing("n: { type: integer, default: null }", "!(context.n < 9)")
    ),
    Probe("guard-errors", "a boolean that is null", _NULL_GUARD),
    Probe(
        "guard-errors",
        "the negation of a boolean that is null",
        choosing("flag: { type: boolean, default: null }", "!context.flag"),
    ),
    Probe(
        "guard-errors",
        "a condition that is null",
        choosing("flag: { type: boolean, default: null }", "context.flag ? false : true"),
    ),
    Probe(
        "gating", "a guard holds, a requirement is unmet", _TWO_REQUIRED, (("hand", {"a": "go"}), ("hand", {"b": "b"}))
    ),
    Probe(
        "gating",
        "no guard holds, a requirement is unmet",
        _TWO_REQUIRED,
        (("hand", {"a": "stay"}), ("hand", {"b": "b"})),
    ),
    Probe("gating", "a guard holds, nothing is there yet", _NOTHING_THERE, (("hand", {"a": "a"}),)),
    Probe("advance", "a chain of states", _CHAIN),
    Probe("advance", "a chain after an exchange", _CHAIN_AFTER_EXCHANGE, (("hand", {"a": "a"}),)),
    Probe("terminal", "a terminal state with a transition", _TERMINAL_WITH_TRANSITION),
    Probe("terminal", "a terminal state with a requirement", _TERMINAL_WITH_REQUIREMENT),
    Probe("stuck-or-waiting", "nobody to ask", _STUCK),
    Probe("stuck-or-waiting", "everything answered", _STUCK_AFTER, (("hand", {}), ("hand", {"a": "stay"}))),
    Probe("no-progress", "a circle from the start", _CIRCLE),
    Probe("no-progress", "back where the advance began", _CIRCLE_AFTER, (("hand", {"a": "a"}),)),
    Probe("no-progress", "the same state in another store", _COUNTING.format(limit=5)),
    Probe("no-progress", "a circle that does not lead back to the beginning", _LASSO),
    Probe("no-progress", "other elements make another store", _OTHER_ELEMENTS),
    Probe("no-progress", "another order of a map's entries makes none", _OTHER_ORDER),
    Probe("runaway", "2000 turns", _COUNTING.format(limit=2000)),
    Probe("runaway", "999 turns and the end", _COUNTING.format(limit=999)),
    Probe("runaway", "1000 turns and the end", _COUNTING.format(limit=1000)),
    Probe("runaway", "1000 turns, and then nothing is enabled", _STUCK_AFTER_TURNS),
    Probe("set-and-empty", "0 and false meet requirements, empty text does not", _NOUGHTS),
    Probe("awaits", "what is unmet, and from whom", _AWAITING, (("eye", {"b": ["x"]}), ("hand", {"a": "a"}))),
    Probe("awaits", "one field that is asked of two", _ASKED_OF_TWO),
    Probe("who-may-act", "the second of two who are asked for a field", _ASKED_OF_TWO, (("eye", {"a": "a"}),)),
)
