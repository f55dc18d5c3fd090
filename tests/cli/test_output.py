from __future__ import annotations

import io
import signal
import stat
import subprocess
import sys
from pathlib import Path
from threading import Thread

import pytest

from fsmcheck.cli.output import UndeliveredError, complain, emit, emit_utf8, wants_colour, write_file


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


@pytest.mark.parametrize(
    ("environment", "terminal", "colour"),
    [
        ({}, False, False),
        ({}, True, True),
        ({"TERM": "dumb"}, True, False),
        ({"NO_COLOR": "1"}, True, False),
        ({"NO_COLOR": ""}, True, True),
        ({"FORCE_COLOR": "1"}, False, True),
        ({"FORCE_COLOR": "0"}, False, False),
        ({"NO_COLOR": "1", "FORCE_COLOR": "1"}, True, False),
    ],
)
def test_when_there_is_colour(
    environment: dict[str, str], terminal: bool, colour: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("NO_COLOR", "FORCE_COLOR", "TERM"):
        monkeypatch.delenv(name, raising=False)
    for name, value in environment.items():
        monkeypatch.setenv(name, value)
    assert wants_colour(Terminal() if terminal else io.StringIO()) is colour


def test_a_console_that_cannot_take_a_character_gets_its_escape(monkeypatch: pytest.MonkeyPatch) -> None:
    raw = io.BytesIO()
    monkeypatch.setattr("sys.stdout", io.TextIOWrapper(raw, encoding="ascii"))
    emit("a → b\n")
    emit_utf8("a → b\n")
    assert raw.getvalue() == b"a \\u2192 b\na \xe2\x86\x92 b\n"


def test_a_closed_standard_output_is_a_failure(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sys.stdout", None)
    for write in (emit, emit_utf8):
        with pytest.raises(UndeliveredError, match="closed"):
            write("x")


def test_a_message_is_made_safe(capsys: pytest.CaptureFixture[str]) -> None:
    complain("bad \x1b[2J\u202e")
    assert capsys.readouterr().err == "fsmcheck: bad \\x1b[2J\\u202e\n"


def test_a_file_is_replaced_in_one_step_and_keeps_its_mode(tmp_path: Path) -> None:
    path = tmp_path / "report.json"
    path.write_text("old", encoding="utf-8")
    path.chmod(0o640)
    write_file(path, "new → \ud800\n")
    assert path.read_text(encoding="utf-8") == "new → \\ud800\n"
    assert stat.S_IMODE(path.stat().st_mode) == 0o640
    assert [path.name for path in tmp_path.iterdir()] == ["report.json"]


def test_a_file_that_cannot_be_written_is_a_failure_and_leaves_nothing(tmp_path: Path) -> None:
    (tmp_path / "taken").mkdir()
    with pytest.raises(UndeliveredError, match="cannot be written"):
        write_file(tmp_path / "taken", "x")
    with pytest.raises(UndeliveredError, match="cannot be written"):
        write_file(tmp_path / "missing" / "report.json", "x")
    assert [path.name for path in tmp_path.iterdir()] == ["taken"]


@pytest.mark.parametrize("encoding", ["utf-8", "utf-16", "ascii"])
def test_pieces_are_delivered_as_one_text(encoding: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    pieces = [f"{number} → " for number in range(20_000)]
    raw = io.BytesIO()
    monkeypatch.setattr("sys.stdout", io.TextIOWrapper(raw, encoding=encoding))
    emit(iter(pieces))
    expected = "".join(pieces).replace("→", "\\u2192" if encoding == "ascii" else "→")
    assert raw.getvalue().decode(encoding) == expected
    write_file(tmp_path / "a", iter(pieces))
    assert (tmp_path / "a").read_text(encoding="utf-8") == "".join(pieces)


TERMINATED = """
import os, signal, sys
from pathlib import Path
from fsmcheck.cli.output import write_file

def pieces():
    yield "a" * 100_000
    os.kill(os.getpid(), int(sys.argv[2]))
    yield "b"

signal.signal(signal.SIGINT, signal.SIG_DFL)  # as after a first one
write_file(Path(sys.argv[1]), pieces())
"""


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT, signal.SIGHUP])
def test_nothing_half_written_is_left_by_a_termination(number: int, tmp_path: Path) -> None:
    file = tmp_path / "report.json"
    file.write_text("before")
    command = [sys.executable, "-c", TERMINATED, str(file), str(int(number))]
    done = subprocess.run(command, capture_output=True, timeout=60, check=False)
    assert (done.returncode, done.stderr) == (-number, b"")
    assert [(each.name, each.read_text()) for each in tmp_path.iterdir()] == [("report.json", "before")]


def test_a_thread_may_write_a_file(tmp_path: Path) -> None:
    before = signal.getsignal(signal.SIGTERM)
    thread = Thread(target=write_file, args=(tmp_path / "out", "text"))
    thread.start()
    thread.join()
    assert (tmp_path / "out").read_text() == "text"
    write_file(tmp_path / "out", "again")
    assert signal.getsignal(signal.SIGTERM) == before
