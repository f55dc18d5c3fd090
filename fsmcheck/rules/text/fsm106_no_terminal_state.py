"""No state is terminal.

At least one state has `terminal: true`.

## Why it matters
A run ends only in a terminal state. Without one it goes on until a cap cuts it off, and no result can be told from a
failure.

## Example
```yaml
states:
  work: { transitions: [{ toState: done }] }
  done: {}                                     # not terminal
```

## How to fix
Add `terminal: true` to the state in which the work is finished.

## Limits
Nothing is said where a part of `states` cannot be read.
Whether a terminal state is ever reached is another question: FSM201, FSM202 and FSM204.
"""

from __future__ import annotations

from collections.abc import Iterator

from fsmcheck.diagnostics import Finding, Related, Severity
from fsmcheck.rules.rule import Rule
from fsmcheck.spec.load import LoadedDocument


def check(document: LoadedDocument) -> Iterator[Finding]:
    spec = document.spec
    if spec is None or not document.is_intact(document.states_span) or any(state.terminal for state in spec.states):
        return
    ends = [state.name for state in spec.states if not state.transitions]
    related = tuple(Related("this state has no transitions", name.span) for name in ends)
    hint = 'add "terminal: true" to the state where the work is finished'
    yield RULE.finding("no state is terminal, expected at least one", spec.states[0].name.span, hint, related=related)


RULE = Rule("FSM106", "no-terminal-state", Severity.ERROR, check)
