"""The language of the transition system: sorts, terms and the constructors that simplify as they build.

Terms form a directed acyclic graph; engines memoise on identity. There are three sorts of value: booleans,
finite sorts (the value is an index into the labels) and unbounded integers. Division and modulo truncate
towards zero, as in CEL.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from enum import Enum

from fsmcheck.records import dataclass


class SortKind(Enum):
    BOOL = "bool"
    FINITE = "finite"
    INT = "int"


@dataclass(frozen=True, slots=True)
class Sort:
    """A sort; ``labels`` name the values of a finite one, ``name`` tells finite sorts apart."""

    kind: SortKind
    name: str = ""
    labels: tuple[str, ...] = ()

    @property
    def size(self) -> int:
        return 2 if self.kind is SortKind.BOOL else len(self.labels)


BOOL = Sort(SortKind.BOOL)
INT = Sort(SortKind.INT)


class Op(Enum):
    CONST = "const"
    VAR = "var"
    NOT = "not"
    AND = "and"
    OR = "or"
    ITE = "ite"
    EQ = "eq"
    LT = "lt"
    LE = "le"
    ADD = "add"
    SUB = "sub"
    MUL = "mul"
    DIV = "div"
    MOD = "mod"


_CONST, _VAR, _NOT = Op.CONST, Op.VAR, Op.NOT
"""For what is asked of every node: to look up a member of an enumeration takes ten times as long as a name."""


@dataclass(frozen=True, slots=True, eq=False)
class Term:
    """A node. ``value`` is the constant (bool or int), or the name of the variable."""

    op: Op
    sort: Sort
    args: tuple[Term, ...] = ()
    value: bool | int | str = False


TRUE = Term(Op.CONST, BOOL, (), True)
FALSE = Term(Op.CONST, BOOL, (), False)


def boolean(value: bool) -> Term:
    return TRUE if value else FALSE


def integer(value: int) -> Term:
    return Term(Op.CONST, INT, (), value)


def label(sort: Sort, index: int) -> Term:
    """The value number ``index`` of a finite sort."""
    return Term(Op.CONST, sort, (), index)


def var(name: str, sort: Sort) -> Term:
    return Term(Op.VAR, sort, (), name)


def is_const(term: Term) -> bool:
    return term.op is _CONST


def same(left: Term, right: Term) -> bool:
    """Whether two terms are obviously equal: the same node, the same constant or the same variable."""
    if left is right:
        return True
    return left.op is right.op and left.op in (_CONST, _VAR) and left.sort == right.sort and (left.value == right.value)


def not_(term: Term) -> Term:
    if term.op is _CONST:
        return boolean(not term.value)
    if term.op is _NOT:
        return term.args[0]
    return Term(_NOT, BOOL, (term,))


def _junction(op: Op, terms: Iterable[Term], unit: Term, zero: Term) -> Term:
    flat: list[Term] = []
    seen: set[int] = set()
    for term in terms:
        for part in term.args if term.op is op else (term,):
            if part.op is _CONST:
                if part.value == zero.value:
                    return zero
                continue
            if id(part) not in seen:
                seen.add(id(part))
                flat.append(part)
    for part in flat:
        if part.op is _NOT and id(part.args[0]) in seen:
            return zero
    if not flat:
        return unit
    return flat[0] if len(flat) == 1 else Term(op, BOOL, tuple(flat))


def and_(*terms: Term) -> Term:
    return _junction(Op.AND, terms, TRUE, FALSE)


def or_(*terms: Term) -> Term:
    return _junction(Op.OR, terms, FALSE, TRUE)


def implies(left: Term, right: Term) -> Term:
    return or_(not_(left), right)


def ite(condition: Term, then: Term, otherwise: Term) -> Term:
    if condition.op is Op.CONST:
        return then if condition.value else otherwise
    if same(then, otherwise):
        return then
    if then.sort is BOOL:
        if is_const(then):
            return or_(condition, otherwise) if then.value else and_(not_(condition), otherwise)
        if is_const(otherwise):
            return or_(not_(condition), then) if otherwise.value else and_(condition, then)
    return Term(Op.ITE, then.sort, (condition, then, otherwise))


def eq(left: Term, right: Term) -> Term:
    if left.sort != right.sort:
        raise TypeError(f"equality of {left.sort} and {right.sort}")
    if same(left, right):
        return TRUE
    if is_const(left) and is_const(right):
        return FALSE
    if left.sort.kind is SortKind.BOOL:
        return or_(and_(left, right), and_(not_(left), not_(right)))
    if left.op is Op.ITE and is_const(right):
        condition, then, otherwise = left.args
        return ite(condition, eq(then, right), eq(otherwise, right))
    if right.op is Op.ITE and is_const(left):
        return eq(right, left)
    return Term(Op.EQ, BOOL, (left, right))


def _fold(op: Op, left: int, right: int) -> int | bool | None:
    match op:
        case Op.LT:
            return left < right
        case Op.LE:
            return left <= right
        case Op.ADD:
            return left + right
        case Op.SUB:
            return left - right
        case Op.MUL:
            return left * right
        case Op.DIV:
            return truncated_div(left, right) if right else None
        case Op.MOD:
            return left - right * truncated_div(left, right) if right else None
        case _:
            return None


def truncated_div(left: int, right: int) -> int:
    """The quotient rounded towards zero (``right`` is not 0)."""
    quotient = abs(left) // abs(right)
    return quotient if (left < 0) == (right < 0) else -quotient


def arithmetic(op: Op, left: Term, right: Term) -> Term:
    """``ADD``, ``SUB``, ``MUL``, ``DIV``, ``MOD`` (integers) or ``LT``, ``LE`` (boolean) of two integer terms."""
    result_sort = BOOL if op in (Op.LT, Op.LE) else INT
    if is_const(left) and is_const(right):
        folded = _fold(op, int(left.value), int(right.value))
        if folded is not None:
            return Term(Op.CONST, result_sort, (), folded)
    if op in (Op.ADD, Op.SUB) and is_const(right) and right.value == 0:
        return left
    return Term(op, result_sort, (left, right))


def lt(left: Term, right: Term) -> Term:
    return arithmetic(Op.LT, left, right)


def le(left: Term, right: Term) -> Term:
    return arithmetic(Op.LE, left, right)


def add(left: Term, right: Term) -> Term:
    return arithmetic(Op.ADD, left, right)


def one_of(term: Term, indices: Iterable[int]) -> Term:
    """Whether a term of a finite sort is one of these values."""
    wanted = sorted(set(indices))
    if len(wanted) == term.sort.size:
        return TRUE
    return or_(*(eq(term, label(term.sort, index)) for index in wanted))


def walk(terms: Iterable[Term]) -> Iterator[Term]:
    """Every node below the given ones, once each."""
    seen: set[int] = set()
    stack = list(terms)
    while stack:
        term = stack.pop()
        if id(term) in seen:
            continue
        seen.add(id(term))
        yield term
        stack.extend(term.args)


def variables(terms: Iterable[Term]) -> dict[str, Sort]:
    """The variables that occur in terms, with their sorts."""
    found: dict[str, Sort] = {}
    seen: set[int] = set()
    stack = list(terms)
    while stack:  # not by ``walk``: most terms are leaves, and this is asked of every update
        term = stack.pop()
        if term.args:
            if id(term) not in seen:
                seen.add(id(term))
                stack.extend(term.args)
        elif term.op is _VAR:
            found[str(term.value)] = term.sort
    return found


def rebuild(term: Term, args: tuple[Term, ...]) -> Term:
    """The same operation on other arguments, simplified."""
    match term.op:
        case Op.CONST | Op.VAR:
            return term
        case Op.NOT:
            return not_(args[0])
        case Op.AND:
            return and_(*args)
        case Op.OR:
            return or_(*args)
        case Op.ITE:
            return ite(*args)
        case Op.EQ:
            return eq(*args)
        case _:
            return arithmetic(term.op, *args)


def substitute(term: Term, values: Mapping[str, Term], memo: dict[int, Term] | None = None) -> Term:
    """The term with variables replaced, simplified on the way up."""
    memo = {} if memo is None else memo
    done = memo.get(id(term))
    if done is not None:
        return done
    if term.op is Op.VAR:
        result = values.get(str(term.value), term)
    elif term.args:
        args = tuple(substitute(arg, values, memo) for arg in term.args)
        unchanged = all(new is old for new, old in zip(args, term.args, strict=True))
        result = term if unchanged else rebuild(term, args)
    else:
        result = term
    memo[id(term)] = result
    return result


def printed(term: Term) -> str:
    """A term as text, the same for terms of the same form."""
    if not term.args:
        return str(term.value)
    return f"({term.op.value} {' '.join(map(printed, term.args))})"
