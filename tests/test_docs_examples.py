"""Examples of the documentation that are no single command line: sessions, logs, mappings, tests for pytest."""

from __future__ import annotations

import os
import shlex
import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest

from fsmcheck.cli.main import main
from tests.test_docs_commands import blocks

pytest_plugins = ["pytester"]

ROOT = Path(__file__).parents[1]
MONITOR = ROOT / "docs" / "monitor.md"
SPEC = "specs/planner_executor.yaml"


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """What the page of production runs works on."""
    (tmp_path / "specs").mkdir()
    shutil.copy(ROOT / SPEC, tmp_path / "specs")
    for name in ("service.jsonl", "names.yaml"):
        shutil.copy(ROOT / "tests" / "data" / "monitor" / name, tmp_path)
    monkeypatch.chdir(tmp_path)
    return tmp_path


def sessions(page: Path) -> Iterator[tuple[list[str], list[str]]]:
    """The commands after a prompt, and what they are said to print."""
    for block in blocks(page):
        first, _, told = block.partition("\n")
        if first.startswith("$ fsmcheck "):
            yield shlex.split(first)[2:], told.splitlines()


def test_the_sessions_of_the_page_go_as_they_are_printed(folder: Path, capfd: pytest.CaptureFixture[str]) -> None:
    assert folder == Path.cwd()
    found = list(sessions(MONITOR))
    assert [arguments[0] for arguments, _ in found] == ["monitor", "replay"]
    for arguments, told in found:
        assert main(arguments) == 1
        printed = capfd.readouterr().out.splitlines()
        places = [printed.index(line) for line in told if line.strip() != "…"]
        assert places == sorted(places)
        if not any(line.strip() == "…" for line in told):
            assert printed == told


def test_the_log_of_the_page_is_one_of_an_honest_run(folder: Path, capfd: pytest.CaptureFixture[str]) -> None:
    (log,) = [block for block in blocks(MONITOR) if block.startswith('{"run"')]
    (folder / "log.jsonl").write_text(log.replace("{…}", "{}"), encoding="utf-8")
    assert main(["monitor", SPEC, "log.jsonl"]) == 0
    assert "5 events of 1 run: 0 departed, 1 ended, 0 open\n" in capfd.readouterr().out


def test_the_mapping_of_the_page_finds_what_it_names(folder: Path, capfd: pytest.CaptureFixture[str]) -> None:
    (mapping,) = blocks(MONITOR, "yaml")
    (folder / "mapping.yaml").write_text(mapping, encoding="utf-8")
    (folder / "log.jsonl").write_text(
        '{"trace": {"id": 1}, "type": "run_started", "inputs": {"objective": "x"}}\n'
        '{"trace": {"id": 1}, "type": "tokens", "count": 3}\n'
        '{"trace": {"id": 1}, "type": "agent_replied", "actor": {"name": "planner"}, "payload": {"plan": "p"},'
        ' "after": {"memory": {"plan": "q"}}}\n',
        encoding="utf-8",
    )
    assert main(["monitor", SPEC, "log.jsonl", "--mapping", "mapping.yaml"]) == 1
    assert 'store.plan should be "p" and is "q"' in capfd.readouterr().out


def test_the_test_for_an_own_reducer_runs(pytester: pytest.Pytester, monkeypatch: pytest.MonkeyPatch) -> None:
    (example,) = blocks(ROOT / "docs" / "pytest.md", "python")
    (pytester.path / "specs").mkdir()
    shutil.copy(ROOT / SPEC, pytester.path / "specs")
    monkeypatch.setenv("PYTHONPATH", os.pathsep.join((str(pytester.path), str(ROOT))))
    pytester.makepyfile(
        test_mine=example,
        mine="""
            from fsmcheck.reducer.protocol import Session, respond

            class Reducer:
                def load(self, spec, profile):
                    self.session, answer = respond(Session(), {"op": "load", "spec": spec, "profile": profile})
                    return answer

                def start(self, inputs):
                    self.session, answer = respond(self.session, {"op": "start", "inputs": inputs})
                    return answer

                def exchange(self, agent, writes):
                    request = {"op": "exchange", "agent": agent, "writes": writes}
                    self.session, answer = respond(self.session, request)
                    return answer
            """,
    )
    pytester.runpytest_subprocess("-q").assert_outcomes(passed=1)
