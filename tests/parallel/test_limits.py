"""How much memory a process may take, and the messages between processes."""

from __future__ import annotations

import os
import threading
from pathlib import Path

import pytest

from fsmcheck.check import RuleCrashError
from fsmcheck.parallel import limits
from fsmcheck.parallel.child import LostError, portable
from fsmcheck.parallel.host import through_host
from fsmcheck.parallel.run import may_fork
from fsmcheck.parallel.wire import Inbox, receive, send


@pytest.mark.parametrize(
    ("total", "jobs", "asked", "megabytes"),
    [
        (64_000, 2, None, 4096),
        (8_000, 4, None, 1500),
        (1_000, 8, None, 256),
        (8_000, 4, 100, 100),
    ],
)
def test_memory_is_shared_by_the_processes(
    total: int, jobs: int, asked: int | None, megabytes: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(limits, "_memory", lambda: total * limits.MEGABYTE)
    assert limits.memory_for(jobs, asked) == megabytes * limits.MEGABYTE


def test_a_control_group_has_less_than_its_machine(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(limits, "_GROUP", tmp_path / "memory.max")
    whole = limits._memory()
    (tmp_path / "memory.max").write_text("max\n", encoding="ascii")
    assert limits._memory() == whole
    (tmp_path / "memory.max").write_text("1000000\n", encoding="ascii")
    assert limits._memory() == 1_000_000


def test_the_memory_of_a_process_is_seen() -> None:
    before = limits.resident(os.getpid())
    taken = bytearray(b"x" * 50_000_000)
    assert limits.resident(os.getpid()) - before > 40_000_000
    assert len(taken) == 50_000_000


def test_messages_come_whole_however_they_are_cut() -> None:
    reading, writing = os.pipe()
    messages = [{"n": number, "text": "x" * number * 40_000} for number in range(5)]
    sender = threading.Thread(target=lambda: ([send(writing, each) for each in messages], os.close(writing)))
    sender.start()
    inbox, found = Inbox(reading), []
    while not inbox.ended:
        found += inbox.read()
    sender.join()
    os.close(reading)
    assert found == messages


def test_a_message_that_is_cut_off_is_none(tmp_path: Path) -> None:
    with (tmp_path / "pipe").open("w+b") as file:
        send(file.fileno(), ["whole"])
        whole = file.tell() or os.fstat(file.fileno()).st_size
        send(file.fileno(), ["cut off"])
        file.truncate(whole + 12)
        file.seek(0)
        assert [receive(file), receive(file)] == [["whole"], None]


def test_errors_say_the_same_in_another_process() -> None:
    class LocalError(Exception):
        pass

    crash = portable(RuleCrashError("FSM403", ValueError("no")))
    assert isinstance(crash, RuleCrashError)
    assert str(crash) == "rule FSM403 failed: ValueError: no"
    local = portable(LocalError("mine"))
    assert isinstance(local, LostError)
    assert str(local) == "LocalError: mine"


def test_a_process_with_threads_does_not_fork(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(threading, "active_count", lambda: 2)
    assert not may_fork()


def test_an_error_in_a_process_apart_is_raised_here() -> None:
    from fsmcheck.options import Options
    from fsmcheck.parallel.unit import units
    from fsmcheck.spec.load import load
    from tests.parallel.scenario import PLAIN, fail

    with pytest.raises(RuleCrashError, match="rule FSM403 failed: ValueError: no"):
        through_host(fail, 1, 1 << 40, units(load(PLAIN), Options()))
