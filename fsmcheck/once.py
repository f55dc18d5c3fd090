"""Functions of one object that is never changed, each worked out once for an object as long as that is remembered.

Objects are told apart by what they are, not by what is in them, since to hash a whole expression takes as long as to
walk through it.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from typing import TypeVar

MOST_REMEMBERED = 4096
"""Objects that one function remembers; then it forgets them all."""

A = TypeVar("A")
B = TypeVar("B")


def once(function: Callable[[A], B]) -> Callable[[A], B]:
    """The function, which gives the same again for the same object."""
    known: dict[int, tuple[A, B]] = {}

    @wraps(function)
    def remembered(given: A) -> B:
        found = known.get(id(given))
        if found is None:
            if len(known) >= MOST_REMEMBERED:
                known.clear()
            found = known[id(given)] = (given, function(given))  # the object is kept, so no other gets its number
        return found[1]

    return remembered
