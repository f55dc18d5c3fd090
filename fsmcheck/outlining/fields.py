"""Who writes a field and who reads it."""

from __future__ import annotations

from collections.abc import Iterator

from fsmcheck.cel.types import Kind, Type
from fsmcheck.cel.values import is_empty
from fsmcheck.outline import FieldOutline
from fsmcheck.rules.places import expressions_of, fields_named_in, writes_of
from fsmcheck.spec.model import Constant, Operator, Spec

_Places = dict[str, dict[str, None]]


def field_outlines(spec: Spec) -> tuple[FieldOutline, ...]:
    """The fields in the order declared; every name once, in the order of the text."""
    writers: _Places = {}
    for state in spec.states:
        for requirement in () if state.terminal else state.requires:
            writers.setdefault(requirement.field.text, {})[requirement.agent.text] = None
    readers, assigners, emptiers = _readers(spec), _written(spec, emptying=False), _written(spec, emptying=True)
    return tuple(
        FieldOutline(
            field.name.text,
            type_text(field.type),
            field.description or "",
            tuple(writers.get(field.name.text, ())),
            tuple(readers.get(field.name.text, ())),
            tuple(assigners.get(field.name.text, ())),
            tuple(emptiers.get(field.name.text, ())),
        )
        for field in spec.fields
    )


def type_text(type_: Type) -> str:
    """A type as it is written, with the values of an enum."""
    if type_.kind is Kind.ENUM:
        return f"enum({', '.join(type_.values)})"
    if type_.element is not None and type_.element.kind is Kind.ENUM:
        return f"{type_.kind.value} of {type_text(type_.element)}"
    return str(type_)


def place(spec: Spec, state: str | None, transition: int | None) -> str:
    """A place in words: ``plan``, or ``plan → execute`` for a transition."""
    if transition is None or state is None:
        return state or ""
    # By its index: transitions that could not be read are left out.
    targets = (each.target.text for each in spec.state_by_name[state].transitions if each.index == transition)
    return f"{state} → {next(targets, '?')}"


def _readers(spec: Spec) -> _Places:
    found: _Places = {}
    for each in expressions_of(spec):
        where = place(spec, each.subject.state, each.subject.transition)
        for name in sorted(fields_named_in(each.expression)):
            found.setdefault(name, {})[where] = None
    return found


def _written(spec: Spec, *, emptying: bool) -> _Places:
    found: _Places = {}
    for name, where in _writes(spec, emptying):
        found.setdefault(name, {})[where] = None
    return found


def _writes(spec: Spec, emptying: bool) -> Iterator[tuple[str, str]]:
    for each in writes_of(spec):
        value = each.write.value
        empties = each.operator is Operator.ASSIGN and isinstance(value, Constant) and is_empty(value.value)
        if empties == emptying:
            yield each.write.field.text, place(spec, each.subject.state, each.subject.transition)
