"""Small machines of which what is reached was worked out by hand."""

from __future__ import annotations

OVERLAPPING = """\
fsm:
  name: overlapping
  version: 1
  initialState: ask
  context:
    a: { type: enum, values: [x, y] }
    b: { type: enum, values: [x, y, z] }
  agents:
    ann: { canTransition: [ask] }
  states:
    ask:
      requires: [ { name: a, from: { agent: ann } }, { name: b, from: { agent: ann } } ]
      transitions:
        - { toState: first, guards: [ { backend: cel, expression: "context.a == 'x'" } ] }
        - { toState: second, guards: [ { backend: cel, expression: "context.b == 'x' || context.b == 'z'" } ] }
        - { toState: third, guards: [ { backend: cel, expression: "context.a == 'x' || context.b != 'z'" } ] }
    first: { terminal: true }
    second: { terminal: true }
    third: { terminal: true }
"""
"""Three guards of which more than one can hold: the first in the document counts."""

COPYING = """\
fsm:
  name: copying
  version: 1
  initialState: ask
  context:
    a: { type: enum, values: [p, q, r] }
    b: { type: enum, values: [p, q, r] }
    c: { type: enum, values: [p, q, r], default: "" }
  agents:
    ann: { canTransition: [ask] }
  states:
    ask:
      requires: [ { name: a, from: { agent: ann } }, { name: b, from: { agent: ann } } ]
      transitions:
        - toState: same
          guards: [ { backend: cel, expression: "context.a == context.b" } ]
          onTransition: [ { assign: { c: "${ context.a }" } } ]
        - toState: swapped
          onTransition: [ { assign: { a: "${ context.b }", b: "${ context.a }", c: "${ context.a }" } } ]
    same: { terminal: true }
    swapped:
      transitions:
        - { toState: lost, guards: [ { backend: cel, expression: "context.c != context.b" } ] }
        - { toState: kept }
    lost: { terminal: true }
    kept: { terminal: true }
"""
"""Values copied and compared across fields, two of them exchanged at once."""
