"""Integers and numbers on terms."""

from __future__ import annotations

from fsmcheck.cel.ast import BinaryOp
from fsmcheck.cel.literals import INT_MAX, INT_MIN
from fsmcheck.system import terms as t
from fsmcheck.system.choices import Choices
from fsmcheck.system.terms import FALSE, Term

_OPS = {
    BinaryOp.ADD: t.Op.ADD,
    BinaryOp.SUB: t.Op.SUB,
    BinaryOp.MUL: t.Op.MUL,
    BinaryOp.DIV: t.Op.DIV,
    BinaryOp.MOD: t.Op.MOD,
}

NAN = 1


def integers(op: BinaryOp, left: Term, right: Term, *, may_overflow: bool = True) -> tuple[Term, Term]:
    """The result of an operation on integers, and when it fails.

    ``may_overflow`` is false where the operands are known to be too small for the result to leave int64.
    """
    result = t.arithmetic(_OPS[op], left, right)
    error = FALSE
    if op in (BinaryOp.DIV, BinaryOp.MOD):
        error = t.eq(right, t.integer(0))
        if may_overflow:
            beyond = t.and_(t.eq(left, t.integer(INT_MIN)), t.eq(right, t.integer(-1)))
            error = t.or_(error, beyond)
    elif may_overflow:
        error = t.or_(t.lt(t.integer(INT_MAX), result), t.lt(result, t.integer(INT_MIN)))
    return result, error


def _is_in_open(term: Term) -> bool:
    """Whether a term is a constant that stands for many doubles: two of them need not be equal."""
    return t.is_const(term) and int(term.value) in _open_regions(term.sort.size)


def _open_regions(size: int) -> range:
    return range(2, size, 2)


def numbers_equal(left: Term, right: Term, choices: Choices, key: object) -> Term:
    """Whether two doubles are equal: NaN never, two values in one open interval maybe."""
    nan = t.label(left.sort, NAN)
    same_region = t.and_(t.eq(left, right), t.not_(t.eq(left, nan)))
    if t.same(left, right) and not _is_in_open(left):
        return same_region
    in_open = t.one_of(left, _open_regions(left.sort.size))
    return t.and_(same_region, t.or_(t.not_(in_open), choices.boolean(key)))


def numbers_less(left: Term, right: Term, strict: bool, choices: Choices, key: object) -> Term:
    """Whether one double is less than (or equal to) another; NaN is neither."""
    size = left.sort.size
    below = t.or_(
        *(
            t.and_(t.eq(left, t.label(left.sort, low)), t.one_of(right, range(low + 1, size)))
            for low in range(2, size - 1)
        )
    )
    if t.same(left, right) and not _is_in_open(left):
        return FALSE if strict else t.not_(t.one_of(left, (0, NAN)))
    same_open = t.and_(t.eq(left, right), t.one_of(left, _open_regions(size)))
    within = t.and_(same_open, choices.boolean(key))
    if strict:
        return t.or_(below, within)
    same_cut = t.and_(t.eq(left, right), t.one_of(left, range(3, size, 2)))
    return t.or_(below, within, same_cut)
