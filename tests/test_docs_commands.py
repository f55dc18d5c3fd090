"""Every command line and every example of a configuration in the documentation works as it is written."""

from __future__ import annotations

import os
import re
import shlex
import shutil
import subprocess
import sys
import time
from pathlib import Path

import click
import pytest

from fsmcheck import config
from fsmcheck.cli import watch
from fsmcheck.cli.main import app, main
from fsmcheck.source import SourceFile
from fsmcheck.suppress import allowances

ROOT = Path(__file__).parents[1]
PAGES = [ROOT / "README.md", ROOT / "CONTRIBUTING.md", ROOT / "CHANGELOG.md", *sorted((ROOT / "docs").glob("*.md"))]
BLOCK = re.compile(r"^```([a-z]*)\n(.*?)^```", re.DOTALL | re.MULTILINE)
SPAN = re.compile(r"`fsmcheck ([a-z]+)([^`]*)`")


def blocks(page: Path, language: str = "") -> list[str]:
    return [text for kind, text in BLOCK.findall(page.read_text(encoding="utf-8")) if kind == language]


def commands(page: Path) -> list[list[str]]:
    """The command lines of a page that stand in blocks of their own, without those that a generator runs."""
    lines = [line for block in blocks(page) for line in block.splitlines()]
    return [shlex.split(line, comments=True)[1:] for line in lines if line.startswith("fsmcheck ")]


@pytest.fixture
def repository(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A git repository with one spec in ``specs``, and a log of a run of it; ``node`` there is our own reducer."""
    (tmp_path / "specs").mkdir()
    (tmp_path / "service.jsonl").write_text('{"run": "r-1", "event": "start", "inputs": {"objective": "rest"}}\n')
    shutil.copy(ROOT / "specs" / "planner_executor.yaml", tmp_path / "specs")
    node = tmp_path / "bin" / "node"
    node.parent.mkdir()
    node.write_text(f'#!/bin/sh\nexec "{sys.executable}" -m fsmcheck reducer\n')
    node.chmod(0o755)
    monkeypatch.setenv("PATH", f"{node.parent}{os.pathsep}{os.environ['PATH']}")
    monkeypatch.setenv("PYTHONPATH", str(ROOT))
    monkeypatch.setenv("FSMCHECK_CACHE_DIR", str(tmp_path / "cache"))
    monkeypatch.chdir(tmp_path)
    for arguments in (
        ["init", "--quiet", "--initial-branch=main"],
        ["add", "specs"],
        ["-c", "user.name=a", "-c", "user.email=a@localhost", "commit", "--quiet", "-m", "x"],
    ):
        subprocess.run(["git", *arguments], check=True)

    def sleep(_: float) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(watch, "time", type("Time", (), {**vars(time), "sleep": staticmethod(sleep)}))
    return tmp_path


@pytest.mark.skipif(shutil.which("git") is None, reason="git is not installed")
@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.stem)
def test_command_lines_run_in_their_order(
    page: Path, repository: Path, capfdbinary: pytest.CaptureFixture[bytes]
) -> None:
    """The spec that is shipped has no error, so all end with 0."""
    for arguments in commands(page):
        assert main(arguments) == 0, (arguments, capfdbinary.readouterr().err)


def test_the_pages_have_command_lines() -> None:
    assert sum(len(commands(page)) for page in PAGES) > 6


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.stem)
def test_commands_and_options_that_are_named_exist(page: Path) -> None:
    for name, rest in SPAN.findall(page.read_text(encoding="utf-8")):
        command = app.get_command(click.Context(app), name)
        assert command is not None, f"fsmcheck {name}"
        own = rest.partition(" -- ")[0]
        known = {option for parameter in command.params for option in parameter.opts} | {"--help"}
        assert set(re.findall(r"--[a-z][a-z-]*", own)) <= known, f"fsmcheck {name}{rest}"


def test_the_configuration_of_the_page_is_read(tmp_path: Path) -> None:
    (text,) = blocks(ROOT / "docs" / "configuration.md", "toml")
    path = tmp_path / "pyproject.toml"
    path.write_text(text, encoding="utf-8")
    found = config.read(path)
    assert (found.select, found.profile, found.timeout) == (("FSM1", "FSM4"), "both", 5.0)


@pytest.mark.parametrize(("page", "count"), [("docs/configuration.md", 2), ("README.md", 1)])
def test_comments_that_allow_something_are_understood(page: str, count: int) -> None:
    allowing = [text for text in blocks(ROOT / page, "yaml") if "# fsmcheck:" in text]
    found = [allowances(SourceFile("a.yaml", text)) for text in allowing]
    assert sum(len(allowed) for allowed, _ in found) == count
    assert [wrong for _, wrong in found if wrong] == []


def test_the_script_of_the_formats_page_runs(repository: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (script,) = [text for text in blocks(ROOT / "docs" / "formats.md") if text.startswith("objective=")]
    Path("run.txt").write_text(script, encoding="utf-8")
    assert main(["simulate", "specs/planner_executor.yaml", "--script", "run.txt"]) == 0
    assert "done" in capsys.readouterr().out
