"""Values that are worth staging: those that a spec compares with, their neighbours, and ones that it does not know."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from itertools import islice, product

from fsmcheck.cel.ast import Binary, BinaryOp, Expr, FieldRef, Literal, walk
from fsmcheck.cel.types import Kind, Type
from fsmcheck.reducer.json_values import JsonValue
from fsmcheck.reducer.runnable import expressions
from fsmcheck.spec.model import Spec

_LARGEST = 2**53
_COMPARING = frozenset(
    (BinaryOp.EQ, BinaryOp.NE, BinaryOp.LT, BinaryOp.LE, BinaryOp.GT, BinaryOp.GE, BinaryOp.IN),
)


class ValuePool:
    """For each field, values that tell the branches of a spec apart."""

    def __init__(self, spec: Spec) -> None:
        self.spec = spec
        self._compared = _comparisons(spec)

    def values(self, name: str) -> list[JsonValue]:
        """Set values of a field, the least remarkable last; never empty."""
        kind = self.spec.field_by_name[name].type
        if kind.kind in (Kind.LIST, Kind.MAP):
            return _collections(kind, name)
        return _scalars(kind, name, self._compared.get(name, ()))

    def choices(self, names: list[str], limit: int) -> Iterator[dict[str, JsonValue]]:
        """Ways to give all of some fields a value."""
        for chosen in islice(product(*(self.values(name) for name in names)), limit):
            yield dict(zip(names, chosen, strict=True))

    def misfit(self, name: str) -> JsonValue:
        """A value of another type, not empty."""
        match self.spec.field_by_name[name].type.kind:
            case Kind.STRING | Kind.ENUM:
                return 7
            case _:
                return "not of this type"


def _scalars(kind: Type, name: str, compared: tuple[object, ...]) -> list[JsonValue]:
    match kind.kind:
        case Kind.ENUM:
            return list(kind.values)
        case Kind.BOOLEAN:
            return [True, False]
        case Kind.INTEGER | Kind.NUMBER:
            numbers: dict[int | float, None] = {}
            for value in compared:
                if isinstance(value, int | float) and not isinstance(value, bool):
                    numbers |= dict.fromkeys((value, value - 1, value + 1))
            whole = [int(n) if kind.kind is Kind.INTEGER else n for n in numbers if abs(n) <= _LARGEST]
            return [*whole] or [1]
        case _:
            texts = [value for value in compared if isinstance(value, str) and value]
            return [*texts, f"{name} 1"]


def _collections(kind: Type, name: str) -> list[JsonValue]:
    element = _scalars(kind.element or kind, name, ())
    first, second = element[0], element[-1]
    if kind.kind is Kind.LIST:
        return [[first], [first, second, first]]
    return [{"k": first}, {"k": first, "l": second}]


def _comparisons(spec: Spec) -> Mapping[str, tuple[object, ...]]:
    """The constants that each field is compared with somewhere."""
    found: dict[str, dict[object, None]] = {}
    for expression in spec_expressions(spec):
        for node in walk(expression):
            if isinstance(node, Binary) and node.op in _COMPARING:
                sides = (node.left, node.right)
                constants = [side.value for side in sides if isinstance(side, Literal)]
                for side in sides:
                    for inner in walk(side):
                        if isinstance(inner, FieldRef):
                            found.setdefault(inner.name, {}).update(dict.fromkeys(constants))
    return {name: tuple(values) for name, values in found.items()}


def spec_expressions(spec: Spec) -> Iterator[Expr]:
    """Every expression of a spec that was read."""
    for state in spec.states:
        actions = [*state.entry, *state.exit]
        for transition in state.transitions:
            actions.extend(transition.actions)
            for guard in transition.guards:
                if guard.expression is not None and guard.expression.ast is not None:
                    yield guard.expression.ast
        for action in actions:
            for write in action.writes:
                for expression in expressions(write.value):
                    if expression.ast is not None:
                        yield expression.ast
