"""A reducer as a process: lines in, lines out, and every way in which it can misbehave kept within bounds."""

from __future__ import annotations

import os
import selectors
import subprocess
import sys
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from types import TracebackType
from typing import NoReturn, Self

from fsmcheck.conformance.failure import Failure, FailureName, ReducerFailure
from fsmcheck.records import dataclass

_CHUNK = 65536
_SHOWN = 300


@dataclass(frozen=True, slots=True)
class Bounds:
    """Seconds an answer may take; bytes an answer may be long; bytes that standard error may receive in all."""

    seconds: float = 10.0
    answer: int = 16 * 1024 * 1024
    stderr: int = 16 * 1024 * 1024


class ReducerProcess:
    """A running command. Use it as a context manager: when it is left, nothing of the command is left either.

    All methods that talk to the command raise ``ReducerFailure``, after which the process is gone.
    """

    def __init__(self, command: Sequence[str], bounds: Bounds | None = None) -> None:
        self._bounds = bounds or Bounds()
        self._request = "(the start of the command)"
        self._out = bytearray()
        self._err = bytearray()
        self._err_total = 0
        self._said = bytearray()
        control, self._control = os.pipe()
        self._status, status = os.pipe()
        arguments = [sys.executable, "-I", "-S", str(Path(__file__).with_name("warden.py"))]
        try:
            self._warden = subprocess.Popen(  # noqa: S603
                [*arguments, str(control), str(status), *command],
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.PIPE,
                pass_fds=(control, status),
                start_new_session=True,
                bufsize=0,
            )
        except ValueError as error:
            os.close(self._control)
            os.close(self._status)
            raise ReducerFailure(Failure("not-started", self._request, str(error))) from None
        finally:
            os.close(control)
            os.close(status)
        self._selector = selectors.DefaultSelector()
        for stream in (self._warden.stdin, self._warden.stdout, self._warden.stderr):
            assert stream is not None  # noqa: S101
            os.set_blocking(stream.fileno(), False)
        os.set_blocking(self._status, False)
        self._open = {
            name: stream.fileno()
            for name, stream in (("out", self._warden.stdout), ("err", self._warden.stderr))
            if stream is not None
        }
        self._open["status"] = self._status
        for name, descriptor in self._open.items():
            self._selector.register(descriptor, selectors.EVENT_READ, name)
        self._gone = False

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, _type: type[BaseException] | None, _value: BaseException | None, _traceback: TracebackType | None
    ) -> None:
        self.kill()

    def ask(self, line: bytes) -> bytes:
        """Send a line (without its end) and return the line that answers it, within the deadline."""
        self._request = shown(line)
        self._check_silence()
        self._talk(line + b"\n", lambda: b"\n" in self._out)
        answer, _, rest = bytes(self._out).partition(b"\n")
        self._out = bytearray(rest)
        return answer

    def close(self, line: bytes) -> None:
        """Send the last line and wait for the end: exit code 0, no further output, no process left behind."""
        self._request = shown(line)
        self._check_silence()
        self._talk(line + b"\n", lambda: b"gone" in self._said, closing=True)
        if self._code() != 0:
            self._fail("crash", self._how_it_ended())
        left = self._told("left")
        if left not in (None, "0"):
            self._fail("left-behind", f"{left} of them; they have been killed")
        if self._out.strip():
            self._fail("unasked", shown(bytes(self._out)))
        self.kill()

    def kill(self) -> None:
        """End the command and everything that it started."""
        if self._gone:
            return
        self._gone = True
        os.close(self._control)
        for stream in (self._warden.stdin, self._warden.stdout, self._warden.stderr):
            if stream is not None:
                stream.close()
        try:
            self._warden.wait(15)
        except subprocess.TimeoutExpired:
            self._warden.kill()
            self._warden.wait()
        self._selector.close()
        os.close(self._status)

    def _check_silence(self) -> None:
        """Nothing may have been said since the last answer."""
        self._pump(0)
        if not self._out:
            return
        size = 0
        while size < len(self._out) < 4 * _CHUNK:
            size = len(self._out)
            self._pump(0.1)
        if len(self._out) >= 4 * _CHUNK:
            self._fail("flood", f"{len(self._out)} bytes that nothing had asked for")
        self._fail("unasked", shown(bytes(self._out)))

    def _talk(self, data: bytes, finished: Callable[[], bool], *, closing: bool = False) -> None:
        """Write data and read until a condition holds; every other end is a failure."""
        pending = memoryview(data)
        deadline = time.monotonic() + self._bounds.seconds
        while True:
            pending = self._write(pending)
            if finished():
                return
            self._look_for_the_end(closing)
            left = deadline - time.monotonic()
            if left <= 0:
                name: FailureName = "no-close" if closing else "hang"
                self._fail(name, f"{self._bounds.seconds:g} s")
            # A full pipe is looked at again soon; there is nothing to wait for that tells when it has room.
            self._pump(min(left, 0.02 if pending else 1.0))

    def _write(self, pending: memoryview) -> memoryview:
        if not pending or self._warden.stdin is None:
            return pending
        try:
            return pending[os.write(self._warden.stdin.fileno(), pending) :]
        except BlockingIOError:
            return pending
        except OSError:
            return memoryview(b"")  # how the process ended is told by its status

    def _pump(self, seconds: float) -> None:
        """Read what there is, a piece of each stream, waiting for it at most so long."""
        for key, _ in self._selector.select(seconds):
            data = os.read(key.fd, _CHUNK)
            if not data:
                self._selector.unregister(key.fd)
                del self._open[key.data]
            elif key.data == "out":
                self._out += data
                if len(self._out) > self._bounds.answer:
                    self._fail("flood", f"more than {self._bounds.answer} bytes for one answer")
            elif key.data == "err":
                self._err_total += len(data)
                self._err = (self._err + data)[-4096:]
                if self._err_total > self._bounds.stderr:
                    self._fail("stderr-flood", f"more than {self._bounds.stderr} bytes")
            else:
                self._said += data

    def _look_for_the_end(self, closing: bool) -> None:
        """Fail where the process has ended, or closed its output, without having answered."""
        failed = self._told("failed")
        if failed is not None:
            self._fail("not-started", failed)
        if closing or "out" in self._open:
            if not closing and self._code() is not None and self._dry():
                self._fail("early-exit" if self._code() == 0 else "crash", self._how_it_ended())
            return
        until = time.monotonic() + 0.5
        while self._code() is None and time.monotonic() < until and "status" in self._open:
            self._pump(0.05)
        if self._told("failed") is not None:
            self._fail("not-started", self._told("failed") or "")
        if self._code() is None:
            self._fail("closed-output", "it is still running")
        self._fail("early-exit" if self._code() == 0 else "crash", self._how_it_ended())

    def _dry(self) -> bool:
        """Whether an ended process has nothing more to say, though others may hold its output open."""
        before = len(self._out)
        self._pump(0)
        return len(self._out) == before

    def _told(self, word: str) -> str | None:
        for line in self._said.decode("utf-8", "replace").splitlines():
            head, _, rest = line.partition(" ")
            if head == word:
                return rest
        return None

    def _code(self) -> int | None:
        code = self._told("exit")
        return None if code is None else int(code)

    def _how_it_ended(self) -> str:
        code = self._code() or 0
        return f"signal {-code}" if code < 0 else f"exit code {code}"

    def _fail(self, name: FailureName, detail: str) -> NoReturn:
        tail = self._err.decode("utf-8", "backslashreplace").strip()[-_SHOWN:]
        self.kill()
        raise ReducerFailure(Failure(name, self._request, detail, tail))


def shown(line: bytes) -> str:
    text = line[: _SHOWN * 4].decode("utf-8", "backslashreplace")
    return text if len(text) <= _SHOWN else text[: _SHOWN - 2] + " …"
