"""The work on one spec in parts that a crew can do.

What is asked is answered without regard to what was asked before, so that it does not matter which process answers.
Where the search was cut off, a process is told how much time was spent in vain on questions that come before, and tells
what it spent (see ``spending``).
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from functools import cached_property
from typing import TypeVar

from fsmcheck.diagnostics import Subject
from fsmcheck.engines.explicit import Graph, Key
from fsmcheck.obligations.answers import CUT_OFF
from fsmcheck.obligations.bounds import most_microsteps
from fsmcheck.obligations.caps import fewest_exchanges
from fsmcheck.obligations.case import Case
from fsmcheck.obligations.conditions import condition_digests
from fsmcheck.obligations.course import Lost
from fsmcheck.obligations.loops import figures_at
from fsmcheck.obligations.obligation import QUESTIONS, Obligation, Question, Verdict
from fsmcheck.records import dataclass
from fsmcheck.system.events import BOTH


@dataclass(frozen=True, slots=True)
class Asked:
    """The obligation at a place of the plan."""

    place: int


@dataclass(frozen=True, slots=True)
class Pursued:
    """Likewise, where the search was cut off: as part of the task that begins at a place, before which so many seconds
    were spent in vain."""

    place: int
    task: int
    wasted: float


@dataclass(frozen=True, slots=True)
class Found:
    """The answer to that: with the seconds that it took in vain, but for slices, and those of the slices that were
    searched for it, by their numbers."""

    verdict: Verdict
    wasted: float
    slices: tuple[tuple[int, float], ...]


@dataclass(frozen=True, slots=True)
class Left:
    """Likewise, where no witness was met on the way to others; ``entered`` says whether one of its state was."""

    place: int
    entered: bool


@dataclass(frozen=True, slots=True)
class Witnesses:
    """What few runs show to be possible."""


@dataclass(frozen=True, slots=True)
class Conditions:
    """What has to hold at the steps from some locations, by their places, for the reached set to be inductive."""

    places: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Digests:
    """The names of what has to hold, each with the place of its location."""


@dataclass(frozen=True, slots=True)
class Turns:
    """The figures of the loops that begin at a state; of the first of them also those under the policy."""

    head: str
    surely: int


@dataclass(frozen=True, slots=True)
class Ends:
    """The fewest exchanges to each terminal state, and the most microsteps of an advance."""


class Parts:
    """Does the parts, in whichever process."""

    def __init__(self, case: Case, plan: Sequence[Obligation], decide: Callable[[Obligation], Verdict]) -> None:
        self.case = case
        self.plan = plan
        self._decide = decide
        self._task = -1
        self._spent = 0.0

    @cached_property
    def _slices(self) -> dict[frozenset[str], int]:
        """The numbers of the slices."""
        cones = self.case.cones
        return {cone: number for number, cone in enumerate(dict.fromkeys((cones.machine, *cones.by_subject.values())))}

    @cached_property
    def keys(self) -> tuple[Key, ...]:
        """The events that a complete search did not meet, whose absence may be claimed."""
        never = (Question.NEVER, Question.POSSIBLE)
        keys = ((each.rule, each.subject, "") for each in self.plan if QUESTIONS[each.rule] in never)
        return tuple(key for key in keys if key not in self.case.whole.hits)

    @property
    def size(self) -> int:
        """How much there is to do, in obligations about what was searched whole."""
        return len(self.plan) * (1 if self.case.whole.complete else CUT_OFF)

    def do(self, part: object) -> object:
        """A verdict, a set of witnesses, whether conditions hold, or figures, which are lost where a search had too
        little memory for them."""
        case = self.case
        if isinstance(part, Left):
            return self._left(part)
        if isinstance(part, Asked):
            return self.verdict(self.plan[part.place])
        if isinstance(part, Pursued):
            return self._pursued(part)
        if isinstance(part, Witnesses):
            return case.witnessed
        if isinstance(part, Conditions):
            return self._hold(part)
        if isinstance(part, Digests):
            found = condition_digests(case.whole, self.keys)
            return {place: found[location] for place, location in enumerate(case.whole.system.locations)}
        layers = None if case.whole.complete else case.layers
        before = layers and layers.short
        figures = self._figures(part)
        return Lost(f"layers: {layers.short}") if layers and layers.short != before else figures

    def verdict(self, obligation: Obligation) -> Verdict:
        """The verdict on an obligation."""
        return self._decide(obligation)

    def name(self, part: object) -> str:
        """What a progress bar says of a part."""
        if isinstance(part, Asked | Left | Pursued):
            return self.plan[part.place].id
        if isinstance(part, Witnesses):
            return "witnesses"
        return "proofs checked again" if isinstance(part, Conditions | Digests) else "figures"

    def _figures(self, part: object) -> object:
        if isinstance(part, Turns):
            return tuple(figures_at(self.case, part.head, part.surely))
        return fewest_exchanges(self.case), most_microsteps(self.case)

    def _pursued(self, part: Pursued) -> Found:
        if part.task != self._task:
            self._task, self._spent = part.task, 0.0
        case = self.case
        case.wasted = before = part.wasted + self._spent
        case.sliced.clear()
        verdict = self.verdict(self.plan[part.place])
        spent = case.wasted - before
        self._spent += spent
        slices = tuple((self._slices[cone], seconds) for cone, seconds in case.sliced.items())
        return Found(verdict, max(0.0, spent - sum(seconds for _, seconds in slices)), slices)

    def _left(self, part: Left) -> Verdict:
        """The verdict on what is missing among the witnesses, which this process need not know."""
        state = Subject(state=self.plan[part.place].subject.state)
        known = self.case.__dict__.get("witnessed")
        self.case.witnessed = frozenset([("FSM203", state)] if part.entered else [])
        try:
            return self.verdict(self.plan[part.place])
        finally:
            del self.case.witnessed
            if known is not None:
                self.case.witnessed = known

    def _hold(self, part: Conditions) -> bool:
        from fsmcheck.engines.induction import ReachableSet, check_induction

        system = self.case.whole.system
        sources = frozenset(system.locations[place] for place in part.places)
        there = replace(system, steps=tuple(step for step in system.steps if step.source in sources))
        return check_induction(there, ReachableSet(self.case.whole), self.keys, sources=sources).holds is True


def is_witnessed(obligation: Obligation) -> bool:
    """Whether the witnesses answer an obligation, as a rule."""
    return QUESTIONS[obligation.rule] is Question.POSSIBLE or obligation.rule == "FSM504"


def is_plain(graph: Graph, obligation: Obligation) -> bool:
    """Whether a complete search has the answer, which takes no time."""
    case = {Question.NEVER: "", Question.OVERLAP: BOTH}.get(QUESTIONS[obligation.rule])
    return case is not None and (obligation.rule, obligation.subject, case) not in graph.hits


_T = TypeVar("_T")


def batches(parts: Sequence[_T], size: int) -> Iterator[tuple[_T, ...]]:
    """The parts, so many at a time."""
    for first in range(0, len(parts), size):
        yield tuple(parts[first : first + size])
