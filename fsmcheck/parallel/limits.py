"""How many processes, and how much memory each of them may take."""

from __future__ import annotations

import os
from contextlib import suppress
from pathlib import Path

MEGABYTE = 1_000_000
MOST_MEMORY = 4096
"""Megabytes that one process may take where nothing else was asked for."""

LEAST_MEMORY = 256
POLL = 0.05
"""Seconds between two looks at the memory and the time of children."""

_GROUP = Path("/sys/fs/cgroup/memory.max")


def cores() -> int:
    """The cores that this process may use."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


def memory_for(jobs: int, asked: int | None = None) -> int:
    """Bytes that each of so many processes may take: what was asked for in megabytes, else 4096 or its part of three
    quarters of the machine's memory (or of the control group's), whatever is less."""
    if asked is not None:
        return asked * MEGABYTE
    share = _memory() * 3 // 4 // max(jobs, 1)
    return max(LEAST_MEMORY * MEGABYTE, min(MOST_MEMORY * MEGABYTE, share))


def crew_for(processes: int, limit: int, resident_now: int, machine: int | None = None) -> tuple[int, int]:
    """How many processes may be forked from one that takes so many bytes now, where each may take ``limit``, and the
    bytes that each of them may take: room for as much again is needed, or there is none. ``machine`` is how much there
    is in all."""
    each = 2 * max(resident_now, 1)
    whole = (_memory() if machine is None else machine) * 3 // 4
    most = whole // each if each <= limit else 0
    return most, min(limit, max(each, whole // max(1, min(processes, most))))


def _memory() -> int:
    total = 1 << 62
    with suppress(ValueError, OSError, AttributeError):
        total = os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE")
    with suppress(ValueError, OSError):
        total = min(total, int(_GROUP.read_text(encoding="ascii")))
    return total


def resident(process: int) -> int:
    """Bytes of memory that a process takes now; 0 where that cannot be told (it is Linux that tells)."""
    try:
        pages = Path(f"/proc/{process}/statm").read_bytes().split()[1]
    except (OSError, IndexError):
        return 0
    return int(pages) * os.sysconf("SC_PAGE_SIZE")
