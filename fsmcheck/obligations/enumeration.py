"""What a complete search of all configurations can be asked, whichever engine made it."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from typing import Any, Protocol

from fsmcheck.engines.diagram.traces import Point
from fsmcheck.engines.explicit import Key
from fsmcheck.engines.moves import Move
from fsmcheck.engines.packing import Packing
from fsmcheck.system.system import System

Some = Any
"""A set of configurations at one location, in the terms of the engine; it is true where there are any."""


class Enumeration(Protocol):
    """A complete search with a second look at it. Whatever is asked may raise ``BudgetError``."""

    @property
    def method(self) -> str:
        """How verdicts that rest on it say so."""
        ...

    @property
    def system(self) -> System:
        """What was searched."""
        ...

    @property
    def packing(self) -> Packing:
        """The packing of its configurations."""
        ...

    @property
    def asked(self) -> Collection[Key]:
        """The events of the system."""
        ...

    @property
    def other(self) -> Enumeration | None:
        """The other search, once it agreed with this one."""
        ...

    @property
    def unchecked(self) -> str:
        """Why the second look, which the question asked last needed, did not come to an end."""
        ...

    @property
    def done(self) -> Sequence[Some]:
        """The configurations in a terminal state, by location."""
        ...

    @property
    def hopeless(self) -> Sequence[Some]:
        """The configurations from which no run ends, by location."""
        ...

    @property
    def uncertain(self) -> Sequence[Some]:
        """Those from which it is not certain that the agents can bring the run to an end."""
        ...

    @property
    def fewest(self) -> int | None:
        """The fewest exchanges of a run to a terminal state; None where none gets there."""
        ...

    @property
    def turning(self) -> tuple[Sequence[Some], int]:
        """The configurations on cycles of microsteps, and the most microsteps of one advance."""
        ...

    def is_reached(self, state: str) -> bool:
        """Whether some run comes to be in a state, in any phase."""
        ...

    def happens(self, key: Key) -> bool:
        """Whether an event happens on some step from a reachable configuration."""
        ...

    def excluded(self, key: Key) -> bool:
        """Whether both searches say that an event never happens. Raises ``DisagreementError`` where only one does."""
        ...

    def runs(self, key: Key) -> Iterator[list[Move]]:
        """Runs on whose last step an event happens."""
        ...

    def runs_to(self, wanted: Mapping[int, Some]) -> Iterator[tuple[Point, list[Move]]]:
        """Configurations of some sets, and runs to them."""
        ...

    def at_rest_in(self, state: str, sets: Sequence[Some]) -> Mapping[int, Some]:
        """The part of some sets that is at rest in a state, by location."""
        ...

    def waiting_in(self, state: str | None) -> Mapping[int, Some]:
        """The configurations in which the machine waits in a state, by location."""
        ...

    def sizes(self, sets: Mapping[int, Some]) -> Mapping[int, int]:
        """How many configurations some sets have, by location."""
        ...

    def returns(self, state: str) -> bool:
        """Whether some run may enter a state without end."""
        ...

    def turns(self, cycle: Sequence[str]) -> bool:
        """Whether some run goes once round a cycle of states without a detour."""
        ...


class Searches(Protocol):
    """The searches of one engine for a case; ``reason`` is why the question asked last is not settled by them."""

    reason: str

    def whole(self) -> Enumeration | None:
        """The search of the unsliced system; None where it gave up."""
        ...

    def base(self) -> Enumeration | None:
        """A search of the machine; None where it gave up."""
        ...

    def gave_up(self, reason: str, began: float) -> None:
        """Note that time since ``began`` led nowhere, and why."""
        ...
