"""An agent's answer can be emptied before anything has looked at it.

An `assign` never empties a field that an agent has staged and that nothing has read since: no guard, no action, no
description of a state where the machine waited.

## Why it matters
The agent did the work and the machine threw it away.

## Example
```yaml
states:
  execute:
    requires:
      - { name: result, from: { agent: executor } }
      - { name: outcome, from: { agent: executor } }
    transitions:
      - toState: replan
        guards: [{ backend: cel, expression: "context.outcome == 'replan'" }]
        onTransition: [{ assign: { outcome: "", result: "" } }]    # nobody has read result
```

## How to fix
Record it first, in the state's `exit` or in an action before this one. If nobody needs it, do not ask for it.

## Limits
To be mentioned counts as being read. That a boolean or an enum was set is use enough, once a state that requires it is
left.
"""

from __future__ import annotations

from fsmcheck.diagnostics import Finding, Related, Severity
from fsmcheck.obligations.obligation import Verdict
from fsmcheck.rules.account import text
from fsmcheck.rules.behaviour import BehaviourRule
from fsmcheck.rules.mentions import actions_of
from fsmcheck.rules.naming import state_of
from fsmcheck.source import Span
from fsmcheck.spec.model import Constant, Operator, Spec, State
from fsmcheck.spec.wording import shown


def read(spec: Spec, verdict: Verdict) -> Finding:
    subject = verdict.obligation.subject
    state, field = state_of(spec, subject), subject.field or ""
    message = f"{shown(field)} can be emptied here before anything has looked at it"
    related = tuple(
        Related(f"{shown(other.name.text)} asks {shown(req.agent.text)} for it", req.span)
        for other in spec.states
        for req in other.requires
        if req.field.text == field and not other.terminal
    )
    before = "" if text(verdict, "phase") == "entry" else f"in the exit of {shown(state.name.text)} or "
    hint = f"record it first, {before}in an action before this one"
    return RULE.finding(verdict, message, _place(state, subject.transition, field), hint, related=related)


def _place(state: State, transition: int | None, field: str) -> Span:
    """The assignment that empties the field, rather than one that computes it."""
    writes = [
        write
        for action in actions_of(state, transition)
        if action.operator is Operator.ASSIGN
        for write in action.writes
        if write.field.text == field
    ]
    ordered = sorted(writes, key=lambda write: not isinstance(write.value, Constant))
    return ordered[0].span if ordered else state.name.span


RULE = BehaviourRule("FSM406", "evidence-lost", Severity.WARNING, read)
