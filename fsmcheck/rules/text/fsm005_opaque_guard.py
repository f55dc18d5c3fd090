"""The guard is written for a backend that is not understood here.

Only `backend: cel` is analysed. A guard of any other backend is taken as one that may hold or not.

## Why it matters
Whatever depends on such a guard can be neither proved nor refuted exactly: both outcomes are considered possible, so
verdicts get weaker around it.

## Example
```yaml
guards:
  - { backend: python, expression: "ready()" }
```

## How to fix
Write the condition in CEL over the fields of `context`; let an agent stage what the condition needs to know.

## Limits
The text of the guard is not looked at.
"""

from __future__ import annotations

from collections.abc import Iterable

from fsmcheck.diagnostics import Finding, Severity
from fsmcheck.rules.rule import Rule
from fsmcheck.spec.load import LoadedDocument


def check(document: LoadedDocument) -> Iterable[Finding]:
    return RULE.from_faults(document)


RULE = Rule("FSM005", "opaque-guard", Severity.WARNING, check)
