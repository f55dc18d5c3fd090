"""A small concrete evaluator for the oracle, compiled to closures.

It shares only the syntax tree with the product. Values are plain Python: ``None``, ``bool``, ``int``, ``float``,
``str``, a ``tuple`` for a list and a ``frozenset`` of pairs for a map (so that stores hash and compare natively).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping

from fsmcheck.cel import ast

Store = tuple[object, ...]
Bound = dict[str, object]
Compiled = Callable[[Store, Bound], object]

INT64_MIN, INT64_MAX = -(2**63), 2**63 - 1
NO_VARIABLES: Bound = {}
EMPTIES = ("", (), frozenset())


class EvaluationError(Exception):
    """The expression has no value."""


class NotCoveredError(Exception):
    """The oracle does not know this construct; the generator must not produce it."""


def same(left: object, right: object) -> bool:
    """CEL equality: null equals only null, a boolean never equals a number, 1 equals 1.0."""
    if isinstance(left, bool) or isinstance(right, bool):
        return isinstance(left, bool) and isinstance(right, bool) and left == right
    if isinstance(left, tuple) and isinstance(right, tuple):
        return len(left) == len(right) and all(map(same, left, right))
    return left == right


def _whole(value: object) -> int:
    if isinstance(value, bool) or not isinstance(value, int):
        raise EvaluationError("not an integer")
    return value


def _checked(value: int) -> int:
    if not INT64_MIN <= value <= INT64_MAX:
        raise EvaluationError("int64 overflow")
    return value


def _truncated(left: int, right: int) -> tuple[int, int]:
    """Quotient towards zero, and the remainder with the sign of the dividend."""
    if right == 0:
        raise EvaluationError("division by zero")
    quotient = abs(left) // abs(right)
    if (left < 0) != (right < 0):
        quotient = -quotient
    return quotient, left - quotient * right


def _doubles(op: ast.BinaryOp, left: float, right: float) -> float:
    match op:
        case ast.BinaryOp.ADD:
            return left + right
        case ast.BinaryOp.SUB:
            return left - right
        case ast.BinaryOp.MUL:
            return left * right
        case ast.BinaryOp.DIV if right != 0.0:
            return left / right
        case ast.BinaryOp.DIV:
            raise NotCoveredError("division of a double by zero")
        case _:
            raise EvaluationError("no such operator on doubles")


def arithmetic(op: ast.BinaryOp, left: object, right: object) -> object:
    """``+ - * / %`` on two integers, two doubles, two texts or two lists."""
    if isinstance(left, float) and isinstance(right, float):
        return _doubles(op, left, right)
    if op is ast.BinaryOp.ADD:
        if isinstance(left, str) and isinstance(right, str):
            return left + right
        if isinstance(left, tuple) and isinstance(right, tuple):
            return left + right
    first, second = _whole(left), _whole(right)
    match op:
        case ast.BinaryOp.ADD:
            return _checked(first + second)
        case ast.BinaryOp.SUB:
            return _checked(first - second)
        case ast.BinaryOp.MUL:
            return _checked(first * second)
        case ast.BinaryOp.DIV:
            return _checked(_truncated(first, second)[0])
        case _:
            return _checked(_truncated(first, second)[1])


def ordered(op: ast.BinaryOp, left: object, right: object) -> bool:
    """``< <= > >=`` on numbers, texts or booleans; anything else fails."""
    for kind in (bool, (int, float), str):
        if isinstance(left, kind) and isinstance(right, kind) and isinstance(left, bool) == isinstance(right, bool):
            match op:
                case ast.BinaryOp.LT:
                    return bool(left < right)  # type: ignore[operator]
                case ast.BinaryOp.LE:
                    return bool(left <= right)  # type: ignore[operator]
                case ast.BinaryOp.GT:
                    return bool(left > right)  # type: ignore[operator]
                case _:
                    return bool(left >= right)  # type: ignore[operator]
    raise EvaluationError("operands cannot be ordered")


def contains(item: object, collection: object) -> bool:
    if isinstance(collection, tuple):
        return any(same(item, element) for element in collection)
    if isinstance(collection, frozenset):
        return any(same(item, key) for key, _ in collection)
    raise EvaluationError("not a collection")


def element(collection: object, index: object) -> object:
    """``collection[index]``."""
    if isinstance(collection, tuple):
        position = _whole(index)
        if not 0 <= position < len(collection):
            raise EvaluationError("index out of range")
        return collection[position]
    if isinstance(collection, frozenset):
        for key, value in collection:
            if same(key, index):
                return value
        raise EvaluationError("no such key")
    raise EvaluationError("not a collection")


def is_set(value: object) -> bool:
    """Set as the page means it: 0 and false are set."""
    return value is not None and value not in EMPTIES


def text(value: object) -> str:
    """What ``string()`` makes of a value; null fails."""
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, int):
        return str(value)
    if isinstance(value, str):
        return value
    if isinstance(value, float):
        return str(int(value)) if value.is_integer() and abs(value) < 1e15 else repr(value)
    raise EvaluationError("no text for this value")


def _absorbing(parts: Iterable[Callable[[], object]], decisive: bool) -> bool:
    """``||`` (decisive true) and ``&&`` (decisive false): the decisive value wins over errors elsewhere."""
    failed = False
    for part in parts:
        try:
            value = part()
        except EvaluationError:
            failed = True
            continue
        if value is decisive:
            return decisive
        if not isinstance(value, bool):
            failed = True
    if failed:
        raise EvaluationError("an operand has no boolean value")
    return not decisive


def _size(value: object) -> int:
    if isinstance(value, (str, tuple, frozenset)):
        return len(value)
    raise EvaluationError("no size")


def _items(collection: object) -> list[object]:
    if isinstance(collection, tuple):
        return list(collection)
    if isinstance(collection, frozenset):
        return [key for key, _ in collection]
    raise EvaluationError("not a collection")


def compiled(node: ast.Expr, slots: Mapping[str, int]) -> Compiled:
    """A function of (store, bound variables) that yields the value or raises ``EvaluationError``."""
    match node:
        case ast.Literal(value=value):
            return lambda store, bound: value
        case ast.FieldRef(name=name):
            slot = slots[name]
            return lambda store, bound: store[slot]
        case ast.Variable(name=name):
            return lambda store, bound: bound[name]
        case ast.Select(operand=operand, name=name):
            inner = compiled(operand, slots)
            return lambda store, bound: element(inner(store, bound), name)
        case ast.Index(operand=operand, index=index):
            inner, place = compiled(operand, slots), compiled(index, slots)
            return lambda store, bound: element(inner(store, bound), place(store, bound))
        case ast.Unary():
            return _unary(node, slots)
        case ast.Binary():
            return _binary(node, slots)
        case ast.Conditional():
            return _conditional(node, slots)
        case ast.Comprehension():
            return _comprehension(node, slots)
        case ast.ListLiteral(elements=elements):
            parts = [compiled(part, slots) for part in elements]
            return lambda store, bound: tuple([part(store, bound) for part in parts])
    return _function(node, slots)


def _conditional(node: ast.Conditional, slots: Mapping[str, int]) -> Compiled:
    test, yes, no = (compiled(part, slots) for part in ast.children(node))

    def choose(store: Store, bound: Bound) -> object:
        value = test(store, bound)
        if not isinstance(value, bool):
            raise EvaluationError("condition is not a boolean")
        return yes(store, bound) if value else no(store, bound)

    return choose


def _function(node: ast.Expr, slots: Mapping[str, int]) -> Compiled:
    match node:
        case ast.Call(function=function, args=(argument,)) if function in ("size", "string"):
            inner = compiled(argument, slots)
            if function == "size":
                return lambda store, bound: _size(inner(store, bound))
            return lambda store, bound: text(inner(store, bound))
        case ast.Has(operand=ast.FieldRef(name=name)):
            slot = slots[name]
            return lambda store, bound: is_set(store[slot])
        case ast.Has(operand=ast.Select(operand=operand, name=name)):
            inner = compiled(operand, slots)
            return lambda store, bound: contains(name, inner(store, bound))
    raise NotCoveredError(type(node).__name__)


def _unary(node: ast.Unary, slots: Mapping[str, int]) -> Compiled:
    inner = compiled(node.operand, slots)

    def negation(store: Store, bound: Bound) -> object:
        value = inner(store, bound)
        if not isinstance(value, bool):
            raise EvaluationError("not a boolean")
        return not value

    def minus(store: Store, bound: Bound) -> object:
        value = inner(store, bound)
        return -value if isinstance(value, float) else _checked(-_whole(value))

    return negation if node.op is ast.UnaryOp.NOT else minus


def _binary(node: ast.Binary, slots: Mapping[str, int]) -> Compiled:
    left, right, op = compiled(node.left, slots), compiled(node.right, slots), node.op
    match op:
        case ast.BinaryOp.AND | ast.BinaryOp.OR:
            decisive = op is ast.BinaryOp.OR
            return lambda store, bound: _absorbing((lambda: left(store, bound), lambda: right(store, bound)), decisive)
        case ast.BinaryOp.EQ:
            return lambda store, bound: same(left(store, bound), right(store, bound))
        case ast.BinaryOp.NE:
            return lambda store, bound: not same(left(store, bound), right(store, bound))
        case ast.BinaryOp.IN:
            return lambda store, bound: contains(left(store, bound), right(store, bound))
        case ast.BinaryOp.LT | ast.BinaryOp.LE | ast.BinaryOp.GT | ast.BinaryOp.GE:
            return lambda store, bound: ordered(op, left(store, bound), right(store, bound))
        case _:
            return lambda store, bound: arithmetic(op, left(store, bound), right(store, bound))


def _comprehension(node: ast.Comprehension, slots: Mapping[str, int]) -> Compiled:
    over, body, name = compiled(node.range, slots), compiled(node.body, slots), node.variable
    if node.condition is not None or node.macro not in (ast.Macro.ALL, ast.Macro.EXISTS):
        raise NotCoveredError(node.macro.value)
    decisive = node.macro is ast.Macro.EXISTS

    def fold(store: Store, bound: Bound) -> object:
        def at(item: object) -> Callable[[], object]:
            return lambda: body(store, {**bound, name: item})

        return _absorbing([at(item) for item in _items(over(store, bound))], decisive)

    return fold


Uses = Callable[[Store], int]


def used_fields(node: ast.Expr, slots: Mapping[str, int]) -> Uses:
    """Which fields the value really uses in a store, as a bit mask (for FSM407).

    What stands under ``==``, ``!=``, ``has``, ``size`` or in the condition of ``?:`` is compared or tested, not
    used; of ``?:`` only the branch that is evaluated counts.
    """
    match node:
        case ast.FieldRef(name=name):
            bit = 1 << slots[name]
            return lambda store: bit
        case ast.Has() | ast.Call(function="size"):
            return lambda store: 0
        case ast.Binary(op=ast.BinaryOp.EQ | ast.BinaryOp.NE):
            return lambda store: 0
        case ast.Conditional(condition=condition, then=then, otherwise=otherwise):
            test, yes, no = compiled(condition, slots), used_fields(then, slots), used_fields(otherwise, slots)
            return lambda store: yes(store) if test(store, NO_VARIABLES) is True else no(store)
    parts = [used_fields(child, slots) for child in ast.children(node)]

    def union(store: Store) -> int:
        mask = 0
        for part in parts:
            mask |= part(store)
        return mask

    return union
