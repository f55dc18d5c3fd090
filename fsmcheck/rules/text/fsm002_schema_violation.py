"""The document does not have the shape of a spec.

A key is unknown or missing, a value has the wrong form (text where a list is expected, say), or there is no
top-level `fsm`.

## Why it matters
A reducer that skips the keys it does not know runs another machine than the one that was written: with `guard`
for `guards` a transition is always open.

## Example
```yaml
transitions:
  - to: done            # the key is toState
    guard: []           # the key is guards
```

## How to fix
Use the name in the help line. `fsmcheck schema` prints the whole language as a JSON Schema, which editors
understand.

## Limits
A misspelt key is suggested by its spelling alone. A part with the wrong form is left out of all other checks.
"""

from __future__ import annotations

from collections.abc import Iterable

from fsmcheck.diagnostics import Finding, Severity
from fsmcheck.rules.rule import Rule
from fsmcheck.spec.load import LoadedDocument


def check(document: LoadedDocument) -> Iterable[Finding]:
    return RULE.from_faults(document)


RULE = Rule("FSM002", "schema-violation", Severity.ERROR, check)
