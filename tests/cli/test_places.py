"""What cannot be a place to write to is told before any work is done."""

from __future__ import annotations

from pathlib import Path

import pytest

from fsmcheck.cli.main import main

SPEC = str(Path(__file__).parents[2] / "specs" / "planner_executor.yaml")
FILES = [
    ["check", SPEC, "--output"],
    ["check", SPEC, "--write-baseline", "--baseline"],
    ["export", SPEC, "--to", "smv", "--output"],
    ["graph", SPEC, "--output"],
    ["monitor", SPEC, "log", "--coverage"],
    ["monitor", SPEC, "log", "--html"],
    ["schema", "--output"],
]
FOLDERS = [
    ["check", SPEC, "--trace-dir"],
    ["check", SPEC, "--certificates"],
    ["monitor", SPEC, "log", "--write-trace"],
    ["suite", SPEC, "--output"],
]
CONFORM = ["conform", SPEC, "--no-probes"]
AFTER = ["--", "false"]


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "log").write_text("")
    (tmp_path / "loop").symlink_to("loop")
    return tmp_path


@pytest.mark.parametrize(
    "arguments",
    [
        *([*command, place] for command in FILES for place in ("", "missing/file", "log/file")),
        *([*command, place] for command in FOLDERS for place in ("", "log", "log/below", "loop", "loop/a/b")),
        *([*CONFORM, option, place, *AFTER] for option in ("--trace-dir", "--case-dir") for place in ("", "log/below")),
        *([*CONFORM, "--write-pytest", place, *AFTER] for place in ("", "missing/file")),
    ],
)
def test_no_place(arguments: list[str], folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    before = sorted(folder.iterdir())
    assert main(arguments) == 2
    told = capsys.readouterr()
    assert told.out == ""
    assert "Usage: " in told.err
    assert sorted(folder.iterdir()) == before


def test_a_folder_is_made_with_those_above_it(folder: Path) -> None:
    assert main(["suite", SPEC, "--output", "a/b"]) == 0
    assert [path.suffix for path in (folder / "a" / "b").iterdir()] == [".json"]
