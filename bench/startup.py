"""What a cold check costs, as a ratio to a process that only imports the libraries it stands on.

Both run in turns, so that whatever else the machine does meets both alike; the median of each pair's ratio counts.
"""

from __future__ import annotations

import argparse
import statistics
import subprocess
import sys
import time
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


def seconds(command: list[str]) -> float:
    """Wall time of one run of a command.

    Raises:
        subprocess.CalledProcessError: it failed.
    """
    began = time.perf_counter()
    subprocess.run(command, cwd=ROOT, check=True, stdout=subprocess.DEVNULL)
    return time.perf_counter() - began


def measure(command: list[str], pairs: int) -> tuple[float, float, float]:
    """Median seconds of the imports, of the command, and of the ratio within each pair."""
    seconds(IMPORTS), seconds(command)
    timed = [(seconds(IMPORTS), seconds(command)) for _ in range(pairs)]
    return (
        statistics.median(imports for imports, _ in timed),
        statistics.median(job for _, job in timed),
        statistics.median(job / imports for imports, job in timed),
    )


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--pairs", type=int, default=15, help="runs of each job (default: 15)")
    parser.add_argument("--only", choices=JOBS, help="measure one job")
    arguments = parser.parse_args()
    print("| job | imports, s | job, s | ratio | allowed |")
    print("|---|---:|---:|---:|---:|")
    within = True
    for name, command in JOBS.items():
        if arguments.only in (None, name):
            imports, job, ratio = measure(command, arguments.pairs)
            allowed = MOST.get(name)
            within = within and (allowed is None or ratio <= allowed)
            print(f"| {name} | {imports:.2f} | {job:.2f} | {ratio:.2f} | {allowed or ''} |", flush=True)
    return 0 if within else 1


if __name__ == "__main__":
    sys.exit(main())
