"""Proof by induction in Z3: an invariant that holds at the start, survives every step, and excludes the events.

The step relation is applied by substitution, one step at a time, so that each query is small. The certificate
of a finite search (its reachable set) is such an invariant; so is what Spacer finds.
"""

from __future__ import annotations

from collections.abc import Callable, Container, Mapping, Sequence
from dataclasses import field
from typing import Protocol

from fsmcheck.engines.explicit import Graph, Key
from fsmcheck.engines.smt import Encoding, Values, answer_of
from fsmcheck.engines.solver import z3
from fsmcheck.records import dataclass
from fsmcheck.system.system import Event, Location, System

RLIMIT = 20_000_000
SEED = 7


class Invariant(Protocol):
    """For a location, a formula over the values of the variables there."""

    def at(self, encoding: Encoding, location: Location, values: Values) -> z3.BoolRef: ...


@dataclass(frozen=True)
class ReachableSet:
    """The reachable set of a complete explicit search, as a shared decision diagram per location."""

    graph: Graph
    _made: list[tuple[Encoding, Values, Atoms]] = field(default_factory=list, compare=False)

    def at(self, encoding: Encoding, location: Location, values: Values) -> z3.BoolRef:
        members = frozenset(self.graph.members.get(location, ()))
        if not self._made or self._made[-1][0] is not encoding or self._made[-1][1] is not values:
            self._made[:] = [(encoding, values, {})]
        return members_formula(encoding, self.graph, values, members, self._made[-1][2])


Atoms = dict[tuple[int, tuple[int, ...]], z3.BoolRef]
"""Formulas that say of a variable, by its place, that it has one of some values."""


def members_formula(
    encoding: Encoding,
    graph: Graph,
    values: Values,
    members: frozenset[tuple[int, ...]],
    atoms: Atoms | None = None,
) -> z3.BoolRef:
    """Membership in a set of packed values: what they have in common, then one variable a level of those in which
    they differ, sharing equal remainders. ``atoms`` are those made so far for the same encoding and values."""
    if not members:
        return z3.BoolVal(False, ctx=encoding.context)
    columns = [set(column) for column in zip(*members, strict=True)]
    differing = tuple(level for level, column in enumerate(columns) if len(column) > 1)
    within = _Membership(encoding, graph, values, {} if atoms is None else atoms, differing)
    shared = [within.atom(level, tuple(column)) for level, column in enumerate(columns) if len(column) == 1]
    projected = frozenset(tuple(packed[level] for level in differing) for packed in members)
    return encoding.all([*shared, within.build(0, projected)])


class _Membership:
    """Formulas over the variables at the places ``differing``. No closure: one that knows itself would hold Z3's memory
    until garbage is looked for."""

    def __init__(
        self, encoding: Encoding, graph: Graph, values: Values, atoms: Atoms, differing: tuple[int, ...]
    ) -> None:
        self._encoding = encoding
        self._graph = graph
        self._values = values
        self._atoms = atoms
        self._differing = differing
        self._memo: dict[frozenset[tuple[int, ...]], z3.BoolRef] = {}

    def atom(self, level: int, chosen: tuple[int, ...]) -> z3.BoolRef:
        known = self._atoms.get((level, chosen))
        if known is None:
            known = self._atoms[level, chosen] = _values(self._encoding, self._graph, level, chosen, self._values)
        return known

    def build(self, depth: int, rest: frozenset[tuple[int, ...]]) -> z3.BoolRef:
        if depth == len(self._differing):
            return self._encoding.all([])
        known = self._memo.get(rest)
        if known is not None:
            return known
        tails: dict[int, set[tuple[int, ...]]] = {}
        for packed in rest:
            tails.setdefault(packed[0], set()).add(packed[1:])
        grouped: dict[frozenset[tuple[int, ...]], list[int]] = {}
        for value, tail in tails.items():
            grouped.setdefault(frozenset(tail), []).append(value)
        level = self._differing[depth]
        parts = [
            self._encoding.all([self.atom(level, tuple(sorted(chosen))), self.build(depth + 1, tail)])
            for tail, chosen in grouped.items()
        ]
        self._memo[rest] = self._encoding.any(parts)
        return self._memo[rest]


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
    system: System,
    invariant: Invariant,
    keys: Sequence[Key],
    stop: Callable[[], bool] = lambda: False,
    sources: Container[Location] | None = None,
) -> Checked:
    """Initiation, consecution for every step, and safety for the given events, in a fresh context.

    With ``sources`` only the conditions on steps from these locations, initiation being one of the start: the others
    have to be known to hold.
    """
    encoding = Encoding(system)
    solver = z3.Solver(ctx=encoding.context)
    solver.set("random_seed", SEED)
    solver.set("rlimit", RLIMIT)
    state = encoding.state(0)
    asked = [(number, step) for number, step in enumerate(system.steps) if sources is None or step.source in sources]
    locations = {system.start, *(step.source for _, step in asked), *(step.target for _, step in asked)}
    here: Mapping[Location, z3.BoolRef] = {
        location: invariant.at(encoding, location, state) for location in system.locations if location in locations
    }
    if sources is None or system.start in sources:
        initial = {v.name: encoding.value(v.sort, system.initial[v.name]) for v in system.variables}
        refuted = _decide(solver, z3.Not(_moved(here[system.start], state, initial)))
        if refuted is not False:
            return Checked(None if refuted is None else False, "initiation")
    wanted = set(keys)
    for number, step in asked:
        if stop():
            return Checked(None, "out of time")
        events = [event for event in step.events if (event.rule, event.subject, event.case) in wanted]
        condition = _Condition(encoding, number, here[step.source], here[step.target])
        if _decide(solver, condition.broken(events)) is False:
            continue
        refuted = _decide(solver, condition.left())
        if refuted is not False:
            return Checked(None if refuted is None else False, f"consecution of {step.name}")
        for event in events:
            refuted = _decide(solver, condition.met(event))
            if refuted is not False:
                return Checked(None if refuted is None else False, f"safety of {event.rule} at {step.name}")
    return Checked(True)


class _Condition:
    """That a step, taken where ``before`` holds, leads to where ``after`` holds, and no event happens on it."""

    def __init__(self, encoding: Encoding, number: int, before: z3.BoolRef, after: z3.BoolRef) -> None:
        self._encoding = encoding
        self._step = step = encoding.system.steps[number]
        self._state = encoding.state(0)
        self._values = {**self._state, **encoding.inputs(step.inputs, 0)}
        self._own_depth = encoding.own_depth(number, 0)
        self._memo: dict[int, z3.ExprRef] = {}
        guard = encoding.term(step.guard, self._values, self._memo)
        self._taken = [before, guard, *encoding.input_bounds(step.inputs, self._values)]
        self._after = after

    def left(self) -> z3.BoolRef:
        """It leads elsewhere."""
        return self._encoding.all([*self._taken, self._elsewhere()])

    def met(self, event: Event) -> z3.BoolRef:
        """An event happens on it."""
        return self._encoding.all([*self._taken, *self._happening(event)])

    def broken(self, events: Sequence[Event]) -> z3.BoolRef:
        """It leads elsewhere, or any of these happens."""
        ways = [self._encoding.all(self._happening(event)) for event in events]
        return self._encoding.all([*self._taken, self._encoding.any([self._elsewhere(), *ways])])

    def _elsewhere(self) -> z3.BoolRef:
        updates = self._step.updates
        values = {name: self._encoding.term(term, self._values, self._memo) for name, term in updates.items()}
        return z3.Not(_moved(self._after, self._state, {**self._state, **values}))

    def _happening(self, event: Event) -> list[z3.BoolRef]:
        own = self._encoding.inputs(event.inputs, self._own_depth)
        values, memo = (self._values | own, dict(self._memo)) if own else (self._values, self._memo)
        condition = self._encoding.term(event.condition, values, memo)
        return [condition, *self._encoding.input_bounds(event.inputs, values)]
