"""Waiting until something comes out of one of many descriptors."""

from __future__ import annotations

import select
from collections.abc import Sequence


def readable(descriptors: Sequence[int], seconds: float) -> frozenset[int]:
    """Those out of which something comes, or whose other end is closed, within so many seconds at most; there may be
    more of them, and of higher numbers, than ``select`` takes."""
    if not hasattr(select, "poll"):
        return frozenset(select.select(descriptors, (), (), seconds)[0])
    waiting = select.poll()
    for descriptor in descriptors:
        waiting.register(descriptor, select.POLLIN)
    return frozenset(descriptor for descriptor, _ in waiting.poll(seconds * 1000))
