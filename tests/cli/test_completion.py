"""Completion: click's protocol as a shell speaks it, and bash itself."""

from __future__ import annotations

import os
import shlex
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from fsmcheck.cli.completion import SHELLS, VARIABLE
from fsmcheck.cli.main import main
from fsmcheck.report import formats
from fsmcheck.rules.catalogue import RULES

ROOT = Path(__file__).parents[2]


def completed(
    *words: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> list[tuple[str, str]]:
    """Kind and value of what zsh is offered for the last word."""
    monkeypatch.setenv(VARIABLE, "zsh_complete")
    monkeypatch.setenv("COMP_WORDS", shlex.join(["fsmcheck", *words]))
    monkeypatch.setenv("COMP_CWORD", str(len(words)))
    assert main([]) == 0
    lines = capsys.readouterr().out.splitlines()
    return list(zip(lines[::3], lines[1::3], strict=False))


@pytest.mark.parametrize(
    ("words", "expected"),
    [
        (("ch",), ["check"]),
        (("check", "--format", ""), list(formats.NAMES)),
        (("check", "--profile", "g"), ["gated"]),
        (("check", "--wat"), ["--watch"]),
        (("explain", "FSM40"), [rule.id for rule in RULES if rule.id.startswith("FSM40")]),
        (("explain", "re-f"), ["re-fires"]),
        (("check", "--select", ""), sorted({rule.id[:4] for rule in RULES})),
        (("check", "--select", "FSM108,fsm50"), [f"FSM108,FSM50{number}" for number in range(1, 6)]),
        (("check", "--ignore", "X"), []),
        (("chekc", "expl"), ["explain"]),
        (("completion", ""), list(SHELLS)),
        (("help", "re"), ["reducer", "replay"]),
    ],
)
def test_values_are_offered(
    words: tuple[str, ...], expected: list[str], monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    offered = completed(*words, monkeypatch=monkeypatch, capsys=capsys)
    assert [value for _, value in offered] == expected
    assert {kind for kind, _ in offered} <= {"plain"}


@pytest.mark.parametrize(
    ("words", "kind"),
    [
        (("check", "sp"), "file"),
        (("check", "--output", "o"), "file"),
        (("check", "--trace-dir", "t"), "dir"),
        (("graph", "sp"), "file"),
        (("simulate", "a.yaml", "--script", "r"), "file"),
        (("replay", "t", "--spec", "s"), "file"),
        (("suite", "s"), "file"),
        (("suite", "s", "--output", "o"), "dir"),
        (("conform", "s"), "file"),
        (("certify", "p"), "dir"),
    ],
)
def test_files_are_left_to_the_shell(
    words: tuple[str, ...], kind: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    assert completed(*words, monkeypatch=monkeypatch, capsys=capsys) == [(kind, words[-1])]


@pytest.mark.parametrize("shell", SHELLS)
def test_there_is_a_script_for_each_shell(shell: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["completion", shell]) == 0
    script = capsys.readouterr().out
    assert f"{VARIABLE}={shell}_complete" in script


def test_another_shell_is_a_usage_error(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["completion", "powershell"]) == 2
    assert "bash" in capsys.readouterr().err


@pytest.fixture
def path(tmp_path: Path) -> str:
    """A PATH with our program in front."""
    program = tmp_path / "fsmcheck"
    program.write_text(f'#!/bin/sh\nexec "{sys.executable}" -m fsmcheck "$@"\n')
    program.chmod(0o755)
    return f"{tmp_path}{os.pathsep}{os.environ['PATH']}"


@pytest.mark.skipif(shutil.which("bash") is None, reason="bash is not installed")
def test_bash_completes(path: str) -> None:
    """The words are put where bash itself puts them, and its completion function is called."""
    script = """
set -eu
eval "$(fsmcheck completion bash)"
ask() {
    COMP_WORDS=("$@") COMP_CWORD=$(($# - 1)) COMPREPLY=()
    "$(complete -p fsmcheck | sed 's/.*-F \\([^ ]*\\).*/\\1/')" fsmcheck
    echo "${COMPREPLY[*]:-}"
}
ask fsmcheck expl
ask fsmcheck check --select FSM108,FSM50
ask fsmcheck check --format s
"""
    done = subprocess.run(
        ["bash", "--noprofile", "--norc", "-c", script],
        env={**os.environ, "PATH": path, "PYTHONPATH": str(ROOT)},
        capture_output=True,
        text=True,
        check=False,
    )
    assert (done.returncode, done.stderr) == (0, "")
    rules = " ".join(f"FSM108,FSM50{number}" for number in range(1, 6))
    assert done.stdout.splitlines() == ["explain", rules, "sarif"]


@pytest.mark.skipif(shutil.which("fish") is None, reason="fish is not installed")
def test_fish_completes(path: str) -> None:
    script = 'fsmcheck completion fish | source; complete -C "fsmcheck check --profile "'
    environment = {**os.environ, "PATH": path, "PYTHONPATH": str(ROOT)}
    done = subprocess.run(["fish", "-c", script], env=environment, capture_output=True, text=True, check=False)
    assert sorted(done.stdout.split()) == ["both", "eager", "gated"], done.stderr


@pytest.mark.skipif(shutil.which("zsh") is None, reason="zsh is not installed")
def test_zsh_reads_the_script(path: str) -> None:
    script = 'autoload -U compinit; compinit -D; eval "$(fsmcheck completion zsh)"; echo $_comps[fsmcheck]'
    environment = {**os.environ, "PATH": path, "PYTHONPATH": str(ROOT)}
    done = subprocess.run(["zsh", "-f", "-c", script], env=environment, capture_output=True, text=True, check=False)
    assert done.stdout == "_fsmcheck_completion\n", done.stderr
