"""The full catalogue on specs of 200, 1,000 and 5,000 states (``bench/large.py``), whole processes.

``python bench/growth.py`` prints seconds of processor time, the ratio of its growth to that of the states, and the
largest process's memory. With ``--edited`` also the spec of 1,000 states with a warm cache, unchanged and edited in
some ways: the median of three.
"""

from __future__ import annotations

import argparse
import os
import shutil
import subprocess
import sys
import tempfile
from dataclasses import dataclass
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent))
from large import spec

SIZES = (200, 1000, 5000)
AGAIN = 3
EDITS = {
    "unchanged": ("", ""),
    "a comment added": (" states:\n", " states:  # all of them\n"),
    "a description added": ("d0_plan:\n", "d0_plan:\n   description: Plan it.\n"),
    "one guard written differently": (
        "context.outcome_5 == 'fail'",
        "context.outcome_5 != 'done' && context.outcome_5 != 'revise'",
    ),
    "one guard that decides otherwise": ("context.outcome_5 == 'revise'", "context.outcome_5 != 'done'"),
}
"""What is replaced, once, by what."""


@dataclass(frozen=True, slots=True)
class Cost:
    """Seconds of processor time, and megabytes of the largest process."""

    seconds: float
    memory: float


def cost(arguments: list[str], folder: Path) -> Cost:
    script = (
        "import resource, subprocess, sys\n"
        "subprocess.run(sys.argv[1:], check=True, stdout=subprocess.DEVNULL)\n"
        "used = resource.getrusage(resource.RUSAGE_CHILDREN)\n"
        "print(used.ru_utime + used.ru_stime, used.ru_maxrss / 1024)\n"
    )
    command = [sys.executable, "-c", script, sys.executable, "-m", "fsmcheck", "check", "--exit-zero", *arguments]
    environment = {**os.environ, "FSMCHECK_CACHE_DIR": str(folder / "cache")}
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=True, env=environment)
    seconds, memory = map(float, done.stdout.split())
    return Cost(seconds, memory)


def growth(folder: Path) -> None:
    print("| states | processor time, s | times as many states | times as long | ratio | MB |")
    print("|---:|---:|---:|---:|---:|---:|")
    before: tuple[int, float] | None = None
    for size in SIZES:
        name = f"{size}.yaml"
        (folder / name).write_text(spec(size), encoding="utf-8")
        used = cost([name, "--no-cache"], folder)
        grown = ("-", "-", "-")
        if before is not None:
            states, seconds = size / before[0], used.seconds / before[1]
            grown = (f"{states:.1f}", f"{seconds:.2f}", f"{seconds / states:.2f}")
        print(f"| {size} | {used.seconds:.1f} | {' | '.join(grown)} | {used.memory:.0f} |", flush=True)
        before = (size, used.seconds)


def edited(folder: Path) -> None:
    path, cache, kept = folder / "edited.yaml", folder / "cache", folder / "kept"
    path.write_text(spec(1000), encoding="utf-8")
    cold = cost([path.name], folder)
    shutil.copytree(cache, kept)
    print("\n| 1,000 states | processor time, s | of the cold run |")
    print("|---|---:|---:|")
    print(f"| cold | {cold.seconds:.1f} | 1.00 |", flush=True)
    for what, (old, new) in EDITS.items():
        changed = spec(1000).replace(old, new, 1)
        assert changed != spec(1000) or not old
        path.write_text(changed, encoding="utf-8")
        runs = []
        for _ in range(AGAIN):
            shutil.rmtree(cache)
            shutil.copytree(kept, cache)
            runs.append(cost([path.name], folder).seconds)
        seconds = sorted(runs)[AGAIN // 2]
        print(f"| {what} | {seconds:.1f} | {seconds / cold.seconds:.2f} |", flush=True)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--edited", action="store_true")
    given = parser.parse_args()
    with tempfile.TemporaryDirectory() as name:
        growth(Path(name))
        if given.edited:
            edited(Path(name))


if __name__ == "__main__":
    main()
