"""An operation on intervals holds the result of the operation on any of their members."""

from __future__ import annotations

from math import inf

from hypothesis import given
from hypothesis import strategies as st

from fsmcheck.engines import intervals as iv
from fsmcheck.engines.intervals import Interval
from tests.system.naive import truncated

NUMBERS = st.integers(-12, 12)


@st.composite
def members(draw: st.DrawFn) -> tuple[Interval, int]:
    """An interval and one of its members."""
    low, value, high = sorted(draw(st.tuples(NUMBERS, NUMBERS, NUMBERS)))
    below, above = draw(st.booleans()), draw(st.booleans())
    return (-inf if below else low, inf if above else high), value


def within(value: int, interval: Interval) -> bool:
    return interval[0] <= value <= interval[1]


@given(members(), members())
def test_operations(one: tuple[Interval, int], two: tuple[Interval, int]) -> None:
    (a, x), (b, y) = one, two
    assert within(x + y, iv.add(a, b))
    assert within(x - y, iv.sub(a, b))
    assert within(x * y, iv.mul(a, b))
    assert within(x, iv.join(a, b))
    assert within(y, iv.join(a, b))
    if y:
        quotient = truncated(x, y)
        assert within(quotient, iv.div(a, b))
        assert within(x - y * quotient, iv.mod(a, b))
    assert iv.may_equal(a, b) or x != y
    assert iv.may_differ(a, b) or x == y


@given(st.sets(st.integers(-400, 400), max_size=6), st.none() | st.integers(-3, 3), st.integers(-500, 500))
def test_a_partition_covers_every_integer_once(constants: set[int], lower: int | None, value: int) -> None:
    found = iv.partition(constants, lower)
    places = iv.covering(found, (value, value))
    assert len(places) == (0 if lower is not None and value < lower else 1)
    assert list(found) == sorted(found)
    for constant in constants | {0}:
        if lower is None or constant >= lower:
            assert (constant, constant) in found


@given(st.sets(st.integers(-20, 20), max_size=5), members())
def test_what_covers_an_interval_holds_its_members(constants: set[int], member: tuple[Interval, int]) -> None:
    interval, value = member
    found = iv.partition(constants, None)
    assert any(within(value, found[index]) for index in iv.covering(found, interval))


@given(st.integers(-3, 3), st.sampled_from([2**62, -(2**62)]))
def test_long_products_stay_among_what_infinities_can_be_added_to(value: int, factor: int) -> None:
    product, interval = value, (-inf if value < 0 else value, inf if value > 0 else value)
    for _ in range(20):
        product *= factor
        interval = iv.mul(interval, (factor, factor))
        assert within(product, interval)
    assert within(product - 1, iv.add(interval, (-inf, -1)))
    assert within(product + 1, iv.sub(interval, (-inf, -1)))
