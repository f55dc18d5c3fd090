"""Which outcomes can several conditions have together? Decided in Z3."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from fsmcheck.engines.smt import Encoding, answer_of
from fsmcheck.engines.solver import z3
from fsmcheck.outline import Outcome
from fsmcheck.system.system import Input, Location, Phase, System, Variable
from fsmcheck.system.terms import BOOL, INT, Term

RLIMIT = 2_000_000
REACH = 2**53
"""Integers beyond this are looked at only by those who compute them."""


class OutcomeSearch:
    """Finds values of variables for which conditions are true, false or fail in a way not seen yet.

    ``true`` and ``error`` say for each condition when it is true and when its evaluation fails; ``side`` holds in
    every answer. ``settled`` becomes False where Z3 gave up.
    """

    def __init__(
        self,
        variables: Sequence[Variable],
        inputs: Sequence[Input],
        true: Sequence[Term],
        error: Sequence[Term],
        side: Term,
    ) -> None:
        start = Location("", Phase.START)
        self.settled = True
        self._encoding = Encoding(System("", "", start, tuple(variables), {}, ()))
        self._state = self._encoding.state(0)
        values = {**self._state, **self._encoding.inputs(inputs, 0)}
        memo: dict[int, z3.ExprRef] = {}
        self._true = [self._encoding.term(term, values, memo) for term in true]
        self._error = [self._encoding.term(term, values, memo) for term in error]
        self._solver = z3.Solver(ctx=self._encoding.context)
        self._solver.set("rlimit", RLIMIT)
        self._solver.set("random_seed", 7)
        self._solver.add(self._encoding.bounds(0), self._encoding.term(side, values, memo))
        self._solver.add(*self._encoding.input_bounds(inputs, values))
        for variable in variables:
            if variable.sort == INT:
                self._solver.add(self._state[variable.name] <= REACH, self._state[variable.name] >= -REACH)

    def exclude(self, outcomes: Sequence[Outcome]) -> None:
        """Ask for no answer with these outcomes any more."""
        differing = [
            z3.Not(self._is(outcome, true, error))
            for outcome, true, error in zip(outcomes, self._true, self._error, strict=True)
        ]
        self._solver.add(self._encoding.any(differing))

    def _is(self, outcome: Outcome, true: z3.BoolRef, error: z3.BoolRef) -> z3.BoolRef:
        if outcome == "true":
            return true
        return self._encoding.all([z3.Not(true), error if outcome == "error" else z3.Not(error)])

    def another(self) -> tuple[tuple[Outcome, ...], Mapping[str, bool | int]] | None:
        """Outcomes that were not excluded, and a value for each variable: for one of a finite sort an index."""
        answer = answer_of(self._solver)
        if answer != z3.sat:
            self.settled = self.settled and answer == z3.unsat
            return None
        model = self._solver.model()
        outcomes = tuple(_outcome(model, true, error) for true, error in zip(self._true, self._error, strict=True))
        return outcomes, {variable.name: self._value(model, variable) for variable in self._encoding.system.variables}

    def _value(self, model: z3.ModelRef, variable: Variable) -> bool | int:
        value = model.eval(self._state[variable.name], model_completion=True)
        if variable.sort == BOOL:
            return bool(z3.is_true(value))
        if variable.sort == INT:
            return int(value.as_long())
        return int(value.decl().name().rpartition("!")[2])


def _outcome(model: z3.ModelRef, true: z3.BoolRef, error: z3.BoolRef) -> Outcome:
    if z3.is_true(model.eval(true, model_completion=True)):
        return "true"
    return "error" if z3.is_true(model.eval(error, model_completion=True)) else "false"
