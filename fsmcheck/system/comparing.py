"""Equality and order of symbolic values, as CEL has them."""

from __future__ import annotations

from fsmcheck.cel import ast
from fsmcheck.cel.ast import BinaryOp, Expr
from fsmcheck.system import arithmetic, texts
from fsmcheck.system import terms as t
from fsmcheck.system.keys import key_of
from fsmcheck.system.scope import Scope
from fsmcheck.system.symbolic import Sym, TextLeaf, map_cases, shape, truth
from fsmcheck.system.terms import Term


def equality(scope: Scope, left_expr: Expr, right_expr: Expr, left: Sym, right: Sym) -> Sym:
    """``==`` of two operands; asked in either order, it has one answer."""
    keys = sorted((key_of(left_expr), key_of(right_expr)), key=repr)
    key = (scope.snapshot, "equal", *keys)
    return truth(equal(scope, left, right, key), t.or_(left.error, right.error))


def equal(scope: Scope, left: Sym, right: Sym, key: object) -> Term:
    """CEL's ``==`` of two values that evaluate; null equals only null."""
    both = t.and_(t.not_(left.null), t.not_(right.null))
    return t.or_(t.and_(left.null, right.null), t.and_(both, _payloads_equal(scope, left, right, key)))


def _payloads_equal(scope: Scope, left: Sym, right: Sym, key: object) -> Term:
    if left.payload is None or right.payload is None or shape(left.type) != shape(right.type):
        return scope.choices.boolean(key)
    match shape(left.type):
        case "text":
            return texts.equal(left, right, scope.choices, key)
        case "boolean" | "integer":
            return t.eq(left.term(), right.term())
        case "number":
            return arithmetic.numbers_equal(left.term(), right.term(), scope.choices, key)
        case _:
            size, other = left.sized().size, right.sized().size
            zero = t.eq(size, t.integer(0))
            return t.and_(t.eq(size, other), t.or_(zero, scope.choices.boolean(key)))


def ordering(scope: Scope, expr: ast.Binary, left: Sym, right: Sym) -> Sym:
    """``<``, ``<=``, ``>`` or ``>=``."""
    error = t.or_(t.not_(left.ok), t.not_(right.ok))
    op = expr.op
    first, second, first_expr, second_expr = left, right, expr.left, expr.right
    if op in (BinaryOp.GT, BinaryOp.GE):
        first, second, first_expr, second_expr = right, left, expr.right, expr.left
    strict = op in (BinaryOp.LT, BinaryOp.GT)
    key = (scope.snapshot, "less" if strict else "at most", key_of(first_expr), key_of(second_expr))
    kinds = (shape(first.type), shape(second.type))
    if kinds == ("integer", "integer"):
        return truth((t.lt if strict else t.le)(first.term(), second.term()), error)
    if kinds == ("number", "number"):
        return truth(arithmetic.numbers_less(first.term(), second.term(), strict, scope.choices, key), error)
    if kinds == ("boolean", "boolean"):
        low, high = first.term(), second.term()
        return truth(t.and_(t.not_(low), high) if strict else t.or_(t.not_(low), high), error)
    if kinds == ("text", "text"):
        return truth(_text_order(scope, first, second, strict, key), error)
    return truth(scope.choices.boolean(key), scope.choices.boolean((key, "error")))


def _text_order(scope: Scope, first: Sym, second: Sym, strict: bool, key: object) -> Term:
    def against(leaf: TextLeaf, number: int) -> Term:
        if not isinstance(leaf, str):
            return scope.choices.boolean((key, number))
        return map_cases(
            first,
            lambda low: texts.tabulate(
                low,
                lambda known: t.boolean(known < leaf if strict else known <= leaf),
                lambda: scope.choices.boolean((key, number, leaf)),
            ),
        )

    return t.or_(*(t.and_(cond, against(leaf, i)) for i, (cond, leaf) in enumerate(second.cases())))
