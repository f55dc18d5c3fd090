"""``fsmcheck certify`` and ``check --certificates`` from the command line."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from fsmcheck.certify import solvers
from fsmcheck.cli.main import main
from tests.certify.written import PLANNER, manifests


def test_certificates_are_written_named_in_the_report_and_accepted(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    folder = tmp_path / "deep" / "certificates"
    assert main(["check", str(PLANNER), "--format", "json", "--certificates", str(folder)]) == 0
    report = json.loads(capsys.readouterr().out)
    named = {each["certificate"] for each in report["specs"][0]["obligations"] if "certificate" in each}
    assert named == {path.name for path in folder.glob("*.json")}
    assert main(["certify", str(folder), "--spec", str(PLANNER)]) == 0
    told = capsys.readouterr().out
    assert told.count(" checks by z3 and cvc5\n") == 1
    figures = "1 accepted, 2 of complete searches, which files alone cannot prove, 0 refused"
    assert told.endswith(f"certificates: {figures}\n")


def test_without_being_asked_nothing_is_certified(capsys: pytest.CaptureFixture[str]) -> None:
    main(["check", str(PLANNER), "--format", "json"])
    assert "certificate" not in capsys.readouterr().out


def test_a_refused_one_is_exit_code_1(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    manifests(folder, "induction")[0].with_suffix(".smt2").write_text("\x1b[2J")
    assert main(["certify", str(folder), "--solver", "z3"]) == 1
    told = capsys.readouterr().out
    assert "1 accepted" in told
    assert "1 refused" in told
    assert "\x1b" not in told


def test_another_spec_is_exit_code_1(folder: Path) -> None:
    assert main(["certify", str(folder), "--solver", "z3", "--spec", str(PLANNER)]) == 1


@pytest.mark.parametrize("arguments", [["nowhere"], ["."], [".", "--solver", "yices"], [".", "--timeout", "0"], []])
def test_usage_errors(arguments: list[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    assert main(["certify", *arguments]) == 2


def test_without_cvc5_only_z3_is_asked_and_that_is_said(
    folder: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(solvers, "is_installed", lambda name: name == "z3")
    assert main(["certify", str(folder)]) == 0
    captured = capsys.readouterr()
    assert "checks by z3\n" in captured.out
    assert "cvc5 is not installed (pip install 'fsmcheck[certify]'): only Z3 is asked" in captured.err
    assert main(["certify", str(folder), "--solver", "cvc5"]) == 2


def test_a_failure_of_the_tool_is_exit_code_3(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(*_: object) -> None:
        raise RuntimeError("broken")

    monkeypatch.setattr("fsmcheck.certify.verify.refute", broken)
    assert main(["certify", str(folder)]) == 3


def test_a_folder_that_cannot_be_made_is_a_usage_error(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "file").write_text("")
    assert main(["check", str(PLANNER), "--certificates", str(tmp_path / "file" / "below")]) == 2
    assert "is no folder" in capsys.readouterr().err


def test_nothing_half_written_is_left_behind(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(_self: Path, _target: Path) -> Path:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(Path, "replace", full)
    assert main(["check", str(PLANNER), "--certificates", str(tmp_path)]) == 3
    assert list(tmp_path.iterdir()) == []
