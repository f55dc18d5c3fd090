"""Monitors: they judge one concrete run by the rules about behaviour, knowing only the run and the spec."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from fsmcheck.reducer.configuration import Profile
from fsmcheck.reducer.monitors.acting import evidence_lost, records_empty
from fsmcheck.reducer.monitors.evaluation import evaluation_errors
from fsmcheck.reducer.monitors.leaving import re_fires, stale_evidence, without_exchange
from fsmcheck.reducer.monitors.moments import Acting, Leaving, Moment, Resting, moments
from fsmcheck.reducer.monitors.resting import deadlock, not_awaited, runs_hot, stuck
from fsmcheck.reducer.monitors.violation import Violation
from fsmcheck.reducer.monitors.witness import witnesses
from fsmcheck.reducer.record import Step
from fsmcheck.spec.model import Spec

__all__ = ["JUDGED", "Violation", "judged", "violations", "witnesses"]

JUDGED = frozenset(
    {"FSM205", "FSM301", "FSM304", "FSM401", "FSM402", "FSM403", "FSM404", "FSM405", "FSM406", "FSM407", "FSM502"}
)
"""The rules whose breach one run shows by itself."""


def violations(spec: Spec, profile: Profile, run: Sequence[Step], rule: str | None = None) -> Iterator[Violation]:
    """Every breach in a run (the step of its start, then one step an exchange), in the order they happen; each is
    looked for when it is asked for.

    Judged are the rules in ``JUDGED``; FSM111 asks for some run: see ``witnesses``.
    The run's own records are trusted, no guard or action is run again, except that FSM403 tries the guards
    with other values. ``profile`` is the one that the run was made under; ``rule`` asks for that rule only.
    """
    del profile
    for moment in moments(spec, run):
        for found in _judged(spec, moment, rule):
            if rule is None or found.rule == rule:
                yield found


def judged(spec: Spec, moment: Moment) -> tuple[Violation, ...]:
    """Every breach at one moment, for those who follow a run step by step (``moments.step_moments``)."""
    return tuple(_judged(spec, moment, None))


def _judged(spec: Spec, moment: Moment, rule: str | None) -> Iterator[Violation]:
    match moment:
        case Leaving():
            yield from without_exchange(spec, moment)
            if rule in (None, "FSM403"):
                yield from re_fires(spec, moment)
            yield from stale_evidence(spec, moment)
        case Acting():
            yield from evidence_lost(spec, moment)
            yield from records_empty(spec, moment)
        case Resting():
            yield from evaluation_errors(spec, moment)
            yield from deadlock(spec, moment)
            yield from stuck(spec, moment)
            yield from not_awaited(spec, moment)
            yield from runs_hot(spec, moment)
