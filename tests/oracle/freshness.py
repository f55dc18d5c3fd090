"""The bookkeeping of section 5, carried over finished advances: FSM401-FSM404 and FSM406."""

from __future__ import annotations

from collections.abc import Hashable
from typing import NamedTuple

from fsmcheck.spec import model
from tests.oracle.domains import Domains
from tests.oracle.expressions import Store, is_set
from tests.oracle.machine import Advance, Effect, Status
from tests.oracle.program import Program, all_hold, bits

Event = tuple[str, int, int | None, int | None]
"""A rule and where it is broken: state, transition, field."""


class Book(NamedTuple):
    """Bit masks: stale requirements, unread fields, states left before."""

    stale: int = 0
    unread: int = 0
    visited: int = 0


class Deed(NamedTuple):
    """What an action did, for the bookkeeping."""

    reads: int
    assigned: int
    emptied: int
    state: int
    move: int | None


class Mark(NamedTuple):
    """What a microstep means for the bookkeeping. ``triggers``: the fields FSM403 would object to if stale;
    ``kept``: the requirements of the source that are set and not assigned when it is left."""

    source: int
    move: int
    met: bool
    triggers: int
    kept: int
    leaving: tuple[Deed, ...]
    entering: tuple[Deed, ...]


class Trail(NamedTuple):
    """All that the bookkeeping needs of an advance; many advances share one."""

    entering: tuple[Deed, ...]
    marks: tuple[Mark, ...]
    rest: int
    waiting: bool


class Bookkeeper:
    """Follows trails; ``found`` collects the broken rules."""

    def __init__(self, program: Program, domains: Domains) -> None:
        self.program = program
        self.candidates = domains.candidates
        self.found: set[Event] = set()
        self.bit: dict[tuple[int, int], int] = {}
        for state, place in enumerate(program.places):
            for slot in bits(place.requires):
                self.bit[state, slot] = 1 << len(self.bit)
        self.of_field = [0] * len(program.names)
        for (_, slot), bit in self.bit.items():
            self.of_field[slot] |= bit
        self._swings: dict[Hashable, bool] = {}
        self._stale_fields: dict[tuple[int, int], int] = {}
        self._kept = self._worth_keeping()

    def trail(self, advance: Advance) -> Trail:
        marks = []
        for step in advance.steps:
            place = self.program.places[step.source]
            move = place.moves[step.move]
            assigned = 0
            for effect in step.leaving:
                assigned |= effect.assigned
            marks.append(
                Mark(
                    step.source,
                    step.move,
                    step.met,
                    self.program.mask(
                        slot
                        for slot in bits(move.mentions & place.requires)
                        if self._swing(step.source, step.move, slot, step.before)
                    ),
                    self.program.mask(slot for slot in bits(place.requires & ~assigned) if is_set(step.left[slot])),
                    _deeds(step.leaving),
                    _deeds(step.entering),
                )
            )
        waiting = advance.status is Status.WAITING
        return Trail(_deeds(advance.entering), tuple(marks), advance.end_state, waiting)

    def _swing(self, state: int, number: int, slot: int, store: Store) -> bool:
        """FSM403: would another set value of the field have made the transition's guards false?"""
        move = self.program.places[state].moves[number]
        key = (state, number, slot, tuple(store[other] for other in bits(move.mentions)))
        if key not in self._swings:
            self._swings[key] = any(
                value != store[slot] and not all_hold(move, (*store[:slot], value, *store[slot + 1 :]))
                for value in self.candidates[slot]
            )
        return self._swings[key]

    def staged(self, book: Book, mask: int) -> Book:
        """An agent stages the fields of the mask."""
        stale = book.stale
        for slot in bits(mask):
            stale &= ~self.of_field[slot]
        return Book(stale, book.unread | mask, book.visited)

    def follow(self, trail: Trail, book: Book, *, exchanged: bool) -> Book:
        """The bookkeeping after an advance; ``exchanged`` tells one that an exchange began from the start."""
        stale, unread, visited = book
        stale, unread = self._deeds(trail.entering, stale, unread)
        places = self.program.places
        for mark in trail.marks:
            place = places[mark.source]
            self._judge(mark, stale, visited, exchanged=exchanged)
            exchanged = False
            # That a boolean or an enum was set was its use.
            unread &= ~(place.moves[mark.move].tried | place.requires & self.program.chosen)
            stale, unread = self._deeds(mark.leaving, stale, unread)
            for slot in bits(mark.kept):
                stale |= self.bit[mark.source, slot]
            visited |= 1 << mark.source
            stale, unread = self._deeds(mark.entering, stale, unread)
        if trail.waiting:
            unread &= ~places[trail.rest].template
        keep = self._kept[trail.rest]
        return Book(stale & keep.stale, unread & keep.unread, visited & keep.visited)

    def _deeds(self, deeds: tuple[Deed, ...], stale: int, unread: int) -> tuple[int, int]:
        for deed in deeds:
            unread &= ~deed.reads
            for slot in bits(deed.emptied & unread):
                self.found.add(("FSM406", deed.state, deed.move, slot))
            for slot in bits(deed.assigned):
                stale &= ~self.of_field[slot]
        return stale, unread

    def _old(self, stale: int, state: int) -> int:
        """The stale requirements of a state, as a mask of fields."""
        key = (stale, state)
        if key not in self._stale_fields:
            self._stale_fields[key] = self.program.mask(
                slot for (owner, slot), bit in self.bit.items() if owner == state and stale & bit
            )
        return self._stale_fields[key]

    def _judge(self, mark: Mark, stale: int, visited: int, *, exchanged: bool) -> None:
        place = self.program.places[mark.source]
        move = place.moves[mark.move]
        old = self._old(stale, mark.source) if stale else 0
        if not exchanged:
            if visited >> mark.source & 1 and (old & move.mentions or (mark.met and old)):
                self.found.add(("FSM401", mark.source, None, None))
            elif place.requires and mark.met:
                self.found.add(("FSM402", mark.source, None, None))
        for slot in bits(old & mark.triggers):
            self.found.add(("FSM403", mark.source, mark.move, slot))
        for slot in bits(old & place.exit_mentions):
            self.found.add(("FSM404", mark.source, None, slot))
        for slot in bits(old & move.action_mentions):
            self.found.add(("FSM404", mark.source, mark.move, slot))

    def _worth_keeping(self) -> list[Book]:
        """What can still matter when at rest in a state: only of states that the graph reaches from it, and
        ``unread`` only of fields that some ``assign`` may empty."""
        emptied = 0
        for state in self.program.spec.states:
            lists = [state.entry, state.exit, *(move.actions for move in state.transitions)]
            for action in (action for actions in lists for action in actions):
                if action.operator is model.Operator.ASSIGN:
                    emptied |= self.program.mask(self.program.slots[write.field.text] for write in action.writes)
        kept = []
        for origin in range(len(self.program.places)):
            reached = graph_reaches(self.program, origin)
            stale = 0
            visited = 0
            for (owner, _), bit in self.bit.items():
                if owner in reached:
                    stale |= bit
                    visited |= 1 << owner
            kept.append(Book(stale, emptied, visited))
        return kept


def _deeds(effects: list[Effect]) -> tuple[Deed, ...]:
    return tuple(Deed(effect.reads, effect.assigned, effect.emptied, *effect.site) for effect in effects)


def graph_reaches(program: Program, origin: int) -> set[int]:
    """The states that the graph of transitions reaches from one, itself included; none leaves a terminal."""
    reached = {origin}
    agenda = [origin]
    while agenda:
        place = program.places[agenda.pop()]
        for move in place.moves if not place.terminal else ():
            if move.target not in reached:
                reached.add(move.target)
                agenda.append(move.target)
    return reached
