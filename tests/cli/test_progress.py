from __future__ import annotations

import io
from collections.abc import Iterator

import pytest

from fsmcheck.cli.progress import Progress


class Terminal(io.StringIO):
    encoding = "utf-8"

    def isatty(self) -> bool:
        return True


def clock(monkeypatch: pytest.MonkeyPatch, *moments: float) -> None:
    ticking: Iterator[float] = iter(moments)
    monkeypatch.setattr("fsmcheck.cli.progress.time.monotonic", lambda: next(ticking))


def test_quick_work_shows_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    terminal = Terminal()
    monkeypatch.setattr("sys.stderr", terminal)
    clock(monkeypatch, 0.0, 0.5, 1.9)
    progress = Progress()
    progress(1, 9, "FSM301")
    progress(2, 9, "FSM301")
    progress.close()
    assert terminal.getvalue() == ""


def test_slow_work_shows_a_line_that_is_erased(monkeypatch: pytest.MonkeyPatch) -> None:
    terminal = Terminal()
    monkeypatch.setattr("sys.stderr", terminal)
    clock(monkeypatch, 0.0, 2.5, 2.51, 2.7)
    progress = Progress()
    for done in (1, 2, 3):
        progress(done, 9, "FSM301\x1b[2J")
    progress.close()
    shown = [part for part in terminal.getvalue().split("\r\x1b[K") if part]
    assert shown == ["[#...........] 1 of 9 FSM301\\x1b[2J", "[####........] 3 of 9 FSM301\\x1b[2J"]
    assert terminal.getvalue().endswith("\r\x1b[K")


def test_nothing_is_shown_where_nobody_looks(monkeypatch: pytest.MonkeyPatch) -> None:
    for stream in (io.StringIO(), None):
        monkeypatch.setattr("sys.stderr", stream)
        clock(monkeypatch, 0.0, 5.0)
        progress = Progress()
        progress(1, 2)
        progress.close()
        assert stream is None or stream.getvalue() == ""
