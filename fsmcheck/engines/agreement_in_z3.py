"""Whether two boolean terms have one value wherever a search went, asked of Z3."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypeVar

from fsmcheck.engines.agreement import Pair, Values
from fsmcheck.engines.formulas import Formulas
from fsmcheck.engines.handles import encoded
from fsmcheck.engines.library import LibraryError
from fsmcheck.system.system import Location, Phase, System, Variable
from fsmcheck.system.terms import variables

RLIMIT = 2_000_000
SEED = 7

F = TypeVar("F")


def agree_in_z3(questions: Sequence[tuple[Pair, Values]], declared: Sequence[Variable]) -> bool | None:
    """Whether the terms of each pair agree for all values met and all choices of inputs; None where Z3 does not
    know."""
    named = variables([term for pair, _ in questions for term in (pair.left, pair.right)])
    asked = tuple(variable for variable in declared if variable.name in named)
    formulas = encoded(System("", "", Location("", Phase.START), asked, dict.fromkeys(named, 0), ()))
    try:
        solver = formulas.solver(SEED, RLIMIT)
        for pair, met in questions:
            parted = solver.decide(_parted(formulas, pair, met))
            if parted is not False:
                return None if parted is None else False
    except LibraryError:
        return None
    finally:
        formulas.close()
    return True


def _parted(formulas: Formulas[F], pair: Pair, met: Values) -> F:
    """That the values are among those met, and the terms differ."""
    sorts = {variable.name: variable.sort for variable in formulas.system.variables}
    state = formulas.state(0)
    values = {**state, **formulas.inputs(pair.inputs, 0)}
    rows = [
        formulas.all(
            [
                formulas.equal(state[name], formulas.value(sorts[name], value))
                for name, value in zip(met.names, row, strict=True)
            ]
        )
        for row in met.rows
    ]
    same = formulas.equal(formulas.term(pair.left, values), formulas.term(pair.right, values))
    return formulas.all([formulas.any(rows), formulas.negation(same), *formulas.input_bounds(pair.inputs, values)])
