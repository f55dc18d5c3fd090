"""Expressions whose evaluation cannot fail, whatever the fields hold."""

from __future__ import annotations

from fsmcheck.cel import ast
from fsmcheck.cel.ast import BinaryOp, Expr
from fsmcheck.cel.types import Kind

_TOTAL_CALLS = frozenset({"startsWith", "endsWith", "contains", "size"})
_SIZED = frozenset({Kind.STRING, Kind.ENUM, Kind.LIST, Kind.MAP})


def _never_null(expr: Expr) -> bool:
    return not expr.type.nullable and expr.type.kind not in (Kind.NULL, Kind.DYN)


def cannot_fail(expr: Expr) -> bool:
    """Whether evaluation of a typed expression never fails (it may still give null, where its type says so)."""
    children = ast.children(expr)
    if not all(cannot_fail(child) for child in children):
        return False
    match expr:
        case ast.Literal() | ast.FieldRef() | ast.Variable() | ast.Has(operand=ast.FieldRef()) | ast.ListLiteral():
            return True
        case ast.Binary(op=BinaryOp.EQ | BinaryOp.NE | BinaryOp.IN):
            return True
        case ast.Binary(op=BinaryOp.ADD):
            return expr.type.kind in (Kind.STRING, Kind.LIST) and all(map(_never_null, children))
        case ast.Binary(op=BinaryOp.SUB | BinaryOp.MUL | BinaryOp.DIV | BinaryOp.MOD):
            return False
        case ast.Binary() | ast.Unary(op=ast.UnaryOp.NOT):
            return all(map(_never_null, children))
        case ast.Conditional(condition=condition):
            return _never_null(condition)
        case ast.Call(function=function, args=args):
            return function in _TOTAL_CALLS and all(_never_null(arg) and arg.type.kind in _SIZED for arg in args)
        case ast.Comprehension(range=source, body=body, macro=macro, condition=condition):
            asked = [source, *([] if condition is None else [condition]), *([] if macro is ast.Macro.MAP else [body])]
            return all(map(_never_null, asked))
        case _:
            return False


def elements_never_null(expr: Expr) -> bool:
    """Whether no element of a list can be null; the elements of a field's list (and the entries of a map) never are."""
    match expr:
        case ast.FieldRef():
            return True
        case ast.ListLiteral(elements=elements):
            return all(map(_never_null, elements))
        case ast.Binary(op=BinaryOp.ADD, left=left, right=right):
            return elements_never_null(left) and elements_never_null(right)
        case ast.Conditional(then=then, otherwise=otherwise):
            return elements_never_null(then) and elements_never_null(otherwise)
        case ast.Comprehension(macro=ast.Macro.FILTER, range=source):
            return elements_never_null(source)
        case ast.Comprehension(macro=ast.Macro.MAP, range=source, body=body):
            return elements_never_null(source) and _never_null(body)
        case _:
            return False


def membership(expr: Expr) -> tuple[ast.FieldRef, ast.Scalar] | None:
    """The list field and the constant where an expression asks for membership: ``c in context.f``, or
    ``context.f.exists(x, x == c)``."""
    match expr:
        case ast.Binary(op=BinaryOp.IN, left=ast.Literal(value=value), right=ast.FieldRef() as field):
            return field, value
        case ast.Comprehension(
            macro=ast.Macro.EXISTS,
            variable=variable,
            range=ast.FieldRef() as field,
            body=ast.Binary(op=BinaryOp.EQ, left=left, right=right),
            condition=None,
        ):
            match left, right:
                case (ast.Variable(name=name), ast.Literal(value=value)) | (
                    ast.Literal(value=value),
                    ast.Variable(name=name),
                ) if name == variable and value is not None:
                    return field, value
    return None
