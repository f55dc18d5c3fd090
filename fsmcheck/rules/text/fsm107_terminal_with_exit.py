"""A terminal state has parts that never take effect.

A terminal state has no `requires`, no `transitions` and no `exit`.

## Why it matters
The run is over on entering it: nobody is asked, nothing is left. Whoever wrote those parts expected otherwise.

## Example
```yaml
states:
  done:
    terminal: true
    requires:
      - { name: summary, from: { agent: planner } }    # never asked for
```

## How to fix
Move the parts to a state before it, or remove `terminal: true`.

## Limits
`entry` runs, so it is fine there.
"""

from __future__ import annotations

from collections.abc import Iterator

from fsmcheck.diagnostics import Finding, Severity, Subject
from fsmcheck.rules.rule import Rule
from fsmcheck.spec.load import LoadedDocument
from fsmcheck.spec.model import State
from fsmcheck.spec.wording import shown


def check(document: LoadedDocument) -> Iterator[Finding]:
    for state in document.spec.states if document.spec else ():
        idle = _idle_parts(state)
        if state.terminal and idle:
            name = state.name
            message = f"{shown(name.text)} is terminal, so nothing comes of its {_listed(idle)}"
            yield RULE.finding(message, name.span, "move them to a state before it", subject=Subject(name.text))


def _idle_parts(state: State) -> list[str]:
    parts = (("requires", state.requires), ("transitions", state.transitions), ("exit", state.exit))
    return [f'"{key}"' for key, content in parts if content]


def _listed(parts: list[str]) -> str:
    return " and ".join(filter(None, (", ".join(parts[:-1]), parts[-1])))


RULE = Rule("FSM107", "terminal-with-exit", Severity.WARNING, check)
