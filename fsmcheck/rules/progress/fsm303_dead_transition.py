"""No run ever takes this transition.

A transition of a state that is entered and not terminal is taken in some run.

## Why it matters
What it was written for never happens. Its guards ask for something that cannot be, or an earlier transition always gets
there first.

## Example
```yaml
transitions:
  - { toState: finish, guards: [{ backend: cel, expression: "context.outcome != ''" }] }
  - { toState: abort, guards: [{ backend: cel, expression: "context.outcome == 'abort'" }] }    # too late
```

## How to fix
Move it before the one that shadows it, mend its guards, or remove it.

## Limits
It is a note only for a last transition without guards, after guards that cover every case: a deliberate safety net.
Transitions of states that are never entered are not asked about: FSM203 says so. The caps of `policy` are not assumed.
"""

from __future__ import annotations

from fsmcheck.diagnostics import Finding, Severity
from fsmcheck.obligations.obligation import Verdict
from fsmcheck.rules.behaviour import BehaviourRule
from fsmcheck.rules.naming import in_full, state_of, transition_of
from fsmcheck.spec.model import Spec, State, Transition


def read(spec: Spec, verdict: Verdict) -> Finding:
    state = state_of(spec, verdict.obligation.subject)
    transition = transition_of(spec, verdict.obligation.subject)
    what = f"{in_full(state, transition)} is never taken"
    if _is_safety_net(spec, state, transition, verdict.reason):
        message = f"{what}: the guards before it cover every case"
        hint = "keep it as a safety net, or remove it"
        return RULE.finding(verdict, message, transition.target.span, hint, severity=Severity.INFO)
    message = what + (f": {verdict.reason}" if verdict.reason else "")
    hint = "mend its guards or those before it, or remove it" if transition.guards else "open a way to it, or remove it"
    return RULE.finding(verdict, message, transition.target.span, hint)


def _is_safety_net(spec: Spec, state: State, transition: Transition, reason: str | None) -> bool:
    """Whether it is there for the case that none of the guards before it holds."""
    before = state.transitions[: transition.index]
    last = transition.index == len(state.transitions) - 1
    if not last or transition.guards or not before or not all(other.guards for other in before):
        return False
    return "shadowed" in reason if reason else _can_be_met(spec, state)


def _can_be_met(spec: Spec, state: State) -> bool:
    """Whether for each requirement somebody who is asked may act in the state."""
    may_act = {
        agent.name.text
        for agent in spec.agents
        if state.name.text in {allowed.text for allowed in agent.can_transition}
    }
    served = {req.field.text for req in state.requires if req.agent.text in may_act}
    return served == {req.field.text for req in state.requires}


RULE = BehaviourRule("FSM303", "dead-transition", Severity.ERROR, read)
