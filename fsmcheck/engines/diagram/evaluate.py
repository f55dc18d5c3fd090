"""Terms as functions of packed values, in the abstraction of explicit search: a boolean as two functions (may it be
true, may it be false), an integer as one to intervals, a finite value as one to sets of values.

An independent reading of what ``engines.codegen`` writes as Python: the two are held against each other.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from functools import reduce
from typing import cast

from fsmcheck.engines import intervals as iv
from fsmcheck.engines.diagram.functions import FALSE, TRUE, Functions
from fsmcheck.engines.intervals import Interval
from fsmcheck.records import dataclass
from fsmcheck.system.terms import BOOL, INT, Op, Term

Combine = Callable[[Hashable, Hashable], Hashable]

_ARITHMETIC: Mapping[Op, Callable[[Interval, Interval], Interval]] = {
    Op.ADD: iv.add,
    Op.SUB: iv.sub,
    Op.MUL: iv.mul,
    Op.DIV: iv.div,
    Op.MOD: iv.mod,
}
_COMPARISONS: Mapping[Op, tuple[Callable[[Interval, Interval], bool], Callable[[Interval, Interval], bool]]] = {
    Op.EQ: (iv.may_equal, iv.may_differ),
    Op.LT: (lambda a, b: a[0] < b[1], lambda a, b: a[1] >= b[0]),
    Op.LE: (lambda a, b: a[0] <= b[1], lambda a, b: a[1] > b[0]),
}


@dataclass(frozen=True, slots=True)
class Site:
    """Where a variable or input is tested: its place, and what each of the values there is (for an integer the
    interval, else the packed value)."""

    place: int
    packed: Sequence[int]
    spans: Sequence[Interval] | None = None


class Evaluation:
    """The functions of terms over named sites."""

    def __init__(self, functions: Functions, sites: Mapping[str, Site]) -> None:
        self.functions = functions
        self.sites = sites
        self._true: dict[int, int] = {}
        self._false: dict[int, int] = {}
        self._values: dict[int, int] = {}
        self._covers: dict[tuple[Interval, ...], str] = {}
        self._kept: list[Term] = []

    def may(self, term: Term) -> int:
        """Where a boolean term may be true."""
        known = self._true.get(id(term))
        if known is None:
            known = self._true[id(term)] = self._may(term)
            self._kept.append(term)
        return known

    def may_not(self, term: Term) -> int:
        """Where it may be false."""
        known = self._false.get(id(term))
        if known is None:
            known = self._false[id(term)] = self._may_not(term)
            self._kept.append(term)
        return known

    def value(self, term: Term) -> int:
        """The intervals of an integer term, or the sets of packed values of any other."""
        known = self._values.get(id(term))
        if known is None:
            known = self._values[id(term)] = self._value(term)
            self._kept.append(term)
        return known

    def update(self, term: Term, spans: tuple[Interval, ...] | None) -> int:
        """The sets of packed values that a variable may be given (``spans``: those of an integer variable)."""
        node = self.value(term)
        if spans is None:
            return node
        name = self._covers.setdefault(spans, f"cover {len(self._covers)}")
        return self.functions.map(name, lambda span: _covering(spans, span), node)

    def _may(self, term: Term) -> int:
        f, args = self.functions, term.args
        match term.op:
            case Op.CONST:
                return int(bool(term.value))
            case Op.VAR:
                site = self.sites[str(term.value)]
                return f.node(site.place, tuple(int(bool(value)) for value in site.packed))
            case Op.NOT:
                return self.may_not(args[0])
            case Op.AND:
                return self._all(map(self.may, args))
            case Op.OR:
                return self._any(map(self.may, args))
            case Op.ITE:
                first, second = f.and_(self.may(args[0]), self.may(args[1])), self.may_not(args[0])
                return f.or_(first, f.and_(second, self.may(args[2])))
            case Op.EQ if args[0].sort is not INT:
                return f.apply("meet", _meet, self.value(args[0]), self.value(args[1]))
            case _:
                combine = cast("Combine", _COMPARISONS[term.op][0])
                return f.apply(term.op.value, combine, self.value(args[0]), self.value(args[1]))

    def _may_not(self, term: Term) -> int:
        f, args = self.functions, term.args
        match term.op:
            case Op.CONST | Op.VAR:
                return f.not_(self.may(term))
            case Op.NOT:
                return self.may(args[0])
            case Op.AND:
                return self._any(map(self.may_not, args))
            case Op.OR:
                return self._all(map(self.may_not, args))
            case Op.ITE:
                first, second = f.and_(self.may(args[0]), self.may_not(args[1])), self.may_not(args[0])
                return f.or_(first, f.and_(second, self.may_not(args[2])))
            case Op.EQ if args[0].sort is not INT:
                return f.apply("apart", _apart, self.value(args[0]), self.value(args[1]))
            case _:
                combine = cast("Combine", _COMPARISONS[term.op][1])
                return f.apply(f"not {term.op.value}", combine, self.value(args[0]), self.value(args[1]))

    def _all(self, nodes: Iterable[int]) -> int:
        return reduce(self.functions.and_, self._deepest_first(nodes), TRUE)

    def _any(self, nodes: Iterable[int]) -> int:
        return reduce(self.functions.or_, self._deepest_first(nodes), FALSE)

    def _deepest_first(self, nodes: Iterable[int]) -> list[int]:
        """So that what is joined so far need not be gone through again."""
        return sorted(nodes, key=lambda node: -self.functions.place[node])

    def _value(self, term: Term) -> int:
        f = self.functions
        if term.sort is BOOL:
            return f.apply("either", _either, self.may(term), self.may_not(term))
        match term.op:
            case Op.CONST:
                number = int(term.value)
                return f.leaf((number, number) if term.sort is INT else frozenset({number}))
            case Op.VAR:
                site = self.sites[str(term.value)]
                values: Sequence[Hashable] = (
                    site.spans if site.spans is not None else [frozenset({value}) for value in site.packed]
                )
                return f.node(site.place, tuple(map(f.leaf, values)))
            case Op.ITE:
                condition, then, otherwise = term.args
                first = f.apply("where", _where, self.may(condition), self.value(then))
                second = f.apply("where", _where, self.may_not(condition), self.value(otherwise))
                if term.sort is INT:
                    return f.apply("join", _join, first, second)
                return f.apply("together", _together, first, second)
            case _:
                left, right = (self.value(arg) for arg in term.args)
                return f.apply(term.op.value, cast("Combine", _ARITHMETIC[term.op]), left, right)


def _covering(spans: tuple[Interval, ...], span: Hashable) -> frozenset[int]:
    return frozenset(iv.covering(spans, cast("Interval", span)))


def _meet(a: Hashable, b: Hashable) -> bool:
    return not cast("frozenset[int]", a).isdisjoint(cast("frozenset[int]", b))


def _apart(a: Hashable, b: Hashable) -> bool:
    return len(cast("frozenset[int]", a) | cast("frozenset[int]", b)) > 1


def _either(true: Hashable, false: Hashable) -> frozenset[int]:
    return frozenset(number for number, may in ((1, true), (0, false)) if may is True)


def _where(condition: Hashable, value: Hashable) -> Hashable:
    return value if condition is True else None


def _together(a: Hashable, b: Hashable) -> frozenset[int]:
    return frozenset(cast("frozenset[int]", a) or ()) | frozenset(cast("frozenset[int]", b) or ())


def _join(a: Hashable, b: Hashable) -> Hashable:
    if a is None or b is None:
        return b if a is None else a
    return iv.join(cast("Interval", a), cast("Interval", b))
