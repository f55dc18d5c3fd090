"""The differential test for as long as you like: ``python -m tests.soak --count 20000 --seed 7``.

Every disagreement is printed with its seed; ``--show SEED`` prints the spec of one. ``--peers`` asks SPIN and NuSMV
instead of brute force, also about the shipped specs.
"""

from __future__ import annotations

import argparse
import sys
import time

from tests.oracle.compare import Tally, profile_of, run_seed
from tests.oracle.generate import generate
from tests.oracle.product import complaints_of, reachable_of, verdicts_of

BAR = 40


def _progress(done: int, count: int, started: float, failures: int) -> None:
    filled = BAR * done // count
    rate = done / max(time.monotonic() - started, 1e-9)
    left = int((count - done) / max(rate, 1e-9))
    sys.stderr.write(
        f"\r[{'#' * filled}{'.' * (BAR - filled)}] {done}/{count}  {rate:.0f}/s  {left // 60}:{left % 60:02} left"
        f"  {failures} disagreements "
    )
    sys.stderr.flush()


def main() -> int:
    """Exit code 1 where product and oracle disagree."""
    parser = argparse.ArgumentParser(prog="python -m tests.soak", description=__doc__.splitlines()[0])
    parser.add_argument("--count", type=int, default=1000, help="how many specs")
    parser.add_argument("--seed", type=int, default=0, help="the first seed; spec n has seed + n")
    parser.add_argument("--show", type=int, metavar="SEED", help="print the spec of a seed and stop")
    parser.add_argument("--peers", action="store_true", help="hold against SPIN and NuSMV, where they are installed")
    options = parser.parse_args()
    if options.show is not None:
        sys.stdout.write(f"# seed {options.show}, {profile_of(options.show).value}\n{generate(options.show)}")
        return 0
    started = time.monotonic()
    if options.peers:
        from tests.peers.soak import soak

        return soak(options.count, options.seed, lambda done, of, lost: _progress(done, of, started, lost))
    tally = Tally()
    shown = 0.0
    told = 0
    for number in range(options.count):
        run_seed(options.seed + number, tally, verdicts_of, reachable_of, complaints_of)
        for failure in tally.failures[told:]:
            sys.stderr.write("\r\033[K" if sys.stderr.isatty() else "\n")
            sys.stdout.write(f"{failure}\n")
            sys.stdout.flush()
        told = len(tally.failures)
        if time.monotonic() - shown > 0.2 or number + 1 == options.count:
            shown = time.monotonic()
            _progress(number + 1, options.count, started, told)
    sys.stderr.write("\n")
    sys.stdout.write(f"{tally.table()}\n")
    return 1 if tally.failures else 0


if __name__ == "__main__":
    sys.exit(main())
