"""Concrete contexts that an abstract one stands for."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from math import inf, nan, nextafter

from fsmcheck.cel.types import Kind, Type
from fsmcheck.cel.values import MapValue, Value
from fsmcheck.reducer.store import empty_value
from fsmcheck.system.domains import TextClass
from fsmcheck.system.layout import Layout
from fsmcheck.system.symbolic import InClass, NumberSlot, SizedSlot, slot_variables

LARGEST = 2_000
"""Elements of a collection that is made up."""

Abstract = Mapping[str, bool | int]


def contexts(layout: Layout, fields: Sequence[str], values: Abstract) -> Iterator[Mapping[str, Value]]:
    """Some of the contexts: texts that nothing names all alike, then each another."""
    for alike in (False, True):
        context = {name: _value(layout, name, values, alike) for name in fields}
        if all(value is not _TOO_LARGE for value in context.values()):
            yield context


_TOO_LARGE: Value = ("too large to write out",)


def _value(layout: Layout, name: str, values: Abstract, alike: bool) -> Value:
    slot, declared = layout.store[name], layout.types[name]
    given = [values[variable] for variable in slot_variables(name, slot)]
    match slot:
        case InClass(text_class=text_class):
            return _text(declared, text_class, int(given[0]), "something" if alike else f"some {name}")
        case NumberSlot():
            return _number(layout.domains.cuts, int(given[0]))
        case SizedSlot(facts=facts):
            members = [member for member, holds in zip(facts, given[1:], strict=True) if holds]
            return _collection(declared, int(given[0]), members, list(facts))
        case _:
            return None if given[0] else given[1]


def _text(declared: Type, text_class: TextClass, index: int, other: str) -> str:
    for literal, number in text_class.literals.items():
        if number == index:
            return literal
    if declared.kind is Kind.ENUM:
        return declared.values[0]
    return other if other not in text_class.literals else f"{other} else"


def _number(cuts: Sequence[float], region: int) -> float | None:
    """A double of a region: null, NaN, then intervals and the points between them in turn."""
    if region < 2:
        return nan if region else None
    place, point = divmod(region - 2, 2)
    if point:
        return cuts[place]
    low = cuts[place - 1] if place > 0 else -inf
    high = cuts[place] if place < len(cuts) else inf
    if low == -inf and high == inf:
        return 1.0
    if low == -inf:
        return min(high - 1.0, nextafter(high, -inf))
    return max(low + 1.0, nextafter(low, inf)) if high == inf else low + (high - low) / 2


def _collection(declared: Type, size: int, members: Sequence[object], named: Sequence[object]) -> Value:
    if size > LARGEST:
        return _TOO_LARGE
    element = declared.element or declared
    if declared.kind is Kind.MAP:
        keys = [str(member) for member in members]
        spare = (f"key {number}" for number in range(1, size + len(named) + 1))
        keys += [key for key in spare if key not in named][: max(0, size - len(keys))]
        return MapValue([(key, _filler(element, ())) for key in keys])
    items: list[Value] = [member for member in members if isinstance(member, bool | int | float | str)]
    return (*items, *(_filler(element, named),) * max(0, size - len(items)))


def _filler(element: Type, named: Sequence[object]) -> Value:
    """An element that nothing names, if there is one."""
    choices: Sequence[Value]
    match element.kind:
        case Kind.INTEGER:
            choices = range(1, len(named) + 2)
        case Kind.NUMBER:
            choices = [float(number) + 0.5 for number in range(len(named) + 1)]
        case Kind.BOOLEAN:
            choices = (True, False)
        case Kind.ENUM:
            choices = element.values
        case _:
            choices = ["something", *(f"something {number}" for number in range(len(named)))]
    return next((choice for choice in choices if choice not in named), choices[0] if choices else empty_value(element))
