"""Messages between processes of ours over a pipe: a length, then a pickle. Nothing else may write to such a pipe."""

from __future__ import annotations

import os
import pickle
from collections.abc import Iterator
from contextlib import suppress
from typing import IO

_LENGTH = 8
_CHUNK = 1 << 20


def packed(message: object) -> bytes:
    """The bytes of a message. Raises whatever pickling it raises."""
    data = pickle.dumps(message, pickle.HIGHEST_PROTOCOL)
    return len(data).to_bytes(_LENGTH, "big") + data


def send(descriptor: int, message: object) -> None:
    """Write a message. Raises ``OSError`` where nobody reads it any more."""
    write(descriptor, packed(message))


def write(descriptor: int, data: bytes) -> None:
    """Write all bytes of a message, as ``send`` does."""
    rest = memoryview(data)
    while rest:
        rest = rest[os.write(descriptor, rest) :]


def wide_pipe() -> tuple[int, int]:
    """The ends of a pipe that holds as much as the system lets it (it is Linux that can be asked)."""
    reading, writing = os.pipe()
    with suppress(ImportError, AttributeError, OSError):
        import fcntl

        fcntl.fcntl(writing, fcntl.F_SETPIPE_SZ, _CHUNK)
    return reading, writing


def receive(stream: IO[bytes]) -> object | None:
    """The next message; None where there is no whole one."""
    length = stream.read(_LENGTH)
    data = stream.read(int.from_bytes(length, "big")) if len(length) == _LENGTH else b""
    return pickle.loads(data) if data and len(data) == int.from_bytes(length, "big") else None  # noqa: S301 - see above


class Inbox:
    """What comes out of a descriptor, as it comes."""

    def __init__(self, descriptor: int) -> None:
        self.descriptor = descriptor
        self.ended = False
        self._data = bytearray()

    def read(self) -> Iterator[object]:
        """Wait for something to come; the messages that are whole now."""
        chunk = os.read(self.descriptor, _CHUNK)
        self.ended = not chunk
        self._data += chunk
        while len(self._data) >= _LENGTH:
            end = _LENGTH + int.from_bytes(self._data[:_LENGTH], "big")
            if len(self._data) < end:
                return
            with memoryview(self._data) as data:
                message = pickle.loads(data[_LENGTH:end])  # noqa: S301 - see above
            del self._data[:end]
            yield message
