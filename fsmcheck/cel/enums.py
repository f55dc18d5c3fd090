"""Literals that are compared with an enum and are not among its values."""

from __future__ import annotations

from collections.abc import Iterator

from fsmcheck.cel.ast import Binary, BinaryOp, Conditional, Expr, ListLiteral, Literal, walk
from fsmcheck.cel.types import DYN, Kind, Type
from fsmcheck.records import dataclass
from fsmcheck.source import Span


@dataclass(frozen=True, slots=True)
class EnumMismatch:
    """``literal`` is compared with ``subject`` (often a ``FieldRef``), an enum of type ``enum`` without that value."""

    subject: Expr
    enum: Type
    literal: Literal


def enum_literal_mismatches(expr: Expr) -> list[EnumMismatch]:
    """The string literals in a *typed* expression that an enum can never equal, in text order.

    Looks at ``==`` and ``!=`` in both operand orders and at ``in``, through list literals and the branches of
    ``?:`` on either side. The empty string is always allowed: it is the empty enum.
    """
    found: dict[Span, EnumMismatch] = {}
    for node in walk(expr):
        if isinstance(node, Binary) and node.op in {BinaryOp.EQ, BinaryOp.NE, BinaryOp.IN}:
            for mismatch in (*_mismatches(node.left, node.right), *_mismatches(node.right, node.left)):
                found.setdefault(mismatch.literal.span, mismatch)
    return [found[span] for span in sorted(found)]


def _mismatches(side: Expr, other: Expr) -> Iterator[EnumMismatch]:
    subjects = list(_outcomes(side))
    enums = [subject.type for subject in subjects]
    while enums and all(each.kind is Kind.LIST for each in enums):
        enums = [each.element or DYN for each in enums]
    if not all(each.kind is Kind.ENUM for each in enums):
        return
    several = {id(each): each for each in enums}.values()
    for literal in _outcomes(other):
        if (
            subjects
            and isinstance(literal, Literal)
            and isinstance(literal.value, str)
            and literal.value
            and not any(literal.value in each.value_set for each in several)
        ):
            yield EnumMismatch(subjects[0], enums[0], literal)


def _outcomes(node: Expr) -> Iterator[Expr]:
    """What a side can come to: the branches of a conditional, the elements of a list literal, else itself."""
    match node:
        case Conditional(then=then, otherwise=otherwise):
            yield from _outcomes(then)
            yield from _outcomes(otherwise)
        case ListLiteral(elements=elements):
            for element in elements:
                yield from _outcomes(element)
        case _:
            yield node
