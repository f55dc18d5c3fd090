"""advance: take enabled transitions until nothing more happens by itself."""

from __future__ import annotations

from fsmcheck.records import dataclass
from fsmcheck.reducer.actions import run_actions
from fsmcheck.reducer.configuration import Profile, Status
from fsmcheck.reducer.guards import search
from fsmcheck.reducer.record import Advance, Effect, Failure, Microstep, Phase, Search
from fsmcheck.reducer.store import Store
from fsmcheck.spec.model import Spec


@dataclass(frozen=True, slots=True)
class Rest:
    """Where an advance came to rest, and why."""

    state: str
    store: Store
    status: Status


class _Seen:
    """The states and stores met in an advance. Stores are told apart only once a state comes again, which is rare."""

    __slots__ = ("_first", "_identities")

    def __init__(self, state: str, store: Store) -> None:
        self._first = {state: store}
        self._identities: set[tuple[str, object]] = set()

    def again(self, state: str, store: Store) -> bool:
        """Whether the state was met with this store before; it counts as met from now on."""
        first = self._first.get(state)
        if first is None:
            self._first[state] = store
            return False
        self._identities.add((state, first.identity))
        if (state, store.identity) in self._identities:
            return True
        self._identities.add((state, store.identity))
        return False


def advance(spec: Spec, state: str, store: Store, profile: Profile, limit: int) -> tuple[Rest, Advance]:
    """Advance from a state and store.

    At most ``limit`` microsteps are taken; if another transition is enabled then, the status is ``runaway``
    and that one is not taken.
    """
    began = store
    microsteps: list[Microstep] = []
    seen = _Seen(state, store)
    while True:
        if spec.state_by_name[state].terminal:
            return _rest(state, store, "done", began, microsteps)
        found = search(spec.state_by_name[state], store, profile)
        if found.enabled is None:
            status: Status = "waiting" if found.unmet else "stuck"
            return _rest(state, store, status, began, microsteps, found)
        if len(microsteps) == limit:
            return _rest(state, store, "runaway", began, microsteps, found)
        taken = _take(spec, found, found.enabled)
        if isinstance(taken, Failure):
            record = Advance(began, tuple(microsteps), (), failure=taken)
            return Rest(state, store, "failed"), record
        microsteps.append(taken)
        state, store = taken.target, taken.store
        if seen.again(state, store):
            return _rest(state, store, "no-progress", began, microsteps)


def _rest(
    state: str, store: Store, status: Status, began: Store, microsteps: list[Microstep], last: Search | None = None
) -> tuple[Rest, Advance]:
    awaits = last.unmet if last is not None and status == "waiting" else ()
    return Rest(state, store, status), Advance(began, tuple(microsteps), awaits, last=last)


def _take(spec: Spec, found: Search, index: int) -> Microstep | Failure:
    """Run ``exit``, ``onTransition``, then the target's ``entry``; a failing action undoes all of it."""
    source = spec.state_by_name[found.state]
    transition = source.transitions[index]
    target = spec.state_by_name[transition.target.text]
    name = found.state
    effects: list[Effect] = []
    store = found.store
    for actions, phase, state, place in (
        (source.exit, Phase.EXIT, name, None),
        (transition.actions, Phase.TRANSITION, name, index),
        (target.entry, Phase.ENTRY, target.name.text, None),
    ):
        ran = run_actions(spec, actions, store, phase, state, place)
        effects.extend(ran)
        if ran and ran[-1].fault is not None:
            return Failure(found, index, tuple(effects))
        store = ran[-1].after if ran else store
    return Microstep(name, index, target.name.text, found, tuple(effects), found.store, store)
