"""A guard is true, or false, for every value of its fields.

No guard has the same outcome whatever its fields hold.

## Why it matters
It decides nothing. The transition is always open, or dead, and the condition that was meant is missing.

## Example
```yaml
guards:
  - { backend: cel, expression: "context.outcome == 'done' || context.outcome != 'done'" }
```

## How to fix
Write the condition that was meant. A transition that is always open needs no guard.

## Limits
Each guard is looked at by itself, over all values of its fields, whether or not a run gets to them. Nothing is said
where the expression cannot be modelled exactly, where FSM104 names the reason, or where an expression has errors.
"""

from __future__ import annotations

from collections.abc import Iterator

from fsmcheck.cel.check import enum_literal_mismatches
from fsmcheck.diagnostics import Finding, Severity, Subject
from fsmcheck.rules.naming import heading_for
from fsmcheck.rules.rule import Rule
from fsmcheck.spec.load import LoadedDocument
from fsmcheck.spec.model import Guard
from fsmcheck.spec.wording import shown


def check(document: LoadedDocument) -> Iterator[Finding]:
    spec = document.spec
    if spec is None or document.faults:
        return
    from fsmcheck.obligations.constants import constant_guards

    for constant in constant_guards(spec):
        state, transition, guard = constant.state, constant.transition, constant.guard
        if _compares_outside_an_enum(guard):
            continue
        word = "true" if constant.value else "false"
        where = f"{heading_for(state, transition)} in {shown(state.name.text)}"
        message = f"a guard of {where} is {word} for every value of its fields"
        hint = "remove it, or write what was meant" if constant.value else "write what was meant"
        span = guard.expression.span if guard.expression is not None else guard.span
        yield RULE.finding(message, span, hint, subject=Subject(state.name.text, transition.index))


def _compares_outside_an_enum(guard: Guard) -> bool:
    """Whether FSM104 says already why the guard is constant."""
    tree = guard.expression.ast if guard.expression is not None else None
    return tree is not None and any(enum_literal_mismatches(tree))


RULE = Rule("FSM305", "constant-guard", Severity.WARNING, check)
