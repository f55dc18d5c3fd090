"""An expression or a value has the wrong type.

Operands must fit their operator, guards must be boolean, defaults and assigned values must fit their field, and only
text, numbers and booleans can become part of a text.

## Why it matters
The type error that is certain here is an evaluation error at run time: the guard counts as false, or the action fails
and the machine stays where it is.

## Example
```yaml
context:
  tries: { type: integer, default: "0" }            # text in an integer field
states:
  ask:
    transitions:
      - toState: done
        guards:
          - { backend: cel, expression: context.tries }   # no boolean
```

## How to fix
Compare or convert: `context.tries > 3`, `string(context.tries)`; quote what shall be text, and only that.

## Limits
Types are those of the declared fields. Whether an integer is null, an index in range or a key present depends on the
run; FSM304 looks at that. Values of `append` and `put` are checked by FSM105.
"""

from __future__ import annotations

from collections.abc import Iterable

from fsmcheck.diagnostics import Finding, Severity
from fsmcheck.rules.rule import Rule
from fsmcheck.spec.load import LoadedDocument


def check(document: LoadedDocument) -> Iterable[Finding]:
    return RULE.from_faults(document)


RULE = Rule("FSM004", "cel-type", Severity.ERROR, check)
