"""``python -m tests.mutants [PART OF NAME…]``: which test notices which seeded fault; exit code 1 where none does.

Each fault is applied to a copy of the tree in a temporary folder.
"""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
import tempfile
import time
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path

from tests.mutants.catalogue import MUTANTS, Mutant

ROOT = Path(__file__).parents[2]
COPIED = ("bench", "fsmcheck", "tests", "specs", "pyproject.toml")
POOL = 2
PATIENCE = 240
EVERYWHERE = (
    ("tests/test_shipped_specs.py", "-k", "own or posed"),
    ("tests/oracle/test_quick.py",),
)
"""Run in this order where the tests that a mutant names do not notice it."""
NOTICED = re.compile(r"^(?:FAILED|ERROR) (\S+)", re.MULTILINE)


@dataclass(frozen=True, slots=True)
class Outcome:
    """``by`` is the first test that failed, None where all passed."""

    mutant: Mutant
    by: str | None
    seconds: float


def applied(mutant: Mutant, text: str) -> str:
    """The source with the fault. Raises ``ValueError`` where the text to replace is not there exactly once."""
    if text.count(mutant.old) != 1:
        raise ValueError(f"{mutant.file} has {text.count(mutant.old)} times what {mutant.name!r} replaces")
    return text.replace(mutant.old, mutant.new)


def _tree(mutant: Mutant | None, folder: Path) -> None:
    for name in COPIED:
        source = ROOT / name
        if source.is_dir():
            shutil.copytree(source, folder / name, ignore=shutil.ignore_patterns("__pycache__"))
        else:
            shutil.copy(source, folder / name)
    if mutant is not None:
        place = folder / mutant.file
        place.write_text(applied(mutant, place.read_text(encoding="utf-8")), encoding="utf-8")


def _first_failure(folder: Path, arguments: tuple[str, ...]) -> str | None:
    """The test that fails, None where all pass. One that takes too long has noticed something too."""
    command = [sys.executable, "-m", "pytest", "-x", "-q", "-p", "no:cacheprovider", "--hypothesis-seed=1"]
    environment = {**os.environ, "PYTHONPATH": str(folder), "PYTHONHASHSEED": "0"}
    try:
        done = subprocess.run(
            [*command, *arguments], cwd=folder, env=environment, capture_output=True, text=True, timeout=PATIENCE,
            check=False,
        )  # fmt: skip
    except subprocess.TimeoutExpired:
        return f"{arguments[0]} (no end)"
    if done.returncode == 0:
        return None
    found = NOTICED.search(done.stdout)
    return found[1] if found else f"{arguments[0]} (exit code {done.returncode})"


def run(mutant: Mutant | None) -> Outcome | None:
    """Apply a mutant and run tests until one notices. Without a mutant: None where every test passes."""
    began = time.monotonic()
    with tempfile.TemporaryDirectory(prefix="mutant-") as name:
        folder = Path(name)
        _tree(mutant, folder)
        if mutant is None:
            every = sorted({test for each in MUTANTS for test in each.tests})
            by = next(filter(None, (_first_failure(folder, tests) for tests in ((*every,), *EVERYWHERE))), None)
            return None if by is None else Outcome(Mutant("no fault at all", "", "", "", ()), by, 0.0)
        stages = ((mutant.tests,) if mutant.tests else ()) + EVERYWHERE
        by = next(filter(None, (_first_failure(folder, stage) for stage in stages)), None)
        return Outcome(mutant, by, time.monotonic() - began)


def main(arguments: list[str]) -> int:
    """Exit code 0 where every fault is noticed, and nothing is noticed where there is none."""
    chosen = [mutant for mutant in MUTANTS if not arguments or any(part in mutant.name for part in arguments)]
    sound = None if arguments else run(None)
    if sound is not None:
        sys.stdout.write(f"without any fault {sound.by} fails: mend that first\n")
        return 2
    survivors = 0
    with ThreadPoolExecutor(POOL) as pool:
        for number, outcome in enumerate(pool.map(run, chosen), 1):
            assert outcome is not None
            survivors += outcome.by is None
            caught = outcome.by or "NOBODY"
            sys.stdout.write(f"{number:3} {outcome.mutant.name:76} {outcome.seconds:5.0f} s  {caught}\n")
            sys.stdout.flush()
    sys.stdout.write(f"{len(chosen)} seeded faults, {survivors} not noticed\n")
    return 1 if survivors else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
