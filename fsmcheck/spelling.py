"""Suggestions for misspelt names: "did you mean", and the alternatives in order."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from functools import lru_cache

_LONGEST_WORD = 64
_MOST_CANDIDATES = 100
_MOST_LISTED = 12


class _Candidates:
    """Names to choose from, in order, with what tells quickly how far a word is from each at least."""

    def __init__(self, names: Collection[str]) -> None:
        self.names = sorted(names)
        self._short = [(name, name.lower()) for name in self.names if len(name) <= _LONGEST_WORD]
        self._letters = [_letters(lower) for _, lower in self._short]

    def near(self, word: str, limit: int) -> Iterator[tuple[int, str]]:
        """The names no further from a word in lower case than ``limit``, each with how far."""
        letters, length = _letters(word), len(word)
        for (name, lower), others in zip(self._short, self._letters, strict=True):
            if (letters & ~others).bit_count() <= limit >= (others & ~letters).bit_count():
                distance = _distance(word, lower, limit) if abs(length - len(lower)) <= limit else limit + 1
                if distance <= limit:
                    yield distance, name


@lru_cache(maxsize=64)
def _candidates(names: frozenset[str]) -> _Candidates:
    return _Candidates(names)


def _letters(word: str) -> int:
    """The letters of a word as bits. A change takes away one letter at most, and brings in another one."""
    bits = 0
    for letter in word:
        bits |= 1 << (ord(letter) & 63)
    return bits


def _distance(left: str, right: str, limit: int) -> int:
    """Optimal string alignment distance (swaps of neighbours count once); more than ``limit`` is ``limit + 1``."""
    left, right = _without_common_ends(left, right)
    if abs(len(left) - len(right)) > limit:
        return limit + 1
    before: list[int] = []
    previous = list(range(len(right) + 1))
    for i, a in enumerate(left, 1):
        # Only where as much is left over on either side can it come to no more than the limit.
        first, last = max(1, i - limit), min(len(right), i + limit)
        current = [limit + 1] * (len(right) + 1)
        current[first - 1] = i if first == 1 else limit + 1
        for j in range(first, last + 1):
            b = right[j - 1]
            cost = min(previous[j] + 1, current[j - 1] + 1, previous[j - 1] + (a != b))
            if i > 1 and j > 1 and a == right[j - 2] and left[i - 2] == b:
                cost = min(cost, before[j - 2] + 1)
            current[j] = cost
        if min(current) > limit:
            return limit + 1
        before, previous = previous, current
    return min(previous[-1], limit + 1)


def _without_common_ends(left: str, right: str) -> tuple[str, str]:
    """Two words without what both begin and end with, which makes no difference to how far apart they are."""
    begin, most = 0, min(len(left), len(right))
    while begin < most and left[begin] == right[begin]:
        begin += 1
    end = 0
    while end < most - begin and left[-1 - end] == right[-1 - end]:
        end += 1
    return left[begin : len(left) - end], right[begin : len(right) - end]


def nearest(word: str, candidates: Collection[str]) -> str | None:
    """The candidate most like ``word``, or None where none is near (or there are too many to compare)."""
    if len(word) > _LONGEST_WORD or len(candidates) > _MOST_CANDIDATES:
        return None
    known = _candidates(frozenset(candidates))
    lower = word.lower()
    found = min(known.near(lower, max(1, min(3, len(word) // 3))), default=None)
    if found is not None:
        return found[1]
    longer = [name for name in known.names if len(word) > 2 and name.lower().startswith(lower)]
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
    names = _candidates(frozenset(candidates)).names
    listed = ", ".join(names[:_MOST_LISTED])
    more = len(names) - _MOST_LISTED
    return f"{noun}: {listed}" + (f" and {more} more" if more > 0 else "")
