"""Which fields still hold the answer of an earlier visit, while a run goes on."""

from __future__ import annotations

from collections.abc import Sequence

from fsmcheck.records import dataclass
from fsmcheck.reducer.monitors.ledger import Ledger
from fsmcheck.reducer.monitors.moments import Acting, Leaving, Moment, Resting, moments
from fsmcheck.reducer.record import Phase, Step
from fsmcheck.spec.model import Spec


@dataclass(frozen=True, slots=True)
class Staleness:
    """The stale fields, in the order declared, of one step of a run: where it rests, and after each microstep."""

    resting: tuple[str, ...]
    passing: tuple[tuple[str, ...], ...]


def stale_fields(spec: Spec, run: Sequence[Step]) -> tuple[Staleness, ...]:
    """For each step of a run, the stale fields in the configurations that it goes through.

    A field counts where it is stale for some state that requires it, and a state that requires it was entered since
    the value was given: so an answer grows stale not by being carried to those who read it, but once a later visit
    could have asked for another and has it in its place.
    """
    places = {field.name.text: place for place, field in enumerate(spec.fields)}
    found: list[Staleness] = []
    passing: list[tuple[str, ...]] = []
    carried: frozenset[str] = frozenset()
    entered: str | None = None
    for moment in moments(spec, run):
        carried &= _stale(moment.ledger)
        if entered is not None and not _leaves(moment):
            carried |= _required(spec, entered) & _stale(moment.ledger)
            entered = None
        if isinstance(moment, Acting):
            continue
        names = tuple(sorted(carried, key=places.__getitem__))
        match moment:
            case Leaving(microstep=microstep, taken=taken):
                if microstep:
                    passing.append(names)
                entered = taken.target
            case Resting(record=record):
                if record.advance.microsteps:
                    passing.append(names)
                found.append(Staleness(names, tuple(passing)))
                passing = []
    return tuple(found)


def _leaves(moment: Moment) -> bool:
    """Whether an action of the state left or of the transition is about to run: the target is not entered yet."""
    return isinstance(moment, Acting) and moment.effect.phase is not Phase.ENTRY


def _stale(ledger: Ledger) -> frozenset[str]:
    return frozenset(name for _, name in ledger.stale)


def _required(spec: Spec, state: str) -> frozenset[str]:
    return frozenset(requirement.field.text for requirement in spec.state_by_name[state].requires)
