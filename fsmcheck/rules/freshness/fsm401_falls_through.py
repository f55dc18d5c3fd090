"""On another visit, a state can be left on the answers of an earlier one, without asking anybody.

Once a state has been left, it is never left again without an exchange while the guards of the transition taken read an
answer that the earlier visit gave, or while all its requirements are met and one of them is such an answer.

## Why it matters
From the second round on the loop only seems to turn: the agent that should look again is never asked.

## Example
```yaml
states:
  replan:
    requires: [{ name: directive, from: { agent: planner } }]
    transitions: [{ toState: execute }]
  execute:
    requires: [{ name: outcome, from: { agent: executor } }]
    transitions:
      - toState: replan
        onTransition: [{ assign: { outcome: "" } }]    # directive is still set: replan asks nobody
```

## How to fix
Empty on the way back what has to be answered anew: `assign: { outcome: "", directive: "" }`.

## Limits
The first visit is FSM402's. A state without requirements asks nobody on purpose and is not looked at.
"""

from __future__ import annotations

from fsmcheck.diagnostics import Finding, Fix, Related, Severity
from fsmcheck.obligations.obligation import Verdict
from fsmcheck.rules.account import held
from fsmcheck.rules.behaviour import BehaviourRule
from fsmcheck.rules.emptying import instructions, remedies, way_back
from fsmcheck.rules.mentions import expressions_in, guard_expressions, mentioned, requirement
from fsmcheck.rules.naming import names, state_of
from fsmcheck.spec.model import Spec, State
from fsmcheck.spec.wording import shown


def read(spec: Spec, verdict: Verdict) -> Finding:
    state = state_of(spec, verdict.obligation.subject)
    stale = [item.field for item in held(verdict) if requirement(state, item.field) is not None]
    old = names(stale) if stale else "the answers"
    message = (
        f"{shown(state.name.text)} can be left again without an exchange: {old} of an earlier visit"
        f" {'is' if len(stale) == 1 else 'are'} still set"
    )
    hint, fix = _help(spec, state, stale)
    places = [requirement(state, field) for field in stale]
    related = tuple(Related(f"{shown(req.field.text)} is asked for here", req.span) for req in places if req)
    return RULE.finding(verdict, message, state.name.span, hint, related=related, fix=fix)


def _help(spec: Spec, state: State, stale: list[str]) -> tuple[str | None, Fix | None]:
    if not stale:
        return None, None
    anew = _to_ask_anew(state, stale)
    ways = [(field, way_back(spec, state, field)) for field in anew]
    hint, kept = instructions(spec, ways, state), [field for field in stale if field not in anew]
    if kept:
        it_has = "it has" if len(kept) == 1 else "they have"
        hint += f"; empty {names(kept)} as well if {it_has} to be answered anew"
    return hint, remedies(spec, ways)


def _to_ask_anew(state: State, stale: list[str]) -> list[str]:
    """The answers that the guards, or the actions on leaving, use; where they use none, the last that is asked for, as
    the others may be meant to last."""
    actions = [*state.exit, *(action for transition in state.transitions for action in transition.actions)]
    values = [e for action in actions for write in action.writes for e in expressions_in(write.value)]
    guards = [e for transition in state.transitions for e in guard_expressions(transition)]
    used = mentioned([*guards, *values])
    in_order = list(dict.fromkeys(req.field.text for req in state.requires if req.field.text in stale))
    return [field for field in in_order if field in used] or in_order[-1:]


RULE = BehaviourRule("FSM401", "falls-through", Severity.ERROR, read)
