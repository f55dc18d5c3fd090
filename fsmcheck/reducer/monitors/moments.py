"""A run as a sequence of moments, each with the bookkeeping as it stood then."""

from __future__ import annotations

from collections.abc import Generator, Iterator, Sequence

from fsmcheck.records import dataclass
from fsmcheck.reducer.monitors.ledger import (
    Ledger,
    after_action,
    after_choosing,
    after_leaving,
    after_parking,
    after_staging,
    opening_ledger,
)
from fsmcheck.reducer.record import Effect, Microstep, Phase, Step
from fsmcheck.spec.model import Spec


@dataclass(frozen=True, slots=True)
class Leaving:
    """A state is about to be left by a transition; ``ledger`` is as before the transition."""

    step: int
    microstep: int
    taken: Microstep
    ledger: Ledger


@dataclass(frozen=True, slots=True)
class Acting:
    """An action runs; ``ledger`` is as just before it. ``microstep`` is None for the initial state's entry."""

    step: int
    microstep: int | None
    effect: Effect
    ledger: Ledger


@dataclass(frozen=True, slots=True)
class Resting:
    """A step has come to rest. ``entered``: it was entered in this very step, so nobody acted in this visit."""

    step: int
    record: Step
    entered: bool
    ledger: Ledger

    @property
    def parked(self) -> bool:
        return self.record.configuration.status in ("waiting", "capped")


Moment = Leaving | Acting | Resting


def moments(spec: Spec, run: Sequence[Step]) -> Iterator[Moment]:
    """The moments of a run: the step of its start, then one step an exchange. Failed attempts leave no moment. Each is
    worked out when it is asked for."""
    ledger = opening_ledger(spec)
    for number, step in enumerate(run):
        ledger = yield from _step(spec, number, step, ledger)


def step_moments(spec: Spec, number: int, step: Step, ledger: Ledger) -> tuple[tuple[Moment, ...], Ledger]:
    """The moments of one step of a run, its ``number`` in it, and the bookkeeping before and after it."""
    found: list[Moment] = []
    telling = _step(spec, number, step, ledger)
    while True:
        try:
            found.append(next(telling))
        except StopIteration as end:
            return tuple(found), end.value


_Telling = Generator[Moment, None, Ledger]
"""Moments, and the bookkeeping after them."""


def _step(spec: Spec, number: int, step: Step, ledger: Ledger) -> _Telling:
    if step.rejected is None and step.agent is not None:
        ledger = after_staging(ledger, step.given, step.agent, number)
    failure = step.advance.failure
    opened = failure is None or failure.transition is not None
    for effect in step.advance.opening if opened else ():
        ledger = yield from _act(Acting(number, None, effect, ledger))
    for index, taken in enumerate(step.advance.microsteps):
        ledger = yield from _microstep(spec, number, index, ledger, taken)
    entered = step.agent is None or bool(step.advance.microsteps)
    resting = Resting(number, step, entered, ledger)
    yield resting
    return after_parking(ledger, spec, step.configuration.state) if resting.parked else ledger


def _microstep(spec: Spec, number: int, index: int, ledger: Ledger, taken: Microstep) -> _Telling:
    yield Leaving(number, index, taken, ledger)
    ledger = after_choosing(ledger, spec, taken)
    for effect in taken.effects:
        if effect.phase is not Phase.ENTRY:
            ledger = yield from _act(Acting(number, index, effect, ledger))
    ledger = after_leaving(ledger, spec, taken)
    for effect in taken.effects:
        if effect.phase is Phase.ENTRY:
            ledger = yield from _act(Acting(number, index, effect, ledger))
    return ledger


def _act(moment: Acting) -> _Telling:
    yield moment
    return after_action(moment.ledger, moment.effect, moment.step)
