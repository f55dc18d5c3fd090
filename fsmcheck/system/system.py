"""The symbolic transition system: locations, typed variables, guarded updates, and the events rules ask about.

A configuration is a location and a value for every variable. A *step* leads from one location to another;
it may be taken when some values of its inputs satisfy its guard, and then updates the variables at once
(those not named keep their value). Inputs are choices: of an agent or of the one who starts the run, or of
the abstraction, which does not know a value and so admits several.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import field
from enum import Enum
from functools import cached_property
from math import prod

from fsmcheck.diagnostics import Subject
from fsmcheck.records import dataclass
from fsmcheck.system.symbolic import Slot
from fsmcheck.system.terms import Sort, Term


class Phase(Enum):
    """Where in its cycle the machine is: about to start, inside an advance, or at rest with a status."""

    START = "start"
    RUNNING = "running"
    WAITING = "waiting"
    DONE = "done"
    STUCK = "stuck"
    FAILED = "failed"

    @property
    def at_rest(self) -> bool:
        return self not in (Phase.START, Phase.RUNNING)


@dataclass(frozen=True, slots=True)
class Location:
    """A state of the machine (its name) and a phase."""

    state: str
    phase: Phase


@dataclass(frozen=True, slots=True)
class Variable:
    """A variable of the store or of the bookkeeping.

    ``lower`` bounds an integer from below where that is known (0 for sizes), ``domain`` lists the values a
    finite variable can take (all where empty). ``field`` is the context field it describes, if any.
    """

    name: str
    sort: Sort
    lower: int | None = None
    domain: tuple[int, ...] = ()
    field: str | None = None


class Chooser(Enum):
    AGENT = "agent"
    ABSTRACTION = "abstraction"


@dataclass(frozen=True, slots=True)
class Input:
    """A value chosen when a step is taken. ``lower``/``upper`` bound an integer, ``domain`` a finite value."""

    name: str
    sort: Sort
    chooser: Chooser
    domain: tuple[int, ...] = ()
    lower: int | None = None
    upper: int | None = None


class StepKind(Enum):
    START = "start"
    FIRE = "fire"
    FAIL = "fail"
    PARK = "park"
    STICK = "stick"
    FINISH = "finish"
    STAGE = "stage"


@dataclass(frozen=True, slots=True)
class Event:
    """Something a rule forbids: taking a step while ``condition`` holds (over the variables before the step,
    the step's inputs, and ``inputs`` of its own, any value of which will do). ``case`` tells apart the
    questions that one rule asks about one subject."""

    rule: str
    subject: Subject
    condition: Term
    inputs: tuple[Input, ...] = ()
    case: str = ""


@dataclass(frozen=True, slots=True)
class Staged:
    """A field that a step may give a value: the value in terms of inputs, and the input that says whether it
    is written at all (None where the empty value means that it is not)."""

    slot: Slot
    write: str | None = None


@dataclass(frozen=True, slots=True)
class Step:
    """One guarded update. ``transition`` is the index in its state for FIRE and FAIL, ``agent`` for STAGE;
    ``staged`` the fields given at the start or staged by the agent."""

    name: str
    kind: StepKind
    source: Location
    target: Location
    guard: Term
    updates: Mapping[str, Term]
    inputs: tuple[Input, ...] = ()
    events: tuple[Event, ...] = ()
    transition: int | None = None
    agent: str | None = None
    staged: Mapping[str, Staged] = field(default_factory=dict)

    @property
    def ways(self) -> int:
        """In how many ways, about, an agent can choose the inputs."""
        signs = 3  # an integer is negative, nought or positive
        chosen = (choice for choice in self.inputs if choice.chooser is Chooser.AGENT)
        return prod(len(choice.domain) or choice.sort.size or signs for choice in chosen)


@dataclass(frozen=True)
class System:
    """The transition system of one spec under one profile.

    The run starts at ``start``, with every variable at its ``initial`` value. ``subjects`` names the pairs of
    rule and subject that some event of the unsliced system is about.
    """

    spec_name: str
    profile: str
    start: Location
    variables: tuple[Variable, ...]
    initial: Mapping[str, bool | int]
    steps: tuple[Step, ...]
    subjects: frozenset[tuple[str, Subject]] = field(default_factory=frozenset)

    @cached_property
    def steps_from(self) -> dict[Location, tuple[Step, ...]]:
        found: dict[Location, list[Step]] = {}
        for step in self.steps:
            found.setdefault(step.source, []).append(step)
        return {location: tuple(steps) for location, steps in found.items()}

    @cached_property
    def locations(self) -> tuple[Location, ...]:
        """All locations, the start first, in the order of steps."""
        seen: dict[Location, None] = {self.start: None}
        for step in self.steps:
            seen[step.source] = None
            seen[step.target] = None
        return tuple(seen)

    @cached_property
    def by_name(self) -> dict[str, Variable]:
        return {variable.name: variable for variable in self.variables}
