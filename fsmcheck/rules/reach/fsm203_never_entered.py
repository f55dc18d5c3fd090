"""No run enters this state, although transitions lead to it.

A state that the graph of transitions reaches is entered in some run.

## Why it matters
The state and all that only it leads to is dead: work that was meant to happen there never does.

## Example
```yaml
states:
  check:
    transitions:
      - { toState: done }                                             # always taken
      - toState: escalate                                             # never entered
        guards: [{ backend: cel, expression: "context.risk == 'high'" }]
```

## How to fix
Make one of the transitions to it possible: FSM303 says of each why it is never taken. Or remove the state.

## Limits
A state without a path of transitions to it is reported by FSM201 alone. The caps of `policy` are not assumed: a state
that is only entered beyond `maxIterations` counts as entered.
"""

from __future__ import annotations

from fsmcheck.diagnostics import Finding, Related, Severity
from fsmcheck.obligations.obligation import Verdict
from fsmcheck.rules.behaviour import BehaviourRule
from fsmcheck.rules.naming import in_full, state_of
from fsmcheck.spec.model import Spec
from fsmcheck.spec.wording import shown


def read(spec: Spec, verdict: Verdict) -> Finding:
    name = state_of(spec, verdict.obligation.subject).name
    ways = tuple(
        Related(f"{in_full(state, transition)} is never taken", transition.target.span)
        for state in spec.states
        for transition in state.transitions
        if transition.target.text == name.text and state.name.text != name.text and not state.terminal
    )
    if name.text == spec.initial.text:
        message = f"{shown(name.text)} is never entered: every run fails in its entry"
        return RULE.finding(verdict, message, name.span, "make its entry actions evaluate")
    message = f"{shown(name.text)} is never entered: no run takes a transition to it"
    return RULE.finding(verdict, message, name.span, "open a way to it, or remove it", related=ways)


RULE = BehaviourRule("FSM203", "never-entered", Severity.ERROR, read)
