"""Only `maxIterations` ends this loop: the machine itself would let it turn for ever.

A loop that `maxIterations` bounds is bounded in the machine too.

## Why it matters
Where the cap cuts in, the run ends wherever it happens to be, without a result. A bound in the machine can lead it to
a state that wraps up.

## Example
```yaml
states:
  review:
    requires: [{ name: verdict, from: { agent: editor } }]
    transitions:
      - { toState: done, guards: [{ backend: cel, expression: "context.verdict == 'good'" }] }
      - { toState: draft, onTransition: [{ assign: { text: "", verdict: "" } }] }
policy: { maxIterations: 20 }
```

## How to fix
Count the rounds in a field and lead out of the loop when there are enough. Where a cut is what you want, leave it.

## Limits
This is a note. A bound that exists but could not be proved is not told from none.
"""

from __future__ import annotations

from fsmcheck.diagnostics import Finding, Related, Severity
from fsmcheck.obligations.obligation import Verdict
from fsmcheck.rules.account import texts
from fsmcheck.rules.behaviour import BehaviourRule
from fsmcheck.rules.naming import path, state_of
from fsmcheck.spec.model import Spec
from fsmcheck.spec.wording import shown


def read(spec: Spec, verdict: Verdict) -> Finding:
    name = state_of(spec, verdict.obligation.subject).name
    loop = texts(verdict, "loop")
    what = f"the loop {path((*loop, loop[0]))}" if loop else f"a loop through {shown(name.text)}"
    cap = spec.policy.place("maxIterations")
    related = (Related("the cap that ends it", cap),) if cap is not None else ()
    message = f'{what} is bounded by "maxIterations" alone'
    hint = "count the turns in a field, and let a guard lead out of the loop when there are enough"
    return RULE.finding(verdict, message, name.span, hint, related=related)


RULE = BehaviourRule("FSM505", "bounded-by-policy-only", Severity.INFO, read)
