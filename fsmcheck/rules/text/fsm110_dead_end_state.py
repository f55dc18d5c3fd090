"""A state that is not terminal has no transition.

Every state is terminal or has at least one transition.

## Why it matters
The machine can never leave the state, and the run never ends.

## Example
```yaml
states:
  done: { description: All finished. }     # terminal: true is missing
```

## How to fix
Add `terminal: true`, or a transition.

## Limits
Only the number of transitions is looked at; whether one of them can be taken is the question of FSM301 and FSM303.
"""

from __future__ import annotations

from collections.abc import Iterator

from fsmcheck.diagnostics import Finding, Severity, Subject
from fsmcheck.rules.rule import Rule
from fsmcheck.spec.load import LoadedDocument
from fsmcheck.spec.wording import shown


def check(document: LoadedDocument) -> Iterator[Finding]:
    for state in document.spec.states if document.spec else ():
        if not state.terminal and not state.transitions and document.is_intact(state.span):
            name = state.name
            message = f"{shown(name.text)} has no transitions and is not terminal"
            yield RULE.finding(message, name.span, 'add "terminal: true" or a transition', subject=Subject(name.text))


RULE = Rule("FSM110", "dead-end-state", Severity.ERROR, check)
