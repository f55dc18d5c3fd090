"""Once the machine has come to rest here, a run may be unable ever to reach a terminal state.

From every reachable configuration some continuation reaches a terminal state. Reported is each state that holds one
from which none does.

## Why it matters
Such a run cannot end well: whatever the agents stage, it goes round until a cap cuts it off, or stands still.

## Example
```yaml
states:
  ask:
    requires: [{ name: answer, from: { agent: helper } }]
    transitions:
      - toState: done
        guards: [{ backend: cel, expression: "context.attempts < 3" }]
      - toState: retry            # counts up and comes back
  retry:
    requires: [{ name: remark, from: { agent: helper } }]
    transitions:
      - toState: ask
        onTransition: [{ assign: { attempts: "${ context.attempts + 1 }", answer: "", remark: "" } }]
```

## How to fix
Look at the run, and ask what an agent would have to do next for the run to end. Where it has no such choice, add a
transition, or undo on the way what closes the way out.

## Limits
That a run can end is asked, not that it will. The caps of `policy` are not assumed. No run is taken to be so long that
a sum leaves 64 bits to which each exchange adds one value within ±2^53: that takes more than a thousand exchanges.
"""

from __future__ import annotations

from fsmcheck.diagnostics import Finding, Severity
from fsmcheck.obligations.obligation import Verdict
from fsmcheck.rules.account import text
from fsmcheck.rules.behaviour import BehaviourRule
from fsmcheck.rules.naming import state_of
from fsmcheck.spec.model import Spec
from fsmcheck.spec.wording import shown

_HOW = {
    "waiting": "a run can come to wait in {} with no way left to a terminal state, whatever is staged",
    "stuck": "a run can come to a standstill in {} and never reach a terminal state",
    "failed": "a run can fail on leaving {} and never reach a terminal state",
    "no-progress": "a run can turn without end at {} and never reach a terminal state",
    "runaway": "a run can turn without end at {} and never reach a terminal state",
}
_OTHERWISE = "a run can get to {} with no way left to a terminal state"


def read(spec: Spec, verdict: Verdict) -> Finding:
    name = state_of(spec, verdict.obligation.subject).name
    message = _HOW.get(text(verdict, "status"), _OTHERWISE).format(shown(name.text))
    hint = "give the run at its end a transition that it can take, or undo earlier what closes the way out"
    return RULE.finding(verdict, message, name.span, hint)


RULE = BehaviourRule("FSM204", "no-terminal-coverage", Severity.ERROR, read)
