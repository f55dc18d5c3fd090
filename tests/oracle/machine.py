"""Concrete steps of a spec: exit, transition, entry, and ``advance`` with everything the rules look at.

``advance`` never depends on the freshness bookkeeping (it rides along), so its result is a function of state and
store alone; ``freshness`` carries the bookkeeping over a finished advance.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import Enum

from fsmcheck.spec.model import Operator
from tests.oracle.expressions import EvaluationError, Store, is_set
from tests.oracle.program import Action, Program, Site, truth

MICROSTEP_LIMIT = 1000


class Profile(Enum):
    GATED = "gated"
    EAGER = "eager"


class Status(Enum):
    WAITING = "waiting"
    DONE = "done"
    STUCK = "stuck"
    NO_PROGRESS = "no-progress"
    RUNAWAY = "runaway"
    FAILED = "failed"


@dataclass(slots=True)
class Effect:
    """What one executed action did: the fields its values mention and those its ``assign`` emptied."""

    reads: int
    assigned: int
    emptied: int
    site: Site


@dataclass(slots=True)
class Step:
    """One microstep. ``before``, ``left`` and ``after`` are stores: in the source, on leaving it (after
    ``onTransition``), and in the target after its ``entry``; ``met`` whether all requirements were."""

    source: int
    move: int
    before: Store
    left: Store
    after: Store
    met: bool
    leaving: list[Effect]
    entering: list[Effect]


@dataclass(slots=True)
class Advance:
    """The microsteps of one advance and how it ended. ``entering`` is set for the start of a run only,
    ``stillborn`` where the ``entry`` of the initial state failed."""

    state: int
    store: Store
    steps: list[Step] = field(default_factory=list)
    status: Status = Status.WAITING
    end_state: int = 0
    end_store: Store = ()
    loop: list[int] = field(default_factory=list)
    errors: set[tuple[Site, int | None]] = field(default_factory=set)
    perhaps: set[tuple[Site, int | None]] = field(default_factory=set)
    empty_uses: set[tuple[Site, int]] = field(default_factory=set)
    starting: bool = False
    stillborn: bool = False
    arrival: Store = ()
    entering: list[Effect] = field(default_factory=list)


class ActionFailedError(Exception):
    """An action's expression failed to evaluate."""


class Machine:
    """A program under a profile."""

    def __init__(self, program: Program, profile: Profile) -> None:
        self.program = program
        self.profile = profile

    def met(self, state: int, store: Store) -> bool:
        requires = self.program.places[state].requires
        return self.program.set_fields(store) & requires == requires

    def _enabled(self, state: int, store: Store, met: bool, record: Advance) -> int | None:
        """The first enabled transition; guards that fail on the way are recorded."""
        if self.profile is Profile.GATED and not met:
            return None
        for number, move in enumerate(self.program.places[state].moves):
            if not move.guards:
                if met:
                    return number
                continue
            for guard in move.guards:
                value = truth(guard, store)
                if value is None:
                    record.errors.add(((state, number), None))
                if value is not True:
                    break
            else:
                return number
        return None

    def run(
        self, actions: list[Action], store: Store, record: Advance, effects: list[Effect], uses: set[tuple[Site, int]]
    ) -> Store:
        """Run actions in order; raises ``ActionFailedError``, then the store of the caller stands."""
        program = self.program
        for action in actions:
            values: list[tuple[int, object]] = []
            failed = False
            for write in action.writes:
                try:
                    value = self._checked(action.operator, write.target, write.value(store))
                    mask = write.uses(store) & program.textual
                except EvaluationError:
                    # The page does not say whether right-hand sides after the first failing one are evaluated.
                    (record.perhaps if failed else record.errors).add((action.site, write.target))
                    failed = True
                    continue
                for slot in range(len(store)):
                    if mask >> slot & 1 and not is_set(store[slot]):
                        uses.add((action.site, slot))
                values.append((write.target, value))
            if failed:
                raise ActionFailedError
            after = list(store)
            emptied = 0
            for (target, value), write in zip(values, action.writes, strict=True):
                match action.operator:
                    case Operator.ASSIGN:
                        after[target] = program.fitted(target, value)
                        if is_set(store[target]) and not is_set(after[target]):
                            emptied |= 1 << target
                    case Operator.APPEND:
                        after[target] = program.fitted(target, (*after[target], value))  # type: ignore[misc]
                    case Operator.PUT:
                        kept = {pair for pair in after[target] if pair[0] != write.key}  # type: ignore[attr-defined]
                        after[target] = frozenset(kept | {(write.key, value)})
            effects.append(Effect(action.mentions, action.assigned, emptied, action.site))
            store = tuple(after)
        return store

    def _checked(self, operator: Operator, target: int, value: object) -> object:
        if operator is not Operator.ASSIGN:
            if value is None:
                raise EvaluationError("null element")
            return value
        values = self.program.types[target].values
        if values and is_set(value) and value not in values:
            raise EvaluationError("not one of the enum's values")
        return value

    def start(self, store: Store) -> Advance:
        """Run the initial state's ``entry`` and advance."""
        record = Advance(self.program.initial, store, starting=True, arrival=store)
        uses: set[tuple[Site, int]] = set()
        try:
            store = self.run(self.program.places[record.state].entry, store, record, record.entering, uses)
        except ActionFailedError:
            record.entering.clear()
            record.stillborn = True
            record.status, record.end_state, record.end_store = Status.FAILED, record.state, store
            return record
        record.empty_uses |= uses
        record.store = store
        return self._advance(record)

    def advance(self, state: int, store: Store) -> Advance:
        return self._advance(Advance(state, store))

    def _advance(self, record: Advance) -> Advance:
        state, store = record.state, record.store
        seen = {(state, store): 0}
        places = self.program.places
        while True:
            place = places[state]
            if place.terminal:
                record.status = Status.DONE
                break
            met = self.met(state, store)
            number = self._enabled(state, store, met, record)
            if number is None:
                record.status = Status.STUCK if met else Status.WAITING
                break
            move = place.moves[number]
            leaving: list[Effect] = []
            entering: list[Effect] = []
            uses: set[tuple[Site, int]] = set()
            try:
                left = self.run(place.exit, store, record, leaving, uses)
                left = self.run(move.actions, left, record, leaving, uses)
                after = self.run(places[move.target].entry, left, record, entering, uses)
            except ActionFailedError:
                record.status = Status.FAILED
                break
            record.empty_uses |= uses
            record.steps.append(Step(state, number, store, left, after, met, leaving, entering))
            state, store = move.target, after
            if (state, store) in seen:
                record.status = Status.NO_PROGRESS
                record.loop = [step.source for step in record.steps[seen[state, store] :]]
                break
            seen[state, store] = len(record.steps)
            if len(record.steps) > MICROSTEP_LIMIT:
                record.status = Status.RUNAWAY
                record.loop = [step.source for step in record.steps[MICROSTEP_LIMIT // 2 :]]
                break
        record.end_state, record.end_store = state, store
        return record
