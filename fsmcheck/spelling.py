"""Suggestions for misspelt names: "did you mean", and the alternatives in order."""

from __future__ import annotations

from collections.abc import Collection

_LONGEST_WORD = 64
_MOST_CANDIDATES = 100
_MOST_LISTED = 12


def _distance(left: str, right: str, limit: int) -> int:
    """Optimal string alignment distance (swaps of neighbours count once); more than ``limit`` is ``limit + 1``."""
    if abs(len(left) - len(right)) > limit:
        return limit + 1
    before: list[int] = []
    previous = list(range(len(right) + 1))
    for i, a in enumerate(left, 1):
        current = [i]
        for j, b in enumerate(right, 1):
            cost = min(previous[j] + 1, current[j - 1] + 1, previous[j - 1] + (a != b))
            if i > 1 and j > 1 and a == right[j - 2] and left[i - 2] == b:
                cost = min(cost, before[j - 2] + 1)
            current.append(cost)
        if min(current) > limit:
            return limit + 1
        before, previous = previous, current
    return previous[-1]


def nearest(word: str, candidates: Collection[str]) -> str | None:
    """The candidate most like ``word``, or None where none is near (or there are too many to compare)."""
    if len(word) > _LONGEST_WORD or len(candidates) > _MOST_CANDIDATES:
        return None
    names = sorted(set(candidates))
    limit = max(1, min(3, len(word) // 3))
    ranked = [(_distance(word.lower(), name.lower(), limit), name) for name in names if len(name) <= _LONGEST_WORD]
    near = [pair for pair in ranked if pair[0] <= limit]
    if near:
        return min(near)[1]
    longer = [name for name in names if len(word) > 2 and name.lower().startswith(word.lower())]
    return longer[0] if len(longer) == 1 else None


def suggestion(word: str, candidates: Collection[str], noun: str) -> str:
    """A help line: the nearest name, else the names there are. ``noun`` is the plural, such as ``states``."""
    if not candidates:
        return f"there are no {noun}"
    if len(candidates) > _MOST_CANDIDATES:
        return f"none of the {len(candidates)} {noun} is called so"
    near = nearest(word, candidates)
    if near is not None:
        return f'did you mean "{near}"?'
    names = sorted(set(candidates))
    listed = ", ".join(names[:_MOST_LISTED])
    more = len(names) - _MOST_LISTED
    return f"{noun}: {listed}" + (f" and {more} more" if more > 0 else "")
