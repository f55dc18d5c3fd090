"""Bounded search and k-induction in Z3, on the system as it is: integers are exact here."""

from __future__ import annotations

import time
from collections.abc import Sequence

from fsmcheck.engines.explicit import Key
from fsmcheck.engines.moves import Move
from fsmcheck.engines.smt import Encoding, answer_of
from fsmcheck.engines.solver import z3
from fsmcheck.records import dataclass
from fsmcheck.system.system import Event, System
from fsmcheck.system.terms import BOOL, INT

RLIMIT = 20_000_000
SEED = 7


@dataclass(frozen=True, slots=True)
class Bounded:
    """``moves`` to an event, the last of them the step on which it happens; or None with the number of steps
    within which it does not happen (``exhausted`` where Z3 gave up there)."""

    moves: tuple[Move, ...] | None
    depth: int
    exhausted: bool = False


def _events(system: System, keys: Sequence[Key]) -> list[tuple[int, Event]]:
    wanted = set(keys)
    return [
        (number, event)
        for number, step in enumerate(system.steps)
        for event in step.events
        if (event.rule, event.subject, event.case) in wanted
    ]


def _solver(encoding: Encoding, rlimit: int, milliseconds: int | None = None) -> z3.Solver:
    solver = z3.Solver(ctx=encoding.context)
    solver.set("random_seed", SEED)
    solver.set("rlimit", rlimit)
    if milliseconds is not None:
        solver.set("timeout", milliseconds)
    return solver


def _happening(encoding: Encoding, events: Sequence[tuple[int, Event]], depth: int) -> z3.BoolRef:
    return encoding.any(
        [
            z3.And(
                encoding.taken(depth) == number,
                encoding.located(encoding.system.steps[number], depth),
                encoding.happens(number, event, depth),
            )
            for number, event in events
        ]
    )


def bounded_search(
    system: System, keys: Sequence[Key], depth: int, rlimit: int = RLIMIT, seconds: float | None = None
) -> Bounded:
    """Look for a run of at most ``depth`` steps (microsteps and exchanges) on which one of the events happens.

    Each query has ``rlimit`` of Z3's units; the whole ``seconds`` of wall time, if given.
    """
    deadline = None if seconds is None else time.monotonic() + seconds
    encoding = Encoding(system)
    events = _events(system, keys)
    solver = _solver(encoding, rlimit, None if seconds is None else max(1, int(1000 * seconds)))
    solver.add(encoding.initial(0))
    for length in range(depth):
        if deadline is not None and time.monotonic() > deadline:
            return Bounded(None, length, exhausted=True)
        solver.push()
        solver.add(_happening(encoding, events, length))
        answer = answer_of(solver)
        if answer == z3.sat:
            return Bounded(_moves(encoding, solver.model(), length), length)
        solver.pop()
        if answer != z3.unsat:
            return Bounded(None, length, exhausted=True)
        solver.add(encoding.relation(length))
    return Bounded(None, depth)


def _moves(encoding: Encoding, model: z3.ModelRef, length: int) -> tuple[Move, ...]:
    moves: list[Move] = []
    for depth in range(length + 1):
        number = model.eval(encoding.taken(depth), model_completion=True).as_long()
        step = encoding.system.steps[number]
        chosen: dict[str, int] = {}
        spans: dict[str, tuple[float, float]] = {}
        for choice in step.inputs:
            constant = encoding.inputs([choice], depth)[choice.name]
            value = model.eval(constant, model_completion=True)
            if choice.sort == BOOL:
                chosen[choice.name] = int(z3.is_true(value))
            elif choice.sort == INT:
                exact = value.as_long()
                chosen[choice.name] = exact
                spans[choice.name] = (exact, exact)
            else:
                chosen[choice.name] = int(value.decl().name().rpartition("!")[2])
        moves.append(Move(number, chosen, spans))
    return tuple(moves)


def k_induction(
    system: System, keys: Sequence[Key], most: int, rlimit: int = RLIMIT, seconds: float | None = None
) -> int | None:
    """The least k up to ``most`` for which the events are excluded by k-induction; None where none is found.

    The base case covers the first k steps of every run; the step case, k steps without the events from any state
    that the declarations allow.
    """
    encoding = Encoding(system)
    events = _events(system, keys)
    milliseconds = None if seconds is None else max(1, int(1000 * seconds))
    base, inductive = _solver(encoding, rlimit, milliseconds), _solver(encoding, rlimit, milliseconds)
    deadline = None if seconds is None else time.monotonic() + seconds
    base.add(encoding.initial(0))
    inductive.add(encoding.bounds(0))
    for depth in range(most):
        if deadline is not None and time.monotonic() > deadline:
            return None
        happening = _happening(encoding, events, depth)
        if answer_of(base, happening) != z3.unsat:
            return None
        answer = answer_of(inductive, happening)
        if answer == z3.unsat:
            return depth + 1
        if answer != z3.sat:
            return None
        base.add(encoding.relation(depth))
        inductive.add(encoding.relation(depth), z3.Not(happening), encoding.bounds(depth + 1))
    return None
