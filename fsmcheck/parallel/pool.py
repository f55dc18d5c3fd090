"""Units over child processes: largest first, each under its limits, one that is lost replaced by another."""

from __future__ import annotations

import os
import signal
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress

from fsmcheck.obligations.course import TEXT, AllDecided, Begun, Decided, Planned, Shared
from fsmcheck.parallel.child import Failed, Finished, OutOfMemory, start
from fsmcheck.parallel.job import Job
from fsmcheck.parallel.limits import MEGABYTE, POLL, resident
from fsmcheck.parallel.losses import INTERRUPTED, KILLED, MEMORY, TIME
from fsmcheck.parallel.reaping import ended, reaped
from fsmcheck.parallel.unit import Progress, Reports, Unit, Work
from fsmcheck.parallel.waiting import readable
from fsmcheck.parallel.wire import Inbox
from fsmcheck.records import dataclass
from fsmcheck.results import SpecReport

_INTERRUPTS = (signal.SIGINT, signal.SIGTERM)


@dataclass
class _Child:
    """A running child; ``granting`` is where to allow for more processes, and ``processes`` how many may work on its
    unit by now; ``since`` is when it began what it is doing, ``reason`` why it was killed."""

    number: int
    job: Job
    inbox: Inbox
    granting: int
    processes: int
    since: float
    reason: str = ""


class Pool:
    """Runs units in child processes, of which no more than ``jobs`` work at a time. ``memory`` are the bytes that each
    child may take."""

    def __init__(
        self,
        work: Work,
        jobs: int,
        memory: int,
        progress: Progress | None = None,
        done: Callable[[int, SpecReport], None] = lambda _place, _report: None,
    ) -> None:
        self._work = work
        self._jobs = jobs
        self._memory = memory
        self._progress = progress
        self._done = done
        self._children: list[_Child] = []
        self._reports: dict[int, SpecReport] = {}
        self._all: list[Job] = []
        self._queue: list[Job] = []
        self._finished = 0
        self._looked = 0.0

    def run(self, units: Sequence[Unit]) -> Reports:
        """All reports. After an interrupt those there are, with what was not decided left open. Raises what a unit
        raised."""
        self._all = [Job(place, unit) for place, unit in enumerate(units)]
        self._queue = sorted(self._all, key=lambda job: -job.unit.weight)[::-1]
        try:
            with _undisturbed():
                self._work_off()
        except KeyboardInterrupt:
            return Reports(self._reports | self._cut_short(), interrupted=True)
        return Reports(self._reports)

    def _work_off(self) -> None:
        try:
            while self._queue or self._children:
                while self._queue and self._free > 0:
                    self._start(self._queue.pop())
                if self._children:
                    self._grant()
                    self._turn()
        finally:
            self._kill()

    @property
    def _free(self) -> int:
        return self._jobs - sum(child.processes for child in self._children)

    def _start(self, job: Job) -> None:
        """Start a child, with all processes that are free but for one for each unit that waits."""
        job.doing = TEXT
        processes = max(1, self._free - len(self._queue))
        may_grow = self._jobs > 1 and len(self._all) > 1
        try:
            child = start(self._work, job.unit.whole, job.course, processes, self._memory, may_grow=may_grow)
        except OSError as error:
            self._do_without(job, error)
            return
        inbox = Inbox(child.reading)
        self._children.append(_Child(child.number, job, inbox, child.granting, processes, time.monotonic()))

    def _do_without(self, job: Job, error: OSError) -> None:
        """Where the system refuses one more process, those there are do it all. Without any, a unit is given up, or, if
        there has never been one, the ``error`` raised."""
        if self._children:
            self._queue.append(job)
            self._jobs = sum(child.processes for child in self._children)
        elif self._reports:
            job.give_up(f"{KILLED}the system refused it a process ({(error.strerror or str(error)).lower()})")
            self._take(job, self._work(job.unit, job.course))
        else:
            raise error

    def _grant(self) -> None:
        """What is free once no unit waits goes to the unit with the most work for each of its processes."""
        for _ in range(self._free if self._children else 0):
            child = max(self._children, key=lambda child: child.job.unit.weight / child.processes)
            child.processes += 1
            with suppress(OSError):
                os.write(child.granting, b"+")

    def _turn(self) -> None:
        descriptors = [child.inbox.descriptor for child in self._children]
        with _disturbed():
            ready = readable(descriptors, POLL)
        for child in [child for child in self._children if child.inbox.descriptor in ready]:
            for message in child.inbox.read():
                self._hear(child, message)
            if child.inbox.ended:
                self._bury(child)
        if time.monotonic() - self._looked > POLL:
            self._looked = time.monotonic()
            for child in self._children:
                self._watch(child)
            self._tell()

    def _hear(self, child: _Child, message: object) -> None:
        if isinstance(message, Planned | Begun | Decided | AllDecided | Shared):
            child.since = message.since if isinstance(message, Shared) else time.monotonic()
            child.job.step(message)
        elif isinstance(message, Finished):
            self._take(child.job, message.report)
        elif isinstance(message, Failed):
            raise message.error
        elif isinstance(message, OutOfMemory):
            child.reason = f"{MEMORY}the system gave no more"

    def _take(self, job: Job, report: SpecReport) -> None:
        self._reports[job.place] = report
        self._finished += len(report.obligations)
        self._done(job.place, report)

    def _watch(self, child: _Child) -> None:
        if child.reason:
            return
        if resident(child.number) > self._memory:
            child.reason = f"{MEMORY}it took more than {self._memory // MEGABYTE} MB"
        elif time.monotonic() - child.since > child.job.most_seconds:
            child.reason = f"{TIME}it came to no end within {child.job.most_seconds:.0f} seconds"
        if child.reason:
            with suppress(ProcessLookupError):
                os.kill(child.number, signal.SIGKILL)

    def _bury(self, child: _Child) -> None:
        self._children.remove(child)
        os.close(child.inbox.descriptor)
        os.close(child.granting)
        status = reaped(child.number)
        if child.job.place in self._reports:
            return
        reason = child.reason or KILLED + ended(status)
        if child.job.lose(reason):
            self._queue.append(child.job)
        else:
            child.job.abandon(reason)
            self._take(child.job, self._work(child.job.unit, child.job.course))

    def _kill(self) -> None:
        """Kill all children; what they have said until now is heard."""
        for child in self._children:
            with suppress(ProcessLookupError):
                os.kill(child.number, signal.SIGKILL)
        for child in self._children:
            while not child.inbox.ended:
                for message in child.inbox.read():
                    if not isinstance(message, Failed):
                        self._hear(child, message)
            os.close(child.inbox.descriptor)
            os.close(child.granting)
            reaped(child.number)
        self._children.clear()

    def _cut_short(self) -> dict[int, SpecReport]:
        """Reports on the units that were begun, with what was decided of them."""
        found = {}
        for job in self._all:
            if job.plan is not None and job.place not in self._reports:
                job.doing = TEXT
                job.give_up(f"{INTERRUPTED}it was not decided yet")
                found[job.place] = self._work(job.unit, job.course)
        return found

    def _tell(self) -> None:
        if self._progress is None:
            return
        running = [child.job for child in self._children if child.job.place not in self._reports]
        decided = self._finished + sum(job.decided for job in running)
        slowest = min(self._children, key=lambda child: child.since, default=None)
        doing = ""
        if slowest is not None:
            doing = f"{time.monotonic() - slowest.since:.0f} s at {slowest.job.doing}"
        if len(self._all) > 1:
            self._progress(len(self._reports), len(self._all), f"specs, {decided} obligations, {doing}")
        else:
            total = self._finished + sum(len(job.plan or ()) for job in running)
            self._progress(decided, total, f"obligations, {doing}")


@contextmanager
def _undisturbed() -> Iterator[None]:
    """Interrupts wait."""
    before = signal.pthread_sigmask(signal.SIG_BLOCK, _INTERRUPTS)
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


@contextmanager
def _disturbed() -> Iterator[None]:
    """Interrupts come in, those that have waited at once."""
    before = signal.pthread_sigmask(signal.SIG_UNBLOCK, _INTERRUPTS)
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)
