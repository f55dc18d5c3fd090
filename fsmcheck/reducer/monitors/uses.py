"""Which fields an evaluation makes use of, beyond comparing and testing them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from fsmcheck.cel.ast import (
    Binary,
    BinaryOp,
    Call,
    Comprehension,
    Conditional,
    Expr,
    FieldRef,
    Has,
    Macro,
    children,
)
from fsmcheck.cel.evaluate import EvaluationError, evaluate
from fsmcheck.cel.values import MapValue, Value
from fsmcheck.reducer.runnable import expressions
from fsmcheck.reducer.store import Store
from fsmcheck.spec.model import ActionValue


def used_fields(value: ActionValue, store: Store) -> frozenset[str]:
    """The fields that go into an action's value as it is evaluated in ``store``.

    What only ``==``, ``!=``, ``has``, ``size`` or the condition of ``?:`` looks at is not used, nor is the
    branch not taken, the operand that ``&&`` or ``||`` need not look at, or the body of a macro over nothing.
    """
    found: set[str] = set()
    for expression in expressions(value):
        if expression.ast is not None:
            found.update(_Uses(store, {}).of(expression.ast))
    return frozenset(found)


class _Uses:
    """The uses in one store with some variables of macros bound."""

    __slots__ = ("_store", "_variables")

    def __init__(self, store: Store, variables: Mapping[str, Value]) -> None:
        self._store = store
        self._variables = variables

    def of(self, node: Expr) -> Iterator[str]:
        match node:
            case FieldRef(name=name):
                yield name
            case Has() | Call(function="size") | Binary(op=BinaryOp.EQ | BinaryOp.NE):
                pass
            case Binary(op=(BinaryOp.AND | BinaryOp.OR) as op, left=left, right=right):
                yield from self.of(left)
                if self._value(left) is not (op is BinaryOp.OR):
                    yield from self.of(right)
            case Conditional(condition=condition, then=then, otherwise=otherwise):
                yield from self.of(then if self._value(condition) is True else otherwise)
            case Comprehension():
                yield from self.of(node.range)
                yield from self._in_body(node)
            case _:
                for child in children(node):
                    yield from self.of(child)

    def _in_body(self, node: Comprehension) -> Iterator[str]:
        range_ = self._value(node.range)
        decisive = {Macro.ALL: False, Macro.EXISTS: True}.get(node.macro)
        for item in range_ if isinstance(range_, tuple | MapValue) else ():
            inner = _Uses(self._store, {**self._variables, node.variable: item})
            if node.condition is not None:
                yield from inner.of(node.condition)
                if inner._value(node.condition) is not True:
                    continue
            yield from inner.of(node.body)
            if decisive is not None and inner._value(node.body) is decisive:
                return

    def _value(self, node: Expr) -> Value:
        """The value, None also where there is none."""
        try:
            return evaluate(node, self._store, self._variables)
        except EvaluationError:
            return None
