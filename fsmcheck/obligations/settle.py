"""What explicit search leaves open goes to Z3, where integers are exact: bounded search, then Spacer."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from fsmcheck.diagnostics import Subject
from fsmcheck.engines.explicit import Key
from fsmcheck.engines.moves import Move
from fsmcheck.records import dataclass
from fsmcheck.system.system import Event, System
from fsmcheck.system.terms import INT, Term, integer, lt

if TYPE_CHECKING:
    from fsmcheck.engines.induction import Induction

COARSE = "the abstraction is too coarse: it admits a run that the reducer does not confirm"
SHALLOW = 14
DEEP = 40
MOST_K = 4


@dataclass(frozen=True, slots=True)
class Settled:
    """``found`` is what ``show`` made of a run that Z3 found; ``excluded`` says that no run has the event, by
    ``method`` and with a ``proof``; otherwise the question is open: ``reason``, and the ``depth`` in steps that is
    known to be clear."""

    found: Any = None
    excluded: bool = False
    method: str = ""
    reason: str = ""
    depth: int = 0
    proof: Induction | None = None


def has_integers(system: System) -> bool:
    """Whether exact integers could tell more than the intervals of explicit search."""
    return any(variable.sort is INT for variable in system.variables)


def settle(system: System, key: Key, show: Callable[[Sequence[Move]], Any], seconds: float | None = None) -> Settled:
    """Decide whether an event can happen; ``show`` tries to confirm a run, and gives None where it cannot.

    Z3's own units are the budget, ``seconds`` of wall time the backstop for all of it.
    """
    deadline = None if seconds is None else time.monotonic() + seconds

    def over() -> bool:
        return deadline is not None and time.monotonic() > deadline

    def left() -> float | None:
        return None if deadline is None else max(0.001, deadline - time.monotonic())

    from fsmcheck.engines.horn import solve
    from fsmcheck.engines.induction import Induction, check_induction
    from fsmcheck.engines.symbolic import bounded_search, k_induction

    first = bounded_search(system, [key], SHALLOW, seconds=left())
    if first.moves is not None:
        return _shown(first.moves, show, first.depth)
    answer = solve(system, [key], seconds=left())
    if answer.safe is False:
        deeper = bounded_search(system, [key], DEEP, seconds=left())
        if deeper.moves is not None:
            return _shown(deeper.moves, show, deeper.depth)
        return Settled(reason="a run may violate it, but none was found", depth=deeper.depth)
    reason = f"the solver gave up: {answer.reason}"
    if answer.safe and answer.invariant is not None:
        checked = check_induction(system, answer.invariant, [key], over)
        if checked.holds:
            proof = Induction(system, answer.invariant, (key,), "spacer+induction")
            return Settled(excluded=True, method=proof.method, proof=proof)
        reason = f"the invariant that Spacer found is not inductive ({checked.reason})"
    if k_induction(system, [key], MOST_K, seconds=left()) is not None:
        return Settled(excluded=True, method="k-induction")
    return Settled(reason=reason, depth=first.depth)


def _shown(moves: Sequence[Move], show: Callable[[Sequence[Move]], Any], depth: int) -> Settled:
    found = show(moves)
    if found is not None:
        return Settled(found=found, method="bounded search")
    return Settled(reason=COARSE, depth=depth)


def never_below_zero(system: System, measure: Term, number: int) -> bool:
    """Whether a term is never negative when a step is taken, by Spacer and a re-check of its invariant."""
    from fsmcheck.engines.horn import solve
    from fsmcheck.engines.induction import check_induction

    subject = Subject()
    event = Event("measure", subject, lt(measure, integer(0)))
    step = replace(system.steps[number], events=(event,))
    steps = tuple(step if place == number else replace(other, events=()) for place, other in enumerate(system.steps))
    asked = replace(system, steps=steps)
    key = ("measure", subject, "")
    answer = solve(asked, [key])
    if not answer.safe or answer.invariant is None:
        return False
    return check_induction(asked, answer.invariant, [key]).holds is True
