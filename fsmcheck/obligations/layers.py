"""Searches of layers for a case (``engines.frontier``), where decision diagrams gave up.

As with diagrams, what a search denies is claimed only after a second look, and what it says happens is shown on the
reducer. The unsliced system is searched for all questions, and the machine alone where that is too large.
"""

from __future__ import annotations

import time
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import field
from functools import cached_property
from importlib.util import find_spec
from typing import TYPE_CHECKING, Any

from fsmcheck.engines.disagreement import DisagreementError
from fsmcheck.engines.explicit import Key
from fsmcheck.engines.moves import Move, moves_of
from fsmcheck.engines.packing import Packing
from fsmcheck.engines.room import fits
from fsmcheck.records import dataclass
from fsmcheck.shortage import LITTLE, was_short
from fsmcheck.system.slice import slice_system
from fsmcheck.system.system import Location, Phase, System

if TYPE_CHECKING:
    from fsmcheck.engines.diagram.traces import Point
    from fsmcheck.engines.frontier.recheck import Second
    from fsmcheck.engines.frontier.search import Frontier
    from fsmcheck.obligations.case import Case

RUNS = 12
"""Runs to one kind of configuration that are tried on the reducer."""

MEGABYTES = 256
"""What the arrays of the searches of a case may take."""

PART = 3
"""Where somebody looks at what the process takes, a third of that at most is for arrays."""

MISSING = 'not searched without the extra "frontier" (NumPy)'


@dataclass(frozen=True, slots=True, eq=False)
class Members:
    """Configurations of one location, by their numbers; true where there are any."""

    codes: Any

    def __bool__(self) -> bool:
        return len(self.codes) > 0


@dataclass
class Layered:
    """A complete search, with the second look at it, which is made when first needed."""

    frontier: Frontier
    seconds: float
    _is_doubted: bool = False

    method = "frontier"

    def allow(self, seconds: float) -> None:
        """Let the time for one more question count from now."""
        self.seconds = seconds
        self._is_doubted = False
        self.frontier.budget.extend(seconds)

    @cached_property
    def _second(self) -> Second:
        from fsmcheck.engines.frontier.budget import FrontierLimits
        from fsmcheck.engines.frontier.recheck import look_again

        limits = self.frontier.budget.limits
        left = limits.megabytes - (self.frontier.nbytes >> 20)
        return look_again(self.frontier, FrontierLimits(left, self.seconds, limits.why))

    @property
    def second(self) -> Second:
        """The second look."""
        self._is_doubted = True
        return self._second

    @cached_property
    def _other(self) -> Layered | None:
        return None if self._second.frontier is None else Layered(self._second.frontier, self.seconds)

    @property
    def other(self) -> Layered | None:
        """The other search, once it agreed with this one; its time counts from now."""
        self._is_doubted = True
        if self._other is not None:
            self._other.allow(self.seconds)
        return self._other

    @property
    def unchecked(self) -> str:
        """Why the second look, which the question asked last needed, did not come to an end."""
        return self._second.reason if self._is_doubted else ""

    @property
    def system(self) -> System:
        return self.frontier.system

    @property
    def packing(self) -> Packing:
        return self.frontier.setting.packing

    @cached_property
    def asked(self) -> Collection[Key]:
        """The events of the system."""
        steps = self.frontier.system.steps
        return frozenset((event.rule, event.subject, event.case) for step in steps for event in step.events)

    @property
    def counts(self) -> Mapping[Location, int]:
        """How many configurations are reached at each location."""
        return self.frontier.counts

    def count_of(self, names: Collection[str]) -> int:
        """How many configurations differ in some variables, or in their location."""
        from fsmcheck.engines.frontier.backward import projected

        dropped = [name for name in self.packing.index if name not in names]
        return sum(len(projected(self.frontier, place, dropped)) for place in range(len(self.frontier.reached)))

    def is_reached(self, state: str) -> bool:
        """Whether some run comes to be in a state, in any phase."""
        return any(location.state == state for location in self.frontier.counts)

    def happens(self, key: Key) -> bool:
        """Whether an event happens on some step from a reachable configuration."""
        return key in self.frontier.hits

    def excluded(self, key: Key) -> bool:
        """Whether both searches say that an event never happens."""
        other = None if self.happens(key) else self.other
        if other is None:
            return False
        if other.happens(key):
            raise DisagreementError(f"of two searches of layers only one sees {key[0]} happen at {key[1]}")
        return True

    def runs(self, key: Key) -> Iterator[list[Move]]:
        """Runs on whose last step an event happens."""
        from fsmcheck.engines.frontier.traces import runs_with

        for run in runs_with(self.frontier, key):
            yield moves_of(self.packing, ((number, inputs) for _, number, inputs in run))

    def runs_to(self, wanted: Mapping[int, Members]) -> Iterator[tuple[Point, list[Move]]]:
        """Configurations of some sets, and runs to them."""
        from fsmcheck.engines.frontier.traces import runs_into

        sets = {place: members.codes for place, members in wanted.items()}
        for point, run in runs_into(self.frontier, sets, RUNS):
            yield point, moves_of(self.packing, ((number, inputs) for _, number, inputs in run))

    @cached_property
    def _done(self) -> list[Any]:
        from fsmcheck.engines.frontier.backward import done

        return done(self.frontier)

    @cached_property
    def done(self) -> list[Members]:
        """The configurations in a terminal state, by location."""
        return list(map(Members, self._done))

    @cached_property
    def fewest(self) -> int | None:
        """The fewest exchanges of a run to a terminal state; None where none gets there."""
        ends = [place for place, location in enumerate(self.system.locations) if location.phase is Phase.DONE]
        return min((self.frontier.first[place] for place in ends if place in self.frontier.first), default=None)

    @cached_property
    def _certain(self) -> list[Any]:
        from fsmcheck.engines.frontier.backward import surely_reaches

        return surely_reaches(self.frontier, self._done)

    @cached_property
    def uncertain(self) -> list[Members]:
        """The configurations from which it is not certain that the agents can bring the run to an end, by location."""
        from fsmcheck.engines.frontier.backward import others

        return list(map(Members, others(self.frontier, self._certain)))

    @cached_property
    def hopeless(self) -> list[Members]:
        """Those from which no run ends."""
        from fsmcheck.engines.frontier.backward import can_reach, others

        if not any(self.uncertain):
            return self.uncertain
        return list(map(Members, others(self.frontier, can_reach(self.frontier, self._certain))))

    def at_rest_in(self, state: str, sets: Sequence[Members]) -> dict[int, Members]:
        """The part of some sets that is at rest in a state."""
        locations = self.system.locations
        return {
            place: members
            for place, members in enumerate(sets)
            if members and locations[place].state == state and locations[place].phase.at_rest
        }

    def waiting_in(self, state: str | None) -> dict[int, Members]:
        """The configurations in which the machine waits in a state."""
        found = {
            place: Members(self.frontier.at(place))
            for place, location in enumerate(self.system.locations)
            if location.phase is Phase.WAITING and location.state == state
        }
        return {place: members for place, members in found.items() if members}

    def sizes(self, sets: Mapping[int, Members]) -> dict[int, int]:
        """How many configurations some sets have, by location."""
        return {place: len(members.codes) for place, members in sets.items()}

    @cached_property
    def turning(self) -> tuple[list[Members], int]:
        """See ``engines.frontier.backward.turning``."""
        from fsmcheck.engines.frontier.backward import turning

        left, longest = turning(self.frontier)
        return list(map(Members, left)), longest

    def returns(self, state: str) -> bool:
        """Whether some run may enter a state without end."""
        from fsmcheck.engines.frontier.backward import returns

        return returns(self.frontier, state)

    def turns(self, cycle: Sequence[str]) -> bool:
        """Whether some run goes once round a cycle of states without a detour."""
        from fsmcheck.engines.frontier.backward import turns

        return turns(self.frontier, cycle)


@dataclass
class Layers:
    """The searches of layers of a case; each is made when first asked for, and not again where it gave up.

    ``reason`` is why the question asked last is not settled by them, and ``short`` why a search or a question took more
    memory than there was, where that was less than usual.
    """

    case: Case
    reason: str = ""
    short: str = ""
    _reasons: dict[str, str] = field(default_factory=dict)
    _found: dict[str, Layered | None] = field(default_factory=dict)

    @property
    def are_searched(self) -> bool:
        """Whether a search is complete, so that questions take little time."""
        return self._found.get("whole") is not None

    def whole(self) -> Layered | None:
        """The search of the unsliced system; None where it gave up."""
        return self._search("whole", self.case.system)

    def base(self) -> Layered | None:
        """A search of the machine, with bookkeeping if that is within reach; None where it gave up."""
        found = self.whole()
        return self._search("base", slice_system(self.case.system, lambda _event: False)) if found is None else found

    def _search(self, name: str, system: System) -> Layered | None:
        if name not in self._found:
            self._found[name] = self._made(name, system)
        found = self._found[name]
        self.reason = self._reasons.get(name, "")
        if found is not None:
            found.allow(self.case.limits.seconds)
        return found

    def _made(self, name: str, system: System) -> Layered | None:
        if not fits(Packing(system)):
            self._reasons[name] = "the values of a configuration do not fit into 64 bits"
            return None
        if find_spec("numpy") is None:
            self._reasons[name] = MISSING
            return None
        from fsmcheck.engines.frontier.budget import FrontierLimits
        from fsmcheck.engines.frontier.search import explore_layers

        began = time.process_time()
        why = LITTLE if self._megabytes < MEGABYTES else ""
        frontier = explore_layers(system, FrontierLimits(self._megabytes, self.case.seconds_left, why))
        if frontier.complete:
            return Layered(frontier, self.case.limits.seconds)
        self.gave_up(frontier.reason, began)
        self._reasons[name] = frontier.reason
        return None

    @property
    def _megabytes(self) -> int:
        allowed = self.case.memory
        return MEGABYTES if allowed is None else min(MEGABYTES, allowed // PART >> 20)

    def gave_up(self, reason: str, began: float) -> None:
        """Note that time since ``began`` led nowhere, and why."""
        self.reason = reason
        self.short = reason if was_short(reason) else self.short
        self.case.wasted += time.process_time() - began
