"""The classes of contexts that the guards of a state do not tell apart, each with a concrete context.

Contexts are tried out on the evaluator: those made of candidate values first. Z3 is then asked, on the abstraction,
for a context with other outcomes than those met, until there is none: an answer is made concrete and tried too.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import product
from math import prod
from random import Random

from fsmcheck.cel.types import Kind
from fsmcheck.cel.values import Value
from fsmcheck.outlining.candidates import candidates, is_computed
from fsmcheck.outlining.concrete import contexts
from fsmcheck.outlining.exhaustive import admitted
from fsmcheck.outlining.outcomes import OutcomeTerms, Vector, matrix_fields, outcome_terms, outcomes
from fsmcheck.records import dataclass
from fsmcheck.reducer.configuration import Profile
from fsmcheck.reducer.store import Store, empty_value
from fsmcheck.spec.model import Spec, State
from fsmcheck.system.layout import Layout
from fsmcheck.system.system import Variable

TRIED = 4_000
"""Contexts made of candidate values that are tried for one state."""

ASKED = 96
"""Questions to Z3 for one state."""


@dataclass(frozen=True, slots=True)
class Classes:
    """Each vector of outcomes with a context that shows it, of ``fields``.

    ``complete`` says that there are no others: no context of the fields, with integers up to 2^53, has other outcomes.
    """

    fields: tuple[str, ...]
    found: Mapping[Vector, Mapping[str, Value]]
    complete: bool


@dataclass(frozen=True, slots=True)
class _Trial:
    """Where contexts of a state are tried out. ``needed`` are the fields that are set when guards are evaluated."""

    spec: Spec
    state: State
    profile: Profile
    fields: tuple[str, ...]
    needed: frozenset[str]
    found: dict[Vector, Mapping[str, Value]]

    def admit(self, context: Mapping[str, Value]) -> Vector | None:
        """The outcomes in a context, noted if they are new; None where guards are not evaluated there."""
        store = filled(self.spec, context)
        if not all(store.is_set(name) for name in self.needed):
            return None
        vector = outcomes(self.state, store, self.profile)
        self.found.setdefault(vector, context)
        return vector


def filled(spec: Spec, context: Mapping[str, Value]) -> Store:
    """A store with these values and nothing in the other fields."""
    return Store({f.name.text: context.get(f.name.text, empty_value(f.type)) for f in spec.fields})


def classes(layout: Layout, state: State, profile: Profile, variables: Sequence[Variable] | None = None) -> Classes:
    """The classes of a state that is not terminal; ``variables`` are those of the ``store_variables`` of the layout."""
    spec = layout.spec
    fields = matrix_fields(spec, state, profile)
    required = {requirement.field.text for requirement in state.requires}
    needed = frozenset(required & set(fields)) if profile == "gated" else frozenset()
    trial = _Trial(spec, state, profile, fields, needed, {})
    values = [candidates(spec, state, name, empty=name not in needed) for name in fields]
    for combination in _combinations(values):
        trial.admit(dict(zip(fields, combination, strict=True)))
    if not fields:
        return Classes(fields, trial.found, complete=True)
    variables = store_variables(layout) if variables is None else variables
    complete = _ask(layout, variables, outcome_terms(layout, state, profile), trial)
    return Classes(fields, trial.found, complete)


def store_variables(layout: Layout) -> tuple[Variable, ...]:
    """The variables that stand for fields, with the values that these can have."""
    return tuple(_within(layout, each) for each in layout.variables() if each.field is not None)


def _combinations(values: Sequence[Sequence[Value]]) -> Iterator[tuple[Value, ...]]:
    """All combinations, the first values first; a sample where they are too many."""
    if prod(map(len, values)) <= TRIED:
        yield from product(*values)
        return
    heads = [each[0] for each in values]
    for place, each in enumerate(values):
        for value in each:
            yield (*heads[:place], value, *heads[place + 1 :])
    random = Random(0)  # noqa: S311 - no secret
    for _ in range(TRIED):
        yield tuple(random.choice(each) for each in values)


def _ask(layout: Layout, variables: Sequence[Variable], terms: OutcomeTerms, trial: _Trial) -> bool:
    """Look for further classes; whether there are none left that the abstraction admits."""
    every = admitted(terms, variables)
    if every is not None and every <= trial.found.keys():
        return True
    from fsmcheck.engines.outcomes import OutcomeSearch

    used = [*terms.true, *terms.error, terms.side]
    search = OutcomeSearch(variables, terms.choices.used_in(used), terms.true, terms.error, terms.side)
    for vector in trial.found:
        search.exclude(vector)
    missed: set[Vector] = set()
    for _ in range(ASKED):
        answer = search.another()
        if answer is None:
            return search.settled and not missed - trial.found.keys()
        vector, values = answer
        for context in contexts(layout, trial.fields, values):
            shown = trial.admit(context)
            if shown is not None:
                search.exclude(shown)
            if shown == vector:
                break
        missed.add(vector)
        search.exclude(vector)
    return False


def _within(layout: Layout, variable: Variable) -> Variable:
    """A variable of the store with the values it can have: a number that is only ever given is not NaN."""
    name = variable.field or ""
    if layout.types[name].kind is not Kind.NUMBER or is_computed(layout.spec, name):
        return variable
    return replace(variable, domain=(0, *range(2, variable.sort.size)))
