"""The arrows between the parts, and the size of each."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parent.parent
PACKAGE = ROOT / "fsmcheck"
MOST_LINES = 450
FORBIDDEN_NAMES = {"utils", "helpers", "common", "base", "misc"}


def test_imports_follow_the_layers() -> None:
    command = [sys.executable, "-c", "from importlinter.cli import lint_imports_command; lint_imports_command()"]
    done = subprocess.run([*command, "--no-cache"], cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr


def test_modules_stay_small_and_say_what_they_hold() -> None:
    for path in PACKAGE.rglob("*.py"):
        assert path.stem not in FORBIDDEN_NAMES, path
        assert len(path.read_text(encoding="utf-8").splitlines()) <= MOST_LINES, path
