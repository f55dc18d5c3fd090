"""Standard input that is closed is told in words."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
SPEC = "specs/planner_executor.yaml"


@pytest.mark.parametrize(
    ("arguments", "code"),
    [("check -", 1), ("reducer", 3), (f"monitor {SPEC} -", 3), (f"simulate {SPEC}", 3), ("lsp", 3)],
)
def test_standard_input_that_is_closed_is_told(arguments: str, code: int) -> None:
    command = f'exec "{sys.executable}" -m fsmcheck {arguments} <&-'
    done = subprocess.run(["/bin/sh", "-c", command], cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.returncode == code, done
    assert "is closed" in done.stdout + done.stderr
    assert "internal" not in done.stderr
