"""The search: ring by ring, those of one layer within as many exchanges.

A ring is what one more step reaches for the first time; the rings of a layer need the same number of exchanges, as in
``engines.diagram.traces``.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import field
from functools import cached_property

import numpy as np

from fsmcheck.diagnostics import Subject
from fsmcheck.engines.diagram.budget import BudgetError
from fsmcheck.engines.diagram.search import deep_recursion
from fsmcheck.engines.frontier.arrays import MOST_TAGS, Array, Growing, total, union
from fsmcheck.engines.frontier.budget import Budget, FrontierLimits
from fsmcheck.engines.frontier.codes import Codes
from fsmcheck.engines.frontier.evaluate import Evaluation
from fsmcheck.engines.frontier.share import with_shared_terms
from fsmcheck.engines.frontier.steps import ArrayStep, Setting
from fsmcheck.engines.packing import Packing
from fsmcheck.records import dataclass
from fsmcheck.shortage import SAYS
from fsmcheck.system.system import Event, Location, StepKind, System

Key = tuple[str, Subject, str]

ROWS = 1 << 16
"""Configurations that steps are taken from at once."""

GATHERED = 1 << 20
"""Configurations that are looked up at once among those reached: the more of them, the nearer to each other."""

HITS_KEPT = 12


@dataclass(frozen=True, slots=True)
class Hit:
    """An event happened: from a configuration of a ring, at a location (by number), on taking a step."""

    ring: int
    place: int
    code: int
    step: int


@dataclass(frozen=True, slots=True)
class Ring:
    """How many configurations are reached for the first time, after so many exchanges; one step beyond the rings from
    number ``begins`` on that come before it."""

    size: int
    exchanges: int
    begins: int


@dataclass(eq=False)
class Frontier:
    """The configurations reached, by the number of their location.

    Where ``complete`` is not set, ``reason`` says which limit was reached, and nothing follows from what is missing.
    Questions asked of it afterwards may raise ``BudgetError``. Each configuration is tagged with the number of its
    ring; ``first`` has the fewest exchanges to each location.
    """

    system: System
    budget: Budget
    reached: list[Growing] = field(default_factory=list)
    rings: list[Ring] = field(default_factory=list)
    hits: dict[Key, list[Hit]] = field(default_factory=dict)
    first: dict[int, int] = field(default_factory=dict)
    complete: bool = False
    reason: str = ""
    made: Setting | None = None

    @property
    def setting(self) -> Setting:
        """What the search works with. Raises ``BudgetError`` where it never began."""
        if self.made is None:
            raise BudgetError(self.reason)
        return self.made

    @cached_property
    def number_of(self) -> dict[Location, int]:
        """Each location's number, as in ``System.locations``."""
        return {location: number for number, location in enumerate(self.system.locations)}

    @cached_property
    def steps(self) -> tuple[ArrayStep, ...]:
        """The steps in the system's order."""
        return tuple(ArrayStep(self.setting, step) for step in self.system.steps)

    @cached_property
    def leaving(self) -> list[list[int]]:
        """For each location the numbers of the steps that leave it."""
        found: list[list[int]] = [[] for _ in self.system.locations]
        for number, step in enumerate(self.system.steps):
            found[self.number_of[step.source]].append(number)
        return found

    def at(self, place: int) -> Array:
        """All that is reached at a location."""
        return self.reached[place].whole.members

    def ring_of(self, place: int, codes: Array) -> Array:
        """The number of the ring of each of some configurations that are reached at a location."""
        whole = self.reached[place].whole
        return whole.tags[np.searchsorted(whole.members, codes)]

    def between(self, place: int, first: int, end: int) -> Array:
        """What is reached at a location in the rings from one on, up to before another."""
        whole = self.reached[place].whole
        return whole.members[(whole.tags >= first) & (whole.tags < end)]

    @property
    def counts(self) -> dict[Location, int]:
        """How many configurations were reached at each location (those without any left out)."""
        return {
            location: len(found)
            for location, found in zip(self.system.locations, self.reached, strict=True)
            if len(found)
        }

    @property
    def count(self) -> int:
        """How many configurations were reached."""
        return sum(map(len, self.reached))

    @property
    def depths(self) -> dict[int, int]:
        """How many configurations need how many exchanges."""
        found: dict[int, int] = {}
        for ring in self.rings:
            found[ring.exchanges] = found.get(ring.exchanges, 0) + ring.size
        return found

    @property
    def nbytes(self) -> int:
        """The bytes of the arrays that it keeps."""
        return sum(found.nbytes for found in self.reached)


def explore_layers(system: System, limits: FrontierLimits | None = None, *, backwards: bool = False) -> Frontier:
    """Search all configurations within limits; ``backwards`` turns the order of the fields round."""
    frontier = Frontier(system, Budget(limits or FrontierLimits()))
    try:
        with deep_recursion():
            frontier.system = with_shared_terms(system)
            packing = Packing(frontier.system)
            frontier.made = Setting(packing, Codes(packing, backwards=backwards), frontier.budget)
            frontier.reached = [Growing(frontier.setting.codes.kind) for _ in system.locations]
            _Search(frontier).run()
        frontier.complete = True
    except BudgetError as error:
        frontier.reason = str(error)
    except MemoryError:
        frontier.reason = SAYS
    return frontier


@dataclass
class _Noted:
    """An event of a step, where it happens (on whatever step), and the last ring in which it did on this one."""

    event: Event
    hits: list[Hit]
    ring: int = -1


class _Pending:
    """What one ring adds to a set; what is found is looked up in the set so many at a time."""

    def __init__(self, reached: Growing) -> None:
        self._reached = reached
        self._found: list[Array] = []
        self._gathered = 0
        self._new: list[Array] = []
        self.nbytes = 0

    def add(self, found: Array) -> None:
        """Add what a step leads to."""
        if len(found):
            self._found.append(found)
            self._gathered += len(found)
            self.nbytes += found.nbytes
        if self._gathered > GATHERED:
            self._look_up()

    def _look_up(self) -> None:
        new = self._reached.new(union(self._found))
        self._found, self._gathered = [], 0
        self._new.append(new)
        while len(self._new) > 1 and len(self._new[-2]) < 2 * len(self._new[-1]):
            last = self._new.pop()
            self._new[-1] = union((self._new[-1], last))
        self.nbytes = total(self._new)

    def whole(self) -> Array:
        """All that is new."""
        if self._found:
            self._look_up()
        return union(self._new) if self._new else self._reached.empty


class _Search:
    """The state of a search; ``last`` are the configurations of the last ring, by location, ``layer`` those of all
    rings with as many exchanges, each array with the number of its ring."""

    def __init__(self, frontier: Frontier) -> None:
        self.frontier = frontier
        self.last: dict[int, Array] = {}
        self.layer: dict[int, list[tuple[int, Array]]] = {}
        self.held = 0
        hits: dict[Key, list[Hit]] = {}
        self.hits = hits
        self.events = [
            [_Noted(event, hits.setdefault((event.rule, event.subject, event.case), [])) for event in step.events]
            for step in frontier.system.steps
        ]

    def run(self) -> None:
        frontier, setting = self.frontier, self.frontier.setting
        start = frontier.number_of[frontier.system.start]
        self._keep({start: setting.codes.single(setting.codes.encode(setting.packing.initial()))}, 0, 0)
        exchanges = begins = 0
        while self.last:
            latest = len(frontier.rings) - 1
            found = self._beyond({place: [(latest, rows)] for place, rows in self.last.items()}, exchange=False)
            if found:
                self._keep(found, exchanges, latest)
                continue
            sources, self.layer = self.layer, {}
            exchanges += 1
            found = self._beyond(sources, exchange=True)
            self._keep(found, exchanges, begins)
            begins = latest + 1
        frontier.hits = {key: hits for key, hits in self.hits.items() if hits}

    def _keep(self, found: dict[int, Array], exchanges: int, begins: int) -> None:
        frontier = self.frontier
        self.last = found
        if not found:
            return
        number = len(frontier.rings)
        if number == MOST_TAGS:
            raise BudgetError(f"more than {MOST_TAGS} steps to some configuration")
        frontier.rings.append(Ring(sum(map(len, found.values())), exchanges, begins))
        for place, rows in found.items():
            frontier.reached[place].add(rows, number)
            self.layer.setdefault(place, []).append((number, rows))
            frontier.first.setdefault(place, exchanges)
        layer = sum(rows.nbytes for kept in self.layer.values() for _, rows in kept)
        merging = 2 * max(found.largest for found in frontier.reached)
        self.held = frontier.nbytes + layer + merging
        self._check(0)

    def _check(self, pending: int) -> None:
        self.frontier.budget.check_bytes(self.held + pending)
        self.frontier.budget.check_time()

    def _beyond(self, sources: Mapping[int, Sequence[tuple[int, Array]]], *, exchange: bool) -> dict[int, Array]:
        """What is new one step beyond some configurations."""
        pending: dict[int, _Pending] = {}
        for place, arrays in sources.items():
            steps = [number for number in self.frontier.leaving[place] if self._is_exchange(number) == exchange]
            for ring, rows in arrays if steps else ():
                for start in range(0, len(rows), ROWS):
                    known = self.frontier.setting.plain(rows[start : start + ROWS])
                    for number in steps:
                        self._note_events(number, ring, place, known)
                        step = self.frontier.steps[number]
                        target = self.frontier.number_of[step.step.target]
                        if target not in pending:
                            pending[target] = _Pending(self.frontier.reached[target])
                        pending[target].add(step.image(known))
                        self._check(sum(each.nbytes for each in pending.values()))
        found = {place: each.whole() for place, each in pending.items()}
        return {place: rows for place, rows in found.items() if len(rows)}

    def _is_exchange(self, number: int) -> bool:
        return self.frontier.system.steps[number].kind is StepKind.STAGE

    def _note_events(self, number: int, ring: int, place: int, known: Evaluation) -> None:
        """Note which events may happen: of each ring and step the first configuration."""
        step = self.frontier.steps[number]
        enabled = None
        for noted in self.events[number]:
            if noted.ring == ring or len(noted.hits) >= HITS_KEPT:
                continue
            if enabled is None:
                enabled = step.enabled(known)
                if not enabled.any():
                    return
            happening = step.happening(noted.event, known, enabled)
            if happening.any():
                noted.ring = ring
                noted.hits.append(Hit(ring, place, int(known.rows[happening.argmax()]), number))
