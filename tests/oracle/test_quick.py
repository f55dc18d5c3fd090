"""The product against the brute-force oracle on a few specs: what a fault in the checker should not survive."""

from __future__ import annotations

import pytest

from tests.oracle.compare import Tally, run_seed
from tests.oracle.product import reachable_of, verdicts_of


@pytest.mark.parametrize("first", range(0, 64, 8))
def test_product_agrees_with_brute_force(first: int) -> None:
    tally = Tally()
    for seed in range(first, first + 8):
        run_seed(seed, tally, verdicts_of, reachable_of)
    assert not tally.failures, "\n".join(map(str, tally.failures[:20]))
