"""Monitors: they judge one concrete run by the rules about behaviour, knowing only the run and the spec."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

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


_ON_LEAVING: tuple[tuple[frozenset[str], Callable[[Spec, Leaving], Iterator[Violation]]], ...] = (
    (frozenset({"FSM401", "FSM402"}), without_exchange),
    (frozenset({"FSM403"}), re_fires),
    (frozenset({"FSM404"}), stale_evidence),
)
_ON_ACTING: tuple[tuple[frozenset[str], Callable[[Spec, Acting], Iterator[Violation]]], ...] = (
    (frozenset({"FSM406"}), evidence_lost),
    (frozenset({"FSM407"}), records_empty),
)
_AT_REST: tuple[tuple[frozenset[str], Callable[[Spec, Resting], Iterator[Violation]]], ...] = (
    (frozenset({"FSM304"}), evaluation_errors),
    (frozenset({"FSM205"}), deadlock),
    (frozenset({"FSM301"}), stuck),
    (frozenset({"FSM405"}), not_awaited),
    (frozenset({"FSM502"}), runs_hot),
)
"""What judges each kind of moment, in this order, and by which rules."""


def _judged(spec: Spec, moment: Moment, rule: str | None) -> Iterator[Violation]:
    match moment:
        case Leaving():
            for rules, leaving in _ON_LEAVING:
                if rule is None or rule in rules:
                    yield from leaving(spec, moment)
        case Acting():
            for rules, acting in _ON_ACTING:
                if rule is None or rule in rules:
                    yield from acting(spec, moment)
        case Resting():
            for rules, resting in _AT_REST:
                if rule is None or rule in rules:
                    yield from resting(spec, moment)
