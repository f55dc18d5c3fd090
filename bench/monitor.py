"""How many events a second ``fsmcheck monitor`` takes in on one core, and how its memory grows.

The log is of interleaved runs of a spec with texts that never repeat; every event carries state, status and store.
"""

from __future__ import annotations

import argparse
import gc
import json
import random
import resource
import sys
import time
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).parent.parent
sys.path.insert(0, str(ROOT))

from fsmcheck.monitoring.lines import Line  # noqa: E402
from fsmcheck.monitoring.monitor import Monitor  # noqa: E402
from fsmcheck.spec.load import load_path  # noqa: E402
from tests.monitoring.logs import entries, interleaved, random_run  # noqa: E402

SPECS = ("specs/planner_executor.yaml", "specs/patterns/result_map.yaml", "specs/patterns/retry_counter.yaml")
LEAST = 10_000


def batches(path: str, full: bool, size: int = 200) -> Iterator[list[bytes]]:
    """Logs of some hundred runs each, without end."""
    spec = load_path(ROOT / path)[0].spec
    assert spec is not None
    rng, number = random.Random(7), 0
    while True:
        runs = [entries(random_run(spec, "gated", rng), f"run-{number + i}", full=full) for i in range(size)]
        number += size
        yield [json.dumps(event, ensure_ascii=False).encode() for event in interleaved(runs, rng)]


def rate(path: str, full: bool, events: int) -> tuple[float, float]:
    """Events a second of processor time, and the growth of the resident set after the first tenth, in MiB."""
    spec = load_path(ROOT / path)[0].spec
    assert spec is not None
    monitor = Monitor(spec, "gated")
    spent, number, early = 0.0, 0, 0
    gc.set_threshold(50_000, 20, 50)  # as the command does
    for batch in batches(path, full):
        began = time.process_time()
        for data in batch:
            number += 1
            for outcome in monitor.feed("log", Line(number, data)):
                assert type(outcome).__name__ == "Breach", outcome
        spent += time.process_time() - began
        if not early and number > events / 10:
            early = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
        if number >= events:
            break
    growth = (resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - early) / 1024
    return number / spent, growth


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--events", type=int, default=200_000, help="of each log (default: 200000)")
    arguments = parser.parse_args()
    print("| spec | events hold | events a second | growth of memory, MiB |")
    print("|---|---|---:|---:|")
    enough = True
    for path in SPECS:
        for full in (False, True):
            speed, growth = rate(path, full, arguments.events)
            enough = enough and (full or speed >= LEAST)
            what = "the whole advance" if full else "state, status, store"
            print(f"| {path} | {what} | {speed:,.0f} | {growth:.1f} |", flush=True)
    return 0 if enough else 1


if __name__ == "__main__":
    sys.exit(main())
