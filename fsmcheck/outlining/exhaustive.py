"""Every vector of outcomes that the abstraction admits, where it has few values: by trying them all.

Most guards ask about an enum or two. What a solver would say of them is told here in a fraction of the time.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import product
from math import prod

from fsmcheck.outline import Outcome
from fsmcheck.outlining.outcomes import OutcomeTerms, Vector
from fsmcheck.system import terms as t
from fsmcheck.system.system import Input, Variable
from fsmcheck.system.terms import BOOL, INT, Term

MOST_VALUES = 256
"""Combinations of values that are tried for one state."""

MOST_NODES = 200
"""Nodes of terms that are evaluated for each of them."""


def admitted(terms: OutcomeTerms, variables: Sequence[Variable]) -> frozenset[Vector] | None:
    """The vectors that some values of the variables, and of the inputs that the terms use, lead to; None where there
    are integers, or too many values."""
    used = [*terms.true, *terms.error, terms.side]
    names = t.variables(used)
    known: dict[str, Variable | Input] = {each.name: each for each in variables}
    known.update((each.name, each) for each in terms.choices.used_in(used))
    if INT in names.values() or not names.keys() <= known.keys() or sum(1 for _ in t.walk(used)) > MOST_NODES:
        return None
    domains = {name: known[name].domain or tuple(range(sort.size)) for name, sort in names.items()}
    if prod(map(len, domains.values())) > MOST_VALUES:
        return None
    found: set[Vector] = set()
    for values in _assignments(domains, names):
        memo: dict[int, Term] = {}
        plain = [t.substitute(each, values, memo) for each in used]
        if not all(map(t.is_const, plain)):
            return None
        *outcomes, side = (bool(each.value) for each in plain)
        if side:
            half = len(terms.true)
            found.add(tuple(map(_outcome, outcomes[:half], outcomes[half:])))
    return frozenset(found)


def _assignments(domains: Mapping[str, Sequence[int]], sorts: Mapping[str, t.Sort]) -> Iterator[dict[str, Term]]:
    for combination in product(*domains.values()):
        yield {
            name: t.boolean(bool(value)) if sorts[name] == BOOL else t.label(sorts[name], value)
            for name, value in zip(domains, combination, strict=True)
        }


def _outcome(true: bool, error: bool) -> Outcome:
    if true:
        return "true"
    return "error" if error else "false"
