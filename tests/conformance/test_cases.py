"""A divergence is written as a case that can be run again, and as a test for pytest."""

from __future__ import annotations

import ast
import json
import subprocess
import sys
from pathlib import Path

import pytest

from fsmcheck.cli.main import main
from fsmcheck.conformance.cases import pytest_file, suite_of
from fsmcheck.conformance.examine import examine, probe_jobs
from fsmcheck.conformance.repeat import must_conform

ROOT = Path(__file__).parents[2]
SPEC = str(ROOT / "specs" / "planner_executor.yaml")
MUTANT = [sys.executable, str(ROOT / "tests" / "conformance" / "mutants" / "reducer.py")]


@pytest.fixture(autouse=True)
def _path(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PYTHONPATH", str(ROOT))


def test_a_divergence_is_written_as_a_case_and_found_again(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    cases = tmp_path / "cases"
    first = ["conform", SPEC, "--no-probes", "--case-dir", str(cases), "--", *MUTANT, "exit-last"]
    assert main(first) == 1
    (*_, path) = sorted(cases.iterdir())
    (case,) = json.loads(path.read_text(encoding="utf-8"))["cases"]
    assert case["diverges"]["clause"] == "action-order"
    assert len(case["steps"]) == case["diverges"]["step"]
    for suite in (str(cases), str(path)):
        assert main(["conform", "--no-probes", "--suite", suite, "--", *MUTANT, "exit-last"]) == 1
        assert main(["conform", "--no-probes", "--suite", suite, "--", *MUTANT]) == 0
    assert "it breaks action-order: " in capsys.readouterr().out


def test_the_written_tests_fail_until_the_reducer_is_mended(tmp_path: Path) -> None:
    file = tmp_path / "test_divergences.py"
    run = ["conform", SPEC, "--no-probes", "--write-pytest", str(file), "--", *MUTANT]
    assert main(run) == 0
    assert not file.exists()
    assert main([*run, "exit-last"]) == 1
    pytest_run = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", str(file)]
    broken = subprocess.run(pytest_run, capture_output=True, text=True, cwd=tmp_path, check=False)
    assert broken.returncode == 1
    assert "it breaks action-order: " in broken.stdout
    text = file.read_text(encoding="utf-8")
    assert "'exit-last'" in text
    file.write_text(text.replace(", 'exit-last'", "").replace(",\n 'exit-last'", ""), encoding="utf-8")
    mended = subprocess.run(pytest_run, capture_output=True, text=True, cwd=tmp_path, check=False)
    assert mended.returncode == 0, mended.stdout


def test_inputs_that_should_be_refused_make_a_case() -> None:
    jobs = [job for job in probe_jobs(("gated",)) if job.clause == "inputs"]
    misses = examine([*MUTANT, "inputs-unchecked"], jobs).misses
    assert misses
    for miss in misses:
        must_conform(MUTANT, suite_of(miss))
        with pytest.raises(AssertionError, match="it breaks inputs"):
            must_conform([*MUTANT, "inputs-unchecked"], suite_of(miss))


def test_a_file_for_pytest_is_python_whatever_is_in_the_spec() -> None:
    found = examine([*MUTANT, "exit-last"], [job for job in probe_jobs(("gated",)) if job.clause == "action-order"])
    command = ["a'b", '"""', "\\", "c\nd"]
    named = {
        node.targets[0].id: node.value
        for node in ast.parse(pytest_file(found.misses, command, 0.5)).body
        if isinstance(node, ast.Assign) and isinstance(node.targets[0], ast.Name)
    }
    assert ast.literal_eval(named["COMMAND"]) == command
    assert ast.literal_eval(named["CASE_1"]) == suite_of(found.misses[0])


def test_what_is_repeated_has_to_be_a_suite() -> None:
    with pytest.raises(AssertionError, match="another shape"):
        must_conform(MUTANT, {"schema": "fsmcheck.suite/1"})
