"""How a run goes that may be cut off at any moment: what it knows from before, and whom it tells how far it is."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager
from dataclasses import field
from typing import Protocol

from fsmcheck.diagnostics import Subject
from fsmcheck.obligations.obligation import Obligation, Verdict
from fsmcheck.records import dataclass

TEXT = "the text"
"""What is done before there is a plan: rules on the text, and the translation."""


@dataclass(frozen=True, slots=True)
class Planned:
    """All obligations, in order; ``patience`` are the seconds that one of them may take before it hangs."""

    obligations: tuple[Obligation, ...]
    patience: float


@dataclass(frozen=True, slots=True)
class Begun:
    """What is being done now: the ID of an obligation, or another part of the work."""

    what: str


@dataclass(frozen=True, slots=True)
class Decided:
    """A verdict, as it is before proofs are checked again."""

    verdict: Verdict


@dataclass(frozen=True, slots=True)
class AllDecided:
    """Several verdicts at once, which took no time."""

    verdicts: tuple[Verdict, ...]


@dataclass(frozen=True, slots=True)
class Shared:
    """What other processes do now for this one, which looks after them, since when (by the monotonic clock)."""

    what: str
    since: float


Step = Planned | Begun | Decided | AllDecided | Shared


@dataclass(frozen=True, slots=True)
class Lost:
    """There is no answer: the process that worked on it was lost."""

    reason: str


class Crew(Protocol):
    """Processes forked from this one that work on tasks, each some parts, done one after the other."""

    @property
    def hands(self) -> int:
        """How many tasks are done at a time."""
        ...

    def add(self, task: Sequence[object]) -> None:
        """Have a task done, after those that were added before."""
        ...

    def answers(self, meanwhile: Iterator[object]) -> Iterator[tuple[object, object]]:
        """Each part of all tasks, in no certain order, with its answer, or ``Lost``; ``meanwhile`` is gone through
        where there is nothing else to do. Raises what a process raised."""
        ...


class Labour(Protocol):
    """What a crew is for."""

    @property
    def size(self) -> int:
        """How many obligations it is about."""
        ...

    def do(self, part: object) -> object:
        """The answer to a part."""
        ...

    def name(self, part: object) -> str:
        """How to speak of a part."""
        ...


Share = Callable[[Labour, float], AbstractContextManager[Crew | None]]
"""Forks a crew for some labour, of which each part may take so many seconds. None where this process cannot be forked,
or where there is nobody to share with."""


def _nobody(_step: Step) -> None:
    return None


@dataclass(frozen=True, slots=True)
class Course:
    """``given`` are verdicts that a run which was cut off came to; ``final`` all verdicts of a spec that was given up
    for that ``reason``, to be reported as they are, and ``reads_text`` whether the rules on the text are asked as well;
    ``tell`` is called with each step; ``share`` has parts of the work done elsewhere; ``memory`` are the bytes that
    this process may take (None: nobody looks)."""

    given: Mapping[tuple[str, Subject], Verdict] = field(default_factory=dict, hash=False)
    final: tuple[Verdict, ...] | None = None
    reason: str = ""
    tell: Callable[[Step], None] = _nobody
    share: Share | None = None
    reads_text: bool = True
    memory: int | None = None


def followed(progress: Callable[[int, int, str], None]) -> Course:
    """A course that calls with how many obligations are decided, of how many, and what to say of it."""
    done, total = 0, 0

    def tell(step: Step) -> None:
        nonlocal done, total
        if isinstance(step, Planned):
            total = len(step.obligations)
        elif isinstance(step, Decided):
            done += 1
        elif isinstance(step, AllDecided):
            done += len(step.verdicts)
        elif isinstance(step, Begun | Shared):
            progress(done, total, f"obligations {step.what}")

    return Course(tell=tell)
