"""What is worked out once for an object."""

from __future__ import annotations

import pytest

from fsmcheck import once as module
from fsmcheck.once import once


def test_objects_are_told_apart_by_what_they_are() -> None:
    asked: list[list[int]] = []

    @once
    def total(numbers: list[int]) -> int:
        asked.append(numbers)
        return sum(numbers)

    one, other = [1, 2], [1, 2]
    assert [total(one), total(other), total(one), total(other)] == [3, 3, 3, 3]
    assert [each is one for each in asked] == [True, False]


def test_many_objects_are_forgotten_and_none_is_taken_for_another(monkeypatch: pytest.MonkeyPatch) -> None:
    """Objects that nobody else holds: a new one may well get the number of an old one."""
    monkeypatch.setattr(module, "MOST_REMEMBERED", 8)

    @once
    def first(numbers: list[int]) -> int:
        return numbers[0]

    assert [first([number]) for number in range(100)] == list(range(100))


def test_what_raises_is_not_remembered() -> None:
    @once
    def first(numbers: list[int]) -> int:
        return numbers[0]

    numbers: list[int] = []
    with pytest.raises(IndexError):
        first(numbers)
    numbers.append(7)
    assert first(numbers) == 7
