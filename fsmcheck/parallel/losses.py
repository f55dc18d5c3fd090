"""Verdicts that say nothing of the spec: the process that should have come to them was lost."""

from __future__ import annotations

from fsmcheck.results import SpecReport

MEMORY = "memory: "
TIME = "time: "
KILLED = "killed: "
WORKER = "worker lost: "
INTERRUPTED = "interrupted: "
_ALL = (MEMORY, TIME, KILLED, WORKER, INTERRUPTED)


def has_losses(spec: SpecReport) -> bool:
    """Whether a process was lost over a spec, so that another run may tell more."""
    return any(
        each.verdict == "unknown" and each.method == "none" and (each.reason or "").startswith(_ALL)
        for each in spec.obligations
    )


class ClusterError(Exception):
    """A cluster cannot be used; the message is one sentence."""
