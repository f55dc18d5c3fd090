"""Terms with integers at one point, in the abstraction of explicit search, as tables over all points.

A boolean is a pair (may it be true, may it be false), an integer an interval, a finite value a set.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from itertools import product
from math import prod

import numpy as np

from fsmcheck.engines import intervals as iv
from fsmcheck.engines.diagram.budget import BudgetError
from fsmcheck.engines.frontier.arrays import Array
from fsmcheck.engines.frontier.budget import Budget
from fsmcheck.engines.intervals import Interval
from fsmcheck.engines.packing import Packing
from fsmcheck.records import dataclass
from fsmcheck.system import terms as t
from fsmcheck.system.system import Input
from fsmcheck.system.terms import BOOL, INT, Op, Term

MOST_POINTS = 1 << 17
"""Points of one table."""

TRUE, FALSE = 1, 2
"""Bits of a table of a comparison: it may be true, it may be false."""

_ARITHMETIC: Mapping[Op, Callable[[Interval, Interval], Interval]] = {
    Op.ADD: iv.add,
    Op.SUB: iv.sub,
    Op.MUL: iv.mul,
    Op.DIV: iv.div,
    Op.MOD: iv.mod,
}


@dataclass(frozen=True, slots=True)
class Point:
    """Packed values, and the intervals of the integers among them."""

    values: Mapping[str, int]
    spans: Mapping[str, Interval]

    def interval(self, term: Term) -> Interval:
        """Between what an integer term lies."""
        match term.op:
            case Op.CONST:
                return (int(term.value), int(term.value))
            case Op.VAR:
                return self.spans[str(term.value)]
            case Op.ITE:
                true, false = self.may(term.args[0])
                found = [self.interval(arg) for arg, may in zip(term.args[1:], (true, false), strict=True) if may]
                return found[0] if len(found) == 1 else iv.join(found[0], found[1])
            case _:
                left, right = (self.interval(arg) for arg in term.args)
                return _ARITHMETIC[term.op](left, right)

    def several(self, term: Term) -> frozenset[int]:
        """What a boolean or finite term may be."""
        if term.sort is BOOL:
            return frozenset(value for value, may in zip((1, 0), self.may(term), strict=True) if may)
        match term.op:
            case Op.CONST:
                return frozenset({int(term.value)})
            case Op.VAR:
                return frozenset({self.values[str(term.value)]})
            case _:
                pairs = zip(term.args[1:], self.may(term.args[0]), strict=True)
                return frozenset().union(*(self.several(arg) for arg, may in pairs if may))

    def may(self, term: Term) -> tuple[bool, bool]:
        """Whether a boolean term may be true, and whether it may be false."""
        match term.op:
            case Op.CONST:
                return bool(term.value), not term.value
            case Op.VAR:
                value = bool(self.values[str(term.value)])
                return value, not value
            case Op.NOT:
                true, false = self.may(term.args[0])
                return false, true
            case Op.AND:
                pairs = [self.may(arg) for arg in term.args]
                return all(true for true, _ in pairs), any(false for _, false in pairs)
            case Op.OR:
                pairs = [self.may(arg) for arg in term.args]
                return any(true for true, _ in pairs), all(false for _, false in pairs)
            case Op.ITE:
                (t0, f0), (t1, f1), (t2, f2) = (self.may(arg) for arg in term.args)
                return (t0 and t1) or (f0 and t2), (t0 and f1) or (f0 and f2)
            case Op.EQ if term.args[0].sort is not INT:
                one, other = (self.several(arg) for arg in term.args)
                return not one.isdisjoint(other), len(one | other) > 1
        return self._compared(term.op, *(self.interval(arg) for arg in term.args))

    @staticmethod
    def _compared(op: Op, a: Interval, b: Interval) -> tuple[bool, bool]:
        if op is Op.EQ:
            return iv.may_equal(a, b), iv.may_differ(a, b)
        if op is Op.LT:
            return a[0] < b[1], a[1] >= b[0]
        return a[0] <= b[1], a[1] > b[0]


@dataclass(frozen=True, slots=True)
class Table:
    """A function of the columns of ``names``: at Σ column x ``strides`` of ``content``, one array for each result."""

    names: tuple[str, ...]
    strides: tuple[int, ...]
    content: tuple[Array, ...]


class Tables:
    """The tables made so far. Asking for one raises ``BudgetError`` where it would be too long, or takes too long."""

    def __init__(self, packing: Packing, budget: Budget) -> None:
        self.packing = packing
        self._budget = budget
        self._known: dict[tuple[int, tuple[Input, ...], str], Table] = {}
        self._kept: list[Term] = []

    def comparison(self, term: Term, inputs: Mapping[str, Input]) -> Table:
        """What a comparison of integers may be: ``TRUE`` and ``FALSE`` as bits."""

        def entry(point: Point) -> tuple[int, ...]:
            true, false = point.may(term)
            return (TRUE * true + FALSE * false,)

        return self._table(term, inputs, "", entry, (np.uint8,))

    def update(self, name: str, term: Term, inputs: Mapping[str, Input]) -> Table:
        """The first and the last of the intervals that an integer variable may be given; the first is after the last
        where there is none."""
        spans = self.packing.intervals[name]

        def entry(point: Point) -> tuple[int, ...]:
            found = iv.covering(spans, point.interval(term))
            return (found[0], found[-1]) if found else (1, 0)

        return self._table(term, inputs, name, entry, (np.int32, np.int32))

    def _table(
        self,
        term: Term,
        inputs: Mapping[str, Input],
        about: str,
        entry: Callable[[Point], tuple[int, ...]],
        kinds: Sequence[type],
    ) -> Table:
        sorts = t.variables([term])
        key = (id(term), tuple(inputs[name] for name in sorts if name in inputs), about)
        known = self._known.get(key)
        if known is None:
            self._kept.append(term)
            known = self._known[key] = self._made(tuple(sorts), inputs, entry, kinds)
        return known

    def _made(
        self,
        names: tuple[str, ...],
        inputs: Mapping[str, Input],
        entry: Callable[[Point], tuple[int, ...]],
        kinds: Sequence[type],
    ) -> Table:
        domains = [self._domain(name, inputs) for name in names]
        spans = [self._spans(name, inputs) for name in names]
        widths = [max(domain, default=0) + 1 for domain in domains]
        if prod(widths) > MOST_POINTS:
            raise BudgetError(f"integers that depend on too many values: more than {MOST_POINTS} combinations")
        strides = tuple(prod(widths[place + 1 :]) for place in range(len(widths)))
        content = tuple(np.zeros(prod(widths), kind) for kind in kinds)
        for values in product(*domains):
            self._budget.check_time()
            place = sum(value * stride for value, stride in zip(values, strides, strict=True))
            within = {name: span[value] for name, span, value in zip(names, spans, values, strict=True) if span}
            for array, result in zip(content, entry(Point(dict(zip(names, values, strict=True)), within)), strict=True):
                array[place] = result
        return Table(names, strides, content)

    def _domain(self, name: str, inputs: Mapping[str, Input]) -> tuple[int, ...]:
        if name in inputs:
            return self.packing.input_domain(inputs[name])
        spans = self.packing.intervals.get(name)
        return tuple(range(self.packing.system.by_name[name].sort.size if spans is None else len(spans)))

    def _spans(self, name: str, inputs: Mapping[str, Input]) -> Mapping[int, Interval]:
        if name not in inputs:
            return dict(enumerate(self.packing.intervals.get(name, ())))
        choice = inputs[name]
        if choice.sort is not INT:
            return {}
        return {value: self.packing.input_interval(choice, value) for value in self.packing.input_domain(choice)}
