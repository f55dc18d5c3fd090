"""Is a boolean term the same for every value of its variables? Decided in Z3."""

from __future__ import annotations

from collections.abc import Sequence

from fsmcheck.engines.smt import Encoding, answer_of
from fsmcheck.engines.solver import z3
from fsmcheck.system.system import Input, Location, Phase, System, Variable
from fsmcheck.system.terms import Term

RLIMIT = 2_000_000


class Validity:
    """Answers for terms over the same variables, in one context."""

    def __init__(self, variables: Sequence[Variable]) -> None:
        start = Location("", Phase.START)
        initial = {variable.name: 0 for variable in variables}
        self.encoding = Encoding(System("", "", start, tuple(variables), initial, ()))
        self.state = self.encoding.state(0)
        self.solver = z3.Solver(ctx=self.encoding.context)
        self.solver.set("rlimit", RLIMIT)
        self.solver.add(self.encoding.bounds(0))

    def constant_value(self, term: Term, inputs: Sequence[Input]) -> bool | None:
        """True or False where the term has that value always; None where it varies, or Z3 does not know."""
        values = {**self.state, **self.encoding.inputs(inputs, 0)}
        formula = self.encoding.term(term, values)
        bounds = self.encoding.input_bounds(inputs, values)
        if answer_of(self.solver, *bounds, formula) == z3.unsat:
            return False
        if answer_of(self.solver, *bounds, z3.Not(formula)) == z3.unsat:
            return True
        return None
