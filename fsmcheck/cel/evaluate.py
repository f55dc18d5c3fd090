"""The evaluator: the one run-time semantics that everything here shares.

It does not rely on the checker: on an unchecked tree every operation looks at the values it gets, as CEL
prescribes, so that an expression that cannot be typed still evaluates as it does elsewhere.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping

from fsmcheck.cel.ast import (
    Binary,
    BinaryOp,
    Call,
    Comprehension,
    Conditional,
    Expr,
    FieldRef,
    Has,
    Index,
    ListLiteral,
    Literal,
    Macro,
    MapLiteral,
    Select,
    Unary,
    UnaryOp,
    Variable,
)
from fsmcheck.cel.conversions import to_string
from fsmcheck.cel.errors import NOWHERE, EvaluationError, WorkLimit, quoted
from fsmcheck.cel.library import apply
from fsmcheck.cel.limits import DEFAULT_WORK
from fsmcheck.cel.operators import OperationFailed, arithmetic, compare, equal, negate, shape
from fsmcheck.cel.values import MapValue, Value, is_empty
from fsmcheck.source import Span

__all__ = ["EvaluationError", "WorkLimit", "evaluate", "to_text"]


def evaluate(
    expr: Expr,
    store: Mapping[str, Value],
    variables: Mapping[str, Value] | None = None,
    budget: int = DEFAULT_WORK,
) -> Value:
    """The value of an expression in a store that holds every declared field.

    ``variables`` are the free variables that ``parse`` was told of. Raises EvaluationError, with the span of the
    sub-expression that failed, where CEL has no value, and WorkLimit after ``budget`` units of work.
    """
    try:
        return _Evaluation(store, variables or {}, budget).value(expr)
    except RecursionError:
        raise WorkLimit("the evaluation is nested too deeply", expr.span) from None


def to_text(value: Value, span: Span = NOWHERE) -> str:
    """A value as CEL's ``string()`` writes it. Raises EvaluationError at ``span`` for null, a list or a map."""
    try:
        return to_string(value)
    except OperationFailed as failure:
        raise EvaluationError(str(failure), span) from None


class _OutOfWork(Exception):  # noqa: N818
    """The budget is used up."""


class _Evaluation:
    """One evaluation: the store, the variables in scope and what is left of the budget."""

    __slots__ = ("_remaining", "_store", "_variables")

    def __init__(self, store: Mapping[str, Value], variables: Mapping[str, Value], budget: int) -> None:
        self._store = store
        self._variables = variables
        self._remaining = budget

    def value(self, node: Expr) -> Value:
        """The value of a node. Raises EvaluationError and WorkLimit."""
        try:
            self._spend(1)
            return self._operation(node)
        except OperationFailed as failure:
            raise EvaluationError(str(failure), node.span) from None
        except _OutOfWork:
            raise WorkLimit("the evaluation takes too much work", node.span) from None

    def _spend(self, units: int) -> None:
        self._remaining -= units
        if self._remaining < 0:
            raise _OutOfWork

    def _operation(self, node: Expr) -> Value:
        match node:
            case FieldRef(name=name):
                return self._field(name)
            case Literal(value=value):
                return value
            case Binary(op=op, left=left, right=right):
                if op is BinaryOp.AND or op is BinaryOp.OR:
                    return self._settle(op is BinaryOp.OR, (left, right))
                return self._binary(op, self.value(left), self.value(right))
            case Unary(op=op, operand=operand):
                return not self._condition(operand) if op is UnaryOp.NOT else negate(self.value(operand))
            case Conditional(condition=condition, then=then, otherwise=otherwise):
                return self.value(then if self._condition(condition) else otherwise)
            case Call(function=function, args=args):
                return apply(function, tuple(self.value(arg) for arg in args), self._spend)
            case Variable(name=name):
                if name not in self._variables:
                    raise OperationFailed(f"unknown name {quoted(name)}")
                return self._variables[name]
            case _:
                return self._collection(node)

    def _collection(self, node: Select | Index | Has | ListLiteral | MapLiteral | Comprehension) -> Value:
        match node:
            case Select(operand=operand, name=name):
                return _entry(self._map(operand, name), name)
            case Index(operand=operand, index=index):
                return _element(self.value(operand), self.value(index))
            case Has(operand=subject):
                if isinstance(subject, FieldRef):
                    return not is_empty(self._field(subject.name))
                return subject.name in self._map(subject.operand, subject.name)
            case ListLiteral(elements=elements):
                return tuple(self.value(element) for element in elements)
            case MapLiteral(entries=entries):
                return _map_of([(self.value(key), self.value(value)) for key, value in entries])
            case Comprehension():
                return self._comprehension(node)

    def _field(self, name: str) -> Value:
        if name not in self._store:
            raise OperationFailed(f"unknown field {quoted(name)}")
        return self._store[name]

    def _condition(self, node: Expr) -> bool:
        value = self.value(node)
        if isinstance(value, bool):
            return value
        raise EvaluationError(f"a condition is {shape(value)}: expected a boolean", node.span)

    def _settle(self, decisive: bool, conditions: Iterable[Expr]) -> bool:
        """``decisive`` if any condition is, whatever failed before; else the first failure, else the opposite."""
        failure: EvaluationError | None = None
        for condition in conditions:
            try:
                if self._condition(condition) is decisive:
                    return decisive
            except WorkLimit:
                raise
            except EvaluationError as error:
                failure = failure or error
        if failure is not None:
            raise failure
        return not decisive

    def _binary(self, op: BinaryOp, left: Value, right: Value) -> Value:
        match op:
            case BinaryOp.EQ:
                return equal(left, right, self._spend)
            case BinaryOp.NE:
                return not equal(left, right, self._spend)
            case BinaryOp.LT | BinaryOp.LE | BinaryOp.GT | BinaryOp.GE:
                return compare(op, left, right)
            case BinaryOp.IN:
                return self._contains(left, right)
            case _:
                self._spend((_length(left) + _length(right)) // 8)
                return arithmetic(op, left, right)

    def _contains(self, item: Value, collection: Value) -> bool:
        match collection:
            case tuple():
                self._spend(len(collection) // 8)
                return any(equal(item, element, self._spend) for element in collection)
            case MapValue():
                return _has_key(collection, item)
        raise OperationFailed(f'"in" has {shape(collection)} on its right: expected a list or a map')

    def _map(self, operand: Expr, name: str) -> MapValue:
        value = self.value(operand)
        if isinstance(value, MapValue):
            return value
        raise OperationFailed(f"{shape(value)} has no {quoted(name)}: expected a map")

    def _comprehension(self, node: Comprehension) -> Value:
        macro = node.macro
        range_ = self.value(node.range)
        if not isinstance(range_, tuple | MapValue):
            raise OperationFailed(f'"{macro.value}" has {shape(range_)}: expected a list or a map')
        outer = self._variables
        try:
            return self._loop(node, tuple(range_))
        finally:
            self._variables = outer

    def _loop(self, node: Comprehension, items: tuple[Value, ...]) -> Value:
        scope: dict[str, Value] = dict(self._variables)
        self._variables = scope

        def bound() -> Iterator[Value]:
            for item in items:
                self._spend(1)
                scope[node.variable] = item
                yield item

        match node.macro:
            case Macro.ALL:
                return self._settle(False, (node.body for _ in bound()))
            case Macro.EXISTS:
                return self._settle(True, (node.body for _ in bound()))
            case Macro.EXISTS_ONE:
                return sum(self._condition(node.body) for _ in bound()) == 1
            case Macro.FILTER:
                return tuple(item for item in bound() if self._condition(node.body))
            case Macro.MAP:
                kept = (item for item in bound() if node.condition is None or self._condition(node.condition))
                return tuple(self.value(node.body) for _ in kept)


def _length(value: Value) -> int:
    """A size in units of eight characters or one element."""
    if isinstance(value, str):
        return len(value) // 8
    return len(value) if isinstance(value, tuple) else 0


def _has_key(entries: MapValue, key: Value) -> bool:
    if isinstance(key, bool | int | float | str):
        return key in entries
    raise OperationFailed(f"{shape(key)} is no map key: expected a string, an integer or a boolean")


def _entry(entries: MapValue, key: Value) -> Value:
    if _has_key(entries, key):
        return entries[key]
    raise OperationFailed(f"the map has no key {quoted(to_string(key))}")


def _element(collection: Value, index: Value) -> Value:
    match collection:
        case MapValue():
            return _entry(collection, index)
        case tuple():
            if isinstance(index, bool) or not isinstance(index, int | float) or index != index // 1:
                raise OperationFailed(f"a list is indexed with {shape(index)}: expected an integer")
            if not 0 <= index < len(collection):
                raise OperationFailed(f"index {index} is out of range: the list has {len(collection)} elements")
            return collection[int(index)]
    raise OperationFailed(f"{shape(collection)} cannot be indexed: expected a list or a map")


def _map_of(pairs: list[tuple[Value, Value]]) -> MapValue:
    for key, _ in pairs:
        if not isinstance(key, bool | int | str):
            raise OperationFailed(f"a map key is {shape(key)}: expected a string, an integer or a boolean")
    entries = MapValue(pairs)
    if len(entries) < len(pairs):
        raise OperationFailed("a map literal repeats a key")
    return entries
