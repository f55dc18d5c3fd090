"""Time that leads nowhere, counted in the order of the plan, whoever spent it and when."""

from __future__ import annotations

from itertools import permutations

from fsmcheck.obligations.spending import Spending

NOTES = [(2, 1.0, {}), (4, 0.5, {7: 3.0}), (5, 0.0, {7: 2.0}), (9, 2.0, {8: 1.0})]
"""Places, what was wasted there, and what slices took: 7 was searched for two of them, and counts once, for place 4."""


def test_it_does_not_matter_when_it_is_noted() -> None:
    for notes in permutations(NOTES):
        spending = Spending(share=6.0, before=1.0)
        for place, wasted, slices in notes:
            spending.note(place, wasted, slices)
        known = [spending.known(place) for place in (0, 2, 3, 5, 9, 10)]
        assert known == [1.0, 1.0, 2.0, 2.5, 2.5, 4.5]
        # Before place 9 there are 1 + 1 + 0.5 + 3, after it 3 more.
        assert not spending.is_over(9)
        assert spending.is_over(10)
        assert spending.first_over(range(20)) == 10
        assert spending.first_over([3, 15, 12]) == 12
        assert spending.first_over([3, 9]) is None


def test_what_was_spent_before_counts() -> None:
    spending = Spending(share=6.0, before=6.5)
    assert spending.first_over([4, 3]) == 3
