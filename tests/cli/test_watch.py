"""``check --watch``: as a process that is given changes and, at the end, an interrupt."""

from __future__ import annotations

import os
import pty
import re
import select
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from queue import Empty, Queue

import pytest

from fsmcheck.cli import watch
from fsmcheck.cli.lost import LostSpecsError
from fsmcheck.cli.main import main
from fsmcheck.cli.watched import Watched, configuration_files
from fsmcheck.results import LOST_SPEC, Notice
from tests.report.sample import report

ROOT = Path(__file__).parents[2]
FINE = "fsm:\n  name: m\n  initialState: a\n  states:\n    a: { terminal: true }\n"
FAULTY = FINE + "    b: { terminal: true }\n"
COMMAND = [sys.executable, "-m", "fsmcheck", "check", "--watch", "--select", "FSM0,FSM201"]
PATIENCE = 30


class Watching:
    """A process that watches, and what it says, line by line."""

    def __init__(self, process: subprocess.Popen[str]) -> None:
        self.process = process
        self.lines: Queue[str] = Queue()
        assert process.stdout is not None
        threading.Thread(target=self._read, args=(process.stdout,), daemon=True).start()

    def _read(self, stream: Iterator[str]) -> None:
        for line in stream:
            self.lines.put(line.rstrip("\n"))

    def until_idle(self) -> str:
        """What it says until it waits again."""
        told: list[str] = []
        deadline = time.monotonic() + PATIENCE
        while time.monotonic() < deadline:
            try:
                told.append(self.lines.get(timeout=deadline - time.monotonic()))
            except (Empty, ValueError):
                break
            if "Ctrl-C ends" in told[-1]:
                return "\n".join(told)
        raise AssertionError(f"it does not wait, but said {told}")

    def interrupted(self) -> int:
        self.process.send_signal(signal.SIGINT)
        return self.process.wait(timeout=PATIENCE)


@contextmanager
def watching(folder: Path, *arguments: str, isolated: bool = True) -> Iterator[Watching]:
    process = subprocess.Popen(
        [*COMMAND, *arguments, *(["--isolated"] if isolated else [])],
        cwd=folder,
        env={**os.environ, "PYTHONPATH": str(ROOT), "NO_COLOR": "1", "PYTHONUNBUFFERED": "1"},
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
    )
    try:
        yield Watching(process)
    finally:
        process.kill()
        process.wait()
        assert process.stdout is not None
        process.stdout.close()


def test_changes_of_a_folder_are_checked_until_an_interrupt(tmp_path: Path) -> None:
    specs = tmp_path / "specs"
    specs.mkdir()
    (specs / "m.yaml").write_text(FAULTY)
    (specs / "other.yaml").write_text("a: 1\n")
    with watching(tmp_path, "specs") as process:
        told = process.until_idle()
        assert "specs/m.yaml:6:5: error FSM201" in told
        assert re.search(r"^\d\d:\d\d:\d\d watching 1 file, Ctrl-C ends$", told, re.MULTILINE)

        (specs / "m.yaml").write_text(FINE)
        told = process.until_idle()
        assert re.match(r"\d\d:\d\d:\d\d specs/m.yaml changed\n", told)
        assert "1 spec: no findings" in told
        assert "\x1b" not in told

        # As editors save: another file takes the name.
        (specs / ".m.yaml.swp").write_text(FAULTY)
        (specs / ".m.yaml.swp").rename(specs / "m.yaml")
        assert "error FSM201" in process.until_idle()

        (specs / "deep").mkdir()
        (specs / "deep" / "n.yaml").write_text(FINE.replace("name: m", "name: n"))
        told = process.until_idle()
        assert "specs/deep/n.yaml is new" in told
        assert "2 specs: 1 error" in told

        (specs / "m.yaml").unlink()
        told = process.until_idle()
        assert "specs/m.yaml is gone" in told
        assert "1 spec: no findings" in told
        assert process.interrupted() == 0


def test_a_half_written_and_a_vanished_file_are_told_and_waited_out(tmp_path: Path) -> None:
    path = tmp_path / "m.yaml"
    path.write_text(FINE)
    with watching(tmp_path, "m.yaml") as process:
        process.until_idle()
        path.write_text(FINE[:30] + "{ [")
        assert "error FSM001" in process.until_idle()
        path.unlink()
        assert 'there is no file or folder "m.yaml"' in process.until_idle()
        path.write_bytes(b"\xff\xfe\x00")
        assert "error FSM001" in process.until_idle()
        path.write_text(FAULTY)
        assert "error FSM201" in process.until_idle()
        assert process.interrupted() == 1


def test_a_configuration_that_is_half_written_is_told_and_waited_out(tmp_path: Path) -> None:
    (tmp_path / "m.yaml").write_text(FAULTY)
    config = tmp_path / ".fsmcheck.toml"
    config.write_text("ignore = ['FSM201']\n")
    with watching(tmp_path, "m.yaml", isolated=False) as process:
        assert "1 spec: no findings" in process.until_idle()
        config.write_text("ignore = ['FSM2")
        assert "not TOML" in process.until_idle()
        config.unlink()
        assert "error FSM201" in process.until_idle()
        assert process.interrupted() == 1


def test_on_a_terminal_the_screen_is_cleared_before_a_new_report(tmp_path: Path) -> None:
    path = tmp_path / "m.yaml"
    path.write_text(FAULTY)
    controller, terminal = pty.openpty()
    process = subprocess.Popen(
        [*COMMAND, "m.yaml"],
        cwd=tmp_path,
        env={**os.environ, "PYTHONPATH": str(ROOT), "NO_COLOR": "1"},
        stdin=terminal,
        stdout=terminal,
        stderr=terminal,
        start_new_session=True,
    )
    os.close(terminal)
    try:
        assert "\x1b[2J" not in _until(controller, "Ctrl-C ends")
        path.write_text(FINE)
        told = _until(controller, "Ctrl-C ends")
        assert told.index("\x1b[2J") < told.index("m.yaml changed") < told.index("no findings")
        process.send_signal(signal.SIGINT)
        assert process.wait(timeout=PATIENCE) == 0
    finally:
        process.kill()
        process.wait()
        os.close(controller)


def _until(controller: int, words: str) -> str:
    told = ""
    deadline = time.monotonic() + PATIENCE
    while words not in told and time.monotonic() < deadline:
        if select.select([controller], [], [], 0.5)[0]:
            told += os.read(controller, 100_000).decode("utf-8", "replace")
    assert words in told
    return told


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.mark.parametrize("arguments", [["-"], ["missing.yaml"], ["m.yaml", "--diff", "nope"]])
def test_a_command_line_that_is_wrong_from_the_start_ends_it(
    arguments: list[str], folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (folder / "m.yaml").write_text(FINE)
    assert main(["check", "--watch", *arguments]) == 2
    assert "watching" not in capsys.readouterr().err


def test_a_change_within_a_tick_of_the_clock_and_of_the_same_size_is_seen(folder: Path) -> None:
    path = folder / "m.yaml"
    path.write_text(FINE)
    status = path.stat()
    watched = Watched(["m.yaml"], [])
    first = watched.state()
    path.write_text(FINE.replace("name: m", "name: n"))
    os.utime(path, ns=(status.st_atime_ns, status.st_mtime_ns))
    assert watched.state() != first


def test_a_touch_is_no_change_and_an_old_file_is_not_read_again(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = folder / "m.yaml"
    path.write_text(FINE)
    os.utime(path, (1000, 1000))
    watched = Watched(["."], [])
    first = watched.state()
    os.utime(path, (2000, 2000))
    assert watched.state() == first
    monkeypatch.setattr(Watched, "_read", lambda *_, **__: pytest.fail("it was read again"))
    assert watched.state() == first


def test_a_file_becomes_a_spec_and_is_none_any_more(folder: Path) -> None:
    path = folder / "a.yml"
    path.write_text("a: 1\n")
    watched = Watched(["."], [])
    assert watched.state() == {}
    path.write_text(FINE)
    assert list(watched.state()) == ["a.yml"]
    path.unlink()
    path.mkdir()
    assert watched.state() == {}


def test_a_burst_of_changes_is_one(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Each glance at the folder sees one more change, four in all; only the last state is checked."""
    states = [{"m": "1"}, {"m": "2"}, {"m": "3", "n": "1"}, {"n": "1"}, {"n": "1"}]
    monkeypatch.setattr(watch.time, "sleep", lambda _: None)
    monkeypatch.setattr(Watched, "state", lambda _: states.pop(0))
    state, changes = watch._changed(Watched([], []), {"m": "1"})
    assert state == {"n": "1"}
    assert changes == ["n is new", "m is gone"]


def test_what_went_and_came_back_is_no_change(monkeypatch: pytest.MonkeyPatch) -> None:
    states = [{}, {"m": "1"}, {"m": "1"}, {"m": "2"}, {"m": "2"}]
    monkeypatch.setattr(watch.time, "sleep", lambda _: None)
    monkeypatch.setattr(Watched, "state", lambda _: states.pop(0))
    assert watch._changed(Watched([], []), {"m": "1"}) == ({"m": "2"}, ["m changed"])


def test_the_configuration_is_watched_before_it_exists(folder: Path) -> None:
    watched = Watched([], list(configuration_files(folder)))
    before = watched.state()
    (folder / ".fsmcheck.toml").write_text("")
    assert set(watched.state()) - set(before) == {".fsmcheck.toml"}


def test_a_failure_of_a_later_check_is_told_and_an_interrupt_keeps_the_last_result(
    folder: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    outcomes: list[int | BaseException] = [1, RuntimeError("broken"), 0, KeyboardInterrupt()]

    def check() -> int:
        outcome = outcomes.pop(0)
        if isinstance(outcome, BaseException):
            raise outcome
        return outcome

    monkeypatch.setattr(watch, "_changed", lambda _, state: (state, ["m.yaml changed"]))
    assert watch.watch(["m.yaml"], [], check) == 0
    assert "internal error: RuntimeError: broken" in capsys.readouterr().err
    assert signal.getsignal(signal.SIGINT) is signal.default_int_handler


def test_a_lost_spec_is_told_and_the_next_change_waited_for(
    folder: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    lost = LostSpecsError(report(notices=(Notice(LOST_SPEC, "nothing was decided of m.yaml"),)))
    outcomes: list[BaseException] = [lost, lost, KeyboardInterrupt()]

    def check() -> int:
        raise outcomes.pop(0)

    monkeypatch.setattr(watch, "_changed", lambda _, state: (state, ["m.yaml changed"]))
    assert watch.watch(["m.yaml"], [], check) == 3
    assert capsys.readouterr().err.count("fsmcheck: nothing was decided of m.yaml; nothing may be concluded\n") == 2


def test_an_interrupt_of_the_first_check_leaves_nothing_to_conclude(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    def check() -> int:
        raise KeyboardInterrupt

    assert watch.watch(["m.yaml"], [], check) == 3
    assert "interrupted, nothing may be concluded" in capsys.readouterr().err
