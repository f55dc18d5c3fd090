"""Where text leaves the program: streams, files, and whether there is colour."""

from __future__ import annotations

import os
import sys
import tempfile
from pathlib import Path
from typing import TextIO

import click

from fsmcheck.cli import exits
from fsmcheck.report import sanitise


class UndeliveredError(click.ClickException):
    """What the program has to say cannot be written where it should go."""

    exit_code = exits.FAILED


def wants_colour(stream: TextIO | None) -> bool:
    """Whether to colour what goes to a stream: NO_COLOR, then FORCE_COLOR, then whether it is a terminal."""
    if os.environ.get("NO_COLOR"):
        return False
    if os.environ.get("FORCE_COLOR", "0") not in ("", "0"):
        return True
    return stream is not None and stream.isatty() and os.environ.get("TERM") != "dumb"


def emit(text: str) -> None:
    """Write text to standard output; what its encoding cannot take is escaped.

    Raises:
        UndeliveredError: standard output is closed or cannot be written.
    """
    if sys.stdout is None:
        raise UndeliveredError("standard output is closed")
    try:
        sys.stdout.write(sanitise.encodable(text, sys.stdout.encoding or "ascii"))
        sys.stdout.flush()
    except BrokenPipeError:
        raise
    except OSError as error:
        raise UndeliveredError(f"standard output cannot be written: {error.strerror}") from None


def emit_utf8(text: str) -> None:
    """Write a document for programs to standard output, in UTF-8 whatever the locale is."""
    if sys.stdout is None:
        raise UndeliveredError("standard output is closed")
    sys.stdout.flush()
    try:
        sys.stdout.buffer.write(text.encode())
        sys.stdout.buffer.flush()
    except BrokenPipeError:
        raise
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


def silence() -> None:
    """Point standard output at nothing, so that flushing it at exit cannot fail again."""
    null = os.open(os.devnull, os.O_WRONLY)
    os.dup2(null, sys.stdout.fileno())
    os.close(null)


def write_file(path: Path, text: str) -> None:
    """Put text into a file in one step: a reader sees the old content or the new, never a part.

    Raises:
        UndeliveredError: the file cannot be written.
    """
    try:
        descriptor, temporary = tempfile.mkstemp(dir=path.parent, prefix=f".{path.name[:50]}.", suffix=".tmp")
    except OSError as error:
        raise UndeliveredError(f'"{path}" cannot be written: {error.strerror}') from None
    try:
        with os.fdopen(descriptor, "w", encoding="utf-8", newline="\n") as file:
            file.write(sanitise.scalar_values(text))
        Path(temporary).chmod(_mode(path))
        Path(temporary).replace(path)
    except BaseException as error:
        Path(temporary).unlink(missing_ok=True)
        if isinstance(error, OSError):
            raise UndeliveredError(f'"{path}" cannot be written: {error.strerror}') from None
        raise


def _mode(path: Path) -> int:
    """The permissions of the file that is replaced, or those that a new one gets."""
    try:
        return path.stat().st_mode & 0o777
    except OSError:
        mask = os.umask(0)
        os.umask(mask)
        return 0o666 & ~mask
