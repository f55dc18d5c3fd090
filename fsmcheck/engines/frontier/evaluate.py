"""Terms over many configurations at once, in the abstraction of explicit search.

Configurations are rows and ways to choose inputs are columns: what depends on the former alone is an array of one
column, on the latter alone of one row. What is exact is one array; a boolean that is not is a pair (may it be true, may
it be false), a finite value that is not a set in the bits of a number.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import reduce

import numpy as np

from fsmcheck.engines.diagram.budget import BudgetError
from fsmcheck.engines.frontier.arrays import Array
from fsmcheck.engines.frontier.codes import Codes, narrow
from fsmcheck.engines.frontier.pointwise import FALSE, TRUE, Table, Tables
from fsmcheck.records import dataclass
from fsmcheck.system.system import Input
from fsmcheck.system.terms import BOOL, INT, Op, Term

MOST_VALUES = 64
"""Values of a finite sort whose sets are told by the bits of a number."""

Truth = tuple[Array, Array | None]
"""Where a boolean may be true, and where false; None where that is wherever it may not be true."""


@dataclass(frozen=True, slots=True)
class Several:
    """Sets of values: bit n for value n."""

    bits: Array


@dataclass(frozen=True, slots=True)
class Between:
    """Sets of intervals: from the ``first`` to the ``last``."""

    first: Array
    last: Array


Values = Array | Several | Between


class Evaluation:
    """The values of terms in some rows, with inputs chosen as ``columns`` say; each term is worked out once."""

    def __init__(
        self,
        codes: Codes,
        tables: Tables,
        rows: Array,
        inputs: Mapping[str, Input],
        columns: Mapping[str, Array],
    ) -> None:
        self.codes = codes
        self.tables = tables
        self.rows = rows
        self.inputs = inputs
        self._columns = dict(columns)
        self._truths: dict[int, Truth] = {}
        self._values: dict[int, Array | Several] = {}

    def column(self, name: str) -> Array:
        """The packed values of a variable or an input."""
        known = self._columns.get(name)
        if known is None:
            known = self._columns[name] = self.codes.column(self.rows, name)[:, None]
        return known

    def may(self, term: Term) -> Array:
        """Where a boolean may be true."""
        return self.truth(term)[0]

    def truth(self, term: Term) -> Truth:
        """Where a boolean may be true and where it may be false."""
        known = self._truths.get(id(term))
        if known is None:
            known = self._truths[id(term)] = self._truth(term)
        return known

    def value(self, term: Term) -> Array | Several:
        """The values of a boolean or of a finite term."""
        known = self._values.get(id(term))
        if known is None:
            known = self._values[id(term)] = self._boolean(term) if term.sort is BOOL else self._finite(term)
        return known

    def update(self, name: str, term: Term) -> Values:
        """What a variable is given by a term."""
        if term.sort is not INT:
            return self.value(term)
        table = self.tables.update(name, term, self.inputs)
        places = self._places(table)
        return Between(table.content[0][places], table.content[1][places])

    def _places(self, table: Table) -> Array:
        places = np.zeros((1, 1), np.intp)
        for name, stride in zip(table.names, table.strides, strict=True):
            places = places + self.column(name).astype(np.intp) * stride
        return places

    def _truth(self, term: Term) -> Truth:
        match term.op:
            case Op.CONST:
                return np.full((1, 1), bool(term.value)), None
            case Op.VAR:
                return self.column(str(term.value)).astype(bool), None
            case Op.NOT:
                true, false = self.truth(term.args[0])
                return (~true, None) if false is None else (false, true)
            case Op.AND | Op.OR:
                return self._junction(term)
            case Op.ITE:
                return self._choice(term)
            case Op.EQ if term.args[0].sort is not INT:
                return self._equal(term)
            case _:
                table = self.tables.comparison(term, self.inputs)
                bits = table.content[0][self._places(table)]
                return (bits & TRUE) != 0, (bits & FALSE) != 0

    def _junction(self, term: Term) -> Truth:
        truths = [self.truth(arg) for arg in term.args]
        every, some = (np.logical_and, np.logical_or) if term.op is Op.AND else (np.logical_or, np.logical_and)
        true = reduce(every, (true for true, _ in truths))
        if all(false is None for _, false in truths):
            return true, None
        return true, reduce(some, (_false(truth) for truth in truths))

    def _choice(self, term: Term) -> Truth:
        condition, then, otherwise = (self.truth(arg) for arg in term.args)
        if condition[1] is None and then[1] is None and otherwise[1] is None:
            return np.where(condition[0], then[0], otherwise[0]), None
        true, false = condition[0], _false(condition)
        return (
            (true & then[0]) | (false & otherwise[0]),
            (true & _false(then)) | (false & _false(otherwise)),
        )

    def _equal(self, term: Term) -> Truth:
        one, other = (self.value(arg) for arg in term.args)
        if not isinstance(one, Several) and not isinstance(other, Several):
            return one == other, None
        a, b = _bits(one), _bits(other)
        both = a | b
        return (a & b) != 0, (both & (both - np.uint64(1))) != 0

    def _boolean(self, term: Term) -> Array | Several:
        true, false = self.truth(term)
        if false is None:
            return true
        return Several(true.astype(np.uint64) << np.uint64(1) | false.astype(np.uint64))

    def _finite(self, term: Term) -> Array | Several:
        match term.op:
            case Op.CONST:
                return np.full((1, 1), int(term.value), narrow(int(term.value)))
            case Op.VAR:
                return self.column(str(term.value))
        condition = self.truth(term.args[0])
        then, otherwise = (self.value(arg) for arg in term.args[1:])
        if condition[1] is None and not isinstance(then, Several) and not isinstance(otherwise, Several):
            return np.where(condition[0], then, otherwise)
        if term.sort.size > MOST_VALUES:
            raise BudgetError(f"values of integers decide among more than {MOST_VALUES} others")
        none = np.uint64(0)
        return Several(np.where(condition[0], _bits(then), none) | np.where(_false(condition), _bits(otherwise), none))


def _false(truth: Truth) -> Array:
    return ~truth[0] if truth[1] is None else truth[1]


def _bits(values: Array | Several) -> Array:
    if isinstance(values, Several):
        return values.bits
    return np.left_shift(np.uint64(1), values.astype(np.uint64))
