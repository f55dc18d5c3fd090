"""Concrete values that the guards of a state may tell apart, the most telling first."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import pairwise
from math import isfinite, nan

from fsmcheck.cel.ast import Call, Expr, Literal, Select, walk
from fsmcheck.cel.types import Kind, Type
from fsmcheck.cel.values import MapValue, Value, is_empty
from fsmcheck.records import dataclass
from fsmcheck.spec.model import Constant, Spec, State
from fsmcheck.system.domains import writes
from fsmcheck.system.ranges import STAGED_LIMIT

LONGEST = 200
"""Sizes up to this are tried where a guard names them."""

MOST = 48
"""Values of one field."""

OTHER_TEXTS = ("something", "another", "a", "7", "Some words, and more.")
"""Texts that are probably none that a guard names: two that differ, and some of other shapes."""


@dataclass(frozen=True, slots=True)
class Named:
    """The literals that some guards name, in the order of the text; ``tests`` are those that text functions get."""

    texts: tuple[str, ...]
    numbers: tuple[int | float, ...]
    tests: tuple[str, ...]

    @property
    def sizes(self) -> tuple[int, ...]:
        """Sizes around the integers named."""
        around = [n + d for n in self.numbers if isinstance(n, int) for d in (0, -1, 1)]
        return tuple(dict.fromkeys(size for size in (1, *around, 0, 2) if 0 <= size <= LONGEST))


def named(state: State) -> Named:
    """The literals that the guards of a state name."""
    texts: dict[str, None] = {}
    numbers: dict[int | float, None] = {}
    tests: dict[str, None] = {}
    for transition in state.transitions:
        for guard in transition.guards:
            if guard.expression is not None and guard.expression.ast is not None:
                _collect(guard.expression.ast, texts, numbers, tests)
    return Named(tuple(texts), tuple(numbers), tuple(tests))


def _collect(ast: Expr, texts: dict[str, None], numbers: dict[int | float, None], tests: dict[str, None]) -> None:
    for node in sorted(walk(ast), key=lambda each: each.span.start):
        match node:
            case Literal(value=str() as text):
                texts[text] = None
            case Literal(value=bool()):
                pass
            case Literal(value=int() | float() as number):
                numbers.setdefault(number)
            case Select(name=name):
                texts[name] = None
            case Call(args=args):
                tests.update((arg.value, None) for arg in args if isinstance(arg, Literal) and type(arg.value) is str)
            case _:
                pass


def candidates(spec: Spec, state: State, name: str, *, empty: bool) -> tuple[Value, ...]:
    """Values of a field for the guards of a state; the empty one is the last, if it is wanted at all."""
    declared = spec.field_by_name[name].type
    found = list(_values(declared, named(state)))
    if declared.kind is Kind.NUMBER and is_computed(spec, name):
        found.append(nan)
    nothing = _nothing(declared)
    distinct = [value for value in _distinct(found) if not is_empty(value)]
    return (*distinct[:MOST], nothing) if empty else tuple(distinct[:MOST])


def is_computed(spec: Spec, name: str) -> bool:
    """Whether an action computes a field's value: a number can be NaN only so."""
    return any(write.field.text == name and not isinstance(write.value, Constant) for write in writes(spec))


def _nothing(declared: Type) -> Value:
    match declared.kind:
        case Kind.STRING | Kind.ENUM:
            return ""
        case Kind.LIST:
            return ()
        case Kind.MAP:
            return MapValue()
        case _:
            return None


def _distinct(values: Iterable[Value]) -> list[Value]:
    return list({(type(value), value): value for value in values}.values())


def _values(declared: Type, literals: Named) -> Sequence[Value]:
    match declared.kind:
        case Kind.ENUM:
            mentioned = [text for text in literals.texts if text in declared.values]
            return [*mentioned, *declared.values]
        case Kind.STRING:
            return _texts(literals)
        case Kind.BOOLEAN:
            return [True, False]
        case Kind.INTEGER:
            return _integers(literals)
        case Kind.NUMBER:
            return _numbers(literals)
        case Kind.LIST:
            return _lists(declared.element or declared, literals)
        case Kind.MAP:
            return _maps(declared.element or declared, literals)
        case _:
            return []


def _texts(literals: Named) -> list[str]:
    others = [text for text in OTHER_TEXTS if text not in literals.texts]
    around = [text for test in literals.tests for text in (f"{test} etc", f"so {test}", f"so {test} etc")]
    sized = ["x" * size for size in literals.sizes if size > 2]
    return [*literals.texts, *others[:2], *around, *sized, *others[2:]]


def _integers(literals: Named) -> list[int]:
    whole = [int(number) for number in literals.numbers if isfinite(number)]
    near = [number + d for number in whole for d in (1, -1)]
    wanted = [*whole, *near, 0, 1, *(-number for number in whole), -1]
    return [number for number in dict.fromkeys(wanted) if abs(number) <= STAGED_LIMIT]


def _numbers(literals: Named) -> list[float]:
    cuts = sorted({float(number) for number in literals.numbers if isfinite(number)})
    between = [low + (high - low) / 2 for low, high in pairwise(cuts)]
    outside = [cuts[-1] + 1.0, cuts[0] - 1.0] if cuts else [1.0]
    return [*(float(number) for number in literals.numbers), *between, *outside, 0.0, -1.0]


def _elements(kind: Type, literals: Named) -> list[Value]:
    """Elements to look for, then one that nothing names."""
    return [value for value in _distinct(_values(kind, literals)) if not is_empty(value)][:6]


def _lists(kind: Type, literals: Named) -> list[tuple[Value, ...]]:
    elements = _elements(kind, literals) or ["something"]
    filler = elements[-1]
    found: list[tuple[Value, ...]] = [(element,) for element in elements]
    for size in literals.sizes:
        found.append((filler,) * size)
        for element in elements[:3] if size > 0 else ():
            found += [(*(filler,) * (size - 1), element), (element, *(filler,) * (size - 1)), (element,) * size]
    return [*found, tuple(elements)]


def _maps(kind: Type, literals: Named) -> list[MapValue]:
    keys = [*literals.texts, "something"][:6]
    values = _elements(kind, literals) or ["something"]
    found = [MapValue([(key, value)]) for key in keys for value in values[:3]]
    found += [MapValue([(f"key {number}", values[-1]) for number in range(size)]) for size in literals.sizes]
    return [*found, *(MapValue([(key, value) for key in keys]) for value in values[:3])]
