"""What a cold check costs, as a ratio to a process that only imports the libraries it stands on.

Both run in turns, so that whatever else the machine does meets both alike; the median of each pair's ratio counts.
"""

from __future__ import annotations

import argparse
import os
import statistics
import subprocess
import sys
import time
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).parent.parent
IMPORTS = [sys.executable, "-c", "import z3, yaml, celpy"]
CLI = [sys.executable, "-m", "fsmcheck"]
JOBS = {
    "check planner_executor.yaml": [*CLI, "check", "specs/planner_executor.yaml"],
    "check it under both profiles": [*CLI, "check", "specs/planner_executor.yaml", "--profile", "both"],
    "check all of specs/": [*CLI, "check", "specs", "--exit-zero"],
    "--version": [*CLI, "--version"],
}
MOST = {"check planner_executor.yaml": 4.0}
# Cold is the process, not its bytecode, which every installation keeps.
ENVIRONMENT = {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}


@dataclass(frozen=True)
class Cost:
    """What a process took: wall time, and processor time of it and its children, in seconds."""

    wall: float
    processor: float


def cost(command: list[str]) -> Cost:
    """One run of a command. Raises ``subprocess.CalledProcessError`` where it fails."""
    before, began = os.times(), time.perf_counter()
    subprocess.run(command, cwd=ROOT, env=ENVIRONMENT, check=True, stdout=subprocess.DEVNULL)
    wall, after = time.perf_counter() - began, os.times()
    used = after.children_user + after.children_system - before.children_user - before.children_system
    return Cost(wall, used)


def measure(command: list[str], pairs: int) -> list[tuple[Cost, Cost]]:
    """The costs of the imports and of the command, in turns, after one run of each that does not count."""
    cost(IMPORTS), cost(command)
    return [(cost(IMPORTS), cost(command)) for _ in range(pairs)]


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--pairs", type=int, default=15, help="runs of each job (default: 15)")
    parser.add_argument("--only", choices=JOBS, help="measure one job")
    arguments = parser.parse_args()
    print("| job | imports, s | job, s | ratio | ratio of processor time | allowed |")
    print("|---|---:|---:|---:|---:|---:|")
    within = True
    for name, command in JOBS.items():
        if arguments.only in (None, name):
            timed = measure(command, arguments.pairs)
            imports = statistics.median(one.wall for one, _ in timed)
            job = statistics.median(other.wall for _, other in timed)
            ratio = statistics.median(other.wall / one.wall for one, other in timed)
            processor = statistics.median(other.processor / one.processor for one, other in timed)
            allowed = MOST.get(name)
            within = within and (allowed is None or ratio <= allowed)
            print(
                f"| {name} | {imports:.2f} | {job:.2f} | {ratio:.2f} | {processor:.2f} | {allowed or ''} |", flush=True
            )
    return 0 if within else 1


if __name__ == "__main__":
    sys.exit(main())
