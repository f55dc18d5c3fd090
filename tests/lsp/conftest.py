"""One server for the tests that only ask: starting it costs more than any answer."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.lsp.editor import Editor, editor

SPECS = Path(__file__).parents[2] / "specs"


@pytest.fixture(scope="module")
def asked() -> Iterator[Editor]:
    with editor("--isolated") as session:
        yield session


@pytest.fixture
def loop() -> str:
    """The planner and executor, as shipped."""
    return (SPECS / "planner_executor.yaml").read_text(encoding="utf-8")
