"""Configurations as numbers: the values of the variables as the digits of one number in a mixed radix."""

from __future__ import annotations

import numpy as np

from fsmcheck.engines.diagram.budget import BudgetError
from fsmcheck.engines.frontier.arrays import Array
from fsmcheck.engines.packing import Packed, Packing
from fsmcheck.engines.room import BITS, fits, radices


def narrow(most: int) -> type:
    """The smallest type of number that holds values up to ``most``."""
    kinds: tuple[type, ...] = (np.uint8, np.uint16, np.uint32, np.uint64)
    return next(kind for kind in kinds if most <= np.iinfo(kind).max)


class Codes:
    """The place of each variable in the numbers; ``backwards`` turns their order round.

    Raises ``BudgetError`` where the values do not fit.
    """

    def __init__(self, packing: Packing, *, backwards: bool = False) -> None:
        if not fits(packing):
            raise BudgetError(f"the values of a configuration do not fit into {BITS} bits")
        self.packing = packing
        self.radix = radices(packing)
        self.stride: dict[str, int] = {}
        size = 1
        for name in reversed(self.radix) if backwards else self.radix:
            # A variable of a single value needs no place, and one beyond all others might not be a number of the type.
            self.stride[name] = size if self.radix[name] > 1 else 1
            size *= self.radix[name]
        self.size = size
        self.kind = np.uint32 if size <= 1 << 32 else np.uint64

    def encode(self, values: Packed) -> int:
        """The number of a configuration."""
        return sum(value * self.stride[name] for name, value in zip(self.packing.index, values, strict=True))

    def decode(self, code: int) -> Packed:
        """The configuration of a number."""
        return tuple(self.digit(code, name) for name in self.packing.index)

    def digit(self, code: int, name: str) -> int:
        """The value of one variable."""
        return code // self.stride[name] % self.radix[name]

    def column(self, codes: Array, name: str) -> Array:
        """The values of one variable in many configurations."""
        stride, radix = self.stride[name], self.radix[name]
        digits = codes if stride == 1 else codes // self.kind(stride)
        if stride * radix < self.size:
            digits = digits % self.kind(radix)
        return digits.astype(narrow(radix - 1))

    def single(self, code: int) -> Array:
        """The set of one configuration."""
        return np.array([code], self.kind)

    def empty(self) -> Array:
        """The set of none."""
        return np.empty(0, self.kind)
