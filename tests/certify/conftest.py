from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from tests.certify.written import counters, write


@pytest.fixture(scope="session")
def proved(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("certificates")
    write(counters(), folder)
    return folder


@pytest.fixture
def folder(proved: Path, tmp_path: Path) -> Path:
    """A copy of certificates that are in order: by induction on the whole, by Spacer, and of a complete search."""
    return Path(shutil.copytree(proved, tmp_path / "certificates"))
