"""Calls that may take only so long, in one thread for all of them."""

from __future__ import annotations

import ctypes
import queue
import threading
from collections.abc import Callable

_Reply = tuple[object, BaseException | None]


class OverdueError(Exception):
    """A call has not come back in time."""


class Caller:
    """Makes calls one after the other, in the calling thread where ``seconds`` is None, else in a thread of its own.

    A call that is overdue cannot be ended from outside; its thread, a daemon, is asked to exit, which it does as
    soon as it executes Python code.
    """

    def __init__(self, seconds: float | None) -> None:
        self._seconds = seconds
        self._calls: queue.SimpleQueue[Callable[[], object] | None] = queue.SimpleQueue()
        self._replies: queue.SimpleQueue[_Reply] = queue.SimpleQueue()
        self._thread: threading.Thread | None = None

    def call(self, function: Callable[[], object]) -> object:
        """What the function returns. Raises what it raises, and ``OverdueError``."""
        if self._seconds is None:
            return function()
        if self._thread is None:
            self._calls, self._replies = queue.SimpleQueue(), queue.SimpleQueue()
            self._thread = threading.Thread(
                target=_serve, args=(self._calls, self._replies), name="fsmcheck-candidate", daemon=True
            )
            self._thread.start()
        self._calls.put(function)
        try:
            value, error = self._replies.get(timeout=self._seconds)
        except queue.Empty:
            self._abandon()
            raise OverdueError(f"{self._seconds:g} s") from None
        if error is not None:
            raise error
        return value

    def stop(self) -> None:
        """End the thread."""
        if self._thread is not None:
            self._calls.put(None)
            self._thread.join(self._seconds)
            self._thread = None

    def _abandon(self) -> None:
        thread, self._thread = self._thread, None
        self._calls.put(None)
        if thread is not None and thread.ident is not None:
            ctypes.pythonapi.PyThreadState_SetAsyncExc(ctypes.c_ulong(thread.ident), ctypes.py_object(SystemExit))


def _serve(calls: queue.SimpleQueue[Callable[[], object] | None], replies: queue.SimpleQueue[_Reply]) -> None:
    try:
        while (function := calls.get()) is not None:
            try:
                reply: _Reply = function(), None
            except BaseException as error:  # noqa: BLE001 it is raised again by whoever waits for the reply
                reply = None, error
            replies.put(reply)
    except SystemExit:
        return
