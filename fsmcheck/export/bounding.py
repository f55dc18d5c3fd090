"""Integers within a stated bound, so that a model of them is finite.

Configurations in which an integer lies beyond the bound, and all that follows on them, are left out: what remains is
an under-approximation, of which every run is one of the transition system.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import field

from fsmcheck.engines import intervals as iv
from fsmcheck.engines.intervals import Interval
from fsmcheck.export.refusal import ExportError
from fsmcheck.records import dataclass
from fsmcheck.system import terms as t
from fsmcheck.system.system import Input, Variable
from fsmcheck.system.terms import INT, Op, Term

MOST = 2**31 - 1
"""The largest number that all the tools calculate with."""

_ARITHMETIC = {Op.ADD: iv.add, Op.SUB: iv.sub, Op.MUL: iv.mul, Op.DIV: iv.div, Op.MOD: iv.mod}


def span(item: Variable | Input, bound: int) -> tuple[int, int]:
    """The values of an integer variable or input within the bound (none where the first exceeds the second)."""
    low, high = -bound, bound
    if item.lower is not None:
        low = max(low, item.lower)
    if isinstance(item, Input) and item.upper is not None:
        high = min(high, item.upper)
    return low, high


@dataclass
class Folding:
    """Simplifies terms by what is known of the integers in them."""

    spans: Mapping[str, tuple[int, int]]
    _intervals: dict[int, Interval] = field(default_factory=dict)
    _folded: dict[int, Term] = field(default_factory=dict)
    _kept: list[Term] = field(default_factory=list)

    def fold(self, term: Term) -> Term:
        """The term with comparisons decided where the bounds decide them.

        Raises:
            ExportError: it calculates with numbers that the tools cannot hold.
        """
        known = self._folded.get(id(term))
        if known is not None:
            return known
        self._kept.append(term)
        result = self._fold(term)
        self._folded[id(term)] = result
        return result

    def _fold(self, term: Term) -> Term:
        if term.op in (Op.EQ, Op.LT, Op.LE) and term.args[0].sort is INT:
            decided = _compare(term.op, *(self.interval(arg) for arg in term.args))
            if decided is not None:
                return t.boolean(decided)
        if term.sort is INT:
            low, high = self.interval(term)
            if max(abs(low), abs(high)) > MOST:
                raise ExportError("it calculates with numbers of more than 32 bits, which the tools cannot hold")
        if not term.args:
            return term
        return t.rebuild(term, tuple(self.fold(arg) for arg in term.args))

    def interval(self, term: Term) -> Interval:
        """Where the value of an integer term lies."""
        known = self._intervals.get(id(term))
        if known is None:
            self._kept.append(term)
            known = self._intervals[id(term)] = self._interval(term)
        return known

    def _interval(self, term: Term) -> Interval:
        if term.op is Op.CONST:
            return (int(term.value), int(term.value))
        if term.op is Op.VAR:
            return self.spans[str(term.value)]
        if term.op is Op.ITE:
            return iv.join(self.interval(term.args[1]), self.interval(term.args[2]))
        left, right = (self.interval(arg) for arg in term.args)
        return _ARITHMETIC[term.op](left, right)


def _compare(op: Op, left: Interval, right: Interval) -> bool | None:
    """What a comparison of any two values in the intervals gives; None where it depends on them."""
    if op is Op.EQ:
        if not iv.may_equal(left, right):
            return False
        return None if iv.may_differ(left, right) else True
    if op is Op.LT:
        always, never = left[1] < right[0], left[0] >= right[1]
    else:
        always, never = left[1] <= right[0], left[0] > right[1]
    return always if always or never else None
