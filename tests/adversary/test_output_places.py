"""Where a report is written to: what is no plain file is written to, never replaced."""

from __future__ import annotations

import os
from pathlib import Path
from threading import Thread

import pytest

from fsmcheck.cli.output import UndeliveredError, write_file


def test_a_symbolic_link_stays_and_what_it_points_to_is_written(tmp_path: Path) -> None:
    target, link = tmp_path / "target", tmp_path / "link"
    target.write_text("old", encoding="utf-8")
    link.symlink_to(target)
    write_file(link, "new")
    assert link.is_symlink()
    assert target.read_text(encoding="utf-8") == "new"


def test_a_pipe_stays_a_pipe(tmp_path: Path) -> None:
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    read: list[str] = []
    reader = Thread(target=lambda: read.append(pipe.read_text(encoding="utf-8")), daemon=True)
    reader.start()
    write_file(pipe, "report")
    reader.join(timeout=10)
    assert read == ["report"]
    assert pipe.is_fifo()


def test_a_folder_is_no_place_for_a_report(tmp_path: Path) -> None:
    with pytest.raises(UndeliveredError):
        write_file(tmp_path, "report")
