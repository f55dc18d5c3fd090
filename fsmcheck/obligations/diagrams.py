"""Searches by decision diagrams for a case, where explicit search of the whole machine is cut off.

What a search by diagrams denies is claimed only after a second look (``engines.diagram.recheck``); what it says happens
is shown on the reducer, as everything is.
"""

from __future__ import annotations

import time
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import field
from functools import cached_property
from typing import TYPE_CHECKING

from fsmcheck.engines.diagram.backward import at, can_reach, done, others, returns, surely_reaches, turning, turns
from fsmcheck.engines.diagram.budget import BudgetError, DiagramLimits
from fsmcheck.engines.diagram.projected import counts_of
from fsmcheck.engines.diagram.recheck import Second, look_again
from fsmcheck.engines.diagram.search import Diagram, Key, explore_symbolically
from fsmcheck.engines.diagram.traces import Point, Rings, Taken, diagram_moves
from fsmcheck.engines.disagreement import DisagreementError
from fsmcheck.engines.moves import Move
from fsmcheck.engines.packing import Packing
from fsmcheck.records import dataclass
from fsmcheck.system.slice import slice_system
from fsmcheck.system.system import Location, Phase, System

if TYPE_CHECKING:
    from fsmcheck.obligations.case import Case

SMALL = 1_000
"""Nodes that the sets of a search of the unsliced system take where no other is made of the machine for its figures."""

RUNS = 12
"""Runs to one event, or to one kind of configuration, that are tried on the reducer."""


@dataclass
class Searched:
    """A complete search, with the second look at it and the rings of its runs, each made when first needed."""

    diagram: Diagram
    seconds: float
    _is_doubted: bool = False

    method = "diagram"

    @property
    def system(self) -> System:
        return self.diagram.system

    @property
    def packing(self) -> Packing:
        return self.diagram.ready.packing

    @property
    def asked(self) -> Collection[Key]:
        return self.diagram.asked

    @property
    def counts(self) -> Mapping[Location, int]:
        """How many configurations are reached at each location."""
        return self.diagram.counts

    def is_reached(self, state: str) -> bool:
        """Whether some run comes to be in a state, in any phase."""
        return self.diagram.is_reached(state)

    @property
    def second(self) -> Second:
        self._is_doubted = True
        return self._second

    @cached_property
    def _second(self) -> Second:
        return look_again(self.diagram, DiagramLimits(seconds=self.seconds))

    @property
    def other(self) -> Searched | None:
        """The other search, once it agreed with this one."""
        self._is_doubted = True
        return self._other

    @cached_property
    def _other(self) -> Searched | None:
        return None if self._second.diagram is None else Searched(self._second.diagram, self.seconds)

    @cached_property
    def _rings(self) -> Rings:
        return Rings(self.diagram)

    def allow(self, seconds: float) -> None:
        """Let the time for one more question count from now."""
        self.seconds = seconds
        self.diagram.allow(seconds)
        self._is_doubted = False
        if "_second" in self.__dict__ and self._second.diagram is not None:
            self._second.diagram.allow(seconds)

    @property
    def unchecked(self) -> str:
        """Why the second look did not come to an end, where the question asked for one."""
        return self._second.reason if self._is_doubted else ""

    def happens(self, key: Key) -> bool:
        return self.diagram.happens(key)

    def excluded(self, key: Key) -> bool:
        """Whether both searches say that an event never happens. Raises ``DisagreementError`` where only one does."""
        if self.diagram.happens(key) or self.second.diagram is None:
            return False
        if not self.second.denies(key):
            raise DisagreementError(f"of two searches by diagrams only one sees {key[0]} happen at {key[1]}")
        return True

    def runs(self, key: Key) -> Iterator[list[Move]]:
        """Runs on whose last step an event happens."""
        for run in self._rings.hits(key, RUNS):
            yield diagram_moves(self.diagram, run)

    def runs_to(self, wanted: Mapping[int, int]) -> Iterator[tuple[Point, list[Move]]]:
        """Configurations of some sets, and runs to them."""
        found: Iterator[tuple[Point, list[Taken]]] = self._rings.runs_to(wanted, RUNS)
        for point, run in found:
            yield point, diagram_moves(self.diagram, run)

    @cached_property
    def done(self) -> list[int]:
        """The configurations in a terminal state, by location."""
        return done(self.diagram)

    @cached_property
    def fewest(self) -> int | None:
        """The fewest exchanges of a run to a terminal state; None where none gets there."""
        if not any(self.done):
            return None
        meet = self.diagram.ready.sets.meet
        return next(
            ring.exchanges
            for ring in self._rings
            if any(meet(node, self.done[place]) for place, node in ring.found.items())
        )

    @cached_property
    def hopeless(self) -> list[int]:
        """The configurations from which no run ends, by location."""
        return others(self.diagram, can_reach(self.diagram, self.done))

    @cached_property
    def uncertain(self) -> list[int]:
        """Those from which it is not certain that the agents can bring the run to an end."""
        return others(self.diagram, surely_reaches(self.diagram, self.done))

    def at_rest_in(self, state: str, sets: Sequence[int]) -> dict[int, int]:
        """The part of some sets that is at rest in a state."""
        resting = at(self.diagram, lambda place: place.state == state and place.phase.at_rest)
        meet = self.diagram.ready.sets.meet
        both = {number: meet(one, other) for number, (one, other) in enumerate(zip(resting, sets, strict=True))}
        return {number: node for number, node in both.items() if node}

    def waiting_in(self, state: str | None) -> dict[int, int]:
        """The configurations in which the machine waits in a state."""
        waiting = at(self.diagram, lambda place: place.phase is Phase.WAITING and place.state == state)
        return {number: node for number, node in enumerate(waiting) if node}

    def sizes(self, sets: Mapping[int, int]) -> dict[int, int]:
        """How many configurations some sets have, by location."""
        return {number: self.diagram.ready.sets.count(node) for number, node in sets.items()}

    def returns(self, state: str) -> bool:
        """Whether some run may enter a state without end."""
        return returns(self.diagram, state)

    def turns(self, cycle: Sequence[str]) -> bool:
        """Whether some run goes once round a cycle of states without a detour."""
        return turns(self.diagram, cycle)

    @cached_property
    def turning(self) -> tuple[list[int], int]:
        """See ``engines.diagram.backward.turning``."""
        return turning(self.diagram)


@dataclass
class Diagrams:
    """The searches by diagrams of a case; each is made when first asked for, and not again where it gave up.

    ``reason`` is why the question asked last is not settled by them, where a limit was reached.
    """

    case: Case
    reason: str = ""
    _reasons: dict[str, str] = field(default_factory=dict)
    _found: dict[str, Searched | None] = field(default_factory=dict)

    def whole(self) -> Searched | None:
        """The search of the unsliced system; None where it gave up."""
        return self._search("whole", self.case.system)

    def base(self) -> Searched | None:
        """The search of the machine alone, without bookkeeping."""
        return self._search("base", slice_system(self.case.system, lambda _event: False))

    def for_figures(self) -> Searched | None:
        """The search that figures of the machine are read off: that of the unsliced system, where that was made first
        and is small, since bookkeeping keeps the machine from nothing; else that of the machine alone."""
        if self.case.is_wide:
            searched = self.whole()
            if searched is not None and searched.diagram.nodes <= SMALL:
                return searched
        return self.base()

    def counts_of_machine(self) -> Mapping[Location, int]:
        """How many configurations of the machine are reached at each location; none where the searches gave up."""
        searched = self.for_figures()
        if searched is None:
            return {}
        try:
            return counts_of(searched.diagram, self.case.cones.machine)
        except BudgetError:
            base = self.base()
            return {} if base is None else base.counts

    def _search(self, name: str, system: System) -> Searched | None:
        if name not in self._found:
            began, seconds = time.process_time(), self.case.seconds_left
            diagram = explore_symbolically(system, DiagramLimits(seconds=seconds))
            if not diagram.complete:
                self.gave_up(diagram.reason, began)
                self._reasons[name] = diagram.reason
            self._found[name] = Searched(diagram, seconds) if diagram.complete else None
        found = self._found[name]
        self.reason = self._reasons.get(name, "")
        if found is not None:
            found.allow(self.case.seconds_left)
        return found

    def gave_up(self, reason: str, began: float) -> None:
        """Note that time since ``began`` led nowhere, and why."""
        self.reason = reason
        self.case.wasted += time.process_time() - began
