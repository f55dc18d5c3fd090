"""A requirement can be set already when the machine starts to wait, so it is not waited for.

When the machine comes to wait on entering a state, none of the state's requirements is set already, other than by its
own `entry`.

## Why it matters
The agent is summoned for the other requirements only. It may answer this one again, and if it does not, the old value
passes for its answer.

## Example
```yaml
states:
  replan:
    requires:
      - { name: plan, from: { agent: planner } }         # set since the first state
      - { name: directive, from: { agent: planner } }
    transitions: [{ toState: execute }]
```

## How to fix
If it has to be answered anew, empty it on the way in. If it need not be, take it out of `requires`, unless the agent
is to be free to revise it: then this is what was meant.

## Limits
Where nothing is waited for at all, FSM401 and FSM402 say so. Whether the old value is used is the question of FSM403
and FSM404.
"""

from __future__ import annotations

from fsmcheck.diagnostics import Finding, Severity
from fsmcheck.obligations.obligation import Verdict
from fsmcheck.rules.account import flag
from fsmcheck.rules.behaviour import BehaviourRule
from fsmcheck.rules.emptying import instruction, way_back, ways_in
from fsmcheck.rules.mentions import requirement, writers
from fsmcheck.rules.naming import state_of
from fsmcheck.spec.model import Spec, State
from fsmcheck.spec.wording import shown


def read(spec: Spec, verdict: Verdict) -> Finding:
    state, field = state_of(spec, verdict.obligation.subject), verdict.obligation.subject.field or ""
    message = (
        f"{shown(state.name.text)} requires {shown(field)} but need not wait for it:"
        " it can be set already when the machine comes to wait there"
    )
    asked = requirement(state, field)
    span = state.name.span if asked is None else asked.span
    related = tuple(place for place in writers(spec, field) if place.span != span)
    return RULE.finding(verdict, message, span, _help(spec, state, field, verdict), related=related)


def _help(spec: Spec, state: State, field: str, verdict: Verdict) -> str:
    edges = way_back(spec, state, field) if flag(verdict, "stale") else ways_in(spec, state, field)
    return f"if it has to be answered anew, {instruction(spec, field, edges, state)}"


RULE = BehaviourRule("FSM405", "not-awaited", Severity.WARNING, read)
