"""No report takes the place of what it is about."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from fsmcheck.cli.main import main

ROOT = Path(__file__).parents[2]


@pytest.fixture
def spec(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    (tmp_path / "specs").mkdir()
    (tmp_path / "specs" / "link.yaml").symlink_to("a.yaml")
    (tmp_path / "log.jsonl").write_text('{"run": 1, "event": "start", "inputs": {"objective": "x"}}\n')
    monkeypatch.chdir(tmp_path)
    return Path(shutil.copy(ROOT / "specs" / "planner_executor.yaml", "specs/a.yaml"))


@pytest.mark.parametrize(
    "arguments",
    [
        ["check", "specs", "--output", "specs/a.yaml"],
        ["check", "specs/a.yaml", "--report", "json=specs/link.yaml"],
        ["check", "specs", "--baseline", "specs/a.yaml", "--write-baseline"],
        ["check", "specs", "--report", "json=r", "--report", "sarif=r"],
        ["check", "specs", "--report", "json=r", "--output", "./r"],
        ["graph", "specs/a.yaml", "--output", "specs/a.yaml"],
        ["monitor", "specs/a.yaml", "log.jsonl", "--html", "specs/a.yaml"],
        ["monitor", "specs/a.yaml", "log.jsonl", "--coverage", "log.jsonl"],
        ["monitor", "specs/a.yaml", "log.jsonl", "--coverage", "r", "--html", "r"],
        ["conform", "specs", "--write-pytest", "specs/a.yaml", "--", "true"],
    ],
)
def test_a_file_that_is_read_is_not_written(
    arguments: list[str], spec: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    before = spec.read_bytes(), Path("log.jsonl").read_bytes()
    assert main(arguments) == 2
    assert "is read, or written already, and cannot be written as well" in capsys.readouterr().err
    assert (spec.read_bytes(), Path("log.jsonl").read_bytes()) == before
    assert not Path("r").exists()


@pytest.mark.parametrize("option", ["--output=known.json", "--report=sarif=known.json"])
@pytest.mark.parametrize("given", [["--baseline", "known.json"], ["--config", "named.toml"], []])
def test_the_baseline_and_the_configuration_are_read(
    option: str, given: list[str], spec: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    known = Path("known.json")
    known.write_text('{"schema": "fsmcheck.baseline/1", "findings": []}')
    Path("named.toml").write_text('baseline = "known.json"')
    Path("pyproject.toml").write_text('[tool.fsmcheck]\nbaseline = "known.json"\n')
    assert main(["check", str(spec), *given, option]) == 2
    assert "is read, or written already" in capsys.readouterr().err
    assert main(["check", str(spec), *given, option.replace("known.json", "named.toml")]) == (
        2 if "--config" in given else 0
    )
    assert main(["check", str(spec), option.replace("known.json", "pyproject.toml")]) == 2
    assert known.read_text() == '{"schema": "fsmcheck.baseline/1", "findings": []}'
    assert Path("pyproject.toml").read_text().startswith("[tool.fsmcheck]")


def test_what_is_added_to_is_written_again(spec: Path) -> None:
    monitor = ["monitor", str(spec), "log.jsonl", "--quiet", "--coverage", "seen.json"]
    assert main(monitor) == 0
    assert main([*monitor, "--add-coverage", "seen.json"]) == 0


def test_a_device_is_written_twice(spec: Path) -> None:
    arguments = ["check", str(spec), "--select", "FSM101", "--report", "json=/dev/null", "--output", "/dev/null"]
    assert main(arguments) == 0


def test_links_that_lead_to_each_other_are_told(spec: Path, capsys: pytest.CaptureFixture[str]) -> None:
    Path("here.yaml").symlink_to("there.yaml")
    Path("there.yaml").symlink_to("here.yaml")
    assert main(["check", "here.yaml", "--select", "FSM0"]) == 1
    assert "FSM001 unreadable-file: the file cannot be opened: too many levels of symbolic links" in (
        capsys.readouterr().out
    )
    for option in (["--output", "here.yaml"], ["--report", "json=here.yaml"]):
        assert main(["check", str(spec), "--select", "FSM101", *option]) == 3
        assert capsys.readouterr().err == 'fsmcheck: "here.yaml" cannot be written: Too many levels of symbolic links\n'
    assert Path("here.yaml").is_symlink()
