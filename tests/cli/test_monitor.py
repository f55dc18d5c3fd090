"""``fsmcheck monitor`` as it is used: on a log of a service, on a stream, in a pipe."""

from __future__ import annotations

import json
import os
import shutil
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest

from fsmcheck.cli.main import main

ROOT = Path(__file__).parents[2]
SPEC = str(ROOT / "specs" / "planner_executor.yaml")
FAULTY = str(ROOT / "specs" / "faulty" / "outcome_not_consumed.yaml")
LOG = str(ROOT / "tests" / "data" / "monitor" / "service.jsonl")
NAMES = str(ROOT / "tests" / "data" / "monitor" / "names.yaml")
START = {"run": "a", "event": "start", "inputs": {"objective": "o"}}
PLANNED = {"run": "a", "event": "exchange", "agent": "planner", "writes": {"plan": "p", "directive": "d"}}
GOOD = [START, PLANNED | {"state": "execute"}]
WRONG = [START, PLANNED | {"state": "plan"}]
STALE = [
    START,
    PLANNED,
    {"run": "a", "event": "exchange", "agent": "executor", "writes": {"result": "r", "outcome": "replan"}},
    {"run": "a", "event": "exchange", "agent": "planner", "writes": {"directive": "e"}},
    {"run": "a", "event": "exchange", "agent": "executor", "writes": {"result": "s"}, "state": "replan"},
]


def put(path: Path, events: list[dict[str, Any]]) -> str:
    path.write_text("".join(json.dumps(event) + "\n" for event in events), encoding="utf-8")
    return str(path)


def told(arguments: list[str], capfd: pytest.CaptureFixture[str]) -> tuple[int, str, str]:
    code = main(["monitor", *arguments])
    captured = capfd.readouterr()
    return code, captured.out, captured.err


def test_take_a_real_log_find_the_run_that_went_wrong_and_replay_it(
    tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    code, out, _ = told([SPEC, LOG, "--mapping", NAMES, "--write-trace", str(tmp_path / "wrong")], capfd)
    assert code == 1
    assert out.startswith(
        f'{LOG}:9: run "r-1042", step 2, 2026-03-02T08:01:03Z: departs from the spec: store.outcome should be ""'
        ' and is "replan"\n    it breaks emptying: '
    )
    assert "14 events of 3 runs: 1 departed, 2 ended, 1 open\n" in out
    (trace,) = (tmp_path / "wrong").iterdir()
    assert trace.name == "001-r-1042-emptying.json"
    assert main(["replay", str(trace), "--spec", SPEC]) == 1
    assert capfd.readouterr().out == f"{trace}: step 2, store.outcome: the trace says 'replan', the reducer ''\n"


def test_a_run_that_breaks_a_rule_is_kept_and_replays_to_the_same_story(
    tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    log = put(tmp_path / "log", STALE)
    code, out, _ = told([FAULTY, log, "--select", "FSM403", "--write-trace", str(tmp_path / "t")], capfd)
    assert code == 1
    assert f'{log}:5: run "a", step 4: breaks FSM403 (re-fires) at "execute", transition 1, "outcome"\n' in out
    story = 'so "execute" is left because of "outcome", an answer to an earlier visit'
    assert story in out
    (trace,) = (tmp_path / "t").iterdir()
    assert main(["replay", str(trace), "--spec", FAULTY]) == 0
    assert story in capfd.readouterr().out


def test_exit_codes(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    good, wrong, stale = (put(tmp_path / name, events) for name, events in (("g", GOOD), ("w", WRONG), ("s", STALE)))
    odd = tmp_path / "odd"
    odd.write_text("{bad\n" + json.dumps(START) + "\n")
    assert told([SPEC, good], capfd)[0] == 0
    assert told([SPEC, good, wrong], capfd)[0] == 1
    assert told([SPEC, str(odd)], capfd)[0] == 1
    assert told([SPEC, str(odd), "--lenient"], capfd)[0] == 0
    assert told([FAULTY, stale], capfd)[0] == 1
    assert told([FAULTY, stale, "--fail-on", "never"], capfd)[0] == 0
    assert told([FAULTY, stale, "--ignore", "FSM403"], capfd)[0] == 0  # FSM405 is a warning
    assert told([FAULTY, stale, "--ignore", "FSM403", "--fail-on", "warning"], capfd)[0] == 1
    for arguments in (
        [SPEC],
        [SPEC, str(tmp_path / "missing")],
        [SPEC, str(tmp_path)],
        [SPEC, good, "--map", "run"],
        [SPEC, good, "--map", "rnu=x"],
        [SPEC, good, "--mapping", good],
        [SPEC, good, "--mapping", str(tmp_path / "missing")],
        [SPEC, good, "--add-coverage", good],
        [str(tmp_path / "missing.yaml"), good],
    ):
        code, _, err = told(arguments, capfd)
        assert code == 2, arguments
        assert "Traceback" not in err


def test_json_is_an_object_a_line_and_the_summary_last(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    log = put(tmp_path / "log", [*WRONG, {"odd": 1}])
    code, out, _ = told([SPEC, log, "--format", "json"], capfd)
    lines = [json.loads(line) for line in out.splitlines()]
    assert code == 1
    assert [line["kind"] for line in lines] == ["departure", "complaint", "summary"]
    assert (lines[0]["file"], lines[0]["line"], lines[0]["run"], lines[0]["step"]) == (log, 2, "a", 1)
    assert (lines[0]["path"], lines[0]["expected"], lines[0]["logged"]) == ("state", "execute", "plan")
    assert lines[2]["schema"] == "fsmcheck.monitor/1"
    assert lines[2]["runs"]["departed"] == 1
    assert lines[2]["complaints"] == {"no-event": 1}


def test_quiet_and_fail_fast(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    log = put(tmp_path / "log", [*WRONG, *WRONG])
    assert told([SPEC, log, "--quiet"], capfd)[1].startswith("4 events of 2 runs: 2 departed")
    assert "\n2 events of 1 run: 1 departed" in told([SPEC, log, "--fail-fast"], capfd)[1]


def test_coverage_of_several_logs_adds_up(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    log, first, second = put(tmp_path / "log", GOOD), tmp_path / "1.json", tmp_path / "2.json"
    assert told([SPEC, log, "--coverage", str(first)], capfd)[0] == 0
    _, out, _ = told([SPEC, log, "--coverage", str(second), "--add-coverage", str(first), "--table"], capfd)
    assert "          2  plan → execute (0)\n" in out
    assert "          0  replan  ← never\n" in out
    data = json.loads(second.read_text())
    assert (data["schema"], data["events"], data["states"]["execute"]) == ("fsmcheck.coverage/1", 4, 2)


def test_the_page_shows_what_production_has_exercised(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    page = tmp_path / "page.html"
    assert told([SPEC, put(tmp_path / "log", GOOD), "--html", str(page)], capfd)[0] == 0
    text = page.read_text(encoding="utf-8")
    assert '"coverage":{"events":2,"states":[1,1,0,0,0,0],"transitions":[1,0,0,0,0,0,0]' in text


def started(*arguments: str, spec: str = SPEC) -> subprocess.Popen[bytes]:
    command = [sys.executable, "-m", "fsmcheck", "monitor", spec, *arguments]
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    return subprocess.Popen(
        command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE, env=environment, cwd=ROOT
    )


def send(process: subprocess.Popen[bytes], text: str) -> None:
    assert process.stdin is not None
    process.stdin.write(text.encode())
    process.stdin.flush()


@pytest.mark.parametrize(("number", "code"), [(signal.SIGINT, 1), (signal.SIGTERM, 0)])
def test_a_stream_is_told_of_as_it_comes_and_an_interrupt_ends_it_with_what_was_found(number: int, code: int) -> None:
    stream = started("-", *(["--lenient"] if code == 0 else []))
    assert stream.stdout is not None
    text = "".join(json.dumps(event) + "\n" for event in [*(WRONG if code else GOOD), {"odd": 1}])
    send(stream, text[: len(text) // 2])
    time.sleep(0.1)
    send(stream, text[len(text) // 2 :] + '{"run": "b", "ev')  # the rest is still to come
    line = b""
    while b"does not say what event" not in line:
        line = stream.stdout.readline()
        assert line
    stream.send_signal(number)
    out, err = stream.communicate(timeout=20)
    assert out.startswith(b"interrupted: this is what was read until then\n2 events of 1 run")
    assert (stream.returncode, err) == (code, b"")


@pytest.mark.skipif(shutil.which("bash") is None, reason="bash is not installed")
def test_nobody_reads_any_more(tmp_path: Path) -> None:
    log = put(tmp_path / "log", [*WRONG] * 3000)
    command = f'"{sys.executable}" -m fsmcheck monitor "{SPEC}" "{log}" | head -n 1'
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    done = subprocess.run(["bash", "-c", command], capture_output=True, env=environment, timeout=60, check=False)
    assert done.stdout.count(b"\n") == 1
    assert done.stderr == b""


def test_an_interrupt_in_a_file_is_no_verdict(tmp_path: Path) -> None:
    fifo = tmp_path / "fifo"
    os.mkfifo(fifo)
    process = started(str(fifo))
    with fifo.open("wb", buffering=0) as log:
        log.write("".join(json.dumps(event) + "\n" for event in [*GOOD, {"odd": 1}]).encode())
        assert process.stdout is not None
        assert b"does not say what event" in process.stdout.readline()
        process.send_signal(signal.SIGINT)
        out, err = process.communicate(timeout=20)
    assert out.startswith(b"interrupted: ")
    assert (process.returncode, err) == (3, b"fsmcheck: interrupted before the end of the log\n")
