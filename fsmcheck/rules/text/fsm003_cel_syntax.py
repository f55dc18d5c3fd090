"""An expression is not CEL, or uses a part of CEL that is not supported.

Looked at are guards, the `${ … }` in the values of actions, and the `{{ … }}` in descriptions.

## Why it matters
A guard that does not parse counts as false at run time, so the transition never fires; a value that does not parse
makes the action fail.

## Example
```yaml
expression: "context.outcome = 'done'"     # a comparison is ==
```

## How to fix
Mend the expression at the place that is underlined. Where text holds ` #` or `: `, quote the whole expression: YAML
cuts it off otherwise.

## Limits
The first mistake of an expression hides those after it. Supported is the subset that the page on the language lists.
"""

from __future__ import annotations

from collections.abc import Iterable

from fsmcheck.diagnostics import Finding, Severity
from fsmcheck.rules.rule import Rule
from fsmcheck.spec.load import LoadedDocument


def check(document: LoadedDocument) -> Iterable[Finding]:
    return RULE.from_faults(document)


RULE = Rule("FSM003", "cel-syntax", Severity.ERROR, check)
