"""Only regular, bounded UTF-8 files are read, and whatever else there is has a message."""

from __future__ import annotations

import io
import os
import socket
import sys
from pathlib import Path

import pytest

from fsmcheck.spec.files import MOST_BYTES, UnreadableFileError, read_source
from fsmcheck.spec.load import load_path


def message_of(path: object) -> str:
    with pytest.raises(UnreadableFileError) as caught:
        read_source(str(path))
    assert caught.value.fault.rule == "FSM001"
    return caught.value.fault.message


def test_missing(tmp_path: Path) -> None:
    assert message_of(tmp_path / "none.yaml") == "there is no such file"
    assert message_of("nul\0byte") == "the path is not a valid file name"


def test_folder(tmp_path: Path) -> None:
    assert message_of(tmp_path) == "this is a folder, expected a regular file"


def test_pipe(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe")
    assert message_of(tmp_path / "pipe") == "this is a named pipe, expected a regular file"


@pytest.mark.skipif(not Path("/dev/zero").exists(), reason="no such device")
def test_device() -> None:
    assert message_of("/dev/zero") == "this is a device, expected a regular file"


def test_socket(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    with socket.socket(socket.AF_UNIX) as listener:
        listener.bind("s")
        assert "cannot be opened" in message_of("s") or "a socket" in message_of("s")


@pytest.mark.skipif(os.geteuid() == 0, reason="root may read everything")
def test_permission(tmp_path: Path) -> None:
    path = tmp_path / "secret.yaml"
    path.write_text("fsm: 1")
    path.chmod(0)
    assert message_of(path) == "the file cannot be opened: permission denied"


def test_link_loop(tmp_path: Path) -> None:
    (tmp_path / "loop").symlink_to(tmp_path / "loop")
    assert "cannot be opened" in message_of(tmp_path / "loop")


def test_size(tmp_path: Path) -> None:
    path = tmp_path / "big.yaml"
    path.write_bytes(b"#" * (MOST_BYTES + 1))
    assert "larger than 1000000 bytes" in message_of(path)
    path.write_bytes(b"#" * MOST_BYTES)
    assert len(read_source(str(path)).text) == MOST_BYTES


def test_byte_order_mark(tmp_path: Path) -> None:
    path = tmp_path / "bom.yaml"
    path.write_bytes(b"\xef\xbb\xbffsm: 1\r\n")
    assert read_source(str(path)).text == "fsm: 1\r\n"


def test_other_encodings(tmp_path: Path) -> None:
    path = tmp_path / "wide.yaml"
    path.write_bytes("fsm: é".encode("utf-16"))
    assert message_of(path) == "the file is UTF-16, expected UTF-8"


@pytest.mark.parametrize("bad", [b"\xff", b"\xc0\x80", b"\xed\xa0\x80", b"\xe2\x82", b"\xf4\x90\x80\x80"])
def test_bad_bytes_have_a_place(tmp_path: Path, bad: bytes) -> None:
    path = tmp_path / "latin.yaml"
    path.write_bytes("# é\nfsm: ".encode() + bad + b"\n")
    (document,) = load_path(str(path))
    assert document.faults[0].message == f"byte 0x{bad[0]:02X} is not UTF-8"
    assert document.source.position(document.faults[0].span.start) == (2, 6)


def test_standard_input(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO("fsm: é".encode())))
    source = read_source("-")
    assert (source.path, source.text) == ("<stdin>", "fsm: é")
