"""Tests of the cache hold whatever happens to the tool's files meanwhile."""

from __future__ import annotations

import pytest


@pytest.fixture(autouse=True)
def _unchanged(monkeypatch: pytest.MonkeyPatch) -> None:
    for module in ("fsmcheck.remembered", "fsmcheck.obligations.cache"):
        monkeypatch.setattr(f"{module}.is_unchanged", lambda: True)
