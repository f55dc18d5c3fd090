"""Keys of expressions: equal for expressions that differ only in their place."""

from __future__ import annotations

from fsmcheck.cel import ast
from fsmcheck.cel.ast import Expr


def key_of(expr: Expr) -> object:
    """A key equal for expressions that differ only in their place."""
    match expr:
        case ast.Literal(value=value):
            return ("literal", type(value).__name__, repr(value))
        case ast.FieldRef(name=name):
            return ("field", name)
        case ast.Variable(name=name):
            return ("variable", name)
        case ast.Select(name=name) | ast.Call(function=name):
            head: object = name
        case ast.Unary(op=op) | ast.Binary(op=op):
            head = op.value
        case ast.Comprehension(macro=macro, variable=variable):
            head = (macro.value, variable)
        case _:
            head = None
    return (type(expr).__name__, head, *(key_of(child) for child in ast.children(expr)))
