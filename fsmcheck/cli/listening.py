"""Reading what comes in until it ends or somebody has heard enough."""

from __future__ import annotations

import gc
import os
import signal
import stat
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from types import FrameType, TracebackType
from typing import Any

import click

from fsmcheck.cli.output import need_input

_SIGNALS = (signal.SIGINT, signal.SIGTERM)


class _EnoughError(Exception):
    """A signal came while there was nothing to read."""


class Listening:
    """Reads in such a way that an interrupt ends the input instead of the program; a second one ends the program."""

    def __init__(self) -> None:
        self.interrupted = False
        self._waits = False
        self._before: dict[signal.Signals, Any] = {}

    def __enter__(self) -> Listening:
        if threading.current_thread() is threading.main_thread():
            self._before = {each: signal.signal(each, self._heard) for each in _SIGNALS}
        return self

    def __exit__(
        self, _kind: type[BaseException] | None, _error: BaseException | None, _trace: TracebackType | None
    ) -> None:
        for each, handler in self._before.items():
            signal.signal(each, handler)

    def _heard(self, number: int, _frame: FrameType | None) -> None:
        self.interrupted = True
        signal.signal(number, self._before[signal.Signals(number)])
        if self._waits:
            raise _EnoughError

    def read(self, descriptor: int, size: int) -> bytes:
        """At most so many bytes, as soon as some are there; none at the end, or when interrupted."""
        try:
            return self._read(descriptor, size)
        except _EnoughError:
            return b""
        except OSError as error:
            raise click.UsageError(f"the log cannot be read: {error.strerror}") from None

    def _read(self, descriptor: int, size: int) -> bytes:
        try:
            self._waits = True
            return b"" if self.interrupted else os.read(descriptor, size)
        finally:
            self._waits = False


@contextmanager
def rare_collections() -> Iterator[None]:
    """Python looks for cycles of objects less often: next to none are made for an event, and many other objects."""
    before = gc.get_threshold()
    gc.set_threshold(50_000, 20, 50)
    try:
        yield
    finally:
        gc.set_threshold(*before)


@contextmanager
def opened(path: str) -> Iterator[int]:
    """The descriptor of a file, a pipe with a name, or of standard input for ``-``.

    Raises:
        click.UsageError: there is no such file, or it is none that can be read.
    """
    if path == "-":
        need_input()
        yield 0
        return
    try:
        descriptor = os.open(path, os.O_RDONLY)
    except (OSError, ValueError) as error:
        reason = error.strerror if isinstance(error, OSError) else "the path is not a valid file name"
        raise click.UsageError(f"{path}: {reason}") from None
    try:
        if stat.S_ISDIR(os.fstat(descriptor).st_mode):
            raise click.UsageError(f"{path}: a folder, expected a log")
        yield descriptor
    finally:
        os.close(descriptor)
