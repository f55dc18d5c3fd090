"""What it brings to share one large spec: the figures of docs/scale.md. ``python bench/shared.py 200 1000``.

A number is that of the states of a spec of ``bench/large.py``; ``booleans-12-60`` and ``family-20-5-6-3`` are specs of
``bench/booleans.py`` and ``bench/family.py`` whose search is cut off. For each of them, by turns with one process and
with two: wall time, processor time of all processes, and that of the longest chain of processes that wait for each
other, which is about the wall time of a machine with nothing else to do.
"""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parent.parent
ROUNDS = 3
LIMIT = 30.0
"""Seconds of wall time after which a spec is not measured again."""

sys.path.insert(0, str(ROOT))

from bench import booleans, family, large  # noqa: E402


def measured(path: str, jobs: int) -> tuple[float, float, float]:
    """In a process that is used for nothing else: wall time, all processor time, that of the longest chain."""
    with tempfile.TemporaryFile("w+") as told:
        began, before = time.monotonic(), sum(os.times()[:4])
        _observe(told)
        from fsmcheck.check import check
        from fsmcheck.options import Options
        from fsmcheck.report import formats
        from fsmcheck.spec.files import read_source

        formats.render("json", check([read_source(path)], Options(jobs=jobs)))
        told.seek(0)
        chain = time.process_time() + sum(map(float, told.read().split()))
        return time.monotonic() - began, sum(os.times()[:4]) - before, chain


def _observe(told: Any) -> None:
    """Have the process of the unit tell of its own processor time while nobody else works on it, and of the longest
    one among those that share it."""
    from fsmcheck.parallel import child, sharers

    work, begin, end = child._work, sharers._Sharers.__init__, sharers._Sharers.end
    began: list[float] = []

    def working(*arguments: Any) -> None:
        work(*arguments)
        told.write(f"{time.process_time()} ")
        told.flush()

    def beginning(*arguments: Any) -> None:
        begin(*arguments)
        began.append(time.process_time())

    def ending(crew: Any) -> None:
        longest = max(_processor(sharer.number) for sharer in crew._sharers)
        told.write(f"{longest - time.process_time() + began.pop()} ")
        end(crew)

    child._work, sharers._Sharers.__init__, sharers._Sharers.end = working, beginning, ending


def _processor(number: int) -> float:
    fields = Path(f"/proc/{number}/stat").read_text(encoding="utf-8").rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def text_of(name: str) -> str:
    """The spec that a name stands for."""
    if name.isdigit():
        return large.spec(int(name))
    kind, *sizes = name.split("-")
    if kind == "booleans":
        return booleans.spec(int(sizes[0]), int(sizes[1]), counted=sizes[2:] == ["counted"])
    faulty = sizes[4:] == ["refires"]
    return family.family(family.Member(*map(int, sizes[:4]), faulty=faulty))


def main() -> None:
    """Print a table for the specs given."""
    sys.stdout.write(f"{'spec':26}jobs   wall  processor  chain  (seconds, the least of each)\n")
    for name in sys.argv[1:] or ("200", "1000"):
        with tempfile.NamedTemporaryFile("w", suffix=".yaml") as file:
            file.write(text_of(name))
            file.flush()
            runs: dict[int, list[tuple[float, ...]]] = {1: [], 2: []}
            while len(runs[1]) < ROUNDS and not (runs[1] and runs[1][-1][0] > LIMIT):
                for jobs, found in runs.items():
                    done = subprocess.run(
                        [sys.executable, __file__, "--one", file.name, str(jobs)],
                        capture_output=True,
                        text=True,
                        check=True,
                    )
                    found.append(tuple(map(float, done.stdout.split())))
            for jobs, found in runs.items():
                wall, processor, chain = (min(column) for column in zip(*found, strict=True))
                sys.stdout.write(f"{name:26}{jobs:4}{wall:7.2f}{processor:11.2f}{chain:7.2f}\n")
                sys.stdout.flush()


if __name__ == "__main__":
    if sys.argv[1:2] == ["--one"]:
        sys.stdout.write(" ".join(f"{figure:.3f}" for figure in measured(sys.argv[2], int(sys.argv[3]))))
    else:
        main()
