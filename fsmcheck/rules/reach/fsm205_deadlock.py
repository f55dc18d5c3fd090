"""The machine can wait for a field that nobody may stage.

In every reachable configuration that waits, each unmet field can be staged by some agent that the state asks for it
and that has the state in its `canTransition`.

## Why it matters
The machine waits for ever: those who are asked are refused, and nobody else is asked.

## Example
```yaml
agents:
  writer: { canTransition: [draft] }
states:
  review:
    requires: [{ name: verdict, from: { agent: writer } }]    # review is missing above
    transitions: [{ toState: done }]
```

## How to fix
Add the state to the agent's `canTransition`, or ask an agent that may act there.

## Limits
FSM108 says the same of the text alone; this rule says that a run gets there and finds the field empty.
"""

from __future__ import annotations

from fsmcheck.diagnostics import Finding, Related, Severity
from fsmcheck.obligations.obligation import Verdict
from fsmcheck.rules.account import blocked
from fsmcheck.rules.behaviour import BehaviourRule
from fsmcheck.rules.mentions import requirement
from fsmcheck.rules.naming import names, state_of
from fsmcheck.spec.model import Spec
from fsmcheck.spec.wording import shown


def read(spec: Spec, verdict: Verdict) -> Finding:
    state = state_of(spec, verdict.obligation.subject)
    name = state.name
    pairs = blocked(verdict)
    what = names(dict.fromkeys(field for field, _ in pairs)) if pairs else "something"
    message = f"the machine can wait in {shown(name.text)} for {what}, which nobody who is asked may stage there"
    asked = tuple(dict.fromkeys(agent for _, agent in pairs))
    who = names(asked) if asked else "an agent that is asked"
    places = [requirement(state, field) for field in dict.fromkeys(field for field, _ in pairs)]
    related = tuple(Related(f"{shown(req.field.text)} is asked for here", req.span) for req in places if req)
    return RULE.finding(
        verdict, message, name.span, f'add {shown(name.text)} to "canTransition" of {who}', related=related
    )


RULE = BehaviourRule("FSM205", "deadlock", Severity.ERROR, read)
