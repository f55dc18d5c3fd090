"""Which fields an evaluation makes use of, beyond comparing and testing them."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

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
    Variable,
    children,
)
from fsmcheck.cel.errors import EvaluationError
from fsmcheck.cel.evaluate import evaluate
from fsmcheck.cel.values import MapValue, Value
from fsmcheck.reducer.runnable import expressions
from fsmcheck.reducer.store import Store
from fsmcheck.source import Span
from fsmcheck.spec.model import ActionValue


def used_fields(value: ActionValue, store: Store) -> frozenset[str]:
    """The fields that go into an action's value as it is evaluated in ``store``.

    What only ``==``, ``!=``, ``has``, ``size`` or the condition of ``?:`` looks at is not used, nor is the
    branch not taken, the operand that ``&&`` or ``||`` need not look at, or the body of a macro over nothing.
    """
    asts = [expression.ast for expression in expressions(value)]
    return frozenset(name for ast in asts if ast is not None for name in _used(ast, store))


def _used(node: Expr, store: Store) -> Iterator[str]:
    match node:
        case FieldRef(name=name):
            yield name
        case Has() | Call(function="size") | Binary(op=BinaryOp.EQ | BinaryOp.NE):
            pass
        case Binary(op=(BinaryOp.AND | BinaryOp.OR) as op, left=left, right=right):
            yield from _used(left, store)
            if _value(left, store) is not (op is BinaryOp.OR):
                yield from _used(right, store)
        case Conditional(condition=condition, then=then, otherwise=otherwise):
            yield from _used(then if _value(condition, store) is True else otherwise, store)
        case Comprehension():
            yield from _used(node.range, store)
            yield from _used_in_body(node, store)
        case _:
            for child in children(node):
                yield from _used(child, store)


def _used_in_body(node: Comprehension, store: Store) -> Iterator[str]:
    for element in _elements(node.range, store):
        constant = _constant(element, node.range.span)
        body = substituted(node.body, node.variable, constant)
        if node.condition is not None:
            condition = substituted(node.condition, node.variable, constant)
            yield from _used(condition, store)
            if _value(condition, store) is not True:
                continue
        yield from _used(body, store)
        if node.macro in (Macro.ALL, Macro.EXISTS) and _value(body, store) is (node.macro is Macro.EXISTS):
            return


def _value(node: Expr, store: Store) -> Value:
    """The value, None also where there is none."""
    try:
        return evaluate(node, store)
    except EvaluationError:
        return None


def _elements(node: Expr, store: Store) -> tuple[Value, ...]:
    value = _value(node, store)
    if isinstance(value, MapValue):
        return tuple(value)
    return value if isinstance(value, tuple) else ()


def _constant(value: Value, span: Span) -> Expr:
    if isinstance(value, tuple):
        return ListLiteral(tuple(_constant(part, span) for part in value), span)
    if isinstance(value, MapValue):
        entries = ((_constant(key, span), _constant(part, span)) for key, part in value.items())
        return MapLiteral(tuple(entries), span)
    return Literal(value, span)


def substituted(node: Expr, name: str, constant: Expr) -> Expr:
    """The expression with a macro's variable replaced by a constant, except where an inner macro binds it anew."""

    def inner(part: Expr) -> Expr:
        return substituted(part, name, constant)

    match node:
        case Variable():
            return constant if node.name == name else node
        case Has(operand=Select() as operand):
            return replace(node, operand=replace(operand, operand=inner(operand.operand)))
        case Select():
            return replace(node, operand=inner(node.operand))
        case Unary():
            return replace(node, operand=inner(node.operand))
        case Index():
            return replace(node, operand=inner(node.operand), index=inner(node.index))
        case Binary():
            return replace(node, left=inner(node.left), right=inner(node.right))
        case Conditional():
            return replace(
                node, condition=inner(node.condition), then=inner(node.then), otherwise=inner(node.otherwise)
            )
        case Call():
            return replace(node, args=tuple(inner(part) for part in node.args))
        case ListLiteral():
            return replace(node, elements=tuple(inner(part) for part in node.elements))
        case MapLiteral():
            return replace(node, entries=tuple((inner(key), inner(part)) for key, part in node.entries))
        case Comprehension():
            return _substituted_in_macro(node, name, constant)
        case _:
            return node


def _substituted_in_macro(node: Comprehension, name: str, constant: Expr) -> Comprehension:
    within = replace(node, range=substituted(node.range, name, constant))
    if node.variable == name:
        return within
    condition = None if node.condition is None else substituted(node.condition, name, constant)
    return replace(within, condition=condition, body=substituted(node.body, name, constant))
