"""Other values that a field could have held: those that the guards of a transition can tell apart."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import product

from fsmcheck.cel.ast import Literal, walk
from fsmcheck.cel.types import DYN, Kind, Type
from fsmcheck.cel.values import MapValue, Value, is_empty
from fsmcheck.reducer.store import Store, identity
from fsmcheck.spec.model import Transition

_FRESH_TEXTS = ("some other text", "z", "A", "0", " ", "ünlike any 7 of them!")
_LARGEST_SIZE = 300
_MOST_PAIRS = 12


def candidates(type_: Type, field: str, transition: Transition, store: Store) -> Iterator[Value]:
    """Set values of the type other than the field's own.

    They are built from the literals of the transition's guards, the values of the other fields (with their
    neighbours, for numbers) and a few that occur nowhere.
    """
    seen = {identity(store[field])}
    known = tuple(_known(transition, field, store))
    for value in _values(type_, known):
        if not is_empty(value) and identity(value) not in seen:
            seen.add(identity(value))
            yield value


def _known(transition: Transition, field: str, store: Store) -> Iterator[Value]:
    for guard in transition.guards:
        if guard.expression is not None and guard.expression.ast is not None:
            yield from (node.value for node in walk(guard.expression.ast) if isinstance(node, Literal))
    for name, value in store.items():
        if name == field:
            continue
        if isinstance(value, tuple):
            yield from value
        elif isinstance(value, MapValue):
            yield from (*value, *value.values())
        yield value


def _values(type_: Type, known: tuple[Value, ...]) -> Iterator[Value]:
    match type_.kind:
        case Kind.BOOLEAN:
            yield from (True, False)
        case Kind.ENUM:
            yield from type_.values
        case Kind.STRING:
            yield from _texts(known)
        case Kind.INTEGER:
            yield from _integers(known)
        case Kind.NUMBER:
            yield from (float(number) for number in _integers(known))
            yield from _fractions(known)
        case Kind.LIST:
            yield from _lists(type_.element or DYN, known)
        case Kind.MAP:
            yield from _maps(type_.element or DYN, known)


def _texts(known: Iterable[Value]) -> Iterator[str]:
    texts = [value for value in known if isinstance(value, str) and value]
    yield from _FRESH_TEXTS
    yield from texts
    yield from (str(number) for number in _integers(known))
    yield from ("~" * size for size in _sizes(known))
    few = texts[:_MOST_PAIRS]
    yield from (first + second for first, second in product(few, (*few, "~")))
    yield from ("~" + text for text in few)


def _integers(known: Iterable[Value]) -> Iterator[int]:
    yield from (0, 1, -1, 2, 1000, -1000, 2**53, -(2**53))
    for value in known:
        if isinstance(value, int | float) and not isinstance(value, bool) and abs(value) < 2**53:
            yield from (int(value), int(value) + 1, int(value) - 1, -int(value))


def _fractions(known: Iterable[Value]) -> Iterator[float]:
    yield from (0.5, -0.5, 1e-9, 1e300, -1e300)
    for value in known:
        if isinstance(value, float):
            yield from (value, value + 0.5, value - 0.5)


def _sizes(known: Iterable[Value]) -> Iterator[int]:
    yield from sorted({size for size in (1, 2, 3, *_integers(known)) if 0 < size <= _LARGEST_SIZE})


def _elements(element: Type, known: tuple[Value, ...]) -> list[Value]:
    """Some elements, the fresh ones first."""
    return [value for value in _values(element, known) if not is_empty(value)][: 4 * _MOST_PAIRS]


def _lists(element: Type, known: tuple[Value, ...]) -> Iterator[Value]:
    elements = _elements(element, known)
    yield from ((part,) for part in elements)
    yield from ((part,) * size for part in elements[:2] for size in _sizes(known))
    few = elements[:_MOST_PAIRS]
    yield from product(few, few)
    yield from (value for value in known if isinstance(value, tuple))


def _maps(element: Type, known: tuple[Value, ...]) -> Iterator[Value]:
    elements = _elements(element, known)
    keys = [*_FRESH_TEXTS[:2], *(value for value in known if isinstance(value, str) and value)]
    yield from (MapValue([(key, part)]) for key in keys[:_MOST_PAIRS] for part in elements)
    yield from (MapValue((f"key {n}", elements[0]) for n in range(size)) for size in _sizes(known))
    yield from (MapValue((key, part) for key in keys) for part in elements)
