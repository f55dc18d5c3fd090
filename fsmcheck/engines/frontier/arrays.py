"""Sets of numbers as sorted arrays without repetition."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import field
from typing import Any, TypeAlias

import numpy as np

from fsmcheck.records import dataclass

Array: TypeAlias = Any
"""An array of NumPy, whose types are only there where NumPy is."""

TAG = np.uint16
"""The type of the numbers that members of a growing set are tagged with."""

MOST_TAGS = 1 << 16

FAR_APART = 1 << 16
"""Members of a set from which on it is quicker to sort what is looked for in it."""


def as_set(numbers: Array) -> Array:
    """The numbers sorted, each once. (NumPy's own ``unique`` hashes, which takes many times as long.)"""
    if len(numbers) < 2:
        return numbers
    ordered = np.sort(numbers)
    fresh = np.empty(len(ordered), bool)
    fresh[0] = True
    np.not_equal(ordered[1:], ordered[:-1], out=fresh[1:])
    return ordered[fresh]


def union(parts: Sequence[Array]) -> Array:
    """All that is in some of one or more arrays."""
    return parts[0] if len(parts) == 1 else as_set(np.concatenate(parts))


def among(numbers: Array, members: Array) -> Array:
    """For each of some numbers, whether it is in a set; fast where they are sorted, too."""
    if not len(members):
        return np.zeros(len(numbers), bool)
    places = np.searchsorted(members, numbers)
    places[places == len(members)] = 0
    return members[places] == numbers


def among_any(numbers: Array, members: Array) -> Array:
    """The same for numbers in any order."""
    if len(members) < FAR_APART:
        return among(numbers, members)
    order = np.argsort(numbers)
    found = np.empty(len(numbers), bool)
    found[order] = among(numbers[order], members)
    return found


def total(arrays: Iterable[Array]) -> int:
    """The bytes of some arrays."""
    return sum(array.nbytes for array in arrays)


def has(members: Array, number: int) -> bool:
    """Whether one number is in a set."""
    place = int(np.searchsorted(members, members.dtype.type(number)))
    return place < len(members) and int(members[place]) == number


def minus(numbers: Array, members: Array) -> Array:
    """What is in one set and not in another."""
    return numbers[~among(numbers, members)]


def meet(numbers: Array, members: Array) -> Array:
    """What is in both sets."""
    return numbers[among(numbers, members)]


@dataclass(frozen=True, slots=True, eq=False)
class Tagged:
    """A set, and a small number for each of its members."""

    members: Array
    tags: Array

    def __len__(self) -> int:
        return len(self.members)

    @property
    def nbytes(self) -> int:
        """The bytes of both arrays."""
        return int(self.members.nbytes + self.tags.nbytes)

    def with_others(self, other: Tagged) -> Tagged:
        """The union with a set that has nothing in common with this one."""
        places = np.searchsorted(self.members, other.members) + np.arange(len(other))
        kept = np.ones(len(self) + len(other), bool)
        kept[places] = False
        return Tagged(_filled(kept, self.members, places, other.members), _filled(kept, self.tags, places, other.tags))


def _filled(kept: Array, here: Array, places: Array, there: Array) -> Array:
    result = np.empty(len(kept), here.dtype)
    result[kept] = here
    result[places] = there
    return result


@dataclass(eq=False)
class Growing:
    """A set that grows by what is not in it: a few arrays, each at least twice as long as the one after it, so that
    what is added is merged a few times only. Each member has a tag."""

    kind: type
    parts: list[Tagged] = field(default_factory=list)

    def __len__(self) -> int:
        return sum(map(len, self.parts))

    @property
    def nbytes(self) -> int:
        """The bytes of its arrays."""
        return sum(part.nbytes for part in self.parts)

    @property
    def largest(self) -> int:
        """The bytes of the largest of them."""
        return max((part.nbytes for part in self.parts), default=0)

    def new(self, numbers: Array) -> Array:
        """What is in a set and not in this one."""
        for part in self.parts:
            numbers = minus(numbers, part.members)
        return numbers

    def add(self, numbers: Array, tag: int) -> None:
        """Add a set of which nothing is in this one."""
        self.parts.append(Tagged(numbers, np.full(len(numbers), tag, TAG)))
        while len(self.parts) > 1 and len(self.parts[-2]) < 2 * len(self.parts[-1]):
            self._merge()

    def _merge(self) -> None:
        last = self.parts.pop()
        self.parts[-1] = self.parts[-1].with_others(last)

    @property
    def empty(self) -> Array:
        """The set of none, of the same type."""
        return np.empty(0, self.kind)

    @property
    def whole(self) -> Tagged:
        """All of it as one."""
        while len(self.parts) > 1:
            self._merge()
        return self.parts[0] if self.parts else Tagged(self.empty, np.empty(0, TAG))
