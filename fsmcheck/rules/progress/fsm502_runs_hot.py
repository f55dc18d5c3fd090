"""The machine can go round without ever asking anybody.

No reachable advance ends in `no-progress` (the same state and store twice) or in `runaway` (more microsteps than the
limit allows).

## Why it matters
The machine spins by itself: no agent is summoned, and the run is lost.

## Example
```yaml
states:
  check:
    transitions: [{ toState: repair }]      # neither of the two
  repair:
    transitions: [{ toState: check }]       # requires anything
```

## How to fix
Let a state of the loop require an answer that is emptied on the way round, or let a guard lead out of it.

## Limits
A loop that ends after a number of turns, because it counts them, is fine as long as it stays below the limit.
"""

from __future__ import annotations

from fsmcheck.diagnostics import Finding, Related, Severity
from fsmcheck.obligations.obligation import Verdict
from fsmcheck.rules.account import reason, texts
from fsmcheck.rules.behaviour import BehaviourRule
from fsmcheck.rules.naming import names, state_of
from fsmcheck.spec.model import Spec
from fsmcheck.spec.wording import shown


def read(spec: Spec, verdict: Verdict) -> Finding:
    name = state_of(spec, verdict.obligation.subject).name
    loop = texts(verdict, "loop") or (name.text,)
    end = ", and nothing changes on the way" if reason(verdict) == "no-progress" else ", asking nobody"
    message = f"the machine can go round {names(loop)} without end{end}"
    others = [spec.state_by_name[other] for other in loop if other != name.text and other in spec.state_by_name]
    related = tuple(Related(f"{shown(state.name.text)} belongs to the loop", state.name.span) for state in others)
    hint = "let one of these states require an answer that the loop empties, or let a guard lead out"
    if len(loop) == 1:
        hint = "let it require an answer that the loop empties, or let a guard lead out"
    return RULE.finding(verdict, message, name.span, hint, related=related)


RULE = BehaviourRule("FSM502", "runs-hot", Severity.ERROR, read)
