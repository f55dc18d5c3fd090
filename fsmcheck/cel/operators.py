"""Equality, order and arithmetic on values, as CEL defines them at run time.

Pure functions; where an operation has no result they raise OperationFailed, which knows no place in a text.
"""

from __future__ import annotations

import math
from collections.abc import Callable

from fsmcheck.cel.ast import BinaryOp
from fsmcheck.cel.literals import INT_MAX, INT_MIN
from fsmcheck.cel.values import MapValue, Value


class OperationFailed(Exception):  # noqa: N818
    """An operation has no result for these operands; the message says why."""


def shape(value: Value) -> str:
    """A value's type for a message: "an integer"."""
    match value:
        case None:
            return "null"
        case bool():
            return "a boolean"
        case int():
            return "an integer"
        case float():
            return "a number"
        case str():
            return "a string"
        case MapValue():
            return "a map"
        case _:
            return "a list"


def free(_: int) -> None:
    """Spends nothing: for values known to be small."""


def equal(one: Value, other: Value, spend: Callable[[int], None] = free) -> bool:
    """CEL's ``==``: an integer equals a double that it converts to, no other types mix, NaN equals nothing.

    ``spend`` is told of the work before it is done and may raise.
    """
    if isinstance(one, bool) or isinstance(other, bool):
        return one is other
    match one, other:
        case (int(), int()):
            return one == other
        case (int() | float(), int() | float()):
            return float(one) == float(other)
        case (str(), str()):
            spend(len(one) // 64)
            return one == other
        case (tuple(), tuple()):
            spend(1 + min(len(one), len(other)))
            return len(one) == len(other) and all(equal(a, b, spend) for a, b in zip(one, other, strict=True))
        case (MapValue(), MapValue()):
            spend(1 + min(len(one), len(other)))
            return len(one) == len(other) and all(
                key in other and equal(value, other[key], spend) for key, value in one.items()
            )
        case _:
            return one is None and other is None


def compare(op: BinaryOp, left: Value, right: Value) -> bool:
    """``<``, ``<=``, ``>`` or ``>=``: two numbers, two strings by code points, or two booleans.

    An integer and a double compare as doubles.
    """
    match left, right:
        case (bool(), bool()):
            return _ordered(op, left < right, left == right)
        case (bool(), _) | (_, bool()):
            raise _no_operation(op, left, right)
        case (int(), int()):
            return _ordered(op, left < right, left == right)
        case (int() | float(), int() | float()):
            one, other = float(left), float(right)
            return not (math.isnan(one) or math.isnan(other)) and _ordered(op, one < other, one == other)
        case (str(), str()):
            return _ordered(op, left < right, left == right)
        case _:
            raise _no_operation(op, left, right)


def _ordered(op: BinaryOp, less: bool, same: bool) -> bool:
    match op:
        case BinaryOp.LT:
            return less
        case BinaryOp.LE:
            return less or same
        case BinaryOp.GT:
            return not (less or same)
        case _:
            return not less


def arithmetic(op: BinaryOp, left: Value, right: Value) -> Value:
    """``+ - * / %`` on two int64, two doubles, and ``+`` on two strings or lists; nothing is converted."""
    match left, right:
        case (bool(), _) | (_, bool()):
            raise _no_operation(op, left, right)
        case (int(), int()):
            return _integers(op, left, right)
        case (float(), float()) if op is not BinaryOp.MOD:
            return _doubles(op, left, right)
        case (str(), str()) if op is BinaryOp.ADD:
            return left + right
        case (tuple(), tuple()) if op is BinaryOp.ADD:
            return left + right
        case _:
            raise _no_operation(op, left, right)


def negate(value: Value) -> Value:
    """Unary ``-`` on an int64 or a double."""
    match value:
        case bool():
            pass
        case int():
            return _int64(-value)
        case float():
            return -value
    raise OperationFailed(f'"-" has {shape(value)}: expected an integer or a number')


def _integers(op: BinaryOp, left: int, right: int) -> int:
    match op:
        case BinaryOp.ADD:
            return _int64(left + right)
        case BinaryOp.SUB:
            return _int64(left - right)
        case BinaryOp.MUL:
            return _int64(left * right)
    if right == 0:
        raise OperationFailed("division by zero" if op is BinaryOp.DIV else "remainder of a division by zero")
    # CEL truncates towards zero where Python rounds down.
    quotient = _int64(abs(left) // abs(right) * (1 if (left < 0) == (right < 0) else -1))
    return quotient if op is BinaryOp.DIV else left - right * quotient


def _int64(value: int) -> int:
    if not INT_MIN <= value <= INT_MAX:
        raise OperationFailed("integer overflow: the result has more than 64 bits")
    return value


def _doubles(op: BinaryOp, left: float, right: float) -> float:
    match op:
        case BinaryOp.ADD:
            return left + right
        case BinaryOp.SUB:
            return left - right
        case BinaryOp.MUL:
            return left * right
    if right != 0:
        return left / right
    if left == 0 or math.isnan(left):
        return math.nan
    return math.copysign(math.inf, left) * math.copysign(1.0, right)


def _no_operation(op: BinaryOp, left: Value, right: Value) -> OperationFailed:
    return OperationFailed(f'"{op.value}" cannot be applied to {shape(left)} and {shape(right)}')
