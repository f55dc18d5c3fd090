"""The product against the brute-force oracle on generated specs, over both profiles.

The comparison runs in chunks, so that they spread over processes; ``conftest`` adds up what they found, prints the
table, and lets the run fail where a rule was never put to the test.
"""

from __future__ import annotations

from collections.abc import Callable

import pytest

from tests.oracle.compare import Tally, run_seed
from tests.oracle.product import complaints_of, reachable_of, verdicts_of

SPECS = 1000
WELL_SPREAD = 300
"""So many seeds reach every rule."""
CHUNK = 20


def test_the_generator_reaches_every_rule() -> None:
    tally = Tally()
    for seed in range(WELL_SPREAD):
        run_seed(seed, tally, None, None)
    assert tally.never_broken() == []
    assert tally.incomplete < WELL_SPREAD // 4
    assert tally.not_covered == 0


@pytest.mark.parametrize("first", range(0, SPECS, CHUNK))
def test_product_agrees_with_brute_force(first: int, record_property: Callable[[str, object], None]) -> None:
    tally = Tally()
    for seed in range(first, first + CHUNK):
        run_seed(seed, tally, verdicts_of, reachable_of, complaints_of)
    record_property("tally", tally.as_data())
    assert not tally.failures, "\n".join(map(str, tally.failures[:20]))
