"""A transition can be taken on the answer of an earlier visit.

A transition is never taken while a field that its guards mention and its state requires still holds the answer to an
earlier visit, and another value of that field would have kept the transition closed.

## Why it matters
The machine decides on an old verdict: the agent answers only a part, and the transition fires before it has said what
it thinks now.

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
        onTransition: [{ assign: { result: "" } }]    # outcome stays "replan"
```

## How to fix
Empty the field on the way back: `assign: { result: "", outcome: "" }`.

## Limits
A guard that only asks whether a field is set is no trigger and is not reported: no other value would have closed it.
A field counts as the answer of an earlier visit until an agent stages it again, even with the same value.
"""

from __future__ import annotations

from fsmcheck.diagnostics import Finding, Related, Severity
from fsmcheck.obligations.obligation import Verdict
from fsmcheck.rules.behaviour import BehaviourRule
from fsmcheck.rules.emptying import instruction, remedy, way_back
from fsmcheck.rules.mentions import guard_expressions, mention, requirement
from fsmcheck.rules.naming import state_of, transition_of
from fsmcheck.spec.model import Spec
from fsmcheck.spec.wording import shown


def read(spec: Spec, verdict: Verdict) -> Finding:
    subject = verdict.obligation.subject
    state, transition, field = state_of(spec, subject), transition_of(spec, subject), subject.field or ""
    edges = way_back(spec, state, field)
    message = (
        f"{shown(state.name.text)} can leave for {shown(transition.target.text)} on the previous cycle's"
        f" {shown(field)}: nothing empties it on the way back"
    )
    related = []
    guard = mention(guard_expressions(transition), field)
    if guard is not None:
        related.append(Related("the guard that reads it", guard))
    asked = requirement(state, field)
    if asked is not None:
        related.append(Related("it is asked for here", asked.span))
    hint = instruction(spec, field, edges, state, transition)
    fix = remedy(spec, field, edges)
    return RULE.finding(verdict, message, transition.target.span, hint, related=tuple(related), fix=fix)


RULE = BehaviourRule("FSM403", "re-fires", Severity.ERROR, read)
