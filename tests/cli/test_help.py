"""Help as a newcomer reads it: every command has examples that run, and tells what its exit codes mean."""

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

from fsmcheck.cli import watch
from fsmcheck.cli.main import app, main
from fsmcheck.cli.manual_pages import PAGES, START

ROOT = Path(__file__).parents[2]
COMMANDS = app.list_commands(click.Context(app))
SCRIPT = 'objective="ship it"\nplanner plan="three steps" directive="the first"\nexecutor outcome=done result=fine\n'


def helped(name: str, capsys: pytest.CaptureFixture[str]) -> str:
    assert main([name, "--help"]) == 0
    return capsys.readouterr().out


@pytest.mark.parametrize("name", COMMANDS)
def test_every_command_has_examples_exit_codes_and_a_text_for_each_option(
    name: str, capsys: pytest.CaptureFixture[str]
) -> None:
    told = helped(name, capsys)
    assert "\nExamples:\n" in told
    assert all(f"    {example.line}\n" in told for example in PAGES[name].examples)
    codes = told.partition("\nExit codes:\n")[2].partition("\n\n")[0]
    assert re.findall(r"^  (\d)  ", codes, re.MULTILINE)[:1] == ["0"]
    command = app.get_command(click.Context(app), name)
    assert command is not None
    for parameter in command.params:
        if isinstance(parameter, click.Option):
            assert parameter.help, f"{name} {parameter.opts}"
            assert parameter.help.endswith("."), f"{name} {parameter.opts}"


@pytest.mark.parametrize("name", COMMANDS)
@pytest.mark.parametrize("width", [60, 80, 200])
def test_text_keeps_to_the_width_of_the_terminal_and_commands_stay_whole(
    name: str, width: int, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("COLUMNS", str(width))
    told = helped(name, capsys)
    lines = [line for line in told.splitlines() if line.strip() not in {each.line for each in PAGES[name].examples}]
    # What cannot be broken (the values of an option) may stand out.
    wide = [line for line in lines if len(line) > min(width, 100) and "[" not in line]
    assert wide == []


@pytest.mark.parametrize("name", COMMANDS)
def test_what_is_referred_to_is_there(name: str) -> None:
    for reference in PAGES[name].see:
        command, _, rest = reference.partition(" ")
        if command == "fsmcheck":
            words = rest.split()
            target = app.get_command(click.Context(app), words[0])
            assert target is not None, reference
            assert {*words[1:]} <= {option for each in target.params for option in each.opts}, reference
        else:
            assert (ROOT / reference).exists(), reference


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A git repository with a branch, and in it a spec that has a finding."""
    specs = tmp_path / "specs"
    specs.mkdir()
    text = (ROOT / "specs" / "faulty" / "outcome_not_consumed.yaml").read_text(encoding="utf-8")
    (specs / "loop.yaml").write_text(re.sub("name: outcome-not-consumed", "name: loop", text, count=1))
    (tmp_path / "run.txt").write_text(SCRIPT)
    (tmp_path / "runs.jsonl").write_text('{"run": "r1", "event": "start", "inputs": {"objective": "ship it"}}\n')
    monkeypatch.chdir(tmp_path)
    for arguments in (
        ["init", "--quiet", "--initial-branch=main"],
        ["add", "specs"],
        ["-c", "user.name=a", "-c", "user.email=a@localhost", "commit", "--quiet", "-m", "x"],
    ):
        subprocess.run(["git", *arguments], check=True)
    program = tmp_path / "bin" / "fsmcheck"
    program.parent.mkdir()
    program.write_text(f'#!/bin/sh\nexec "{sys.executable}" -m fsmcheck "$@"\n')
    program.chmod(0o755)
    monkeypatch.setenv("PATH", f"{program.parent}{os.pathsep}{os.environ['PATH']}")
    monkeypatch.setenv("PYTHONPATH", str(ROOT))
    monkeypatch.setenv("FSMCHECK_CACHE_DIR", str(tmp_path / "cache"))

    def sleep(_: float) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(watch, "time", type("Time", (), {**vars(time), "sleep": staticmethod(sleep)}))
    monkeypatch.setattr("builtins.input", lambda: "quit")
    return tmp_path


@pytest.mark.skipif(shutil.which("git") is None, reason="git is not installed")
@pytest.mark.parametrize("name", [*COMMANDS, ""])
def test_examples_run_as_they_are(name: str, folder: Path, capfdbinary: pytest.CaptureFixture[bytes]) -> None:
    for example in PAGES[name].examples if name else START:
        words = shlex.split(re.sub(r'^eval "\$\((.*)\)"$', r"\1", example.line).partition(" > ")[0])
        if "|" in words or words[1] == "lsp":
            code = subprocess.run(["bash", "-c", example.line], stdin=subprocess.DEVNULL, check=False).returncode
            words = words[words.index("|") + 1 :] if "|" in words else words
        else:
            code = main(words[1:])
        told = capfdbinary.readouterr()
        assert words[0] == "fsmcheck"
        page = PAGES.get(words[1])
        assert code == 0 or (code == 1 and page is not None and page.found is not None), (example.line, told.err)


@pytest.mark.parametrize("arguments", [["help"], ["help", "check"]])
def test_help_is_a_command_too(arguments: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    assert main(arguments) == 0
    told = capsys.readouterr().out
    assert main([*arguments[1:], "--help"]) == 0
    assert told.splitlines()[1:] == capsys.readouterr().out.splitlines()[1:]


def test_a_misspelt_command_gets_a_suggestion(capsys: pytest.CaptureFixture[str]) -> None:
    for arguments in (["chekc", "specs"], ["help", "chekc"]):
        assert main(arguments) == 2
        assert 'there is no command "chekc"; did you mean "check"?' in capsys.readouterr().err


def test_a_path_where_a_command_belongs_gets_one(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["specs"]) == 2
    assert 'did you mean "fsmcheck check specs"?' in capsys.readouterr().err
