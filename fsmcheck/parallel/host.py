"""A process apart from which children are forked: for parents that must not fork, and for the workers of a cluster.

``python -m fsmcheck.parallel`` reads one batch from standard input and answers on standard output; both are pipes
of the process that started it.
"""

from __future__ import annotations

import os
import signal
import sys
from collections.abc import Sequence

from fsmcheck.parallel.child import Failed, Finished, LostError, die_with, portable
from fsmcheck.parallel.pool import Pool
from fsmcheck.parallel.unit import Progress, Reports, Unit, Work
from fsmcheck.parallel.wire import receive, send
from fsmcheck.records import dataclass
from fsmcheck.results import SpecReport
from fsmcheck.shortage import is_shortage


@dataclass(frozen=True, slots=True)
class Batch:
    """What a host is to do, and for which process."""

    units: tuple[Unit, ...]
    jobs: int
    memory: int
    parent: int


@dataclass(frozen=True, slots=True)
class _Told:
    """How far it is."""

    done: int
    total: int
    label: str


@dataclass(frozen=True, slots=True)
class _Done:
    """The report on the unit at a place."""

    place: int
    finished: Finished


def through_host(
    work: Work, jobs: int, memory: int, units: Sequence[Unit], progress: Progress | None = None
) -> Reports:
    """What ``Pool.run`` does, by way of a process of its own. After an interrupt: the reports that were finished."""
    import subprocess

    batch = Batch(tuple(unit.bare for unit in units), jobs, memory, os.getpid())
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(filter(None, sys.path))}
    found: dict[int, SpecReport] = {}
    with subprocess.Popen(
        [sys.executable, "-m", "fsmcheck.parallel"],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        env=environment,
    ) as host:
        if host.stdin is None or host.stdout is None:
            raise LostError("a process cannot be spoken to")
        try:
            send(host.stdin.fileno(), (work, batch))
            while (message := receive(host.stdout)) is not None:
                if isinstance(message, _Done):
                    found[message.place] = message.finished.report
                elif isinstance(message, _Told) and progress is not None:
                    progress(message.done, message.total, message.label)
                elif isinstance(message, Failed):
                    raise message.error
        except KeyboardInterrupt:
            return Reports(found, interrupted=True)
        except BrokenPipeError:
            pass
        finally:
            host.kill()
    if len(found) < len(units):
        raise LostError(f"the process for {len(units)} specs ended early")
    return Reports(found)


def serve(reading: int, writing: int) -> None:
    """Do the batch that comes in, and tell of it."""
    with os.fdopen(reading, "rb") as stream:
        message = receive(stream)
    if not isinstance(message, tuple):
        return
    work, batch = message
    die_with(batch.parent)

    def told(done: int, total: int, label: str) -> None:
        send(writing, _Told(done, total, label))

    def done(place: int, report: SpecReport) -> None:
        send(writing, _Done(place, Finished(report)))

    try:
        preload()
        Pool(work, batch.jobs, batch.memory, _now_and_then(told), done).run(batch.units)
    except Exception as error:  # noqa: BLE001 - the parent raises it
        send(writing, Failed(portable(error)))


def preload() -> None:
    """Import what every unit needs, so that no child has to. Where there is no memory for it, each child says so of its
    unit, or does without."""
    try:
        import fsmcheck.engines.induction
        import fsmcheck.engines.validity
        import fsmcheck.obligations.bounds
        import fsmcheck.obligations.cache
        import fsmcheck.obligations.run
        import fsmcheck.obligations.settle
        import fsmcheck.reducer.story  # noqa: F401
    except Exception as error:
        if not is_shortage(error):
            raise


def _now_and_then(told: Progress) -> Progress:
    from time import monotonic

    last = [0.0]

    def rarely(done: int, total: int, label: str) -> None:
        if monotonic() - last[0] > 0.1:
            last[0] = monotonic()
            told(done, total, label)

    return rarely


def main() -> None:
    """Serve the process that started this one."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    writing = os.dup(1)
    os.dup2(2, 1)  # whatever prints must not get between the messages
    serve(os.dup(0), writing)
