from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import click
import pytest

import fsmcheck
from fsmcheck.cli import main as entry

HEAVY = ("z3", "networkx", "celpy", "yaml", "lark", "jsonschema")


def test_version(capsys: pytest.CaptureFixture[str]) -> None:
    assert entry.main(["--version"]) == 0
    assert capsys.readouterr().out == f"fsmcheck {fsmcheck.__version__}\n"


def test_help_names_every_command(capsys: pytest.CaptureFixture[str]) -> None:
    assert entry.main(["--help"]) == 0
    told = capsys.readouterr().out
    for name in ("check", "explain", "replay", "reducer", "rules", "schema", "simulate"):
        assert f"  {name} " in told


def test_no_command_is_a_usage_error(capsys: pytest.CaptureFixture[str]) -> None:
    assert entry.main([]) == 2
    assert "Usage: fsmcheck" in capsys.readouterr().err


@pytest.mark.parametrize(
    "arguments", [["chekc"], ["check"], ["check", "--fromat", "x"], ["check", ".", "--jobs", "0"], ["explain"]]
)
def test_a_wrong_command_line_is_exit_code_2_with_a_message(
    arguments: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    assert entry.main(arguments) == 2
    captured = capsys.readouterr()
    assert captured.out == ""
    assert "Usage: fsmcheck" in captured.err


@pytest.mark.parametrize(
    ("error", "message"),
    [
        (
            RuntimeError("a\nb \x1b[0m"),
            "fsmcheck: internal error: RuntimeError: a b \\x1b[0m; nothing may be concluded",
        ),
        (RecursionError(), "fsmcheck: internal error: RecursionError; nothing may be concluded"),
        (MemoryError(), "fsmcheck: the system gave no more memory; nothing may be concluded"),
        (
            FileExistsError(17, "File exists", "a\n/full"),
            'fsmcheck: "a\n/full": file exists; nothing may be concluded',
        ),
        (OSError(28, "No space left on device"), "fsmcheck: no space left on device; nothing may be concluded"),
        (KeyboardInterrupt(), "fsmcheck: interrupted, nothing may be concluded"),
        (click.Abort(), "fsmcheck: interrupted, nothing may be concluded"),
    ],
)
def test_a_failure_of_the_tool_is_exit_code_3_without_a_traceback(
    error: BaseException, message: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def fail(**_: object) -> None:
        raise error

    monkeypatch.delenv("FSMCHECK_DEBUG", raising=False)
    monkeypatch.setattr(entry.app, "main", fail)
    assert entry.main(["check", "."]) == 3
    assert capsys.readouterr().err == message + "\n"


def test_a_folder_that_was_removed_under_the_tool_is_named(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    gone = tmp_path / "gone"
    gone.mkdir()
    monkeypatch.chdir(gone)
    gone.rmdir()
    assert entry.main(["config"]) == 3
    told = "fsmcheck: the current folder: no such file or directory; nothing may be concluded\n"
    assert capsys.readouterr().err == told


def test_the_traceback_can_be_asked_for(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    def fail(**_: object) -> None:
        raise RuntimeError("broken")

    monkeypatch.setenv("FSMCHECK_DEBUG", "1")
    monkeypatch.setattr(entry.app, "main", fail)
    assert entry.main(["check", "."]) == 3
    assert "Traceback (most recent call last)" in capsys.readouterr().err


@pytest.mark.parametrize("arguments", [["--help"], ["--version"], ["check", "--help"], ["replay", "--help"]])
def test_help_and_version_import_nothing_heavy(arguments: list[str]) -> None:
    code = (
        "import sys\nfrom fsmcheck.cli.main import main\n"
        f"code = main({arguments!r})\n"
        f"heavy = [name for name in {HEAVY!r} if name in sys.modules]\n"
        "sys.exit(f'imported {heavy}' if heavy else code)\n"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr


def test_python_m_fsmcheck_is_the_same_program() -> None:
    done = subprocess.run([sys.executable, "-m", "fsmcheck", "--version"], capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout) == (0, f"fsmcheck {fsmcheck.__version__}\n")


def test_the_public_api_is_listed() -> None:
    assert set(fsmcheck.__all__) <= set(dir(fsmcheck))
    with pytest.raises(AttributeError, match="no attribute 'nonsense'"):
        fsmcheck.nonsense  # noqa: B018
