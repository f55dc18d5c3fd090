"""Processes that work on one unit together: forked from the unit's own once it has searched, so that all of them have
what it found.

The unit's process hands out tasks meanwhile, and looks after the others: where one is lost, so is the part that it was
at, and another one takes its place.
"""

from __future__ import annotations

import gc
import os
import signal
import sys
import threading
import time
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path

from fsmcheck.obligations.course import Crew, Labour, Lost, Shared, Step
from fsmcheck.parallel import job
from fsmcheck.parallel.child import Allowance, Failed, OutOfMemory, die_with, failure
from fsmcheck.parallel.limits import MEGABYTE, POLL, crew_for, resident
from fsmcheck.parallel.losses import KILLED, MEMORY, TIME
from fsmcheck.parallel.reaping import ended, reaped
from fsmcheck.parallel.waiting import readable
from fsmcheck.parallel.wire import Inbox, packed, receive, send, wide_pipe, write
from fsmcheck.records import dataclass

ALONE = 1_500
"""Obligations from which on a unit with one process has another one do the work, so that further ones can join in."""

_THREADS = Path("/proc/self/task")


@contextmanager
def sharers(
    allowance: Allowance, tell: Callable[[Step], None], labour: Labour, patience: float
) -> Iterator[Crew | None]:
    """Processes for some labour, as ``course.Share`` says. ``tell`` is told what they do."""
    most, memory = crew_for(allowance.processes, allowance.memory, resident(os.getpid()))
    several = allowance.processes > 1 or (allowance.may_grow and labour.size >= ALONE)
    if most < 1 or not several or not _may_fork():
        yield None
        return
    gc.freeze()  # what is there already is never collected, so that its pages stay shared
    crew = _Sharers(allowance, most, memory, tell, labour, max(job.LEAST_PATIENCE, patience))
    try:
        yield crew
    finally:
        crew.end()


def _may_fork() -> bool:
    """Whether a fork is sound: there are no other threads, neither Python's nor those that Z3 keeps for its clocks."""
    return sys.platform == "linux" and threading.active_count() == 1 and len(list(_THREADS.iterdir())) == 1


@dataclass(frozen=True, slots=True)
class _Answered:
    answer: object


@dataclass
class _Sharer:
    """A process; ``task`` are the parts that it was given and has not answered, ``since`` is when it began with the
    first of them, and ``reason`` why it was killed."""

    number: int
    inbox: Inbox
    orders: int
    task: deque[object]
    since: float
    reason: str = ""


class _Sharers:
    """The processes: at most so many, with so many bytes of memory and seconds for a part."""

    def __init__(
        self,
        allowance: Allowance,
        most: int,
        memory: int,
        tell: Callable[[Step], None],
        labour: Labour,
        patience: float,
    ) -> None:
        self._allowance = allowance
        self._allowed = allowance.processes
        self._more = [allowance.more]
        self._most = most
        self._memory = memory
        self._tell = tell
        self._labour = labour
        self._patience = patience
        self._queue: deque[deque[object]] = deque()
        self._sharers: list[_Sharer] = []
        self._lost = 0
        self._in_a_row = 0
        self._given_up = ""
        self._looked = 0.0

    @property
    def hands(self) -> int:
        return max(1, min(self._allowed, self._most))

    def add(self, task: Sequence[object]) -> None:
        if task:
            self._queue.append(deque(task))

    def answers(self, meanwhile: Iterator[object]) -> Iterator[tuple[object, object]]:
        idle = False
        while self._queue or any(sharer.task for sharer in self._sharers):
            if self._given_up:
                yield from self._drop()
                continue
            if not self._staff():
                yield from self._do()
                continue
            idle = idle or not self._has_more(meanwhile)
            yield from self._turn(POLL if idle else 0.0)
        while self._has_more(meanwhile):
            pass

    def _has_more(self, meanwhile: Iterator[object]) -> bool:
        return next(meanwhile, None) is not None

    def _drop(self) -> Iterator[tuple[object, object]]:
        """Give no answer to what is left."""
        self.end()
        while self._queue:
            for part in self._queue.popleft():
                yield part, Lost(self._given_up)

    def _do(self) -> Iterator[tuple[object, object]]:
        """Do a task here, where there is nobody else."""
        for part in self._queue.popleft():
            self._tell(Shared(self._labour.name(part), time.monotonic()))
            yield part, self._labour.do(part)

    def _staff(self) -> bool:
        """Give every process a task, and have more of them where there are tasks left and the system lets there be.
        Whether there is any."""
        for sharer in self._sharers:
            if self._queue and not sharer.task and not sharer.reason:
                self._give(sharer)
        while self._queue and len(self._sharers) < min(self._allowed, self._most):
            try:
                self._sharers.append(self._forked())
            except OSError:
                self._most = len(self._sharers)
                break
            self._give(self._sharers[-1])
        return bool(self._sharers)

    def _give(self, sharer: _Sharer) -> None:
        sharer.task = self._queue.popleft()
        sharer.since = time.monotonic()
        with suppress(BrokenPipeError):  # it is dead, which is noticed elsewhere
            send(sharer.orders, tuple(sharer.task))

    def _forked(self) -> _Sharer:
        """Another process. Raises OSError where the system refuses one."""
        parent = os.getpid()
        with ExitStack() as opened:
            orders, ordering = _pipe(opened)
            reading, writing = _pipe(opened)
            number = os.fork()
            opened.pop_all()
        if number:
            os.close(orders)
            os.close(writing)
            return _Sharer(number, Inbox(reading), ordering, deque(), time.monotonic())
        code = 1
        try:
            for foreign in (self._allowance.foreign, ordering, reading):
                os.close(foreign)
            die_with(parent)
            _serve(self._labour, orders, writing)
            code = 0
        finally:
            os._exit(code)

    def _turn(self, pause: float) -> Iterator[tuple[object, object]]:
        descriptors = [sharer.inbox.descriptor for sharer in self._sharers]
        ready = readable([*descriptors, *self._more], pause)
        for descriptor in [descriptor for descriptor in self._more if descriptor in ready]:
            further = len(os.read(descriptor, 64))
            self._allowed += further
            if not further:
                self._more.clear()
        for sharer in [sharer for sharer in self._sharers if sharer.inbox.descriptor in ready]:
            for message in sharer.inbox.read():
                yield from self._hear(sharer, message)
            if sharer.inbox.ended:
                yield from self._bury(sharer)
        if time.monotonic() - self._looked > POLL:
            self._looked = time.monotonic()
            for sharer in self._sharers:
                self._watch(sharer)
            self._report()

    def _hear(self, sharer: _Sharer, message: object) -> Iterator[tuple[object, object]]:
        if isinstance(message, _Answered):
            part = sharer.task.popleft()
            sharer.since = time.monotonic()
            self._in_a_row = 0
            yield part, message.answer
        elif isinstance(message, Failed):
            raise message.error
        elif isinstance(message, OutOfMemory):
            sharer.reason = f"{MEMORY}the system gave no more"

    def _watch(self, sharer: _Sharer) -> None:
        if sharer.reason:
            return
        if resident(sharer.number) > self._memory:
            sharer.reason = f"{MEMORY}it took more than {self._memory // MEGABYTE} MB"
        elif sharer.task and time.monotonic() - sharer.since > self._patience:
            sharer.reason = f"{TIME}it came to no end within {self._patience:.0f} seconds"
        if sharer.reason:
            os.kill(sharer.number, signal.SIGKILL)

    def _bury(self, sharer: _Sharer) -> Iterator[tuple[object, object]]:
        self._sharers.remove(sharer)
        reason = sharer.reason or KILLED + ended(_closed(sharer))
        if sharer.reason:
            _closed(sharer)
        self._lost += 1
        self._in_a_row += 1
        if self._in_a_row >= job.MOST_IN_A_ROW or self._lost >= job.MOST_LOST:
            self._given_up = reason
        if sharer.task:
            part = sharer.task.popleft()
            if sharer.task:
                self._queue.appendleft(sharer.task)
            yield part, Lost(reason)

    def _report(self) -> None:
        busy = [sharer for sharer in self._sharers if sharer.task]
        if busy:
            oldest = min(busy, key=lambda sharer: sharer.since)
            others = f" and {len(busy) - 1} more" if len(busy) > 1 else ""
            self._tell(Shared(f"{self._labour.name(oldest.task[0])}{others}", oldest.since))

    def end(self) -> None:
        """Kill all of them, whatever they are at."""
        for sharer in self._sharers:
            os.kill(sharer.number, signal.SIGKILL)
        for sharer in self._sharers:
            _closed(sharer)
            if sharer.task:
                self._queue.append(sharer.task)
        self._sharers.clear()


def _pipe(opened: ExitStack) -> tuple[int, int]:
    """A pipe whose ends are closed with the stack."""
    ends = wide_pipe()
    for end in ends:
        opened.callback(os.close, end)
    return ends


def _closed(sharer: _Sharer) -> int:
    """Close what led to a process that is dead, or about to be; its status."""
    os.close(sharer.inbox.descriptor)
    os.close(sharer.orders)
    return reaped(sharer.number)


def _serve(labour: Labour, orders: int, writing: int) -> None:
    """Do the tasks that come in until there are no more, or one fails."""
    with os.fdopen(orders, "rb") as stream:
        while isinstance(task := receive(stream), tuple):
            for part in task:
                try:
                    data = packed(_Answered(labour.do(part)))
                except Exception as error:  # noqa: BLE001 - the unit's process raises it
                    send(writing, failure(error))
                    return
                write(writing, data)
