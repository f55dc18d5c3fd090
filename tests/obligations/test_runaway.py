"""An advance that takes more microsteps than it may is no way to an end, however sure it is to stop of itself."""

from __future__ import annotations

import pytest

from fsmcheck.check import verdicts
from fsmcheck.diagnostics import Subject
from tests.oracle.generate import load_valid

# Walking over both counters takes 1680 microsteps; the limit is 1000.
WALK = """
fsm:
  initialState: ask
  context:
    verdict: { type: enum, values: [go, back] }
    n: { type: integer, default: 0 }
    m: { type: integer, default: 0 }
    i: { type: integer, default: 0 }
    j: { type: integer, default: 0 }
  agents: { ann: { canTransition: [ask] } }
  states:
    ask:
      requires: [{ name: verdict, from: { agent: ann } }]
      transitions:
        - { toState: between, guards: [{ backend: cel, expression: "context.verdict == 'go'" }] }
        - OTHER
    between: BETWEEN
    walk:
      transitions:
        - toState: walk
          guards: [{ backend: cel, expression: "context.i < 40" }]
          onTransition: [{ assign: { i: "${context.i + 1}" } }]
        - toState: walk
          guards: [{ backend: cel, expression: "context.j < 40" }]
          onTransition: [{ assign: { i: 0, j: "${context.j + 1}" } }]
        - { toState: done }
LOST    done: { terminal: true }
"""
LOST = """    lost:
      transitions:
        - toState: lost
          guards: [{ backend: cel, expression: "context.n < 900" }]
          onTransition: [{ assign: { n: "${context.n + 1}" } }]
"""
AGAIN = """{ toState: ask, guards: [{ backend: cel, expression: "context.verdict == 'back'" }],
            onTransition: [{ assign: { verdict: "", n: "${context.n + 1}", m: "${context.m + 1}" } }] }"""
EQUAL = """{ transitions: [{ toState: walk, guards: [{ backend: cel, expression: "context.n == context.m" }] }] }"""
SPECS = {
    # Only a measure could show that ask ends.
    "behind a question that intervals leave open": WALK.replace("OTHER", AGAIN)
    .replace("BETWEEN", EQUAL)
    .replace("LOST", ""),
    # The other branch may go round inside one advance, so that there is no longest one.
    "beside a loop": WALK.replace("OTHER", "{ toState: lost }")
    .replace("BETWEEN", "{ transitions: [{ toState: walk }] }")
    .replace("LOST", LOST),
}


@pytest.mark.parametrize("name", SPECS)
def test_no_end_is_proved(name: str) -> None:
    spec = load_valid(SPECS[name])
    assert spec is not None
    found = verdicts(spec, "gated", lambda rule: rule in ("FSM204", "FSM502"))
    assert found["FSM204", Subject(state="ask")][0] != "proved"
    assert found["FSM204", Subject(state="between")][0] != "proved"
    assert found["FSM502", Subject(state="walk")][0] != "proved"
