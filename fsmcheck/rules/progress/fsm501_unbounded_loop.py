"""A loop can turn without bound.

Every cycle of the transition graph that some run goes round is bounded: by `maxIterations`, or in the machine, which
means that the number of times it can turn in any run has a proved finite maximum.

## Why it matters
Agents that never agree keep the run, and its costs, going for ever.

## Example
```yaml
states:
  draft:
    requires: [{ name: text, from: { agent: writer } }]
    transitions: [{ toState: review }]
  review:
    requires: [{ name: verdict, from: { agent: editor } }]
    transitions:
      - { toState: done, guards: [{ backend: cel, expression: "context.verdict == 'good'" }] }
      - toState: draft                                     # as often as the editor likes
        onTransition: [{ assign: { text: "", verdict: "" } }]
```

## How to fix
Set `maxIterations`, or count the rounds in a field and test it in a guard that leads out of the loop.

## Limits
`maxExchangesPerStage` and `maxExchangesPerAgentPerStage` start anew with every visit, so they bound no loop.
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
    policy = spec.policy.span
    related = (Related('this has no "maxIterations"', policy),) if policy is not None else ()
    message = f"{what} can turn without bound"
    hint = 'set "maxIterations" in "policy", or count the turns in a field and leave the loop when there are enough'
    return RULE.finding(verdict, message, name.span, hint, related=related)


RULE = BehaviourRule("FSM501", "unbounded-loop", Severity.ERROR, read)
