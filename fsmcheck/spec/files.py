"""Reading specs from disk: regular files only, of bounded size, in strict UTF-8."""

from __future__ import annotations

import os
import stat
import sys
from typing import BinaryIO

from fsmcheck.diagnostics import Fault
from fsmcheck.source import SourceFile, Span

MOST_BYTES = 1_000_000
STDIN = "-"
_STDIN_PATH = "<stdin>"
_KINDS = (
    (stat.S_ISDIR, "a folder"),
    (stat.S_ISFIFO, "a named pipe"),
    (stat.S_ISCHR, "a device"),
    (stat.S_ISBLK, "a device"),
    (stat.S_ISSOCK, "a socket"),
)
_OTHER_ENCODINGS = (
    (b"\xff\xfe", "UTF-16"),
    (b"\xfe\xff", "UTF-16"),
)


class UnreadableFileError(Exception):
    """A file cannot be read. ``source`` holds what could be decoded, ``fault`` says what is wrong and where."""

    def __init__(self, source: SourceFile, fault: Fault) -> None:
        super().__init__(fault.message)
        self.source = source
        self.fault = fault


def read_source(path: str, limit: int = MOST_BYTES) -> SourceFile:
    """The text of a file, or of standard input for ``-``.

    Raises:
        UnreadableFileError: it is missing, no regular file, larger than ``limit`` bytes, or not UTF-8.
    """
    if path == STDIN:
        if sys.stdin is None:
            raise _unreadable(_STDIN_PATH, "standard input is closed", "give it a spec")
        return decode_source(_STDIN_PATH, _bounded(_STDIN_PATH, sys.stdin.buffer, limit))
    try:
        # Without O_NONBLOCK, opening a pipe that nobody writes to would wait for ever.
        descriptor = os.open(path, os.O_RDONLY | getattr(os, "O_NONBLOCK", 0))
    except FileNotFoundError:
        raise _unreadable(path, "there is no such file", "check the path") from None
    except ValueError:
        raise _unreadable(path, "the path is not a valid file name", "check the path") from None
    except OSError as error:
        raise _unreadable(path, f"the file cannot be opened: {_reason(error)}", "check its permissions") from None
    with os.fdopen(_regular(path, descriptor), "rb") as file:
        return decode_source(path, _bounded(path, file, limit))


def decode_source(path: str, data: bytes) -> SourceFile:
    """The text of ``data``, without its byte-order mark.

    Raises:
        UnreadableFileError: the bytes are not UTF-8.
    """
    try:
        return SourceFile(path, data.decode("utf-8-sig"))
    except UnicodeDecodeError:
        pass
    readable = data.decode("utf-8", errors="replace")
    encoding = next((name for mark, name in _OTHER_ENCODINGS if data.startswith(mark)), None)
    if encoding is not None:
        raise _unreadable(path, f"the file is {encoding}, expected UTF-8", "save it as UTF-8")
    start = len(data[: _first_bad_byte(data)].decode("utf-8"))
    fault = Fault(
        "FSM001",
        f"byte 0x{data[_first_bad_byte(data)]:02X} is not UTF-8",
        Span(start, start + 1),
        "save the file as UTF-8",
    )
    raise UnreadableFileError(SourceFile(path, readable), fault)


def _first_bad_byte(data: bytes) -> int:
    try:
        data.decode("utf-8")
    except UnicodeDecodeError as error:
        return error.start
    return len(data)


def _regular(path: str, descriptor: int) -> int:
    try:
        mode = os.fstat(descriptor).st_mode
    except OSError as error:
        os.close(descriptor)
        raise _unreadable(path, f"the file cannot be read: {_reason(error)}", None) from None
    if stat.S_ISREG(mode):
        return descriptor
    os.close(descriptor)
    kind = next((name for test, name in _KINDS if test(mode)), "a special file")
    raise _unreadable(path, f"this is {kind}, expected a regular file", "give the path of a YAML file")


def _bounded(path: str, stream: BinaryIO, limit: int) -> bytes:
    try:
        data = stream.read(limit + 1)
    except OSError as error:
        raise _unreadable(path, f"the file cannot be read: {_reason(error)}", None) from None
    if len(data) > limit:
        message = f"the file is larger than {limit} bytes, the most that is read"
        raise _unreadable(path, message, "split it into several files")
    return data


def _reason(error: OSError) -> str:
    return (error.strerror or "unknown reason").lower()


def _unreadable(path: str, message: str, hint: str | None) -> UnreadableFileError:
    return UnreadableFileError(SourceFile(path, ""), Fault("FSM001", message, Span(0, 0), hint))
