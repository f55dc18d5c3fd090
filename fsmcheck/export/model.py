"""A transition system ready to be written in any of the languages: finite, named, with its questions."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import field

from fsmcheck.export.questions import Asked
from fsmcheck.records import dataclass
from fsmcheck.system.system import Location, StepKind
from fsmcheck.system.terms import Sort, Term


@dataclass(frozen=True, slots=True)
class Cell:
    """A variable. ``values`` are its integers, or the indices of a finite value; ``initial`` is one of them."""

    name: str
    identifier: str
    sort: Sort
    initial: int
    values: range


@dataclass(frozen=True, slots=True)
class Choice:
    """A value that a step may choose freely among ``values``. ``guessed`` where the abstraction does, not an agent."""

    name: str
    identifier: str
    sort: Sort
    values: Sequence[int]
    guessed: bool


@dataclass(frozen=True, slots=True)
class Action:
    """A step: where its guard holds for some choices, the cells get new values at once; others keep theirs."""

    identifier: str
    kind: StepKind
    title: str
    source: Location
    target: Location
    guard: Term
    choices: tuple[Choice, ...]
    updates: Mapping[str, Term]


@dataclass(frozen=True, slots=True)
class Probe:
    """Part of a question: in ``source`` it happens where the condition holds for some choices."""

    identifier: str
    title: str
    source: Location
    condition: Term
    choices: tuple[Choice, ...]


@dataclass(frozen=True, slots=True)
class Question:
    """What is asked: whether one of its probes is ever true; one without a question of its own has none."""

    identifier: str
    asked: Asked
    probes: tuple[Probe, ...]


@dataclass(frozen=True)
class Model:
    """``locations`` and ``labels`` (by sort name and index) map to identifiers; ``bound`` limits integers, None where
    there are none. ``unasked`` says which questions the language cannot put."""

    title: str
    profile: str
    locations: Mapping[Location, str]
    labels: Mapping[tuple[str, int], str]
    start: Location
    cells: tuple[Cell, ...]
    actions: tuple[Action, ...]
    questions: tuple[Question, ...]
    meanings: Mapping[str, str]
    bound: int | None = None
    unasked: Mapping[str, tuple[str, ...]] = field(default_factory=dict)

    @property
    def names(self) -> dict[str, str]:
        """The identifier of every cell, by name."""
        return {cell.name: cell.identifier for cell in self.cells}

    @property
    def guesses(self) -> bool:
        """Whether the abstraction chooses values that it does not know."""
        choices = [*(c for a in self.actions for c in a.choices)]
        choices += [c for q in self.questions for p in q.probes for c in p.choices]
        return any(choice.guessed for choice in choices)
