"""How a run goes that may be cut off at any moment: what it knows from before, and whom it tells how far it is."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

from fsmcheck.diagnostics import Subject
from fsmcheck.obligations.obligation import Obligation, Verdict

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


Step = Planned | Begun | Decided


def _nobody(_step: Step) -> None:
    return None


@dataclass(frozen=True, slots=True)
class Course:
    """``given`` are verdicts that a run which was cut off came to; ``final`` all verdicts of a spec that was given up,
    to be reported as they are; ``tell`` is called with each step."""

    given: Mapping[tuple[str, Subject], Verdict] = field(default_factory=dict, hash=False)
    final: tuple[Verdict, ...] | None = None
    tell: Callable[[Step], None] = _nobody


def followed(progress: Callable[[int, int, str], None]) -> Course:
    """A course that calls with how many obligations are decided, of how many, and what to say of it."""
    done, total = 0, 0

    def tell(step: Step) -> None:
        nonlocal done, total
        if isinstance(step, Planned):
            total = len(step.obligations)
        elif isinstance(step, Decided):
            done += 1
        else:
            progress(done, total, f"obligations {step.what}")

    return Course(tell=tell)
