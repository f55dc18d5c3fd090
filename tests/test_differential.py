"""The product against the brute-force oracle on generated specs, over both profiles."""

from __future__ import annotations

import sys

from tests.oracle.compare import Tally, run_seed
from tests.oracle.product import reachable_of, verdicts_of

SPECS = 300


def test_the_generator_reaches_every_rule() -> None:
    tally = Tally()
    for seed in range(SPECS):
        run_seed(seed, tally, None, None)
    assert tally.never_broken() == []
    assert tally.incomplete < SPECS // 4
    assert tally.not_covered == 0


def test_product_agrees_with_brute_force() -> None:
    tally = Tally()
    for seed in range(SPECS):
        run_seed(seed, tally, verdicts_of, reachable_of)
    sys.stdout.write(f"\n{tally.table()}\n")
    assert not tally.failures, "\n".join(map(str, tally.failures[:20]))
