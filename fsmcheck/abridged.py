"""What reports leave out of long advances: a hot loop may turn a thousand times before the reducer gives up.

A trace keeps every microstep; a story or a picture of it tells how it begins and how it ends.
"""

from __future__ import annotations

from collections.abc import Sequence

_FIRST = 12
_LAST = 4


def left_out(count: int) -> range:
    """The indices that are left out of ``count`` things of a kind in one advance; empty where all are told."""
    return range(_FIRST, count - _LAST) if count > 2 * (_FIRST + _LAST) else range(0)


def abridged(lines: Sequence[str], what: str, lead: str = "") -> list[str]:
    """The lines, with one that counts those left out in their place; ``what`` names them in the plural."""
    gap = left_out(len(lines))
    return [*lines[: gap.start], lead + gap_line(len(gap), what), *lines[gap.stop :]] if gap else list(lines)


def gap_line(count: int, what: str) -> str:
    """What stands for the things left out: ``… 984 more transitions …``."""
    return f"… {count} more {what} …"
