"""Inputs of steps: values that are chosen, by an agent or because the abstraction does not know them."""

from __future__ import annotations

from dataclasses import field, replace

from fsmcheck.records import dataclass
from fsmcheck.system import terms as t
from fsmcheck.system.system import Chooser, Input
from fsmcheck.system.terms import BOOL, INT, Sort, Term


@dataclass
class Choices:
    """Collects the inputs that the building of one group of steps introduces.

    Asked twice under one key it gives the same input: an expression evaluated twice in one store has one value.
    """

    prefix: str
    inputs: dict[str, Input] = field(default_factory=dict)
    _known: dict[object, Term] = field(default_factory=dict)

    def boolean(self, key: object, chooser: Chooser = Chooser.ABSTRACTION) -> Term:
        return self._choose(key, BOOL, chooser)

    def integer(
        self,
        key: object,
        lower: int | None = None,
        upper: int | None = None,
        chooser: Chooser = Chooser.ABSTRACTION,
    ) -> Term:
        return self._choose(key, INT, chooser, lower=lower, upper=upper)

    def finite(
        self, key: object, sort: Sort, domain: tuple[int, ...] = (), chooser: Chooser = Chooser.ABSTRACTION
    ) -> Term:
        return self._choose(key, sort, chooser, domain=domain)

    def _choose(
        self,
        key: object,
        sort: Sort,
        chooser: Chooser,
        domain: tuple[int, ...] = (),
        lower: int | None = None,
        upper: int | None = None,
    ) -> Term:
        full_key = (key, sort)
        known = self._known.get(full_key)
        if known is not None:
            return known
        name = f"{self.prefix}#{len(self.inputs)}"
        self.inputs[name] = Input(name, sort, chooser, domain, lower, upper)
        term = self._known[full_key] = t.var(name, sort)
        return term

    def restrict(self, term: Term, *, nonzero: bool) -> None:
        """Rule out the first value (or zero) of an input."""
        choice = self.inputs[str(term.value)]
        if nonzero and term.sort is INT:
            lower = 1 if choice.lower is None else max(1, choice.lower)
            self.inputs[choice.name] = replace(choice, lower=lower)
        elif nonzero:
            domain = choice.domain or tuple(range(term.sort.size))
            self.inputs[choice.name] = replace(choice, domain=tuple(index for index in domain if index != 0))

    def used_in(self, terms: list[Term]) -> tuple[Input, ...]:
        """The inputs that occur in the terms, in the order they were introduced."""
        if not self.inputs:
            return ()
        names = t.variables(terms)
        return tuple(choice for name, choice in self.inputs.items() if name in names)
