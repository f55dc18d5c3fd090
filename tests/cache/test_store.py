"""The store on disk: whatever happens to its file costs time only."""

from __future__ import annotations

import json
import os
import sqlite3
import subprocess
import sys
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import pytest

from fsmcheck.cache.place import FILE, user_folder
from fsmcheck.cache.store import Store, checksum_of
from fsmcheck.cache.upkeep import clear, contents

ROOT = Path(__file__).parents[2]


def kept(folder: Path, key: str = "k") -> object | None:
    with Store(folder, patience=0.05) as store:
        return store.get("answer", key)


def keep(folder: Path, value: object = "v", key: str = "k", most: int = 1_000_000) -> None:
    with Store(folder, most, patience=0.05) as store:
        store.put_many("answer", {key: value})


def test_what_was_kept_is_found_again(tmp_path: Path) -> None:
    value = {"a": [1, 1.5, True, None, "\ud800→"], "b": {}}
    keep(tmp_path / "new" / "folder", value)
    assert kept(tmp_path / "new" / "folder") == value
    assert kept(tmp_path / "new" / "folder", "other") is None


def test_looking_makes_nothing(tmp_path: Path) -> None:
    assert kept(tmp_path / "folder") is None
    assert not (tmp_path / "folder").exists()


def test_many_keys(tmp_path: Path) -> None:
    values = {str(number): number for number in range(1000)}
    with Store(tmp_path) as store:
        store.put_many("verdict", values)
        assert store.get_many("verdict", [*values, "1000"]) == values
        assert store.get_many("answer", values) == {}


def truncated(path: Path) -> None:
    path.write_bytes(path.read_bytes()[:5000])


def emptied(path: Path) -> None:
    path.write_bytes(b"")


def scrambled(path: Path) -> None:
    path.write_bytes(b"not a database " * 1000)


def holed(path: Path) -> None:
    data = bytearray(path.read_bytes())
    data[4096:8192] = os.urandom(4096)
    path.write_bytes(bytes(data))


def of_another_layout(path: Path) -> None:
    path.unlink()
    with closing(sqlite3.connect(path)) as connection:
        connection.execute("CREATE TABLE entries (key TEXT, value BLOB)")
        connection.execute("INSERT INTO entries VALUES ('k', 'v')")
        connection.commit()


def of_a_later_layout(path: Path) -> None:
    with closing(sqlite3.connect(path)) as connection:
        connection.execute("PRAGMA user_version = 99")


def a_folder(path: Path) -> None:
    path.unlink()
    path.mkdir()


@pytest.mark.parametrize(
    "damage", [truncated, emptied, scrambled, holed, of_another_layout, of_a_later_layout, a_folder]
)
def test_a_damaged_file_knows_nothing_and_is_made_anew(tmp_path: Path, damage: Callable[[Path], None]) -> None:
    for number in range(200):
        keep(tmp_path, "x" * 100, str(number))
    damage(tmp_path / FILE)
    assert kept(tmp_path, "no such key") is None
    assert kept(tmp_path, "199") in (None, "x" * 100)
    contents(tmp_path)
    keep(tmp_path, "again", "199")
    if damage is not a_folder:
        keep(tmp_path, "again", "199")
        assert kept(tmp_path, "199") == "again"
    assert kept(tmp_path, "k") is None


def changed(folder: Path, column: str, value: object) -> None:
    with closing(sqlite3.connect(folder / FILE)) as connection:
        connection.execute(f"UPDATE entries SET {column} = ?", (value,))
        connection.commit()


@pytest.mark.parametrize(
    ("column", "value"),
    [
        ("value", '{"verdict":"violated"}'),
        ("value", "no json"),
        ("value", ""),
        ("value", b"\xff\xfe"),
        ("value", 7),
        ("key", "other"),
        ("kind", "about"),
        ("checksum", "0" * 32),
    ],
)
def test_a_row_that_does_not_fit_its_checksum_is_no_answer(tmp_path: Path, column: str, value: object) -> None:
    keep(tmp_path, {"verdict": "proved"})
    changed(tmp_path, column, value)
    assert kept(tmp_path) is None
    assert kept(tmp_path, "other") is None
    with Store(tmp_path) as store:
        assert store.get("about", "k") is None


def test_a_row_that_is_no_json_is_no_answer_even_with_its_checksum(tmp_path: Path) -> None:
    keep(tmp_path)
    for text in ("nonsense", "[" * 100_000, "1" * 5000):
        changed(tmp_path, "value", text)
        changed(tmp_path, "checksum", checksum_of("answer", "k", text))
        assert kept(tmp_path) is None


def test_a_locked_file_costs_a_moment(tmp_path: Path) -> None:
    keep(tmp_path)
    with closing(sqlite3.connect(tmp_path / FILE, isolation_level=None)) as other:
        other.execute("BEGIN EXCLUSIVE")
        assert kept(tmp_path) is None
        keep(tmp_path, "other")
    assert kept(tmp_path) == "v"


def test_where_nothing_can_be_written_nothing_is_kept(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("", encoding="utf-8")
    keep(tmp_path / "file" / "folder")
    assert kept(tmp_path / "file" / "folder") is None
    assert kept(Path("/proc/no-such-place")) is None
    keep(Path("/proc/no-such-place"))


def test_a_database_that_cannot_be_written_is_still_read(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    keep(tmp_path)

    def readonly(self: Store, kind: str, values: object) -> bool:
        raise sqlite3.OperationalError("attempt to write a readonly database")

    monkeypatch.setattr(Store, "_write", readonly)
    with Store(tmp_path) as store:
        store.put_many("answer", {"k": "new"})
        assert store.get("answer", "k") == "v"


def test_a_full_disk_keeps_what_was_there(tmp_path: Path) -> None:
    keep(tmp_path)
    with Store(tmp_path) as store:
        assert store.get("answer", "k") == "v"
        connection = store._connection
        assert connection is not None
        (pages,) = connection.execute("PRAGMA page_count").fetchone()
        connection.execute(f"PRAGMA max_page_count = {pages}")
        store.put_many("answer", {str(number): "x" * 5000 for number in range(100)})
        assert store.get("answer", "k") == "v"
        assert store.get("answer", "3") is None


def test_the_oldest_are_evicted(tmp_path: Path) -> None:
    for number in range(20):
        keep(tmp_path, "x" * 1000, str(number), most=10_000)
    assert [kept(tmp_path, str(number)) is not None for number in (0, 9, 19)] == [False, False, True]
    with closing(sqlite3.connect(tmp_path / FILE)) as connection:
        (size,) = connection.execute("SELECT sum(size) FROM entries").fetchone()
    assert size <= 10_000


def test_what_is_much_too_large_is_not_kept(tmp_path: Path) -> None:
    keep(tmp_path, "x" * 5000, most=10_000)
    assert kept(tmp_path) is None


WRITER = """
import sys
from pathlib import Path
from fsmcheck.cache.store import Store
folder, me = Path(sys.argv[1]), sys.argv[2]
for number in range(25):
    with Store(folder, patience=20) as store:
        store.put_many("answer", {f"{me}/{number}": [me, number], "shared": [me] * 100})
        shared = store.get("answer", "shared")
        assert shared is not None and len(set(shared)) == 1, shared
"""


def test_eight_processes_write_at_once(tmp_path: Path) -> None:
    command = [sys.executable, "-c", WRITER, str(tmp_path)]
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    running = [subprocess.Popen([*command, str(number)], env=environment) for number in range(8)]
    assert [process.wait(60) for process in running] == [0] * 8
    with Store(tmp_path) as store:
        keys = [f"{me}/{number}" for me in range(8) for number in range(25)]
        assert len(store.get_many("answer", keys)) == 200


def test_contents_and_clear(tmp_path: Path) -> None:
    assert contents(tmp_path).entries == 0
    with Store(tmp_path) as store:
        store.put_many("answer", {"a": 1, "b": 2})
        store.put_many("verdict", {"c": 1})
        store.put_many("tool", {"d": 1})
    held = contents(tmp_path)
    assert (held.counts, held.readable) == ({"answers": 2, "verdicts": 1, "other": 1}, True)
    assert held.size == (tmp_path / FILE).stat().st_size
    assert clear(tmp_path).counts == held.counts
    assert list(tmp_path.iterdir()) == []
    (tmp_path / FILE).write_text("nonsense", encoding="utf-8")
    assert contents(tmp_path).readable is False
    clear(tmp_path)
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(
    ("environment", "platform", "expected"),
    [
        ({"FSMCHECK_CACHE_DIR": "/a/b", "XDG_CACHE_HOME": "/x", "HOME": "/h"}, "linux", "/a/b"),
        ({"XDG_CACHE_HOME": "/x", "HOME": "/h"}, "linux", "/x/fsmcheck"),
        ({"XDG_CACHE_HOME": "relative", "HOME": "/h"}, "linux", "/h/.cache/fsmcheck"),
        ({"FSMCHECK_CACHE_DIR": "", "HOME": "/h"}, "linux", "/h/.cache/fsmcheck"),
        ({"XDG_CACHE_HOME": "/x", "HOME": "/h"}, "darwin", "/h/Library/Caches/fsmcheck"),
        ({"LOCALAPPDATA": "/local"}, "win32", "/local/fsmcheck/Cache"),
        ({}, "linux", None),
        ({}, "win32", None),
    ],
)
def test_the_place(environment: dict[str, str], platform: str, expected: str | None) -> None:
    assert user_folder(environment, platform) == (None if expected is None else Path(expected))


def test_values_are_readable_json(tmp_path: Path) -> None:
    keep(tmp_path, {"a": 1})
    with closing(sqlite3.connect(tmp_path / FILE)) as connection:
        (text,) = connection.execute("SELECT value FROM entries").fetchone()
    assert json.loads(text) == {"a": 1}
