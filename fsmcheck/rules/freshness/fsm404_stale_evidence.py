"""On leaving a state, an action can use the answer of an earlier visit.

No action of a state that is being left (`exit`, `onTransition`) mentions a field that the state requires while that
field still holds the answer to an earlier visit.

## Why it matters
The record is wrong: what the last round found is written down again as if this round had found it.

## Example
```yaml
states:
  execute:
    requires:
      - { name: result, from: { agent: executor } }
      - { name: outcome, from: { agent: executor } }
    exit:
      - append: { history: "${ context.result }" }
    transitions:
      - toState: replan
        guards: [{ backend: cel, expression: "context.outcome == 'replan'" }]
        onTransition: [{ assign: { outcome: "" } }]    # result stays
```

## How to fix
Empty the field on the way back, after it has been recorded: `assign: { outcome: "", result: "" }`.

## Limits
Mentioning is enough: whether the value changes what is written is not asked.
"""

from __future__ import annotations

from fsmcheck.diagnostics import Finding, Related, Severity
from fsmcheck.obligations.obligation import Verdict
from fsmcheck.rules.account import texts
from fsmcheck.rules.behaviour import BehaviourRule
from fsmcheck.rules.emptying import instruction, remedy, way_back
from fsmcheck.rules.mentions import requirement, value_mention
from fsmcheck.rules.naming import names, state_of
from fsmcheck.spec.model import Spec
from fsmcheck.spec.wording import shown


def read(spec: Spec, verdict: Verdict) -> Finding:
    subject = verdict.obligation.subject
    state, field = state_of(spec, subject), subject.field or ""
    index = subject.transition
    this = None if index is None else state.transitions[index]
    found = value_mention(state.exit if this is None else this.actions, field)
    targets = texts(verdict, "targets") or tuple(write.field.text for write in (found[0].writes if found else ()))
    into = f" to {names(dict.fromkeys(targets))}" if targets else ""
    message = (
        f"{shown(state.name.text)} can write the previous cycle's {shown(field)}{into}:"
        " nothing empties it on the way back"
    )
    asked = requirement(state, field)
    related = (Related("it is asked for here", asked.span),) if asked is not None else ()
    edges = way_back(spec, state, field)
    hint, fix = instruction(spec, field, edges, state, this), remedy(spec, field, edges)
    return RULE.finding(verdict, message, found[1] if found else state.name.span, hint, related=related, fix=fix)


RULE = BehaviourRule("FSM404", "stale-evidence", Severity.ERROR, read)
