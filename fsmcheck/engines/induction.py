"""Proof by induction in Z3: an invariant that holds at the start, survives every step, and excludes the events.

The step relation is applied by substitution, one step at a time, so that each query is small. The certificate
of a finite search (its reachable set) is such an invariant; so is what Spacer finds.
"""

from __future__ import annotations

from collections.abc import Callable, Container, Mapping, Sequence
from dataclasses import field
from typing import Any, Generic, Protocol, TypeVar

from fsmcheck.engines.explicit import Graph, Key
from fsmcheck.engines.formulas import Decider, Formulas
from fsmcheck.engines.handles import encoded
from fsmcheck.records import dataclass
from fsmcheck.system.system import Event, Location, System

RLIMIT = 20_000_000
SEED = 7

F = TypeVar("F")


class Invariant(Protocol):
    """For a location, a formula over the values of the variables there."""

    def encoded(self, system: System) -> Formulas[Any]:
        """A context of its own for the formulas of a proof with this invariant. Close it."""

    def at(self, encoding: Any, location: Location, values: Mapping[str, Any]) -> Any: ...


@dataclass(frozen=True)
class ReachableSet:
    """The reachable set of a complete explicit search, as a shared decision diagram per location."""

    graph: Graph
    _made: list[tuple[object, object, Atoms[Any]]] = field(default_factory=list, compare=False)

    def encoded(self, system: System) -> Formulas[Any]:
        return encoded(system)

    def at(self, encoding: Formulas[F], location: Location, values: Mapping[str, F]) -> F:
        members = frozenset(self.graph.members.get(location, ()))
        if not self._made or self._made[-1][0] is not encoding or self._made[-1][1] is not values:
            self._made[:] = [(encoding, values, {})]
        atoms: Atoms[F] = self._made[-1][2]
        return members_formula(encoding, self.graph, values, members, atoms)


Atoms = dict[tuple[int, tuple[int, ...]], F]
"""Formulas that say of a variable, by its place, that it has one of some values."""


def members_formula(
    encoding: Formulas[F],
    graph: Graph,
    values: Mapping[str, F],
    members: frozenset[tuple[int, ...]],
    atoms: Atoms[F] | None = None,
) -> F:
    """Membership in a set of packed values: what they have in common, then one variable a level of those in which
    they differ, sharing equal remainders. ``atoms`` are those made so far for the same encoding and values."""
    if not members:
        return encoding.any([])
    columns = [set(column) for column in zip(*members, strict=True)]
    differing = tuple(level for level, column in enumerate(columns) if len(column) > 1)
    within = _Membership(encoding, graph, values, {} if atoms is None else atoms, differing)
    shared = [within.atom(level, tuple(column)) for level, column in enumerate(columns) if len(column) == 1]
    projected = frozenset(tuple(packed[level] for level in differing) for packed in members)
    return encoding.all([*shared, within.build(0, projected)])


class _Membership(Generic[F]):
    """Formulas over the variables at the places ``differing``. No closure: one that knows itself would hold Z3's memory
    until garbage is looked for."""

    def __init__(
        self,
        encoding: Formulas[F],
        graph: Graph,
        values: Mapping[str, F],
        atoms: Atoms[F],
        differing: tuple[int, ...],
    ) -> None:
        self._encoding = encoding
        self._graph = graph
        self._values = values
        self._atoms = atoms
        self._differing = differing
        self._memo: dict[frozenset[tuple[int, ...]], F] = {}

    def atom(self, level: int, chosen: tuple[int, ...]) -> F:
        known = self._atoms.get((level, chosen))
        if known is None:
            known = self._atoms[level, chosen] = _values(self._encoding, self._graph, level, chosen, self._values)
        return known

    def build(self, depth: int, rest: frozenset[tuple[int, ...]]) -> F:
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


def _values(encoding: Formulas[F], graph: Graph, level: int, chosen: Sequence[int], values: Mapping[str, F]) -> F:
    variable = graph.system.variables[level]
    term = values[variable.name]
    spans = graph.packing.intervals.get(variable.name)
    if spans is None:
        whole = len(chosen) == variable.sort.size
        return encoding.all([]) if whole else encoding.one_of(term, variable.sort, chosen)
    parts: list[F] = []
    for index in sorted(chosen):
        low, high = spans[index]
        bounds = [encoding.at_least(term, int(low))] if low != float("-inf") else []
        bounds += [encoding.at_most(term, int(high))] if high != float("inf") else []
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


def _decide(solver: Decider[F], formula: F) -> bool | None:
    """Whether a formula is satisfiable; None when the solver does not know."""
    return solver.decide(formula)


def _moved(encoding: Formulas[F], formula: F, state: Mapping[str, F], after: Mapping[str, F]) -> F:
    """A formula over the state with its constants replaced by the values after a step."""
    pairs = [(constant, after[name]) for name, constant in state.items() if after[name] is not constant]
    return encoding.moved(formula, pairs)


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
    encoding = invariant.encoded(system)
    try:
        return _checked(encoding, invariant, keys, stop, sources)
    finally:
        encoding.close()


def _checked(
    encoding: Formulas[F],
    invariant: Invariant,
    keys: Sequence[Key],
    stop: Callable[[], bool],
    sources: Container[Location] | None,
) -> Checked:
    system = encoding.system
    solver = encoding.solver(SEED, RLIMIT)
    state = encoding.state(0)
    asked = [(number, step) for number, step in enumerate(system.steps) if sources is None or step.source in sources]
    locations = {system.start, *(step.source for _, step in asked), *(step.target for _, step in asked)}
    here: Mapping[Location, F] = {
        location: invariant.at(encoding, location, state) for location in system.locations if location in locations
    }
    if sources is None or system.start in sources:
        initial = {v.name: encoding.value(v.sort, system.initial[v.name]) for v in system.variables}
        refuted = _decide(solver, encoding.negation(_moved(encoding, here[system.start], state, initial)))
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


class _Condition(Generic[F]):
    """That a step, taken where ``before`` holds, leads to where ``after`` holds, and no event happens on it."""

    def __init__(self, encoding: Formulas[F], number: int, before: F, after: F) -> None:
        self._encoding = encoding
        self._step = step = encoding.system.steps[number]
        self._state = encoding.state(0)
        self._values = {**self._state, **encoding.inputs(step.inputs, 0)}
        self._own_depth = encoding.own_depth(number, 0)
        self._memo: dict[int, F] = {}
        guard = encoding.term(step.guard, self._values, self._memo)
        self._taken = [before, guard, *encoding.input_bounds(step.inputs, self._values)]
        self._after = after

    def left(self) -> F:
        """It leads elsewhere."""
        return self._encoding.all([*self._taken, self._elsewhere()])

    def met(self, event: Event) -> F:
        """An event happens on it."""
        return self._encoding.all([*self._taken, *self._happening(event)])

    def broken(self, events: Sequence[Event]) -> F:
        """It leads elsewhere, or any of these happens."""
        ways = [self._encoding.all(self._happening(event)) for event in events]
        return self._encoding.all([*self._taken, self._encoding.any([self._elsewhere(), *ways])])

    def _elsewhere(self) -> F:
        updates = self._step.updates
        values = {name: self._encoding.term(term, self._values, self._memo) for name, term in updates.items()}
        after = _moved(self._encoding, self._after, self._state, {**self._state, **values})
        return self._encoding.negation(after)

    def _happening(self, event: Event) -> list[F]:
        own = self._encoding.inputs(event.inputs, self._own_depth)
        values, memo = (self._values | own, dict(self._memo)) if own else (self._values, self._memo)
        condition = self._encoding.term(event.condition, values, memo)
        return [condition, *self._encoding.input_bounds(event.inputs, values)]
