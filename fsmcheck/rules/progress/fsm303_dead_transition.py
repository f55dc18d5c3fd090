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

_WHY = (
    ("shadowed", "an earlier one is enabled whenever its guards hold", "move it up, or remove it"),
    ("guard unsatisfiable", "no values of its fields make its guards true", "mend its guards"),
    ("value never produced", "no run comes here with its guards true", "let a run produce such values, or remove it"),
    ("no run meets", "no run meets the requirements of the state", "make sure that its requirements can be met"),
    ("an action fails", "an action fails whenever it would be", "mend the action that fails"),
)
"""How the reason of a verdict begins, how the message words it, and what to do."""


def read(spec: Spec, verdict: Verdict) -> Finding:
    state = state_of(spec, verdict.obligation.subject)
    transition = transition_of(spec, verdict.obligation.subject)
    reason = verdict.reason or ""
    what = f"{in_full(state, transition)} is never taken"
    if _is_safety_net(state, transition, reason):
        message = f"{what}: the guards before it cover every case"
        hint = "keep it as a safety net, or remove it"
        return RULE.finding(verdict, message, transition.target.span, hint, severity=Severity.INFO)
    why, hint = next(
        ((f": {words}", todo) for sign, words, todo in _WHY if reason.startswith(sign)),
        (f": {reason}" if reason else "", "open a way to it, or remove it"),
    )
    return RULE.finding(verdict, what + why, transition.target.span, hint)


def _is_safety_net(state: State, transition: Transition, reason: str) -> bool:
    """Whether it is there for the case that none of the guards before it holds, which never happens."""
    before = state.transitions[: transition.index]
    last = transition.index == len(state.transitions) - 1
    return last and not transition.guards and all(other.guards for other in before) and reason.startswith("shadowed")


RULE = BehaviourRule("FSM303", "dead-transition", Severity.ERROR, read)
