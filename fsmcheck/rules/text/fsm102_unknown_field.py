"""A name stands for a field that is not declared.

`requires`, the targets of actions, and `context.…` in expressions and templates name keys of `context`.

## Why it matters
An undeclared field has no type and no place in the store: a requirement on it is never met, a guard on it counts as
false, an action on it fails.

## Example
```yaml
context:
  outcome: { type: string }
states:
  execute:
    requires:
      - { name: outcom, from: { agent: executor } }
```

## How to fix
Correct the spelling, or declare the field under `context`.

## Limits
An expression with a syntax error (FSM003) is not searched for names. Nothing is said where `context` itself cannot be
read.
"""

from __future__ import annotations

from collections.abc import Iterator

from fsmcheck.diagnostics import Finding, Severity, Subject
from fsmcheck.rules.places import writes_of
from fsmcheck.rules.rule import Rule
from fsmcheck.spec.load import LoadedDocument
from fsmcheck.spec.model import Name, Spec
from fsmcheck.spec.splice import respelling
from fsmcheck.spec.wording import shown
from fsmcheck.spelling import suggestion


def check(document: LoadedDocument) -> Iterator[Finding]:
    yield from RULE.from_faults(document)
    spec = document.spec
    if spec is None:
        return
    seen: set[Name] = set()
    for name, what, subject in _names(spec):
        if name.text not in spec.field_by_name and name not in seen:
            seen.add(name)
            message = f"{what} {shown(name.text)}, which is not a declared field"
            hint = suggestion(name.text, spec.field_by_name, "fields")
            fix = respelling(spec.source.text, name.span, name.text, spec.field_by_name)
            yield RULE.finding(message, name.span, hint, subject=subject, fix=fix)


def _names(spec: Spec) -> Iterator[tuple[Name, str, Subject]]:
    for state in spec.states:
        for requirement in state.requires:
            subject = Subject(state.name.text, field=requirement.field.text)
            yield requirement.field, f"state {shown(state.name.text)} requires", subject
    for place in writes_of(spec):
        yield place.write.field, f'"{place.operator.value}" writes', place.subject


RULE = Rule("FSM102", "unknown-field", Severity.ERROR, check)
