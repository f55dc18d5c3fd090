"""Units over child processes: largest first, each under its limits, one that is lost replaced by another."""

from __future__ import annotations

import os
import select
import signal
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress

from fsmcheck.obligations.course import TEXT, Begun, Decided, Planned
from fsmcheck.parallel.child import Failed, Finished, LostError, OutOfMemory, start
from fsmcheck.parallel.job import Job
from fsmcheck.parallel.limits import MEGABYTE, resident
from fsmcheck.parallel.losses import INTERRUPTED, KILLED, MEMORY, TIME
from fsmcheck.parallel.unit import Progress, Reports, Unit, Work
from fsmcheck.parallel.wire import Inbox
from fsmcheck.records import dataclass
from fsmcheck.results import SpecReport

_INTERRUPTS = (signal.SIGINT, signal.SIGTERM)

POLL = 0.05
"""Seconds between two looks at the memory and the time of children."""


@dataclass
class _Child:
    """A running child; ``since`` is when it began what it is doing, ``reason`` why it was killed."""

    number: int
    job: Job
    inbox: Inbox
    since: float
    reason: str = ""


class Pool:
    """Runs units in child processes. ``memory`` are the bytes that each child may take."""

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
        self._finished = 0
        self._looked = 0.0

    def run(self, units: Sequence[Unit]) -> Reports:
        """All reports. After an interrupt those there are, with what was not decided left open.

        Raises what a unit raised, and ``LostError`` where nothing at all can be said of one.
        """
        self._all = [Job(place, unit) for place, unit in enumerate(units)]
        queue = sorted(self._all, key=lambda job: -job.unit.weight)[::-1]
        try:
            with _undisturbed():
                self._work_off(queue)
        except KeyboardInterrupt:
            return Reports(self._reports | self._cut_short(), interrupted=True)
        return Reports(self._reports)

    def _work_off(self, queue: list[Job]) -> None:
        try:
            while queue or self._children:
                while queue and len(self._children) < self._jobs:
                    self._start(queue.pop())
                self._turn()
        finally:
            self._kill()

    def _start(self, job: Job) -> None:
        job.doing = TEXT
        number, reading = start(self._work, job.unit.whole, job.course)
        self._children.append(_Child(number, job, Inbox(reading), time.monotonic()))

    def _turn(self) -> None:
        descriptors = [child.inbox.descriptor for child in self._children]
        with _disturbed():
            ready, _, _ = select.select(descriptors, (), (), POLL)
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
        if isinstance(message, Planned | Begun | Decided):
            child.since = time.monotonic()
            child.job.step(message)
        elif isinstance(message, Finished):
            self._reports[child.job.place] = message.report
            self._finished += len(message.report.obligations)
            self._done(child.job.place, message.report)
        elif isinstance(message, Failed):
            raise message.error
        elif isinstance(message, OutOfMemory):
            child.reason = f"{MEMORY}the system gave no more"

    def _watch(self, child: _Child) -> None:
        if child.reason:
            return
        if resident(child.number) > self._memory:
            child.reason = f"{MEMORY}it took more than {self._memory // MEGABYTE} MB"
        elif time.monotonic() - child.since > child.job.most_seconds:
            child.reason = f"{TIME}it came to no end within {child.job.most_seconds:.0f} seconds"
        if child.reason:
            os.kill(child.number, signal.SIGKILL)

    def _bury(self, child: _Child) -> None:
        self._children.remove(child)
        os.close(child.inbox.descriptor)
        status = _reaped(child.number)
        if child.job.place in self._reports:
            return
        reason = child.reason or KILLED + _ended(status)
        if not child.job.lose(reason):
            raise LostError(f'nothing can be said of "{child.job.unit.source.path}": {reason}')
        self._start(child.job)

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
            _reaped(child.number)
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


def _reaped(child: int) -> int:
    """The status of a child that is dead; 0 where somebody has this process's children reaped by the system."""
    try:
        return os.waitpid(child, 0)[1]
    except ChildProcessError:
        return 0


def _ended(status: int) -> str:
    code = os.waitstatus_to_exitcode(status)
    if code == -signal.SIGKILL:
        return "the system killed its process, perhaps for want of memory (SIGKILL)"
    if code < 0:
        with suppress(ValueError):
            return f"its process crashed ({signal.Signals(-code).name})"
        return f"its process crashed (signal {-code})"
    return f"its process ended early (code {code})"
