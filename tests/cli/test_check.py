"""``fsmcheck check`` from the outside of the checker: what it is asked, and what becomes of its report."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from types import ModuleType

import pytest

from fsmcheck.cache.place import user_folder
from fsmcheck.cli.main import main
from fsmcheck.diagnostics import Severity
from fsmcheck.options import Options
from fsmcheck.parallel import limits
from fsmcheck.results import Report
from fsmcheck.source import SourceFile
from fsmcheck.spec.files import UnreadableFileError
from tests.report.sample import consequence, finding, report

SPEC = "fsm:\n  name: a\n"


@dataclass
class Asked:
    """What the stand-in for the checker was asked, and what it will answer."""

    answer: Report | BaseException
    sources: Sequence[SourceFile | UnreadableFileError] = ()
    options: Options | None = None


@pytest.fixture
def asked(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Asked:
    asked = Asked(report(finding(story=("start",)), consequence()))

    def check(
        sources: Sequence[SourceFile | UnreadableFileError], options: Options, progress: Callable[..., None]
    ) -> Report:
        asked.sources, asked.options = tuple(sources), options
        progress(1, 2, "FSM403")
        if isinstance(asked.answer, BaseException):
            raise asked.answer
        return asked.answer

    module = ModuleType("fsmcheck.check")
    module.__dict__.update(check=check)
    monkeypatch.setitem(sys.modules, "fsmcheck.check", module)
    monkeypatch.delenv("FORCE_COLOR", raising=False)
    monkeypatch.chdir(tmp_path)
    (tmp_path / "a.yaml").write_text(SPEC, encoding="utf-8")
    return asked


def test_defaults(asked: Asked, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["check", "a.yaml"]) == 1
    assert asked.sources == (SourceFile("a.yaml", SPEC),)
    assert asked.options == Options(cache=user_folder())
    captured = capsys.readouterr()
    assert captured.out.startswith("specs/loop.yaml:5:11: error FSM403 re-fires: it goes round\n")
    assert captured.out.endswith("1 spec: 1 error, 1 warning; 1 proved, 1 violated, 1 unknown\n")
    assert captured.err == ""


def test_options_reach_the_checker(asked: Asked) -> None:
    arguments = ["--profile", "both", "--timeout", "2.5", "--jobs", "3"]
    rules = ["--select", "FSM1,fsm001", "--select", "FSM2", "--ignore", " FSM108 "]
    assert main(["check", "a.yaml", *arguments, *rules]) == 1
    assert asked.options == Options(
        profile="both", select=("FSM1", "FSM001", "FSM2"), ignore=("FSM108",), timeout=2.5, jobs=3, cache=user_folder()
    )


def test_as_many_processes_as_there_are_cores(asked: Asked, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("fsmcheck.cli.check.cores", limits.cores)
    monkeypatch.setattr("os.sched_getaffinity", lambda _process: {0, 3, 5})
    main(["check", "a.yaml", "--memory", "700"])
    assert asked.options == Options(jobs=3, memory=700, cache=user_folder())


@pytest.mark.parametrize("rules", ["FSM999", "403", "FSM10,X", ",", "refires"])
def test_a_rule_that_does_not_exist_is_a_usage_error(
    rules: str, asked: Asked, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["check", "a.yaml", "--select", rules]) == 2
    assert "--select" in capsys.readouterr().err
    assert asked.options is None


@pytest.mark.parametrize(
    ("severity", "arguments", "code"),
    [
        (Severity.ERROR, [], 1),
        (Severity.ERROR, ["--exit-zero"], 0),
        (Severity.WARNING, [], 0),
        (Severity.WARNING, ["--fail-on", "warning"], 1),
        (Severity.INFO, ["--fail-on", "warning"], 0),
        (Severity.INFO, ["--fail-on", "info"], 1),
    ],
)
def test_exit_codes(severity: Severity, arguments: list[str], code: int, asked: Asked) -> None:
    asked.answer = report(finding(severity=severity))
    assert main(["check", "a.yaml", *arguments]) == code


def test_a_suppressed_finding_does_not_fail(asked: Asked) -> None:
    asked.answer = report(finding(suppressed="inline"))
    assert main(["check", "a.yaml"]) == 0


def test_an_interrupted_report_is_exit_code_3_even_with_exit_zero(
    asked: Asked, capsys: pytest.CaptureFixture[str]
) -> None:
    asked.answer = report(interrupted=True)
    assert main(["check", "a.yaml", "--exit-zero"]) == 3
    assert "interrupted, nothing may be concluded" in capsys.readouterr().err


def test_a_crash_is_exit_code_3_even_with_exit_zero(asked: Asked, capsys: pytest.CaptureFixture[str]) -> None:
    asked.answer = RuntimeError("rule FSM403 crashed")
    assert main(["check", "a.yaml", "--exit-zero"]) == 3
    captured = capsys.readouterr()
    assert captured.out == ""
    assert "internal error: RuntimeError: rule FSM403 crashed" in captured.err


def test_json_goes_to_a_file_and_nothing_to_the_terminal(
    asked: Asked, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["check", "a.yaml", "--format", "json", "--output", "out.json"]) == 1
    assert json.loads((tmp_path / "out.json").read_text(encoding="utf-8"))["schema"] == "fsmcheck.report/1"
    assert capsys.readouterr().out == ""


def test_text_in_a_file_has_no_colour(asked: Asked, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("FORCE_COLOR", "1")
    monkeypatch.delenv("NO_COLOR", raising=False)
    main(["check", "a.yaml", "--output", "out.txt"])
    assert "\x1b" not in (tmp_path / "out.txt").read_text(encoding="utf-8")


def test_colour_can_be_forced(
    asked: Asked, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("FORCE_COLOR", "1")
    monkeypatch.delenv("NO_COLOR", raising=False)
    main(["check", "a.yaml"])
    assert "\x1b[1;31merror\x1b[0m" in capsys.readouterr().out


def test_a_folder_for_the_report_has_to_exist_before_anything_runs(
    asked: Asked, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["check", "a.yaml", "--output", "missing/out.txt"]) == 2
    assert "there is no folder" in capsys.readouterr().err
    assert asked.options is None


def test_traces_are_written(asked: Asked, tmp_path: Path) -> None:
    assert main(["check", "a.yaml", "--trace-dir", "traces"]) == 1
    assert [path.name for path in (tmp_path / "traces").iterdir()] == ["loop-gated-FSM403-work-0-verdict.json"]


def test_a_folder_that_cannot_be_made_is_exit_code_3(asked: Asked, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["check", "a.yaml", "--trace-dir", f"traces/{'x' * 300}"]) == 3
    assert "traces/xxx" in capsys.readouterr().err


def test_a_file_that_cannot_be_read_is_handed_on(asked: Asked, tmp_path: Path) -> None:
    (tmp_path / "latin.yaml").write_bytes(b"fsm:\n  name: caf\xe9\n")
    main(["check", "latin.yaml"])
    (source,) = asked.sources
    assert isinstance(source, UnreadableFileError)


def test_a_missing_path_is_a_usage_error(asked: Asked, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["check", "missing\x1b[2J.yaml"]) == 2
    told = capsys.readouterr().err
    assert 'there is no file or folder "missing\\x1b[2J.yaml"' in told
    assert asked.options is None


STAND_IN = """
import sys, time, types
from tests.report.sample import report, finding
module = types.ModuleType("fsmcheck.check")
def check(sources, options, progress):
    print("started", file=sys.stderr, flush=True)
    time.sleep({seconds})
    return report(*[finding()] * {findings})
module.check = check
sys.modules["fsmcheck.check"] = module
from fsmcheck.cli.entry import run
sys.argv = ["fsmcheck", "check", "a.yaml"]
run()
"""


def stand_in(tmp_path: Path, *, seconds: int, findings: int) -> subprocess.Popen[str]:
    root = str(Path(__file__).parents[2])
    (tmp_path / "a.yaml").write_text(SPEC, encoding="utf-8")
    return subprocess.Popen(
        [sys.executable, "-c", STAND_IN.format(seconds=seconds, findings=findings)],
        cwd=tmp_path,
        env={**os.environ, "PYTHONPATH": root},
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )


def test_an_interrupt_is_exit_code_3(tmp_path: Path) -> None:
    with stand_in(tmp_path, seconds=60, findings=0) as process:
        assert process.stderr is not None
        assert process.stderr.readline() == "started\n"
        time.sleep(0.1)
        process.send_signal(signal.SIGINT)
        out, err = process.communicate(timeout=30)
    assert (process.returncode, out) == (3, "")
    assert err.lstrip() == "fsmcheck: interrupted, nothing may be concluded\n"


def test_a_reader_that_goes_away_is_no_noise(tmp_path: Path) -> None:
    with stand_in(tmp_path, seconds=0, findings=5000) as process:
        assert process.stdout is not None
        assert process.stderr is not None
        process.stdout.readline()
        process.stdout.close()
        err = process.stderr.read()
        process.wait(timeout=30)
    assert (process.returncode, err) == (1, "started\n")


@pytest.mark.parametrize(
    ("arguments", "code"),
    [(["explain", "FSM403"], 0), (["rules"], 0), (["check", "a.yaml"], 1), (["check", "b.yaml"], 2)],
)
def test_a_closed_pipe_is_no_failure(arguments: list[str], code: int, tmp_path: Path) -> None:
    (tmp_path / "a.yaml").write_text(SPEC, encoding="utf-8")
    reading, writing = os.pipe()
    os.close(reading)
    done = subprocess.run(
        [sys.executable, "-m", "fsmcheck", *arguments],
        cwd=tmp_path,
        env={**os.environ, "PYTHONPATH": str(Path(__file__).parents[2])},
        stdout=writing,
        stderr=subprocess.PIPE,
        timeout=60,
        check=False,
    )
    os.close(writing)
    assert done.returncode == code
    assert (done.stderr == b"") == (code != 2)


@pytest.mark.parametrize("value", ["nan", "inf", "1e400", "0", "-1"])
def test_a_limit_is_a_finite_number_of_seconds(value: str, asked: Asked, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["check", ".", "--timeout", value]) == 2
    assert "--timeout" in capsys.readouterr().err
    assert asked.options is None


def test_what_is_no_name_of_a_file_is_a_usage_error(asked: Asked, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["check", "x" * 5000]) == 2
    assert capsys.readouterr().err.endswith('": File name too long\n')
    assert main(["check", "a\0b"]) == 2
    assert asked.options is None
