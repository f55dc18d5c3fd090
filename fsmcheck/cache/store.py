"""JSON values under digests, in one SQLite file. Whatever goes wrong with it reads as "not known".

Each row carries a checksum over its key and value, so that a damaged one is no answer. Rows are evicted oldest first.
"""

from __future__ import annotations

import json
import sqlite3
import time
from collections.abc import Callable, Iterable, Mapping
from contextlib import suppress
from functools import partial
from hashlib import sha256
from pathlib import Path
from typing import TypeVar

from fsmcheck.cache.place import FILE

LAYOUT = 1
MOST_BYTES = 256_000_000
"""Size of all values above which the oldest are evicted, down to nine tenths of it."""

PATIENCE = 2.0
"""Seconds to wait for another process that writes."""

_DAY = 86_400
_FAULTS = (sqlite3.Error, sqlite3.Warning, OSError, ValueError, TypeError, RecursionError)
_TABLE = (
    "CREATE TABLE IF NOT EXISTS entries (kind TEXT NOT NULL, key TEXT NOT NULL, value TEXT NOT NULL, "
    "checksum TEXT NOT NULL, size INTEGER NOT NULL, used INTEGER NOT NULL, PRIMARY KEY (kind, key))"
)
_COLUMNS = {"kind", "key", "value", "checksum", "size", "used"}
_ASKED_AT_ONCE = 400

T = TypeVar("T")


class Store:
    """The cache in a folder, which is made when something is first written. Close it, or use it in a ``with``."""

    def __init__(self, folder: Path, most_bytes: int = MOST_BYTES, patience: float = PATIENCE) -> None:
        self.path = folder / FILE
        self._most_bytes = most_bytes
        self._patience = patience
        self._connection: sqlite3.Connection | None = None
        self._out_of_order = False
        self._readonly = False
        self._grew = False

    def __enter__(self) -> Store:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def get(self, kind: str, key: str) -> object | None:
        """The value under a key; None where there is none that can be trusted."""
        return self.get_many(kind, (key,)).get(key)

    def get_many(self, kind: str, keys: Iterable[str]) -> dict[str, object]:
        """The values under those keys that there are."""
        wanted = list(dict.fromkeys(keys))
        found: dict[str, object] = {}
        for start in range(0, len(wanted), _ASKED_AT_ONCE):
            nothing: dict[str, object] = {}
            found |= self._tried(partial(self._read, kind, wanted[start : start + _ASKED_AT_ONCE]), nothing)
        return found

    def put_many(self, kind: str, values: Mapping[str, object]) -> None:
        """Keep values (plain JSON data) under keys; none of them where that fails."""
        if values and not self._readonly:
            self._readonly = not self._tried(lambda: self._write(kind, values), False, writing=True)

    def close(self) -> None:
        """Evict what is too much, and let go of the file."""
        if self._grew and self._connection is not None:
            self._tried(self._evict, None, writing=True)
        if self._connection is not None:
            with suppress(*_FAULTS):
                self._connection.close()
        self._connection = None

    def _tried(self, job: Callable[[], T], otherwise: T, *, writing: bool = False) -> T:
        if self._out_of_order:
            return otherwise
        try:
            return job()
        except sqlite3.OperationalError:
            # Locked, read-only, full, or no such file: it may work another time.
            self._out_of_order = not writing
        except sqlite3.DatabaseError:
            self._out_of_order = not self._remade()
        except _FAULTS:
            self._out_of_order = not writing
        return otherwise

    def _remade(self) -> bool:
        """Whether a damaged file could be put out of the way."""
        if self._connection is not None:
            with suppress(*_FAULTS):
                self._connection.close()
        self._connection = None
        return _removed(self.path)

    def _open(self, *, writing: bool) -> sqlite3.Connection | None:
        if self._connection is None:
            there = self.path.exists()
            if there and not self.path.is_file():
                raise OSError("the cache is no regular file")
            if not there:
                if not writing:
                    return None
                self.path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
            connection = sqlite3.connect(self.path, timeout=self._patience, isolation_level=None)
            self._connection = connection
            connection.execute("PRAGMA synchronous=OFF")  # a torn file is noticed, and costs time only
            if not there or not self._fits(connection):
                self._prepare(connection)
        return self._connection

    def _fits(self, connection: sqlite3.Connection) -> bool:
        (layout,) = connection.execute("PRAGMA user_version").fetchone()
        columns = {row[1] for row in connection.execute("PRAGMA table_info(entries)")}
        return bool(layout == LAYOUT and columns == _COLUMNS)

    def _prepare(self, connection: sqlite3.Connection) -> None:
        connection.execute("BEGIN IMMEDIATE")
        if not self._fits(connection):
            connection.execute("DROP TABLE IF EXISTS entries")
            connection.execute(_TABLE)
            connection.execute(f"PRAGMA user_version={LAYOUT}")
        connection.execute("COMMIT")

    def _read(self, kind: str, keys: list[str]) -> dict[str, object]:
        connection = self._open(writing=False)
        if connection is None:
            return {}
        marks = ",".join("?" * len(keys))
        rows = connection.execute(
            f"SELECT key, value, checksum, used FROM entries WHERE kind = ? AND key IN ({marks})",  # noqa: S608
            (kind, *keys),
        ).fetchall()
        now = int(time.time())
        found = {}
        for key, value, checksum, used in rows:
            if isinstance(value, str) and checksum == checksum_of(kind, key, value):
                with suppress(ValueError, RecursionError):
                    found[key] = json.loads(value)
                if abs(now - used) > _DAY:
                    self._used(connection, kind, key, now)
        return found

    def _used(self, connection: sqlite3.Connection, kind: str, key: str, now: int) -> None:
        with suppress(sqlite3.OperationalError):
            connection.execute("UPDATE entries SET used = ? WHERE kind = ? AND key = ?", (now, kind, key))

    def _write(self, kind: str, values: Mapping[str, object]) -> bool:
        now = int(time.time())
        rows = []
        for key, value in values.items():
            text = json.dumps(value, ensure_ascii=True, separators=(",", ":"))
            if len(text) <= self._most_bytes // 4:
                rows.append((kind, key, text, checksum_of(kind, key, text), len(text), now))
        connection = self._open(writing=True)
        if connection is None:
            return False
        connection.execute("BEGIN IMMEDIATE")
        try:
            connection.executemany("INSERT OR REPLACE INTO entries VALUES (?, ?, ?, ?, ?, ?)", rows)
            connection.execute("COMMIT")
        except BaseException:
            with suppress(*_FAULTS):
                connection.execute("ROLLBACK")
            raise
        self._grew = True
        return True

    def _evict(self) -> None:
        connection = self._connection
        if connection is None:
            return
        (total,) = connection.execute("SELECT coalesce(sum(size), 0) FROM entries").fetchone()
        if total <= self._most_bytes:
            return
        least = total - self._most_bytes * 9 // 10
        doomed = []
        for row, size in connection.execute("SELECT rowid, size FROM entries ORDER BY used, rowid").fetchall():
            if least <= 0:
                break
            doomed.append((row,))
            least -= size
        connection.execute("BEGIN IMMEDIATE")
        connection.executemany("DELETE FROM entries WHERE rowid = ?", doomed)
        connection.execute("COMMIT")


def checksum_of(kind: str, key: str, value: str) -> str:
    """What a row's checksum must be."""
    return sha256(f"{kind}\0{key}\0{value}".encode()).hexdigest()[:32]


def _removed(path: Path) -> bool:
    try:
        for each in (path, path.with_name(f"{path.name}-journal")):
            each.unlink(missing_ok=True)
    except OSError:
        return False
    return True
