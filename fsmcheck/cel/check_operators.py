"""The types of binary operators."""

from __future__ import annotations

from dataclasses import replace

from fsmcheck.cel.ast import BinaryOp, Expr
from fsmcheck.cel.errors import CelError
from fsmcheck.cel.types import BOOLEAN, DYN, Kind, Type
from fsmcheck.cel.unify import as_condition, element_of, is_boolean, noun, unify, value_kind
from fsmcheck.source import Span

_ORDERED = frozenset({Kind.BOOLEAN, Kind.INTEGER, Kind.NUMBER, Kind.STRING})
_NUMERIC = frozenset({Kind.INTEGER, Kind.NUMBER})
_ARITHMETIC = {
    BinaryOp.ADD: (
        frozenset({Kind.INTEGER, Kind.NUMBER, Kind.STRING, Kind.LIST}),
        "two integers, two numbers, two strings or two lists",
    ),
    BinaryOp.SUB: (_NUMERIC, "two integers or two numbers"),
    BinaryOp.MUL: (_NUMERIC, "two integers or two numbers"),
    BinaryOp.DIV: (_NUMERIC, "two integers or two numbers"),
    BinaryOp.MOD: (frozenset({Kind.INTEGER}), "two integers"),
}
_EMPTY = {Kind.STRING: '""', Kind.LIST: "[]", Kind.MAP: "{}"}


def binary_type(op: BinaryOp, left: Expr, right: Expr, span: Span) -> tuple[Type, list[CelError]]:
    """The type of ``left op right`` from the types of its operands, and what is wrong with them."""
    match op:
        case BinaryOp.AND | BinaryOp.OR:
            wrong = [operand for operand in (left, right) if not is_boolean(operand.type)]
            return BOOLEAN, [
                CelError(
                    f'"{op.value}" has {noun(each.type)}: expected a boolean',
                    each.span,
                    as_condition(each.type),
                    "type",
                )
                for each in wrong
            ]
        case BinaryOp.EQ | BinaryOp.NE:
            return BOOLEAN, _equality(op, left.type, right.type, span)
        case BinaryOp.LT | BinaryOp.LE | BinaryOp.GT | BinaryOp.GE:
            return BOOLEAN, _ordering(op, left.type, right.type, span)
        case BinaryOp.IN:
            return BOOLEAN, _membership(left.type, right, span)
        case _:
            return _arithmetic(op, left.type, right.type, span)


def _equality(op: BinaryOp, left: Type, right: Type, span: Span) -> list[CelError]:
    if unify(left, right) is not None:
        return []
    if Kind.NULL in {left.kind, right.kind}:
        other = right if left.kind is Kind.NULL else left
        empty = _EMPTY.get(value_kind(other))
        advice = f"{noun(other)} is never null" + (f": compare with {empty}" if empty else "")
        return [CelError(f'"{op.value}" compares {noun(other)} with null', span, advice, "type")]
    return [_different(op, left, right, span)]


def _different(op: BinaryOp, left: Type, right: Type, span: Span) -> CelError:
    return CelError(
        f'"{op.value}" compares {noun(left)} with {noun(right)}: expected one type on both sides',
        span,
        _conversion(left, right),
        "type",
    )


def _ordering(op: BinaryOp, left: Type, right: Type, span: Span) -> list[CelError]:
    kinds = {value_kind(left), value_kind(right)} - {Kind.DYN}
    if kinds <= _ORDERED:
        return [] if len(kinds) < 2 else [_different(op, left, right, span)]
    message = f'"{op.value}" compares {noun(left)} with {noun(right)}: expected numbers, strings or booleans'
    return [CelError(message, span, kind="type")]


def _membership(item: Type, collection: Expr, span: Span) -> list[CelError]:
    match collection.type:
        case Type(kind=Kind.LIST):
            wanted, what = element_of(collection.type), "a list with elements of type"
        case Type(kind=Kind.MAP, key=key):
            wanted, what = key or DYN, "a map with keys of type"
        case Type(kind=Kind.DYN):
            return []
        case other:
            message = f'"in" has {noun(other)} on its right: expected a list or a map'
            advice = "write text.contains(part)" if value_kind(other) is Kind.STRING else None
            return [CelError(message, collection.span, advice, "type")]
    if unify(item, wanted) is not None:
        return []
    return [CelError(f'"in" looks for {noun(item)} in {what} {wanted}', span, kind="type")]


def _arithmetic(op: BinaryOp, left: Type, right: Type, span: Span) -> tuple[Type, list[CelError]]:
    kinds, wanted = _ARITHMETIC[op]
    present = {value_kind(left), value_kind(right)}
    known = present - {Kind.DYN}
    result = unify(left, right) if len(known) < 2 else None
    if known <= kinds and result is not None:
        return _result(op, left, right, result), []
    message = f'"{op.value}" has {noun(left)} and {noun(right)}: expected {wanted}'
    return DYN, [CelError(message, span, _conversion(left, right), "type")]


def _result(op: BinaryOp, left: Type, right: Type, unified: Type) -> Type:
    if unified.kind is Kind.DYN:
        known = left if right.kind is Kind.DYN else right
        if op is BinaryOp.MOD:
            return Type(Kind.INTEGER)
        return DYN if known.kind is Kind.LIST else Type(value_kind(known))
    if unified.kind is Kind.ENUM:
        return Type(Kind.STRING)
    return replace(unified, nullable=False)


def _conversion(left: Type, right: Type) -> str | None:
    kinds = {value_kind(left), value_kind(right)}
    if kinds == _NUMERIC:
        return "convert one side: double(…) or int(…)"
    if Kind.STRING in kinds and kinds - {Kind.STRING} <= {Kind.INTEGER, Kind.NUMBER, Kind.BOOLEAN} and len(kinds) == 2:
        return "convert the other side: string(…)"
    return None
