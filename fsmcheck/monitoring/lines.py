"""Lines of a log as they come, in bounded memory."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import NamedTuple

LONGEST_LINE = 1024 * 1024
"""Bytes; what is longer is passed over without being kept."""

_CHUNK = 64 * 1024


class Line(NamedTuple):
    """A line without its end. ``number`` is 1-based; ``data`` is cut where it is ``too_long``; ``ended`` is False
    for what stands after the last line break."""

    number: int
    data: bytes
    too_long: bool = False
    ended: bool = True


def lines(read: Callable[[int], bytes], longest: int = LONGEST_LINE) -> Iterator[Line]:
    """The lines of what ``read`` gives until it gives nothing; a line is given as soon as its end has come.

    ``read(n)`` returns at most n bytes, as many as are there, and waits only where there are none.
    """
    number, rest, dropped = 1, b"", False
    while chunk := read(_CHUNK):
        *whole, tail = chunk.split(b"\n")
        for part in whole:
            data, rest = rest + part, b""
            too_long = dropped or len(data) > longest
            yield Line(number, data[:longest], too_long)
            number, dropped = number + 1, False
        rest = b"" if dropped else rest + tail
        if len(rest) > longest:
            rest, dropped = b"", True
    if rest or dropped:
        yield Line(number, rest, dropped, ended=False)
