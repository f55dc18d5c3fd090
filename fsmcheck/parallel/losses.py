"""Verdicts that say nothing of the spec: the process that should have come to them was lost."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from fsmcheck.results import LOST_SPEC, Notice, ObligationRecord, SpecReport

MEMORY = "memory: "
TIME = "time: "
KILLED = "killed: "
WORKER = "worker lost: "
INTERRUPTED = "interrupted: "
_ALL = (MEMORY, TIME, KILLED, WORKER, INTERRUPTED)


def has_losses(spec: SpecReport) -> bool:
    """Whether a process was lost over a spec, so that another run may tell more."""
    return any(map(_is_loss, spec.obligations))


def lost_specs(specs: Iterable[SpecReport]) -> Iterator[Notice]:
    """A notice for each spec that something was asked of and nothing decided, since processes were lost over it."""
    for spec in specs:
        if spec.obligations and all(map(_is_loss, spec.obligations)):
            named = f' "{spec.name}"' if spec.name else ""
            reason = spec.obligations[0].reason
            message = f"nothing was decided of {spec.source.path}{named}, {spec.profile}: {reason}"
            yield Notice(LOST_SPEC, message, spec.source)


def _is_loss(each: ObligationRecord) -> bool:
    return each.verdict == "unknown" and each.method == "none" and (each.reason or "").startswith(_ALL)


class ClusterError(Exception):
    """A cluster cannot be used; the message is one sentence."""
