"""Ways round on which an agent may not be asked, so that a machine can turn there many times within one advance.

A transition surely leads to an exchange where it empties a field that its target requires, and no guard of the target
can be true as long as that is empty: a gated machine waits for the field, and an eager one takes no transition either.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from fsmcheck.cel import ast
from fsmcheck.cel.ast import BinaryOp, Expr, UnaryOp
from fsmcheck.cel.types import Kind
from fsmcheck.cel.values import is_empty
from fsmcheck.spec.model import Action, Constant, Operator, Spec, State, Transition

_ORDERINGS = (BinaryOp.LT, BinaryOp.LE, BinaryOp.GT, BinaryOp.GE)
_ARITHMETIC = (BinaryOp.ADD, BinaryOp.SUB, BinaryOp.MUL, BinaryOp.DIV, BinaryOp.MOD)
_READ_AS_NULL = (Kind.INTEGER, Kind.NUMBER, Kind.BOOLEAN)


def actions_on(spec: Spec, state: State, transition: Transition) -> tuple[Action, ...]:
    """The actions that a microstep by a transition runs, in their order."""
    target = spec.state_by_name.get(transition.target.text)
    return (*state.exit, *transition.actions, *(() if target is None else target.entry))


def going_round_unasked(spec: Spec) -> frozenset[tuple[str, int]]:
    """The transitions, by state and index, that are part of a way round on which perhaps nobody is asked."""
    onward: dict[str, list[str]] = {state.name.text: [] for state in spec.states}
    unasked: list[tuple[str, int, str]] = []
    for state in spec.states:
        for transition in state.transitions:
            target = spec.state_by_name.get(transition.target.text)
            if target is not None and not _asks(actions_on(spec, state, transition), target):
                onward[state.name.text].append(target.name.text)
                unasked.append((state.name.text, transition.index, target.name.text))
    component = components(onward)
    return frozenset((state, index) for state, index, target in unasked if component[state] == component[target])


def _asks(actions: Sequence[Action], target: State) -> bool:
    empty = _emptied(actions).intersection(req.field.text for req in target.requires)
    if not empty:
        return False
    guarded = [transition for transition in target.transitions if transition.guards]
    return all(any(_is_untrue(expr, empty) for expr in _expressions(each)) for each in guarded)


def _expressions(transition: Transition) -> Iterator[Expr]:
    """The guards of a transition that are in CEL."""
    for guard in transition.guards:
        if guard.expression is not None and guard.expression.ast is not None:
            yield guard.expression.ast


def _emptied(actions: Sequence[Action]) -> frozenset[str]:
    """The fields that are surely empty after some actions, since the last to write them empties them."""
    found: set[str] = set()
    for action in actions:
        for write in action.writes:
            found.discard(write.field.text)
        if action.operator is Operator.ASSIGN:
            found.update(
                write.field.text
                for write in action.writes
                if isinstance(write.value, Constant) and is_empty(write.value.value)
            )
    return frozenset(found)


def _is_untrue(expr: Expr, empty: frozenset[str]) -> bool:
    """Whether a guard is surely not true (but false, null or a failure) while some fields are empty."""
    match expr:
        case ast.FieldRef(name=name):
            return name in empty  # a boolean: null
        case ast.Has(operand=ast.FieldRef(name=name)):
            return name in empty
        case ast.Binary(op=BinaryOp.AND, left=left, right=right):
            return _is_untrue(left, empty) or _is_untrue(right, empty)
        case ast.Binary(op=BinaryOp.OR, left=left, right=right):
            return _is_untrue(left, empty) and _is_untrue(right, empty)
        case ast.Binary(op=BinaryOp.EQ, left=left, right=right):
            return any(
                _is_empty(one, empty) and _is_set_literal(other) for one, other in ((left, right), (right, left))
            )
        case ast.Binary(op=BinaryOp.NE, left=left, right=right):
            return any(_is_as_empty(one, other, empty) for one, other in ((left, right), (right, left)))
        case ast.Binary(op=BinaryOp.IN, left=left, right=ast.ListLiteral(elements=elements)):
            return _is_empty(left, empty) and all(map(_is_set_literal, elements))
        case ast.Binary(op=op) if op in _ORDERINGS:
            return _fails(expr, empty)
        case _:
            return False


def _is_empty(expr: Expr, empty: frozenset[str]) -> bool:
    return isinstance(expr, ast.FieldRef) and expr.name in empty


def _is_set_literal(expr: Expr) -> bool:
    return isinstance(expr, ast.Literal) and not is_empty(expr.value)


def _is_as_empty(field: Expr, literal: Expr, empty: frozenset[str]) -> bool:
    """Whether a field that is empty reads as a literal: null, or the empty text."""
    if not (isinstance(field, ast.FieldRef) and field.name in empty and isinstance(literal, ast.Literal)):
        return False
    return literal.value is None if field.type.kind in _READ_AS_NULL else literal.value == ""


def _fails(expr: Expr, empty: frozenset[str]) -> bool:
    """Whether the value of an expression surely fails to evaluate, since there is a null in it."""
    match expr:
        case ast.Binary(op=op, left=left, right=right) if op in _ORDERINGS or op in _ARITHMETIC:
            return any(_fails(each, empty) or _is_null(each, empty) for each in (left, right))
        case ast.Unary(op=UnaryOp.NEGATE, operand=operand):
            return _fails(operand, empty) or _is_null(operand, empty)
        case _:
            return False


def _is_null(expr: Expr, empty: frozenset[str]) -> bool:
    return isinstance(expr, ast.FieldRef) and expr.name in empty and expr.type.kind in _READ_AS_NULL


def components(onward: Mapping[str, Sequence[str]]) -> dict[str, int]:
    """For each state the number of its strongly connected component (Kosaraju), given those that follow on each."""
    back: dict[str, list[str]] = {name: [] for name in onward}
    for name, targets in onward.items():
        for target in targets:
            back[target].append(name)
    component: dict[str, int] = {}
    for number, name in enumerate(reversed(_finished(onward))):
        agenda = [name]
        while agenda:
            each = agenda.pop()
            if each not in component:
                component[each] = number
                agenda += back[each]
    return component


def _finished(ahead: Mapping[str, Sequence[str]]) -> list[str]:
    """The vertices in the order in which a search in depth is done with them."""
    order: list[str] = []
    seen: set[str] = set()
    for root in ahead:
        agenda = [(root, False)]
        while agenda:
            name, is_done = agenda.pop()
            if is_done:
                order.append(name)
            elif name not in seen:
                seen.add(name)
                agenda.append((name, True))
                agenda += [(target, False) for target in ahead[name]]
    return order
