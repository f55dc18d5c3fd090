"""What is packed into the package is what the specs and the generator give now, and reducers can be put through it."""

from __future__ import annotations

import json
import sys
from pathlib import Path

import pytest

from fsmcheck.cli.main import main
from fsmcheck.conformance.shipped import ARCHIVE, contents, packed, shipped

ROOT = Path(__file__).parents[2]
MUTANT = [sys.executable, str(Path(__file__).parent / "mutants" / "reducer.py")]


@pytest.fixture(autouse=True)
def _path(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PYTHONPATH", str(ROOT))


def test_the_archive_is_current() -> None:
    """Proofs of what is impossible take longest to make again, and are compared for one folder only."""
    found = {name: _of(text) for name, text in shipped().items()}
    now = {name: _of(text) for name, text in contents(ROOT / "specs", proofs=False)}
    assert found == now, "run: python tests/conformance/pack_shipped.py"


def test_what_is_impossible_is_current() -> None:
    for name, text in contents(ROOT / "specs" / "faulty"):
        kind, _, rest = name.partition("/")
        assert shipped()[f"{kind}/faulty/{rest}"] == text, "run: python tests/conformance/pack_shipped.py"


def _of(text: str) -> object:
    """A spec; of a suite all but the coverage."""
    return {**json.loads(text), "coverage": None} if text.startswith("{") else text


def test_it_is_small_and_packing_is_reproducible() -> None:
    assert (ROOT / "fsmcheck" / "conformance" / ARCHIVE).stat().st_size < 100_000
    texts = {"specs/a.yaml": "fsm: {}\n", "suites/a-gated.json": "{}\n"}
    assert packed(texts) == packed(dict(texts))


def test_every_spec_has_a_suite_under_both_profiles() -> None:
    specs = [name.removeprefix("specs/").removesuffix(".yaml") for name in shipped() if name.startswith("specs/")]
    assert "planner_executor" in specs
    suites = {f"suites/{spec}-{profile}.json" for spec in specs for profile in ("gated", "eager")}
    assert suites == {name for name in shipped() if name.startswith("suites/")}


def test_they_are_unpacked_as_plain_json(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["suite", "--shipped", "--output", str(tmp_path)]) == 0
    assert capsys.readouterr().out.endswith(f"files written to {tmp_path}\n")
    suite = json.loads((tmp_path / "suites" / "planner_executor-gated.json").read_text(encoding="utf-8"))
    assert suite["document"]["initialState"] == "plan"
    assert not (tmp_path / "suites" / "planner_executor-eager.json").exists()
    assert (tmp_path / "specs" / "planner_executor.yaml").read_text(encoding="utf-8") == (
        ROOT / "specs" / "planner_executor.yaml"
    ).read_text(encoding="utf-8")


def test_a_reducer_is_put_through_them(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["conform", "--no-probes", "--shipped", "--", *MUTANT]) == 0
    assert main(["conform", "--no-probes", "--shipped", "--", *MUTANT, "exit-last"]) == 1
    assert "it breaks action-order: " in capsys.readouterr().out


@pytest.mark.parametrize("arguments", [[], ["--shipped"], ["--shipped", "--output", "there", "spec.yaml"]])
def test_wrong_command_lines(arguments: list[str]) -> None:
    assert main(["suite", *arguments]) == 2
