"""A text is compared with or assigned to an enum and is not one of its values.

Looked at are `==`, `!=` and `in` in expressions, literals that are assigned, and defaults. The empty text is always
allowed: it empties the field.

## Why it matters
The comparison has the same outcome in every run, so a transition is dead or always open; the assignment fails.

## Example
```yaml
context:
  outcome: { type: enum, values: [done, replan, abort] }
states:
  execute:
    transitions:
      - toState: finish
        guards:
          - { backend: cel, expression: "context.outcome == 'finished'" }
```

## How to fix
Use one of the values, or add the missing one to `values`.

## Limits
Only literals are seen. A text that is computed or staged may still be outside the enum: FSM304 and the reducer look
at that.
"""

from __future__ import annotations

from collections.abc import Iterator

from fsmcheck.cel.ast import Conditional, Expr, FieldRef, Literal
from fsmcheck.cel.check import enum_literal_mismatches
from fsmcheck.cel.types import Kind, Type
from fsmcheck.diagnostics import Finding, Fix, Related, Severity, Subject
from fsmcheck.rules.places import expressions_of, writes_of
from fsmcheck.rules.rule import Rule
from fsmcheck.source import Span
from fsmcheck.spec.load import LoadedDocument
from fsmcheck.spec.model import ActionValue, Constant, Expression, Operator, Spec
from fsmcheck.spec.splice import within
from fsmcheck.spec.wording import shown
from fsmcheck.spelling import nearest, suggestion


def check(document: LoadedDocument) -> Iterator[Finding]:
    if document.spec is not None:
        yield from _defaults(document.spec)
        yield from _comparisons(document.spec)
        yield from _assignments(document.spec)


def _defaults(spec: Spec) -> Iterator[Finding]:
    for field in spec.fields:
        if field.default is not None and _is_outside(field.default.value, field.type):
            name = field.name.text
            what = f"the default of {shown(name)}"
            yield _finding(spec, what, str(field.default.value), field.type, field.default.span, Subject(field=name))


def _comparisons(spec: Spec) -> Iterator[Finding]:
    for place in expressions_of(spec):
        tree = place.expression.tree
        for mismatch in enum_literal_mismatches(tree) if tree is not None else ():
            name = mismatch.subject.name if isinstance(mismatch.subject, FieldRef) else None
            subject = Subject(place.subject.state, place.subject.transition, name)
            what = "an enum" if name is None else shown(name)
            span = place.expression.place(mismatch.literal.span)
            yield _finding(spec, f"{what} is compared with", str(mismatch.literal.value), mismatch.enum, span, subject)


def _assignments(spec: Spec) -> Iterator[Finding]:
    for place in writes_of(spec):
        field = spec.field_by_name.get(place.write.field.text)
        if place.operator is not Operator.ASSIGN or field is None:
            continue
        for value, span in _literals(place.write.value):
            if _is_outside(value, field.type):
                what = f"{shown(field.name.text)} is assigned"
                yield _finding(spec, what, str(value), field.type, span, place.subject)


def _literals(value: ActionValue) -> Iterator[tuple[object, Span]]:
    if isinstance(value, Constant):
        yield value.value, value.span
    elif isinstance(value, Expression) and value.tree is not None:
        for literal in _outcomes(value.tree):
            yield literal.value, value.place(literal.span)


def _outcomes(tree: Expr) -> Iterator[Literal]:
    match tree:
        case Literal():
            yield tree
        case Conditional(then=then, otherwise=otherwise):
            yield from _outcomes(then)
            yield from _outcomes(otherwise)


def _is_outside(value: object, type_: Type) -> bool:
    return type_.kind is Kind.ENUM and isinstance(value, str) and value != "" and value not in type_.value_set


def _finding(spec: Spec, what: str, value: str, enum: Type, span: Span, subject: Subject) -> Finding:
    declared = spec.field_by_name.get(subject.field or "")
    elsewhere = declared is not None and subject.state is not None
    related = (Related("declared here", declared.name.span),) if declared is not None and elsewhere else ()
    verb = " " if what.endswith(("with", "assigned")) else " is "
    message = f"{what}{verb}{shown(value)}, which is not one of its values"
    hint = suggestion(value, enum.values, "values")
    fix = _respelling(spec, span, value, enum)
    return RULE.finding(message, span, hint, subject=subject, related=related, fix=fix)


def _respelling(spec: Spec, span: Span, value: str, enum: Type) -> Fix | None:
    meant = nearest(value, enum.values)
    edit = None if meant is None else within(spec.source.text, span, value, meant)
    return None if meant is None or edit is None else Fix(f"change to {shown(meant)}", (edit,))


RULE = Rule("FSM104", "not-in-values", Severity.ERROR, check)
