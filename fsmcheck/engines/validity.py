"""Is a boolean term the same for every value of its variables? Decided in Z3."""

from __future__ import annotations

from collections.abc import Sequence

import z3

from fsmcheck.engines.smt import Encoding
from fsmcheck.system.system import Input, Location, Phase, System, Variable
from fsmcheck.system.terms import Term

RLIMIT = 2_000_000


def constant_value(term: Term, variables: Sequence[Variable], inputs: Sequence[Input]) -> bool | None:
    """True or False where the term has that value always; None where it varies, or Z3 does not know."""
    start = Location("", Phase.START)
    encoding = Encoding(System("", "", start, tuple(variables), {v.name: 0 for v in variables}, ()))
    values = {**encoding.state(0), **encoding.inputs(inputs, 0)}
    formula = encoding.term(term, values)
    solver = z3.Solver(ctx=encoding.context)
    solver.set("rlimit", RLIMIT)
    solver.add(encoding.bounds(0), *encoding.input_bounds(inputs, values))
    if solver.check(formula) == z3.unsat:
        return False
    if solver.check(z3.Not(formula)) == z3.unsat:
        return True
    return None
