"""Terms and systems as objects of Z3's Python package. Every encoding lives in a context of its own."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cached_property
from typing import Any

from fsmcheck.engines.formulas import Formulas, as_c_text
from fsmcheck.engines.solver import z3
from fsmcheck.shortage import is_shortage
from fsmcheck.system import terms as t
from fsmcheck.system.system import Event, Step, System
from fsmcheck.system.terms import BOOL, INT, Op, Sort, Term

Values = Mapping[str, z3.ExprRef]


class Encoding(Formulas[z3.ExprRef]):
    """A system in one Z3 context: constants for the state at each depth, and the step relation."""

    def __init__(self, system: System) -> None:
        super().__init__(system)
        self.context = z3.Context()
        names = [f"at!{number}" for number in range(len(system.locations))]
        self._at_sort, self._at_values = z3.EnumSort("location!", names, ctx=self.context)
        self._location_number = {location: number for number, location in enumerate(system.locations)}
        self._truths = [z3.BoolVal(False, ctx=self.context), z3.BoolVal(True, ctx=self.context)]
        self._sorts: dict[str, tuple[z3.SortRef, list[z3.ExprRef]]] = {}

    def sort_of(self, sort: Sort) -> z3.SortRef:
        """The Z3 sort; finite sorts become enumerations with mangled names."""
        if sort is BOOL or sort == BOOL:
            return z3.BoolSort(self.context)
        if sort is INT or sort == INT:
            return z3.IntSort(self.context)
        if sort.name not in self._sorts:
            labels = [f"{sort.name}!{number}" for number in range(sort.size)]
            made, values = z3.EnumSort(f"sort!{sort.name}", labels, ctx=self.context)
            self._sorts[sort.name] = (made, values)
        return self._sorts[sort.name][0]

    def value(self, sort: Sort, value: bool | int) -> z3.ExprRef:
        """A constant of a sort."""
        if sort == BOOL:
            return self._truths[bool(value)]
        if sort == INT:
            return z3.IntVal(int(value), ctx=self.context)
        self.sort_of(sort)
        return self._sorts[sort.name][1][int(value)]

    def named(self, name: str, sort: Sort) -> z3.ExprRef:
        return z3.Const(as_c_text(name), self.sort_of(sort))

    def at(self, depth: int | str) -> z3.ExprRef:
        """The location at a depth."""
        return z3.Const(f"!at@{depth}", self._at_sort)

    def location(self, number: int) -> z3.ExprRef:
        return self._at_values[number]

    # Those below go to the C interface: the checks on every argument that the operators of the Python
    # interface make cost more than all of the solving here.

    def equal(self, left: z3.ExprRef, right: z3.ExprRef) -> z3.BoolRef:
        """Equality of two expressions of one sort in this context."""
        return z3.BoolRef(z3.Z3_mk_eq(self.context.ref(), left.as_ast(), right.as_ast()), self.context)

    def any(self, parts: Sequence[z3.BoolRef]) -> z3.BoolRef:
        """A disjunction, false where there are no parts."""
        if len(parts) == 1:
            return parts[0]
        return z3.BoolRef(z3.Z3_mk_or(self.context.ref(), len(parts), _array(parts)), self.context)

    def all(self, parts: Sequence[z3.BoolRef]) -> z3.BoolRef:
        """A conjunction, true where there are no parts."""
        if len(parts) == 1:
            return parts[0]
        return z3.BoolRef(z3.Z3_mk_and(self.context.ref(), len(parts), _array(parts)), self.context)

    def negation(self, part: z3.BoolRef) -> z3.BoolRef:
        """What is true where the part is not."""
        return z3.BoolRef(z3.Z3_mk_not(self.context.ref(), part.as_ast()), self.context)

    def choice(self, condition: z3.BoolRef, then: z3.ExprRef, otherwise: z3.ExprRef) -> z3.ExprRef:
        """One of two expressions of one sort."""
        made = z3.Z3_mk_ite(self.context.ref(), condition.as_ast(), then.as_ast(), otherwise.as_ast())
        kind = z3.ArithRef if isinstance(then, z3.ArithRef) else type(then)
        return kind(made, self.context)

    def compared(self, op: Op, left: z3.ExprRef, right: z3.ExprRef) -> z3.BoolRef:
        make = z3.Z3_mk_lt if op is Op.LT else z3.Z3_mk_le
        return z3.BoolRef(make(self.context.ref(), left.as_ast(), right.as_ast()), self.context)

    def computed(self, op: Op, left: z3.ExprRef, right: z3.ExprRef) -> z3.ArithRef:
        if op is Op.DIV:
            return z3.ArithRef(z3.Z3_mk_div(self.context.ref(), left.as_ast(), right.as_ast()), self.context)
        return z3.ArithRef(_JOINING[op](self.context.ref(), 2, _array((left, right))), self.context)

    def moved(self, formula: z3.BoolRef, pairs: Sequence[tuple[z3.ExprRef, z3.ExprRef]]) -> z3.BoolRef:
        return z3.substitute(formula, *pairs) if pairs else formula

    def solver(self, seed: int, rlimit: int) -> Solver:
        return Solver(self, seed, rlimit)

    def close(self) -> None:
        pass  # the context goes with the last of its expressions

    def initial(self, depth: int | str) -> z3.BoolRef:
        """The state at a depth is the start of a run."""
        state = self.state(depth)
        parts = [self.at(depth) == self.location(self._location_number[self.system.start])]
        parts.extend(
            state[variable.name] == self.value(variable.sort, self.system.initial[variable.name])
            for variable in self.system.variables
        )
        return self.all(parts)

    def bounds(self, depth: int | str) -> z3.BoolRef:
        """What is known of every variable by its declaration: sizes are not negative, enums have their values."""
        state = self.state(depth)
        parts: list[z3.BoolRef] = []
        for variable in self.system.variables:
            if variable.lower is not None:
                parts.append(state[variable.name] >= variable.lower)
            if variable.domain:
                parts.append(self.one_of(state[variable.name], variable.sort, variable.domain))
        return self.all(parts)

    @cached_property
    def _take_sort(self) -> z3.SortRef:
        return z3.IntSort(self.context)

    def taken(self, depth: int) -> z3.ArithRef:
        """The number of the step taken at a depth."""
        return z3.Const(f"!take@{depth}", self._take_sort)

    def step(self, number: int, depth: int, following: int | str | None = None) -> z3.BoolRef:
        """Step ``number`` leads from one depth to the next."""
        step = self.system.steps[number]
        state, after = self.state(depth), self.state(depth + 1 if following is None else following)
        values, memo = self._step_values(step, depth)
        next_at = self.at(depth + 1 if following is None else following)
        parts: list[z3.BoolRef] = [
            self.at(depth) == self.location(self._location_number[step.source]),
            next_at == self.location(self._location_number[step.target]),
            self.term(step.guard, values, memo),
            *self.input_bounds(step.inputs, values),
        ]
        for variable in self.system.variables:
            update = step.updates.get(variable.name)
            value = state[variable.name] if update is None else self.term(update, values, memo)
            parts.append(after[variable.name] == value)
        return self.all(parts)

    def _step_values(self, step: Step, depth: int | str) -> tuple[dict[str, z3.ExprRef], dict[int, z3.ExprRef]]:
        return {**self.state(depth), **self.inputs(step.inputs, depth)}, {}

    def relation(self, depth: int) -> z3.BoolRef:
        """Some step leads from one depth to the next; ``taken`` says which."""
        return self.any(
            [z3.And(self.taken(depth) == number, self.step(number, depth)) for number in range(len(self.system.steps))]
        )

    def happens(self, number: int, event: Event, depth: int) -> z3.BoolRef:
        """Step ``number`` can be taken at a depth while the event's condition holds; the location is left out."""
        step = self.system.steps[number]
        values, memo = self._step_values(step, depth)
        values |= self.inputs(event.inputs, self.own_depth(number, depth))
        parts = [
            self.term(step.guard, values, memo),
            *self.input_bounds(step.inputs, values),
            self.term(event.condition, values, dict(memo)),
            *self.input_bounds(event.inputs, values),
        ]
        return self.all(parts)

    def located(self, step: Step, depth: int) -> z3.BoolRef:
        """A step's source is the location at a depth."""
        return self.at(depth) == self.location(self._location_number[step.source])

    def constructor(self, name: str) -> z3.ExprRef:
        """A value of a finite sort by its mangled name."""
        for _, values in self._sorts.values():
            for value in values:
                if value.decl().name() == name:
                    return value
        raise ValueError(f"no value {name}")


class Solver:
    """Says of one formula after the other whether it can be true."""

    def __init__(self, encoding: Encoding, seed: int, rlimit: int) -> None:
        self._solver = z3.Solver(ctx=encoding.context)
        self._solver.set("random_seed", seed)
        self._solver.set("rlimit", rlimit)

    def decide(self, formula: z3.BoolRef) -> bool | None:
        self._solver.push()
        self._solver.add(formula)
        answer = answer_of(self._solver)
        self._solver.pop()
        if answer == z3.sat:
            return True
        return False if answer == z3.unsat else None


def answer_of(solver: z3.Solver, *assumptions: z3.BoolRef) -> z3.CheckSatResult:
    """What a solver says; unknown where it fails instead of answering. Raises what it said for want of memory."""
    try:
        return solver.check(*assumptions)
    except z3.Z3Exception as error:
        if is_shortage(error):
            raise
        return z3.unknown


def _array(parts: Sequence[z3.ExprRef]) -> Any:
    return (z3.Ast * len(parts))(*(part.as_ast() for part in parts))


_JOINING = {Op.ADD: z3.Z3_mk_add, Op.SUB: z3.Z3_mk_sub, Op.MUL: z3.Z3_mk_mul}


def used_variables(system: System, terms: Sequence[Term]) -> frozenset[str]:
    """The variables of a system that terms read."""
    return frozenset(t.variables(terms)) & frozenset(system.by_name)
