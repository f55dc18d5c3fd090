"""No run can reach a terminal state within `maxIterations`.

`maxIterations` is at least the fewest exchanges of any run that reaches a terminal state.

## Why it matters
Every run is cut off before it is done.

## Example
```yaml
states:
  plan: { requires: [{ name: plan, from: { agent: planner } }], transitions: [{ toState: act }] }
  act: { requires: [{ name: result, from: { agent: executor } }], transitions: [{ toState: done }] }
  done: { terminal: true }
policy: { maxIterations: 1 }      # it takes two exchanges
```

## How to fix
Raise `maxIterations`, with room for the rounds that the loops are meant to turn.

## Limits
Only the shortest run is counted. Where no run reaches a terminal state at all, FSM204 says so instead.
"""

from __future__ import annotations

from fsmcheck.diagnostics import Finding, Severity
from fsmcheck.obligations.obligation import Verdict
from fsmcheck.rules.account import number
from fsmcheck.rules.behaviour import BehaviourRule
from fsmcheck.spec.model import Spec


def read(spec: Spec, verdict: Verdict) -> Finding:
    cap, fewest = spec.policy.max_iterations, number(verdict, "fewest")
    message = f'no run reaches a terminal state within "maxIterations" {cap}'
    if fewest is not None:
        message += f": it takes at least {fewest} exchanges"
    hint = "raise it" if fewest is None else f"raise it to at least {fewest}, and to more where loops are to turn"
    return RULE.finding(verdict, message, spec.policy.place("maxIterations") or spec.initial.span, hint)


RULE = BehaviourRule("FSM503", "cap-too-low", Severity.ERROR, read)
