"""A guard or an action can fail to evaluate.

No guard or action that is evaluated in a reachable configuration fails: no operator meets an empty number, no index is
out of range, no key is missing, nothing is divided by zero, no null is appended, no text outside an enum is assigned.

## Why it matters
A guard that fails counts as false, so the machine goes another way than meant. An action that fails stops the run.

## Example
```yaml
context:
  attempts: { type: integer }        # empty until it is first assigned
states:
  retry:
    entry:
      - assign: { attempts: "${ context.attempts + 1 }" }
```

## How to fix
Give the field a `default`, or test it first. In a guard: `context.attempts != null && context.attempts < 3`. In a
value: `"${ context.attempts == null ? 1 : context.attempts + 1 }"`.

## Limits
Integers from agents and inputs lie within ±2^53. An overflow is judged for each evaluation by itself with operands of
that size: counting up to 2^63 is not reported.
"""

from __future__ import annotations

from collections.abc import Iterator

from fsmcheck.cel.types import Kind
from fsmcheck.diagnostics import Finding, Related, Severity
from fsmcheck.obligations.obligation import Verdict
from fsmcheck.rules.account import Held, held, inner_span, number, text
from fsmcheck.rules.behaviour import BehaviourRule
from fsmcheck.rules.mentions import actions_of, expressions_in, has_first_value, mentioned
from fsmcheck.rules.naming import heading_for, names, state_of, transition_of
from fsmcheck.source import Span
from fsmcheck.spec.model import Constant, Guard, Spec, Write
from fsmcheck.spec.wording import shown

_HINTS = (
    ("by zero", "test the divisor first"),
    ("out of range", "test the size of the list first"),
    ("has no key", 'test with "in" or "has" whether the key is there'),
    ("overflow", "keep the operands small"),
)
_BY_ITSELF = frozenset({Kind.INTEGER, Kind.NUMBER, Kind.BOOLEAN})


def read(spec: Spec, verdict: Verdict) -> Finding:
    why = text(verdict, "message")
    what, span = _of_guard(spec, verdict) if verdict.obligation.subject.field is None else _of_action(spec, verdict)
    message = f"{what} can fail to evaluate" + (f": {why}" if why else "")
    return RULE.finding(verdict, message, span, _help(spec, verdict), related=tuple(_declared(spec, verdict)))


def _of_guard(spec: Spec, verdict: Verdict) -> tuple[str, Span]:
    subject = verdict.obligation.subject
    state, transition = state_of(spec, subject), transition_of(spec, subject)
    what = f"a guard of {heading_for(state, transition)}"
    index = number(verdict, "guard") or 0
    if index >= len(transition.guards):
        return what, transition.target.span
    return what, _guard_span(transition.guards[index], inner_span(verdict))


def _guard_span(guard: Guard, inner: Span | None) -> Span:
    if guard.expression is None:
        return guard.span
    return guard.expression.place(inner) if inner else guard.expression.span


def _of_action(spec: Spec, verdict: Verdict) -> tuple[str, Span]:
    subject = verdict.obligation.subject
    state, field = state_of(spec, subject), subject.field or ""
    fields = {item.field for item in held(verdict)}
    mine = [
        write
        for action in actions_of(state, subject.transition)
        for write in action.writes
        if write.field.text == field and not isinstance(write.value, Constant)
    ]
    fitting = [write for write in mine if mentioned(expressions_in(write.value)) == fields]
    write = next(iter(fitting or mine), None)
    return f"the value for {shown(field)}", state.name.span if write is None else _value_span(write, verdict)


def _value_span(write: Write, verdict: Verdict) -> Span:
    """The part that fails; the whole value where it could be in one of several expressions."""
    inner, parts = inner_span(verdict), expressions_in(write.value)
    return parts[0].place(inner) if inner is not None and len(parts) == 1 else write.value.span


def _empty_numbers(spec: Spec, verdict: Verdict) -> list[Held]:
    """The fields at fault that are empty and of a type whose empty value fits no operator."""
    return [
        item
        for item in held(verdict)
        if item.value is None and item.field in spec.field_by_name and _kind(spec, item.field) in _BY_ITSELF
    ]


def _kind(spec: Spec, field: str) -> Kind:
    return spec.field_by_name[field].type.kind


def _help(spec: Spec, verdict: Verdict) -> str:
    empty = _empty_numbers(spec, verdict)
    if empty:
        return _help_with_empty(spec, empty, in_guard=verdict.obligation.subject.field is None)
    why = text(verdict, "message")
    return next((hint for sign, hint in _HINTS if sign in why), "test first what would make it fail")


def _help_with_empty(spec: Spec, empty: list[Held], *, in_guard: bool) -> str:
    fields = [item.field for item in empty]
    what = f"{names(fields)} can be empty here"
    if in_guard:
        tests = " && ".join(f"context.{field} != null" for field in fields)
        return f'{what}: test {_them(fields)} first, for example "{tests} && …"'
    tests = " || ".join(f"context.{field} == null" for field in fields)
    conditional = f'write a value for that case too, for example "{tests} ? … : …"'
    lacking = [item.field for item in empty if item.origin != "action" and _has_no_default(spec, item.field)]
    if not lacking:
        return f"{what}: {conditional}"
    given = _them(fields) if lacking == fields else names(lacking)
    return f"{what}: give {given} a default, or {conditional}"


def _them(fields: list[str]) -> str:
    return "it" if len(fields) == 1 else "them"


def _has_no_default(spec: Spec, field: str) -> bool:
    return spec.field_by_name[field].default is None


def _declared(spec: Spec, verdict: Verdict) -> Iterator[Related]:
    for item in _empty_numbers(spec, verdict):
        name = item.field
        if _has_no_default(spec, name):
            never = "" if has_first_value(spec, name) else ", and nothing gives it a first value"
            yield Related(f"{shown(name)} has no default{never}", spec.field_by_name[name].name.span)


RULE = BehaviourRule("FSM304", "evaluation-error", Severity.ERROR, read)
