"""Whether a boolean term takes both values, as far as a look at some values of its variables shows it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import product
from math import prod

from fsmcheck.system import terms as t
from fsmcheck.system.system import Input, Variable
from fsmcheck.system.terms import Op, SortKind, Term

MOST = 48
"""Samples of one term."""


def is_seen_to_vary(term: Term, variables: Mapping[str, Variable | Input]) -> bool:
    """Whether some allowed values of the variables make a term true and others make it false. False says nothing.

    ``variables`` are all that may occur in the term, by name, with what they are known to keep to.
    """
    names = sorted(t.variables([term]))
    constants = {int(each.value) for each in t.walk([term]) if each.op is Op.CONST and each.sort.kind is SortKind.INT}
    found = set()
    for values in _samples([_candidates(variables[name], constants) for name in names]):
        result = t.substitute(term, dict(zip(names, values, strict=True)))
        if t.is_const(result):
            found.add(bool(result.value))
            if len(found) == 2:
                return True
    return False


def _candidates(variable: Variable | Input, constants: Iterable[int]) -> Sequence[Term]:
    sort = variable.sort
    if sort.kind is SortKind.BOOL:
        return (t.FALSE, t.TRUE)
    if sort.kind is SortKind.FINITE:
        return [t.label(sort, index) for index in variable.domain or range(sort.size)]
    lower = variable.lower
    upper = variable.upper if isinstance(variable, Input) else None
    near = sorted({0, *(each + more for each in constants for more in (-1, 0, 1))} | ({lower} if lower else set()))
    return [t.integer(each) for each in near if (lower is None or each >= lower) and (upper is None or each <= upper)]


def _samples(candidates: Sequence[Sequence[Term]]) -> Iterator[tuple[Term, ...]]:
    """All combinations where there are few, and else some, in which every variable changes often."""
    sizes = [len(each) for each in candidates]
    if not all(sizes):
        return
    if prod(sizes) <= MOST:
        yield from product(*candidates)
        return
    for number in range(MOST):
        places = [number * (2 * place + 1) + number // size for place, size in enumerate(sizes)]
        yield tuple(each[at % len(each)] for each, at in zip(candidates, places, strict=True))
