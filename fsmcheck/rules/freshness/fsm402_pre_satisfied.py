"""All that a state requires can be set already on entering, so it is left without asking anybody.

A state with requirements is never left without an exchange in this visit while all of them are met.

## Why it matters
The agent that the state was written for is not summoned.

## Example
```yaml
states:
  draft:
    requires: [{ name: text, from: { agent: writer } }]
    transitions: [{ toState: revise }]
  revise:
    requires: [{ name: text, from: { agent: writer } }]    # already set
    transitions: [{ toState: done }]
```

## How to fix
Require something that is not yet set, or empty it on the way in. A state that should ask nobody needs no `requires`.

## Limits
Where the values are answers to an earlier visit of the same state, FSM401 says so instead.
"""

from __future__ import annotations

from fsmcheck.diagnostics import Finding, Fix, Related, Severity
from fsmcheck.obligations.obligation import Verdict
from fsmcheck.rules.account import held
from fsmcheck.rules.behaviour import BehaviourRule
from fsmcheck.rules.emptying import instruction, remedy, ways_in
from fsmcheck.rules.mentions import guard_expressions, mentioned
from fsmcheck.rules.naming import names, state_of
from fsmcheck.spec.model import Spec, State
from fsmcheck.spec.wording import shown


def read(spec: Spec, verdict: Verdict) -> Finding:
    state = state_of(spec, verdict.obligation.subject)
    fields = tuple(dict.fromkeys(req.field.text for req in state.requires))
    message = (
        f"{shown(state.name.text)} can be left without asking anybody: {names(fields)}"
        f" {'is' if len(fields) == 1 else 'are'} already set on entering"
    )
    places = {req.field.text: req for req in reversed(state.requires)}
    related = tuple(Related(f"{shown(field)} is asked for here", places[field].span) for field in fields)
    hint, fix = _help(spec, state, verdict)
    return RULE.finding(verdict, message, state.name.span, hint, related=related, fix=fix)


def _help(spec: Spec, state: State, verdict: Verdict) -> tuple[str, Fix | None]:
    given = [item.field for item in held(verdict) if item.origin == "start" and _has_default(spec, item.field)]
    if given:
        return f"take away the default of {names(given)}, or do not require it", None
    read_here = mentioned(e for transition in state.transitions for e in guard_expressions(transition))
    in_order = [req.field.text for req in state.requires]
    trigger = next(iter([field for field in in_order if field in read_here] or in_order[-1:]))
    edges = ways_in(spec, state, trigger)
    return instruction(spec, trigger, edges, state), remedy(spec, trigger, edges)


def _has_default(spec: Spec, field: str) -> bool:
    return field in spec.field_by_name and spec.field_by_name[field].default is not None


RULE = BehaviourRule("FSM402", "pre-satisfied", Severity.WARNING, read)
