"""Ask a solver, in a process of its own with limits."""

from __future__ import annotations

import json
import math
import subprocess
import sys
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path

from fsmcheck.certify.refusal import RefusalError
from fsmcheck.certify.script import Script

NAMES = ("z3", "cvc5")

BATCH = 500
"""Checks after which a certificate is given as much time again."""


@dataclass(frozen=True, slots=True)
class Solver:
    """A solver and the command that runs it (``child`` shows what is expected of one)."""

    name: str
    command: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Limits:
    """What a solver may use up for one certificate: seconds of wall time for each ``BATCH`` of its checks."""

    seconds: float = 120.0
    megabytes: int = 4096


def is_installed(name: str) -> bool:
    return find_spec(name) is not None


def solver(name: str) -> Solver:
    return Solver(name, (sys.executable, "-P", str(Path(__file__).with_name("child.py")), name))


def refute(asked: Solver, script: Script, limits: Limits) -> None:
    """Have a solver answer every check with unsat; ``RefusalError`` where it does anything else."""
    request = {"definitions": script.definitions, "checks": script.checks, "megabytes": limits.megabytes}
    seconds = limits.seconds * max(1, math.ceil(len(script.checks) / BATCH))
    try:
        done = subprocess.run(  # noqa: S603
            asked.command,
            input=json.dumps(request).encode(),
            capture_output=True,
            timeout=seconds,
            check=False,
            cwd=Path(__file__).parent,  # Z3 looks for its library in the current folder first
        )
    except subprocess.TimeoutExpired:
        raise RefusalError(f"{asked.name} did not answer within {seconds:g} s") from None
    except OSError as error:
        raise RefusalError(f"{asked.name} cannot be run: {error.strerror}") from None
    if done.returncode != 0:
        last = done.stderr.decode("utf-8", "replace").strip().rpartition("\n")[2]
        how = f"signal {-done.returncode}" if done.returncode < 0 else f"exit code {done.returncode}"
        raise RefusalError(f"{asked.name} ended with {how}{': ' if last else ''}{last[:200]}")
    for name, answer in zip(script.names, _answers(asked, done.stdout, len(script.names)), strict=True):
        if answer != "unsat":
            raise RefusalError(f"{asked.name} answers {answer[:200]!r} to {name}, not 'unsat'")


def _answers(asked: Solver, output: bytes, count: int) -> list[str]:
    try:
        document = json.loads(output)
    except (ValueError, RecursionError):
        document = None
    answers = document.get("answers") if isinstance(document, dict) else None
    if not isinstance(answers, list) or not all(isinstance(answer, str) for answer in answers):
        raise RefusalError(f"{asked.name} did not say what it found")
    if len(answers) != count:
        last = f", the last of them {answers[-1][:200]!r}" if answers else ""
        raise RefusalError(f"{asked.name} gave {len(answers)} answers to {count} checks{last}")
    return answers
