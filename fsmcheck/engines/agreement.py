"""Whether two boolean terms have one value wherever a search went.

Integers, of which a search knows no more than an interval, may have any value here. Without choices of the abstraction
a term then has in each configuration the value that it has in every concrete store which that stands for, or none.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from itertools import product

from fsmcheck.records import dataclass
from fsmcheck.system.system import Chooser, Input, Variable
from fsmcheck.system.terms import BOOL, INT, Op, Term, variables

MOST_VALUES = 100_000
"""Combinations of values, of variables and inputs, that are tried for one pair of terms."""


@dataclass(frozen=True, slots=True)
class Pair:
    """Two boolean terms over the variables of a system and some inputs."""

    left: Term
    right: Term
    inputs: tuple[Input, ...] = ()

    @property
    def is_exact(self) -> bool:
        """Whether the terms rest on nothing that the abstraction chooses."""
        used = variables((self.left, self.right))
        return all(each.chooser is Chooser.AGENT for each in self.inputs if each.name in used)


@dataclass(frozen=True, slots=True)
class Values:
    """The values that some variables have together somewhere, each row in the order of ``names``."""

    names: tuple[str, ...]
    rows: tuple[tuple[int, ...], ...]


def values_met(pair: Pair, declared: Sequence[Variable], members: Iterable[Sequence[int]]) -> Values:
    """With what values of the variables that a pair names a location is reached; ``members`` are all values there."""
    used = variables((pair.left, pair.right))
    places = [place for place, each in enumerate(declared) if each.name in used and each.sort != INT]
    rows = {tuple(packed[place] for place in places) for packed in members}
    return Values(tuple(declared[place].name for place in places), tuple(sorted(rows)))


def agree(pair: Pair, met: Values) -> bool | None:
    """Whether the terms of an exact pair agree for all values met and all choices of inputs; None where there are too
    many, or it hangs on an integer."""
    used = variables((pair.left, pair.right))
    choices = [choice for choice in pair.inputs if choice.name in used and choice.sort != INT]
    domains = [_domain(choice) for choice in choices]
    ways = len(met.rows)
    for domain in domains:
        ways *= len(domain)
    if ways > MOST_VALUES:
        return None
    names = (*met.names, *(choice.name for choice in choices))
    for row in met.rows:
        for chosen in product(*domains):
            values = dict(zip(names, (*row, *chosen), strict=True))
            left, right = _value(pair.left, values, {}), _value(pair.right, values, {})
            if left is None or right is None:
                return None
            if left != right:
                return False
    return True


def has_no_integers(terms: tuple[Term, ...]) -> bool:
    """Whether no part of some terms is an integer."""
    stack, seen = list(terms), set()
    while stack:
        term = stack.pop()
        if term.sort is INT or term.sort == INT:
            return False
        if id(term) not in seen:
            seen.add(id(term))
            stack.extend(term.args)
    return True


def _domain(choice: Input) -> tuple[int, ...]:
    if choice.sort == BOOL:
        return (0, 1)
    return choice.domain or tuple(range(choice.sort.size))


def _value(term: Term, values: Mapping[str, int], memo: dict[int, int | None]) -> int | None:
    """A term's value, a boolean as 0 or 1; None where it hangs on an integer."""
    if id(term) not in memo:
        memo[id(term)] = _worked_out(term, values, memo)
    return memo[id(term)]


def _worked_out(term: Term, values: Mapping[str, int], memo: dict[int, int | None]) -> int | None:
    match term.op:
        case Op.CONST:
            return int(term.value)
        case Op.VAR:
            return values.get(str(term.value))
        case Op.NOT:
            operand = _value(term.args[0], values, memo)
            return None if operand is None else 1 - operand
        case Op.AND | Op.OR:
            decisive = int(term.op is Op.OR)
            parts = {_value(part, values, memo) for part in term.args}
            return decisive if decisive in parts else None if None in parts else 1 - decisive
        case Op.ITE:
            condition, *ways = (_value(part, values, memo) for part in term.args)
            return ways[1 - condition] if condition is not None else ways[0] if ways[0] == ways[1] else None
        case Op.EQ:
            left, right = (_value(part, values, memo) for part in term.args)
            return None if left is None or right is None else int(left == right)
        case _:
            return None
