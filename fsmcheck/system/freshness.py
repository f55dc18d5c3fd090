"""The bookkeeping that rides along: which answers are stale, which are unread (semantics of freshness)."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import field

from fsmcheck.cel.types import Kind
from fsmcheck.records import dataclass
from fsmcheck.spec.model import Operator, State
from fsmcheck.system import terms as t
from fsmcheck.system.actions import WriteRecord
from fsmcheck.system.layout import EXCHANGED, Layout, preset, stale, unread
from fsmcheck.system.symbolic import Slot, is_set
from fsmcheck.system.terms import BOOL, FALSE, TRUE, Term


@dataclass
class Freshness:
    """The bookkeeping variables during one step, starting from the configuration's own; ``bits`` are those that the
    step has touched."""

    layout: Layout
    bits: dict[str, Term] = field(default_factory=dict)

    def _bit(self, name: str) -> Term:
        found = self.bits.get(name)
        return t.var(name, BOOL) if found is None else found

    def read(self, names: Iterable[str]) -> None:
        """Something looked at these fields."""
        for name in names:
            if name in self.layout.answered:
                self.bits[unread(name)] = FALSE

    def lost(self, record: WriteRecord) -> Term:
        """When an ``assign`` empties a set field that is unread (its own reading counts first)."""
        if record.operator is not Operator.ASSIGN or record.field in record.mentions:
            return FALSE
        bit = self._bit(unread(record.field)) if record.field in self.layout.answered else FALSE
        return t.and_(bit, record.set_before, t.not_(record.set_after))

    def act(self, records: Iterable[WriteRecord]) -> dict[int, Term]:
        """Account for the writes of an action list; for each record number, when it loses an unread value."""
        losses: dict[int, Term] = {}
        by_action: dict[int, list[tuple[int, WriteRecord]]] = {}
        for number, record in enumerate(records):
            by_action.setdefault(record.action, []).append((number, record))
        for group in by_action.values():
            for _, record in group:
                self.read(record.mentions)
            for number, record in group:
                losses[number] = self.lost(record)
                if record.operator is Operator.ASSIGN:
                    self._forget(record.field, FALSE)
        return losses

    def _forget(self, name: str, keep: Term) -> None:
        """Clear staleness of a field everywhere unless ``keep`` holds."""
        for state in self.layout.stale_for.get(name, ()):
            self.bits[stale(state, name)] = t.and_(self._bit(stale(state, name)), keep)

    def use_by_presence(self, state: State) -> None:
        """Leaving a state: that a required boolean or enum was set was its use."""
        names = {req.field.text for req in state.requires}
        self.read(name for name in names if self.layout.types[name].kind in (Kind.BOOLEAN, Kind.ENUM))

    def leave(self, state: State, assigned: frozenset[str], store: Mapping[str, Slot]) -> None:
        """Leaving a state, after ``onTransition``: what is still set and was not assigned is now stale."""
        for name in dict.fromkeys(req.field.text for req in state.requires):
            if (state.name.text, name) in self.layout.stale_pairs:
                still = t.boolean(name not in assigned)
                self.bits[stale(state.name.text, name)] = t.and_(still, is_set(store[name]))

    def enter(self, state: State, arrived: Mapping[str, Slot]) -> None:
        """Entering a state, before its ``entry``: a new visit begins."""
        self.bits[EXCHANGED] = FALSE
        for name in self.layout.presets_of.get(state.name.text, ()):
            self.bits[preset(state.name.text, name)] = is_set(arrived[name])

    def staged(self, name: str, condition: Term) -> None:
        """An agent staged a field where the condition holds."""
        self._forget(name, t.not_(condition))
        if name in self.layout.answered:
            self.bits[unread(name)] = t.or_(self._bit(unread(name)), condition)

    def exchange(self) -> None:
        self.bits[EXCHANGED] = TRUE

    def changed(self) -> dict[str, Term]:
        """The updates of the variables whose value this step may change."""
        return {name: term for name, term in self.bits.items() if not (term.op is t.Op.VAR and term.value == name)}
