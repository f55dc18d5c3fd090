"""An `append` or `put` does not fit its field.

`append` adds an element to a list, `put` sets entries of a map, and the value must have the type of the elements.

## Why it matters
The action fails at run time, and with it the transition: the machine stays where it is.

## Example
```yaml
context:
  history: { type: list, of: string }
states:
  execute:
    exit:
      - append: { history: 3 }      # the elements are text
```

## How to fix
Use `assign` for a field that is no collection. Convert the value: `"${ string(context.count) }"`.

## Limits
Whether a value is null in some run is not decided here; FSM304 looks at that.
"""

from __future__ import annotations

from collections.abc import Iterator

from fsmcheck.cel.types import DYN, Kind, Type
from fsmcheck.diagnostics import Finding, Related, Severity
from fsmcheck.rules.places import WritePlace, writes_of
from fsmcheck.rules.rule import Rule
from fsmcheck.source import Span
from fsmcheck.spec.decode_actions import expression_type
from fsmcheck.spec.fitting import MisfitError, fit_element, type_fits, worded
from fsmcheck.spec.load import LoadedDocument
from fsmcheck.spec.model import ActionValue, Constant, Field, Name, Operator
from fsmcheck.spec.wording import shown

_COLLECTIONS = {Operator.APPEND: Kind.LIST, Operator.PUT: Kind.MAP}


def check(document: LoadedDocument) -> Iterator[Finding]:
    spec = document.spec
    if spec is None:
        return
    complained: set[Name] = set()
    for place in writes_of(spec):
        field = spec.field_by_name.get(place.write.field.text)
        wanted = _COLLECTIONS.get(place.operator)
        if wanted is None or field is None or field.type.kind is Kind.DYN:
            continue
        if field.type.kind is wanted:
            yield from _element(place, field)
        elif place.write.field not in complained:
            complained.add(place.write.field)
            yield _wrong_target(place, field, wanted)


def _wrong_target(place: WritePlace, field: Field, wanted: Kind) -> Finding:
    fitting = {Kind.LIST: '"append"', Kind.MAP: '"put"'}.get(field.type.kind, '"assign"')
    message = f'"{place.operator.value}" needs a {wanted.value}, but {shown(field.name.text)} is {_noun(field.type)}'
    related = (Related("declared here", field.name.span),)
    return RULE.finding(message, place.write.field.span, f"use {fitting}", subject=place.subject, related=related)


def _noun(type_: Type) -> str:
    return "an enum" if type_.kind is Kind.ENUM else "a string" if type_.kind is Kind.STRING else worded(type_)


def _element(place: WritePlace, field: Field) -> Iterator[Finding]:
    element = field.type.element or DYN
    found = _misfit(place.write.value, element)
    if found is not None:
        what, span, hint = found
        message = f"{shown(field.name.text)} holds elements of type {element}, but gets {what}"
        related = (Related("declared here", field.name.span),)
        yield RULE.finding(message, span, hint, subject=place.subject, related=related)


def _misfit(value: ActionValue, element: Type) -> tuple[str, Span, str | None] | None:
    if isinstance(value, Constant):
        try:
            fit_element(value.value, element)
        except MisfitError as misfit:
            return misfit.found, value.span, misfit.hint
        return None
    type_, span = expression_type(value)
    if type_ is None or (type_.kind is not Kind.NULL and type_fits(type_, element)):
        return None
    return worded(type_), span, None


RULE = Rule("FSM105", "action-type", Severity.ERROR, check)
