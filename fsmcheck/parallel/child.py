"""A child process for one unit. It dies with its parent, and leaves interrupts to it."""

from __future__ import annotations

import gc
import os
import pickle
import signal
import sys
import threading
from contextlib import ExitStack, suppress
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING, NoReturn

from fsmcheck.obligations.course import TEXT, Begun, Course, Step
from fsmcheck.parallel.unit import Unit, Work
from fsmcheck.parallel.wire import send
from fsmcheck.records import dataclass
from fsmcheck.results import SpecReport
from fsmcheck.shortage import is_shortage

if TYPE_CHECKING:
    from collections.abc import Callable
    from contextlib import AbstractContextManager

    from fsmcheck.obligations.course import Crew, Labour

_DIE_WITH_PARENT = 1  # PR_SET_PDEATHSIG
_STDERR = 2


@dataclass(frozen=True, slots=True)
class Finished:
    """The unit's report."""

    report: SpecReport


@dataclass(frozen=True, slots=True)
class Failed:
    """An error that is the tool's own: the run cannot go on."""

    error: Exception


@dataclass(frozen=True, slots=True)
class OutOfMemory:
    """The process was refused memory."""


class LostError(Exception):
    """A process of ours failed in a way that cannot be told more of."""


@dataclass(frozen=True, slots=True)
class Allowance:
    """How many processes may work on a unit once it can be shared, and how many bytes each of them may take; where it
    ``may_grow``, every byte that comes from the descriptor ``more`` allows for another one. ``foreign`` is a descriptor
    that they have no use for."""

    processes: int
    memory: int
    may_grow: bool
    more: int
    foreign: int


@dataclass(frozen=True, slots=True)
class Started:
    """A child: its number, where its messages come from, and where to write a byte for every further process."""

    number: int
    reading: int
    granting: int


def start(work: Work, unit: Unit, course: Course, processes: int, memory: int, *, may_grow: bool) -> Started:
    """Fork a child that does the unit, with so many processes of so many bytes each.

    The process must have no other threads. Call it with signals blocked, so that no interrupt comes in between. Raises
    OSError where the system refuses a process, or descriptors.
    """
    parent = os.getpid()
    with ExitStack() as opened:
        reading, writing = _pipe(opened)
        more, granting = _pipe(opened)
        child = os.fork()
        opened.pop_all()
    if child:
        os.close(writing)
        os.close(more)
        return Started(child, reading, granting)
    code = 1
    try:
        os.close(reading)
        os.close(granting)
        _settle_in(parent)
        _work(work, unit, course, Allowance(processes, memory, may_grow, more, writing))
        code = 0
    finally:
        os._exit(code)


def _pipe(opened: ExitStack) -> tuple[int, int]:
    """A pipe whose ends are closed with the stack."""
    ends = os.pipe()
    for end in ends:
        opened.callback(os.close, end)
    return ends


def _settle_in(parent: int) -> None:
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    signal.signal(signal.SIGTERM, signal.SIG_DFL)
    signal.pthread_sigmask(signal.SIG_SETMASK, ())
    # What is dropped half-done complains where memory is refused.
    sys.unraisablehook = lambda _: None
    # What libraries print must not get into the report.
    sys.stdout = None
    _hush()
    # What is there already is never collected, so that its pages stay shared.
    gc.freeze()
    die_with(parent)


def _hush() -> None:
    """Drop what libraries write to standard error themselves, as C++ does of an exception that nobody handles: it is
    the parent that says how this process ended. What is written by way of Python still goes there."""
    if sys.stderr is None or sys.__stderr__ is None:  # it was closed, and the descriptor may be one of ours
        return
    with suppress(OSError, ValueError):  # somebody put a stream in its place that is no file
        if sys.stderr.fileno() == _STDERR:
            kept = os.dup(_STDERR)
            sys.stderr = os.fdopen(kept, "w", buffering=1, encoding="utf-8", errors="backslashreplace")
        nowhere = os.open(os.devnull, os.O_WRONLY)
        os.dup2(nowhere, _STDERR)
        os.close(nowhere)


def die_with(parent: int) -> None:
    """Have this process killed as soon as its parent is gone."""
    if sys.platform == "linux":
        import ctypes

        ctypes.CDLL(None).prctl(_DIE_WITH_PARENT, signal.SIGKILL, 0, 0, 0)
    else:
        threading.Thread(target=_watch, args=(parent,), daemon=True).start()
    if os.getppid() != parent:
        os._exit(1)


def _watch(parent: int) -> NoReturn:
    pause = threading.Event()
    while os.getppid() == parent:
        pause.wait(1.0)
    os._exit(1)


def _work(work: Work, unit: Unit, course: Course, allowance: Allowance) -> None:
    answer: Finished | Failed | OutOfMemory
    writing = allowance.foreign

    def tell(step: Step) -> None:
        send(writing, step)

    tell(Begun(TEXT))
    share = partial(_sharers, allowance, tell) if allowance.processes > 1 or allowance.may_grow else None
    try:
        answer = Finished(work(unit, replace(course, tell=tell, share=share, memory=allowance.memory)))
    except Exception as error:  # noqa: BLE001 - the parent raises it
        answer = failure(error)
    send(writing, answer)


def _sharers(
    allowance: Allowance, tell: Callable[[Step], None], labour: Labour, patience: float
) -> AbstractContextManager[Crew | None]:
    """Sharers, imported where there is any labour for them."""
    from fsmcheck.parallel.sharers import sharers

    return sharers(allowance, tell, labour, patience)


def failure(error: Exception) -> Failed | OutOfMemory:
    """What to tell of an error to the process that this one works for."""
    return OutOfMemory() if is_shortage(error) else Failed(portable(error))


def portable(error: Exception) -> Exception:
    """The error, or where it cannot go to another process, one that says the same."""
    try:
        again = pickle.loads(pickle.dumps(error))  # noqa: S301 - our own, from the line before
    except Exception:  # noqa: BLE001 - errors of libraries fail in many ways
        again = None
    same = type(again) is type(error) and str(again) == str(error)
    return error if same else LostError(f"{type(error).__name__}: {error}")
