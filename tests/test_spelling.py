"""The nearest name, against the definition of the distance, recursively and without any bound."""

from __future__ import annotations

from functools import cache

from hypothesis import given
from hypothesis import strategies as st

from fsmcheck.spelling import nearest

WORDS = st.text("abcXé", max_size=9)


@cache
def distance(left: str, right: str) -> int:
    """Optimal string alignment distance: letters put in, left out, changed, or swapped with their neighbour."""
    if not left or not right:
        return len(left) + len(right)
    found = min(
        distance(left[:-1], right) + 1,
        distance(left, right[:-1]) + 1,
        distance(left[:-1], right[:-1]) + (left[-1] != right[-1]),
    )
    if left[-1:] == right[-2:-1] and left[-2:-1] == right[-1:]:
        found = min(found, distance(left[:-2], right[:-2]) + 1)
    return found


@given(WORDS, st.lists(WORDS, max_size=6))
def test_the_nearest_name_is_the_first_of_those_with_the_least_distance(word: str, names: list[str]) -> None:
    limit = max(1, min(3, len(word) // 3))
    near = sorted((distance(word.lower(), name.lower()), name) for name in set(names))
    near = [pair for pair in near if pair[0] <= limit]
    longer = [name for name in set(names) if len(word) > 2 and name.lower().startswith(word.lower())]
    expected = near[0][1] if near else longer[0] if len(longer) == 1 else None
    assert nearest(word, names) == expected
