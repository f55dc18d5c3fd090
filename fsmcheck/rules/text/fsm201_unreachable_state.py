"""No path of transitions leads from the initial state to this one.

Guards are not looked at: it is the graph alone that has no path.

## Why it matters
The state is never entered, so what is written in it never happens. Often a transition to it was forgotten, or its name
is misspelt.

## Example
```yaml
initialState: plan
states:
  plan: { transitions: [{ toState: done }] }
  review: { transitions: [{ toState: done }] }     # nothing leads here
  done: { terminal: true }
```

## How to fix
Add a transition to the state, or remove the state.

## Limits
Nothing is said where a part of `states` cannot be read.
A state that the graph reaches may still never be entered, because the guards on every way to it never hold: FSM203.
"""

from __future__ import annotations

from collections.abc import Iterator

from fsmcheck.diagnostics import Finding, Severity, Subject
from fsmcheck.engines.graph import TransitionGraph
from fsmcheck.rules.dangling import dangling
from fsmcheck.rules.rule import Rule
from fsmcheck.spec.load import LoadedDocument
from fsmcheck.spec.wording import shown


def check(document: LoadedDocument) -> Iterator[Finding]:
    spec = document.spec
    if spec is None or spec.initial.text not in spec.state_by_name:
        return
    if not document.is_intact(document.states_span) or not document.is_intact(spec.initial.span):
        return
    reachable = TransitionGraph(spec).reachable_states()
    cause = next((cause for state, cause in dangling(spec).items() if state in reachable), None)
    for state in spec.states:
        name = state.name
        if name.text not in reachable:
            yield RULE.finding(
                f"no transitions lead from {shown(spec.initial.text)} to {shown(name.text)}",
                name.span,
                "add a transition to it, or remove it",
                subject=Subject(name.text),
                caused_by=cause,
            )


RULE = Rule("FSM201", "unreachable-state", Severity.ERROR, check)
