"""The fewest exchanges to an end, where the way with fewer of them takes more steps."""

from __future__ import annotations

import pytest

from fsmcheck.diagnostics import Subject
from fsmcheck.obligations.run import run
from tests.oracle.generate import load_valid

# On "back" the answer is asked for, on "go" it is there, but only two microsteps later.
SPEC = """
fsm:
  initialState: ask
  context:
    x: { type: enum, values: [go, back] }
    v: { type: string }
  policy: { maxIterations: 1 }
  agents: { ann: { canTransition: [ask, more] } }
  states:
    ask:
      requires: [{ name: x, from: { agent: ann } }]
      transitions:
        - toState: more
          guards: [{ backend: cel, expression: "context.x == 'FIRST'" }]
          onTransition: [{ assign: { x: "" } }]
        - { toState: one, onTransition: [{ assign: { x: "" } }] }
    one: { transitions: [{ toState: two }] }
    two: { transitions: [{ toState: more, onTransition: [{ assign: { v: given } }] }] }
    more:
      requires: [{ name: v, from: { agent: ann } }]
      transitions: [{ toState: done }]
    done: { terminal: true }
"""


@pytest.mark.parametrize("first", ["go", "back"])
def test_a_cap_that_suffices_is_not_too_low(first: str) -> None:
    spec = load_valid(SPEC.replace("FIRST", first))
    assert spec is not None
    outcome = run(spec, "gated", lambda rule: rule == "FSM503", None)
    (verdict,) = outcome.verdicts
    assert verdict.obligation.subject == Subject()
    assert verdict.verdict == "proved"
    assert outcome.bounds is not None
    assert dict(outcome.bounds.fewest_exchanges) == {"done": 1}
