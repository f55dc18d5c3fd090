"""How much room the values of a configuration take as one number."""

from __future__ import annotations

from math import prod

from fsmcheck.engines.packing import Packing

BITS = 64
"""Bits of the largest numbers that are searched as arrays."""


def radices(packing: Packing) -> dict[str, int]:
    """How many values each variable may have."""
    return {
        variable.name: len(packing.intervals[variable.name])
        if variable.name in packing.intervals
        else variable.sort.size
        for variable in packing.system.variables
    }


def fits(packing: Packing) -> bool:
    """Whether each configuration has a number of its own of so many bits."""
    return prod(radices(packing).values()) <= 1 << BITS
