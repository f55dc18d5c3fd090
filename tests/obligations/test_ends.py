"""That a run may end, as far as is known, does not mean that it can be brought to an end."""

from __future__ import annotations

from fsmcheck.check import verdicts
from fsmcheck.diagnostics import Subject
from tests.oracle.generate import load_valid

# Whether two texts are the same is beyond the abstraction. Where they differ, no answer to ask leads to the end.
SPEC = """
fsm:
  initialState: ask
  context:
    one: { type: string }
    other: { type: string }
    note: { type: string }
  agents: { ann: { canTransition: [ask] } }
  states:
    ask:
      requires: [{ name: note, from: { agent: ann } }]
      transitions: [{ toState: compare }]
    compare:
      transitions: [{ toState: done, guards: [{ backend: cel, expression: "context.one == context.other" }] }]
    done: { terminal: true }
"""


def test_a_perhaps_is_no_proof() -> None:
    spec = load_valid(SPEC)
    assert spec is not None
    found = verdicts(spec, "gated", lambda rule: rule in ("FSM204", "FSM301"))
    assert found["FSM301", Subject(state="compare")][0] == "violated"
    assert found["FSM204", Subject(state="compare")][0] == "violated"
    assert found["FSM204", Subject(state="ask")][0] != "proved"
