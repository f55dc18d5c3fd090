"""Where text leaves the program: streams, files, and whether there is colour."""

from __future__ import annotations

import codecs
import errno
import os
import signal
import sys
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from types import FrameType
from typing import TextIO

import click

from fsmcheck.cli import exits
from fsmcheck.report import sanitise

_ENDING = (signal.SIGTERM, signal.SIGINT, *([signal.SIGHUP] if hasattr(signal, "SIGHUP") else []))
_AT_ONCE = 1 << 16
"""Characters that are written with one call."""


class UndeliveredError(click.ClickException):
    """What the program has to say cannot be written where it should go."""

    exit_code = exits.FAILED


class ReaderGoneError(Exception):
    """Whoever read standard output has stopped. Not an OSError, which click would make exit code 1 of.

    ``code`` is the exit code where all was done but the telling.
    """

    code = exits.FAILED


def wants_colour(stream: TextIO | None) -> bool:
    """Whether to colour what goes to a stream: NO_COLOR, then FORCE_COLOR, then whether it is a terminal."""
    if os.environ.get("NO_COLOR"):
        return False
    if os.environ.get("FORCE_COLOR", "0") not in ("", "0"):
        return True
    return stream is not None and stream.isatty() and os.environ.get("TERM") != "dumb"


def need_input() -> None:
    """Raises ``UndeliveredError`` where standard input is closed, so that there is nobody to listen to."""
    if sys.stdin is None:
        raise UndeliveredError("standard input is closed")


def emit(text: str | Iterable[str]) -> None:
    """Write text, or pieces of one, to standard output; what its encoding cannot take is escaped.

    Raises:
        UndeliveredError: standard output is closed or cannot be written.
        ReaderGoneError: nobody reads it any more.
    """
    encoding = (sys.stdout.encoding if sys.stdout is not None else None) or "ascii"
    encoder = codecs.getincrementalencoder(encoding)()
    for part in _parts(text):
        _write(encoder.encode(sanitise.encodable(part, encoding)))


def emit_utf8(text: str | Iterable[str]) -> None:
    """Write a document for programs, or pieces of one, to standard output, in UTF-8 whatever the locale is. Raises as
    ``emit`` does."""
    for part in _parts(text):
        _write(part.encode())


@contextmanager
def concluding(code: int) -> Iterator[None]:
    """While what ends in an exit code is printed: it stays so where nobody reads to the end."""
    try:
        yield
    except ReaderGoneError as error:
        error.code = code
        raise


def _parts(text: str | Iterable[str]) -> Iterator[str]:
    """The text in parts that are worth a call to the system."""
    if isinstance(text, str):
        yield text
        return
    gathered: list[str] = []
    length = 0
    for piece in text:
        gathered.append(piece)
        length += len(piece)
        if length > _AT_ONCE:
            yield "".join(gathered)
            gathered, length = [], 0
    yield "".join(gathered)


def _write(data: bytes) -> None:
    if sys.stdout is None:
        raise UndeliveredError("standard output is closed")
    rest = memoryview(data)
    try:
        sys.stdout.flush()
        # Where Python was told not to buffer, a write may take a part and say so instead of failing.
        while rest:
            rest = rest[sys.stdout.buffer.write(rest) :]
        sys.stdout.buffer.flush()
    except BrokenPipeError:
        raise ReaderGoneError from None
    except OSError as error:
        raise UndeliveredError(f"standard output cannot be written: {error.strerror}") from None


def complain(text: str, *, prefix: bool = True) -> None:
    """Write a message to standard error, made safe."""
    if sys.stderr is None:
        return
    safe = sanitise.encodable(sanitise.block(text), sys.stderr.encoding or "ascii")
    try:
        sys.stderr.write(f"fsmcheck: {safe}\n" if prefix else f"{safe}\n")
        sys.stderr.flush()
    except OSError:
        pass


def delivered() -> bool:
    """Whether all that was written to standard output has got there, or else nobody reads it any more, which is no
    failure; the rest is dropped without noise."""
    if sys.stdout is None:
        return True
    try:
        sys.stdout.flush()
    except OSError as error:
        null = os.open(os.devnull, os.O_WRONLY)
        os.dup2(null, sys.stdout.fileno())
        os.close(null)
        return isinstance(error, BrokenPipeError)
    return True


def write_file(path: Path, text: str | Iterable[str]) -> None:
    """Put text, or pieces of one, into a file in one step: a reader sees the old content or the new, never a part.

    What a symbolic link points to is written, and the link stays; so does a device or a pipe, which is written to
    as it is.

    Raises:
        UndeliveredError: the file cannot be written.
    """
    # Late: it costs a start-up as much as click.
    import tempfile

    try:
        path = _resolved(path)
        if path.exists() and not path.is_file():
            with path.open("w", encoding="utf-8", newline="\n") as device:
                device.writelines(map(sanitise.scalar_values, _parts(text)))
            return
        descriptor, temporary = tempfile.mkstemp(dir=path.parent, prefix=f".{path.name[:50]}.", suffix=".tmp")
    except OSError as error:
        raise UndeliveredError(f'"{path}" cannot be written: {error.strerror}') from None
    try:
        with _gone_if_terminated(temporary), os.fdopen(descriptor, "w", encoding="utf-8", newline="\n") as file:
            file.writelines(map(sanitise.scalar_values, _parts(text)))
        Path(temporary).chmod(_mode(path))
        Path(temporary).replace(path)
    except BaseException as error:
        Path(temporary).unlink(missing_ok=True)
        if isinstance(error, OSError):
            raise UndeliveredError(f'"{path}" cannot be written: {error.strerror}') from None
        raise


@contextmanager
def _gone_if_terminated(temporary: str) -> Iterator[None]:
    """Have signals that end the process at once, as a second interrupt does, take a file with it."""

    def end(number: int, _frame: FrameType | None) -> None:
        Path(temporary).unlink(missing_ok=True)
        signal.signal(number, signal.SIG_DFL)
        os.kill(os.getpid(), number)

    ours: list[signal.Signals] = []
    try:
        for number in _ENDING:
            if signal.getsignal(number) is signal.SIG_DFL:
                signal.signal(number, end)
                ours.append(number)
    except ValueError:  # only the main thread may have them
        pass
    try:
        yield
    finally:
        for number in ours:
            signal.signal(number, signal.SIG_DFL)


def _resolved(path: Path) -> Path:
    """Where a path leads to. Raises OSError for symbolic links that lead to each other."""
    place = Path(os.path.realpath(path))  # unlike resolve(), which raises a RuntimeError for those
    if place.is_symlink():
        raise OSError(errno.ELOOP, os.strerror(errno.ELOOP))
    return place


def refuse_overwriting(read: Iterable[str], written: Iterable[Path]) -> None:
    """Let no report take the place of what it is about, or of another one; devices may be written to twice.

    Raises:
        click.UsageError: a file is to be written that is read, or to be written twice.
    """
    taken = {Path(os.path.realpath(path)) for path in read}
    for path in written:
        place = Path(os.path.realpath(path))
        if place in taken:
            raise click.UsageError(f'"{path}" is read, or written already, and cannot be written as well')
        if not place.exists() or place.is_file():
            taken.add(place)


def _mode(path: Path) -> int:
    """The permissions of the file that is replaced, or those that a new one gets."""
    try:
        return path.stat().st_mode & 0o777
    except OSError:
        mask = os.umask(0)
        os.umask(mask)
        return 0o666 & ~mask
