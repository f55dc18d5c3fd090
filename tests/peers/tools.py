"""SPIN and NuSMV on exported models, and TLA+ by an evaluator of our own (``tests/export/tla.py``)."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
from dataclasses import dataclass
from pathlib import Path

PATIENCE = 300
"""Seconds for one run of a tool."""

DEEP = 1_000_000
"""How deep SPIN may go: one step of its depth-first search is one of the machine."""


@dataclass(frozen=True, slots=True)
class Answer:
    """Configurations stored, and the questions (by identifier) that were answered by an event, or (NuSMV) by a
    specification that does not hold."""

    configurations: int
    found: frozenset[str]


def spin() -> str | None:
    """Where SPIN and a C compiler are; None where one is missing."""
    return shutil.which("spin") if shutil.which("gcc") else None


def nusmv() -> str | None:
    """Where NuSMV is: FSMCHECK_NUSMV, else on the path."""
    return os.environ.get("FSMCHECK_NUSMV") or shutil.which("NuSMV")


def ask_spin(text: str, folder: Path) -> Answer:
    """Search a model in Promela completely."""
    (folder / "model.pml").write_text(text, encoding="ascii")
    said = _run(["spin", "-a", "-o2", "model.pml"], folder)
    assert not said.strip(), said
    _run(["gcc", "-O0", "-w", "-DSAFETY", "-DNOREDUCE", "-o", "pan", "pan.c"], folder)
    said = _run(["./pan", "-c0", f"-m{DEEP}"], folder)
    stored = re.search(r"(\d+) states, stored", said)
    assert stored is not None, said
    assert "max search depth too small" not in said, said
    assert not re.search(r"invalid end state", said.partition("Full statespace")[0]), said
    found = frozenset(re.findall(r"assertion violated \(?(ask_\w+)", said))
    errors = re.search(r"errors: (\d+)", said)
    assert errors is not None, said
    assert bool(found) == bool(int(errors[1])), said
    return Answer(int(stored[1]), found)


def ask_nusmv(text: str, folder: Path, *, names: tuple[str, ...] = ()) -> Answer:
    """Search a model in SMV; ``names`` are the questions in the order in which the model puts those of CTL, then the
    invariants, which is that of the answers."""
    (folder / "model.smv").write_text(text, encoding="ascii")
    tool = nusmv()
    assert tool is not None
    said = _run([tool, "-dcx", "-r", "model.smv"], folder)
    reachable = re.search(r"^reachable states: (\S+)", said, re.MULTILINE)
    assert reachable is not None, said
    verdicts = re.findall(r"^-- (?:specification|invariant) .* is (true|false)$", said, re.MULTILINE)
    assert len(verdicts) == len(names), said
    found = frozenset(name for name, verdict in zip(names, verdicts, strict=True) if verdict == "false")
    return Answer(int(float(reachable[1])), found)


def _run(command: list[str], folder: Path) -> str:
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True, timeout=PATIENCE, check=False)
    assert done.returncode == 0, f"{command}: {done.stdout[-2000:]}{done.stderr[-2000:]}"
    return f"{done.stdout}{done.stderr}"
