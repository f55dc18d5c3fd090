"""Verdicts that say nothing of the spec: the process that should have come to them was lost."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from fsmcheck.results import LOST_PART, LOST_SPEC, Notice, ObligationRecord, SpecReport
from fsmcheck.shortage import was_short

MEMORY = "memory: "
TIME = "time: "
KILLED = "killed: "
WORKER = "worker lost: "
INTERRUPTED = "interrupted: "
_ALL = (MEMORY, TIME, KILLED, WORKER, INTERRUPTED)


def has_losses(spec: SpecReport) -> bool:
    """Whether a process was lost over a spec, or memory was short, so that another run may tell more."""
    return bool(spec.losses) or any(
        _is_loss(each) or (each.verdict == "unknown" and was_short(each.reason or "")) for each in spec.obligations
    )


def notices(specs: Iterable[SpecReport]) -> Iterator[Notice]:
    """A notice for each spec that something was asked of and nothing decided, since processes were lost over it; and of
    others for whatever is missing besides verdicts."""
    for spec in specs:
        named = f' "{spec.name}"' if spec.name else ""
        about = f"{spec.source.path}{named}, {spec.profile}"
        if spec.obligations and all(map(_is_loss, spec.obligations)):
            reason = spec.obligations[0].reason
            yield Notice(LOST_SPEC, f"nothing was decided of {about}: {reason}", spec.source)
        else:
            yield from (Notice(LOST_PART, f"{about}: {loss}", spec.source) for loss in spec.losses)


def _is_loss(each: ObligationRecord) -> bool:
    return each.verdict == "unknown" and each.method == "none" and (each.reason or "").startswith(_ALL)


class ClusterError(Exception):
    """A cluster cannot be used; the message is one sentence."""
