"""What a start costs, as a ratio to a process that only imports libraries.

F is a process that does nothing but ``import yaml, click``, G one with ``import z3, yaml, click, celpy``. Each job and
its measure run in turns, so that whatever else the machine does meets both alike; the median ratio counts.
"""

from __future__ import annotations

import argparse
import os
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).parent.parent
PLAIN = ROOT / "specs" / "planner_executor.yaml"
MEASURES = {
    "F": [sys.executable, "-c", "import yaml, click"],
    "G": [sys.executable, "-c", "import z3, yaml, click, celpy"],
}
CLI = [sys.executable, "-m", "fsmcheck"]
GUARD = "context.outcome == 'replan'"


@dataclass(frozen=True)
class Cost:
    """What a process took: wall time, and processor time of it and its children, in seconds."""

    wall: float
    processor: float


@dataclass(frozen=True)
class Job:
    """A command line, the process it is measured by and the ratio that is the target; ``before`` each run the folder
    is made ready for it. ``allowed`` is the ratio above which this script fails, where that is not the target."""

    arguments: tuple[str, ...]
    measure: str
    target: float | None
    before: Callable[[Path, int], None]
    allowed: float | None = None


def nothing(_folder: Path, _run: int) -> None:
    """The spec and the cache stay as they are."""


def forgotten(folder: Path, _run: int) -> None:
    """Nothing is remembered."""
    shutil.rmtree(folder / "cache", ignore_errors=True)


def edited(folder: Path, run: int) -> None:
    """One guard is another one each time."""
    guard = f"{GUARD} && context.objective != 'objective {run}'"
    (folder / "spec.yaml").write_text(PLAIN.read_text(encoding="utf-8").replace(GUARD, guard), encoding="utf-8")


def commented(folder: Path, run: int) -> None:
    """There is another comment each time."""
    (folder / "spec.yaml").write_text(f"# {run}\n{PLAIN.read_text(encoding='utf-8')}", encoding="utf-8")


CHECK = ("check", "spec.yaml", "--exit-zero")
JOBS = {
    "check, unchanged": Job(CHECK, "F", 2.0, nothing),
    "check, one guard edited": Job(CHECK, "G", 1.3, edited, allowed=4.0),
    "check, a comment edited": Job(CHECK, "G", None, commented),
    "check, the first time": Job(CHECK, "G", 2.5, forgotten, allowed=4.0),
    "check, both profiles, the first time": Job((*CHECK, "--profile", "both"), "G", None, forgotten),
    "check all of specs/, the first time": Job(("check", "specs", "--exit-zero"), "G", None, forgotten),
    "check all of specs/, unchanged": Job(("check", "specs", "--exit-zero"), "F", None, nothing),
    "--help": Job(("--help",), "F", 1.5, nothing),
    "--version": Job(("--version",), "F", 1.5, nothing),
}
# Cold is the process, not its bytecode, which every installation keeps.
ENVIRONMENT = {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}


def cost(command: list[str], folder: Path) -> Cost:
    """One run of a command. Raises ``subprocess.CalledProcessError`` where it fails."""
    environment = {**ENVIRONMENT, "PYTHONPATH": str(ROOT), "FSMCHECK_CACHE_DIR": str(folder / "cache")}
    before, began = os.times(), time.perf_counter()
    subprocess.run(command, cwd=folder, env=environment, check=True, stdout=subprocess.DEVNULL)
    wall, after = time.perf_counter() - began, os.times()
    used = after.children_user + after.children_system - before.children_user - before.children_system
    return Cost(wall, max(used, 0.01))


def measure(job: Job, pairs: int, folder: Path) -> list[tuple[Cost, Cost]]:
    """The costs of the measure and of the job, in turns, after one run of each that does not count."""
    found = []
    for run in range(pairs + 1):
        one = cost(MEASURES[job.measure], folder)
        job.before(folder, run)
        found.append((one, cost([*CLI, *job.arguments], folder)))
    return found[1:]


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--pairs", type=int, default=15, help="runs of each job (default: 15)")
    parser.add_argument("--only", choices=JOBS, help="measure one job")
    arguments = parser.parse_args()
    print("| job | measure, s | job, s | ratio | ratio of processor time | target |")
    print("|---|---:|---:|---:|---:|---:|")
    within = True
    for name, job in JOBS.items():
        if arguments.only not in (None, name):
            continue
        with tempfile.TemporaryDirectory() as place:
            folder = Path(place)
            shutil.copy(PLAIN, folder / "spec.yaml")
            shutil.copytree(ROOT / "specs", folder / "specs")
            timed = measure(job, arguments.pairs, folder)
        one = statistics.median(one.wall for one, _ in timed)
        other = statistics.median(other.wall for _, other in timed)
        ratio = statistics.median(other.wall / one.wall for one, other in timed)
        processor = statistics.median(other.processor / one.processor for one, other in timed)
        most = job.allowed or job.target
        within = within and (most is None or ratio <= most)
        target = "" if job.target is None else f"{job.target} {job.measure}"
        print(
            f"| {name} | {one:.3f} | {other:.3f} | {ratio:.2f} {job.measure} | {processor:.2f} | {target} |", flush=True
        )
    return 0 if within else 1


if __name__ == "__main__":
    sys.exit(main())
