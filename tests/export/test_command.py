"""``fsmcheck export`` and its page."""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from fsmcheck.cli.main import main
from tests.export.tla import read
from tests.peers.tools import nusmv, spin

ROOT = Path(__file__).parents[2]
BLOCK = re.compile(r"^```\n(.*?)^```", re.DOTALL | re.MULTILINE)


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    (tmp_path / "specs").mkdir()
    shutil.copy(ROOT / "specs" / "planner_executor.yaml", tmp_path / "specs")
    monkeypatch.chdir(tmp_path)
    return tmp_path


def said_by(tool: str) -> str:
    """What the first block of the page with a tool in it prints."""
    page = (ROOT / "docs" / "export.md").read_text(encoding="utf-8")
    block = next(block for block in BLOCK.findall(page) if f"\n{tool} " in block)
    own = f'fsmcheck() {{ PYTHONPATH="{ROOT}" "{sys.executable}" -m fsmcheck "$@"; }}\n'
    other = f'NuSMV() {{ "{nusmv()}" "$@"; }}\n'
    done = subprocess.run(["sh", "-ec", own + other + block], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return done.stdout


@pytest.mark.skipif(spin() is None, reason="SPIN is not installed")
def test_the_page_runs_spin(folder: Path) -> None:
    assert "errors: 0" in said_by("spin")


@pytest.mark.skipif(nusmv() is None, reason="NuSMV is not installed")
def test_the_page_runs_nusmv(folder: Path) -> None:
    said = said_by("NuSMV")
    assert "reachable states:" in said
    assert re.search(r"^-- specification AG .* is true$", said, re.MULTILINE)


def test_a_module_is_called_after_its_file_and_has_its_configuration(folder: Path) -> None:
    arguments = ["export", "specs/planner_executor.yaml", "--to", "tla", "--property", "FSM403", "--output", "loop.tla"]
    assert main(arguments) == 0
    text = Path("loop.tla").read_text(encoding="utf-8")
    assert text.splitlines()[0].strip("- ") == "MODULE loop"
    told = Path("loop.cfg").read_text(encoding="utf-8").splitlines()
    invariants = [line.split()[1] for line in told if line.startswith("INVARIANT")]
    assert told[:2] == ["SPECIFICATION Spec", "CHECK_DEADLOCK FALSE"]
    assert invariants == ["Types", *(f"ask_FSM403_execute_{n}_outcome" for n in range(3))]
    assert all(name in read(text).definitions for name in invariants)


def test_a_file_whose_name_is_no_module_is_told(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["export", "specs/planner_executor.yaml", "--to", "tla", "--output", "my loop.tla"]) == 0
    assert 'TLC wants the files to be called after the module, "my_loop"' in capsys.readouterr().err


@pytest.mark.parametrize("language", ["promela", "smv", "tla"])
def test_the_same_bytes_every_time(language: str, folder: Path, capsysbinary: pytest.CaptureFixture[bytes]) -> None:
    texts = []
    for _ in range(2):
        assert main(["export", "specs/planner_executor.yaml", "--to", language]) == 0
        texts.append(capsysbinary.readouterr().out)
    assert texts[0] == texts[1]
    assert str(folder).encode() not in texts[0]


@pytest.mark.parametrize(
    ("further", "message"),
    [
        (["--property", "FSM403@exekute"], 'nothing is asked at "FSM403@exekute" of this spec'),
        (["--property", "FSM204"], "a question of branching time that Promela cannot put; SMV can"),
        (["--property", "FSM403", "--machine-only"], "--machine-only and --property exclude each other"),
        (["--integers", "9999999999"], "can be at most"),
        (["--name", "other"], 'holds no spec named "other"'),
    ],
)
def test_what_cannot_be_written_is_told(
    further: list[str], message: str, folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["export", "specs/planner_executor.yaml", "--to", "promela", *further]) == 2
    assert message in capsys.readouterr().err


def test_a_spec_without_meaning_is_refused_where_it_is_wrong(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = folder / "specs" / "planner_executor.yaml"
    text = path.read_text(encoding="utf-8")
    path.write_text(text.replace("toState: finish", "toState: finnish"), encoding="utf-8")
    assert main(["export", "specs/planner_executor.yaml", "--to", "promela"]) == 2
    assert re.search(r'specs/planner_executor\.yaml:\d+:\d+: .*"finnish"', capsys.readouterr().err)
    assert main(["export", "specs/none.yaml", "--to", "promela"]) == 2


def test_a_guard_in_another_language_may_hold_or_not(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = folder / "specs" / "planner_executor.yaml"
    text = path.read_text(encoding="utf-8")
    path.write_text(text.replace("backend: cel", "backend: lua"), encoding="utf-8")
    assert main(["export", "specs/planner_executor.yaml", "--to", "promela", "--machine-only"]) == 0
    assert "guess" in capsys.readouterr().out


def test_a_model_does_not_take_the_place_of_its_spec(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    spec = folder / "own.yaml"
    text = (ROOT / "specs" / "planner_executor.yaml").read_text(encoding="utf-8")
    spec.write_text(text, encoding="utf-8")
    assert main(["export", str(spec), "--to", "smv", "--output", str(spec)]) == 2
    assert "cannot be written" in capsys.readouterr().err
    assert spec.read_text(encoding="utf-8") == text
