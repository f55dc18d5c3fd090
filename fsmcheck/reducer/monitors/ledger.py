"""The bookkeeping of freshness on a concrete run: what is stale, unread, visited, and where values came from."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import field, replace
from typing import Literal

from fsmcheck.cel.types import Kind
from fsmcheck.records import dataclass
from fsmcheck.reducer.mentions import mentioned_by_action, mentioned_by_guards
from fsmcheck.reducer.record import Effect, Microstep, Phase
from fsmcheck.reducer.store import Store
from fsmcheck.spec.model import Operator, Spec


@dataclass(frozen=True, slots=True)
class Origin:
    """Who gave a field its value, in which step (0 is the start) and by which agent, if one staged it."""

    kind: Literal["start", "staged", "action"]
    step: int
    agent: str | None = None


@dataclass(frozen=True, slots=True)
class Ledger:
    """The bookkeeping at one moment of a run.

    ``stale``: pairs of a state and a field that it requires whose value answers an earlier visit. ``unread``:
    fields with an agent's value that nothing has looked at. ``visited``: states left at least once.
    ``exchanged``: whether an agent made an exchange in this visit.
    """

    stale: frozenset[tuple[str, str]] = frozenset()
    unread: frozenset[str] = frozenset()
    visited: frozenset[str] = frozenset()
    exchanged: bool = False
    origins: Mapping[str, Origin] = field(default_factory=dict, hash=False)

    def stale_in(self, state: str) -> frozenset[str]:
        """The stale requirements of a state."""
        return frozenset(name for place, name in self.stale if place == state)

    def fresh(self, fields: Iterable[str]) -> frozenset[tuple[str, str]]:
        """What stays stale when these fields get new values."""
        renewed = frozenset(fields)
        return frozenset((state, name) for state, name in self.stale if name not in renewed)


def opening_ledger(spec: Spec) -> Ledger:
    """The bookkeeping before anything has happened."""
    return Ledger(origins={declared.name.text: Origin("start", 0) for declared in spec.fields})


def after_staging(ledger: Ledger, fields: Iterable[str], agent: str, step: int) -> Ledger:
    """After an accepted exchange: what was staged is fresh and unread."""
    names = frozenset(fields)
    origins = {**ledger.origins, **dict.fromkeys(names, Origin("staged", step, agent))}
    return replace(ledger, stale=ledger.fresh(names), unread=ledger.unread | names, exchanged=True, origins=origins)


def after_choosing(ledger: Ledger, spec: Spec, microstep: Microstep) -> Ledger:
    """After the decision to take a transition: its guards and those tried before it have read what they mention.

    A required boolean or enum has served by being set.
    """
    state = spec.state_by_name[microstep.source]
    tried = state.transitions[: microstep.transition + 1]
    read = frozenset().union(*(mentioned_by_guards(transition) for transition in tried))
    served = {
        requirement.field.text
        for requirement in state.requires
        if spec.field_by_name[requirement.field.text].type.kind in (Kind.BOOLEAN, Kind.ENUM)
    }
    return replace(ledger, unread=ledger.unread - read - served)


def after_action(ledger: Ledger, effect: Effect, step: int) -> Ledger:
    """After an action: what its values mention is read, what an ``assign`` writes is no longer stale."""
    written = frozenset(write.field.text for write in effect.action.writes)
    origins = {**ledger.origins, **dict.fromkeys(written, Origin("action", step))}
    stale = ledger.fresh(written) if effect.action.operator is Operator.ASSIGN else ledger.stale
    return replace(ledger, unread=ledger.unread - mentioned_by_action(effect.action), stale=stale, origins=origins)


def after_leaving(ledger: Ledger, spec: Spec, microstep: Microstep) -> Ledger:
    """Between ``onTransition`` and the target's ``entry``: answers that were kept grow stale, a visit ends."""
    leaving = [effect for effect in microstep.effects if effect.phase is not Phase.ENTRY]
    store = leaving[-1].after if leaving else microstep.before
    assigned = assigned_fields(leaving)
    state = spec.state_by_name[microstep.source]
    kept = {
        (microstep.source, requirement.field.text)
        for requirement in state.requires
        if store.is_set(requirement.field.text) and requirement.field.text not in assigned
    }
    return replace(ledger, stale=ledger.stale | kept, visited=ledger.visited | {microstep.source}, exchanged=False)


def after_parking(ledger: Ledger, spec: Spec, state: str) -> Ledger:
    """After the machine parks: the state's description has shown what it mentions."""
    return replace(ledger, unread=ledger.unread - spec.template_fields[state])


def assigned_fields(effects: Iterable[Effect]) -> frozenset[str]:
    """The fields that an ``assign`` among the effects wrote."""
    return frozenset(
        write.field.text
        for effect in effects
        if effect.action.operator is Operator.ASSIGN
        for write in effect.action.writes
    )


def store_before_entry(effects: Iterable[Effect], settled: Store) -> Store:
    """The store before the first entry action, ``settled`` where there is none."""
    return next((effect.before for effect in effects if effect.phase is Phase.ENTRY), settled)
