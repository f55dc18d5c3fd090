"""A description shows a field that is empty whenever the machine waits there.

A field that the description of a state reads can be set when the machine waits in that state.

## Why it matters
The agent is told to work from something that it never gets to see.

## Example
```yaml
states:
  execute:
    requires: [{ name: outcome, from: { agent: executor } }]
    transitions:
      - toState: review
        onTransition: [{ assign: { outcome: "" } }]
  review:
    description: "The verdict was {{ context.outcome }}. What next?"    # always ""
```

## How to fix
Keep the field, or copy it into another one before it is emptied; or take it out of the description.

## Limits
One run in which the field is set is enough: that it is set every time is not asked. Descriptions of states in which
the machine never waits, and of transitions, are not looked at.
"""

from __future__ import annotations

from fsmcheck.diagnostics import Finding, Severity
from fsmcheck.obligations.obligation import Verdict
from fsmcheck.rules.behaviour import BehaviourRule
from fsmcheck.rules.mentions import expressions_in, mention, requirement, writers
from fsmcheck.rules.naming import state_of
from fsmcheck.spec.model import Spec, State
from fsmcheck.spec.wording import shown


def read(spec: Spec, verdict: Verdict) -> Finding:
    state, field = state_of(spec, verdict.obligation.subject), verdict.obligation.subject.field or ""
    message = (
        f"the description of {shown(state.name.text)} shows {shown(field)},"
        " which is empty whenever the machine waits there"
    )
    span = mention(expressions_in(state.description), field) or state.name.span
    return RULE.finding(verdict, message, span, _help(state, field), related=writers(spec, field))


def _help(state: State, field: str) -> str:
    if requirement(state, field) is not None:
        return "it is asked for in this very state: leave it out of the description"
    return f"set {shown(field)} on the way to this state, or leave it out of the description"


RULE = BehaviourRule("FSM111", "template-never-set", Severity.WARNING, read)
