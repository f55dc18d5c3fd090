"""Proof by induction in Z3: an invariant that holds at the start, survives every step, and excludes the events.

The step relation is applied by substitution, one step at a time, so that each query is small. The certificate
of a finite search (its reachable set) is such an invariant; so is what Spacer finds.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Protocol

import z3

from fsmcheck.engines.explicit import Graph, Key
from fsmcheck.engines.smt import Encoding, Values, answer_of
from fsmcheck.system.system import Location, System

RLIMIT = 20_000_000
SEED = 7


class Invariant(Protocol):
    """For a location, a formula over the values of the variables there."""

    def at(self, encoding: Encoding, location: Location, values: Values) -> z3.BoolRef: ...


@dataclass(frozen=True)
class ReachableSet:
    """The reachable set of a complete explicit search, as a shared decision diagram per location."""

    graph: Graph

    def at(self, encoding: Encoding, location: Location, values: Values) -> z3.BoolRef:
        number = self.graph.system.locations.index(location)
        members = frozenset(
            packed for place, packed in zip(self.graph.locations, self.graph.values, strict=True) if place == number
        )
        return members_formula(encoding, self.graph, values, members)


def members_formula(
    encoding: Encoding, graph: Graph, values: Values, members: frozenset[tuple[int, ...]]
) -> z3.BoolRef:
    """Membership in a set of packed values, deciding one variable a level and sharing equal remainders."""
    variables = graph.system.variables
    memo: dict[tuple[int, frozenset[tuple[int, ...]]], z3.BoolRef] = {}
    atoms: dict[tuple[int, tuple[int, ...]], z3.BoolRef] = {}

    def atom(level: int, chosen: tuple[int, ...]) -> z3.BoolRef:
        known = atoms.get((level, chosen))
        if known is None:
            known = atoms[level, chosen] = _values(encoding, graph, level, chosen, values)
        return known

    def build(level: int, rest: frozenset[tuple[int, ...]]) -> z3.BoolRef:
        if not rest:
            return z3.BoolVal(False, ctx=encoding.context)
        if level == len(variables):
            return z3.BoolVal(True, ctx=encoding.context)
        known = memo.get((level, rest))
        if known is not None:
            return known
        tails: dict[int, set[tuple[int, ...]]] = {}
        for packed in rest:
            tails.setdefault(packed[0], set()).add(packed[1:])
        grouped: dict[frozenset[tuple[int, ...]], list[int]] = {}
        for value, tail in tails.items():
            grouped.setdefault(frozenset(tail), []).append(value)
        parts = [
            encoding.all([atom(level, tuple(sorted(chosen))), build(level + 1, tail)])
            for tail, chosen in grouped.items()
        ]
        memo[level, rest] = encoding.any(parts)
        return memo[level, rest]

    return build(0, members)


def _values(encoding: Encoding, graph: Graph, level: int, chosen: Sequence[int], values: Values) -> z3.BoolRef:
    variable = graph.system.variables[level]
    term = values[variable.name]
    spans = graph.packing.intervals.get(variable.name)
    if spans is None:
        whole = len(chosen) == variable.sort.size
        return encoding.all([]) if whole else encoding.one_of(term, variable.sort, chosen)
    parts: list[z3.BoolRef] = []
    for index in sorted(chosen):
        low, high = spans[index]
        bounds = [term >= int(low)] if low != float("-inf") else []
        bounds += [term <= int(high)] if high != float("inf") else []
        parts.append(encoding.all(bounds))
    return encoding.any(parts)


@dataclass(frozen=True, slots=True)
class Induction:
    """A proof that passed ``check_induction``: in no run of ``system`` does an event of ``keys`` happen."""

    system: System
    invariant: Invariant
    keys: tuple[Key, ...]
    method: str


@dataclass(frozen=True, slots=True)
class Checked:
    """``holds`` is True when all three checks succeeded, False when one was refuted, None when Z3 gave up."""

    holds: bool | None
    reason: str = ""


def _decide(solver: z3.Solver, formula: z3.BoolRef) -> bool | None:
    """Whether a formula is satisfiable; None when the solver does not know."""
    solver.push()
    solver.add(formula)
    answer = answer_of(solver)
    solver.pop()
    if answer == z3.sat:
        return True
    return False if answer == z3.unsat else None


def _moved(formula: z3.BoolRef, state: Values, after: Values) -> z3.BoolRef:
    """A formula over the state with its constants replaced by the values after a step."""
    pairs = [(constant, after[name]) for name, constant in state.items() if after[name] is not constant]
    return z3.substitute(formula, *pairs) if pairs else formula


def check_induction(
    system: System, invariant: Invariant, keys: Sequence[Key], stop: Callable[[], bool] = lambda: False
) -> Checked:
    """Initiation, consecution for every step, and safety for the given events, in a fresh context."""
    encoding = Encoding(system)
    solver = z3.Solver(ctx=encoding.context)
    solver.set("random_seed", SEED)
    solver.set("rlimit", RLIMIT)
    state = encoding.state(0)
    formulas: dict[Location, z3.BoolRef] = {}
    here: Mapping[Location, z3.BoolRef] = formulas
    for location in system.locations:
        formulas[location] = invariant.at(encoding, location, state)
    initial = {v.name: encoding.value(v.sort, system.initial[v.name]) for v in system.variables}
    refuted = _decide(solver, z3.Not(_moved(here[system.start], state, initial)))
    if refuted is not False:
        return Checked(None if refuted is None else False, "initiation")
    wanted = set(keys)
    for number, step in enumerate(system.steps):
        if stop():
            return Checked(None, "out of time")
        values = {**state, **encoding.inputs(step.inputs, 0)}
        memo: dict[int, z3.ExprRef] = {}
        taken = encoding.all(
            [here[step.source], encoding.term(step.guard, values, memo), *encoding.input_bounds(step.inputs, values)]
        )
        after = {
            variable.name: encoding.term(step.updates[variable.name], values, memo)
            if variable.name in step.updates
            else state[variable.name]
            for variable in system.variables
        }
        refuted = _decide(solver, z3.And(taken, z3.Not(_moved(here[step.target], state, after))))
        if refuted is not False:
            return Checked(None if refuted is None else False, f"consecution of {step.name}")
        events = [event for event in step.events if (event.rule, event.subject, event.case) in wanted]
        for event in events:
            refuted = _decide(solver, z3.And(here[step.source], encoding.happens(number, event, 0)))
            if refuted is not False:
                return Checked(None if refuted is None else False, f"safety of {event.rule} at {step.name}")
    return Checked(True)
