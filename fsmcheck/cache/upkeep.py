"""What is in the cache, and emptying it."""

from __future__ import annotations

import sqlite3
from collections.abc import Mapping
from contextlib import closing
from dataclasses import field
from pathlib import Path

from fsmcheck.cache.place import FILE
from fsmcheck.records import dataclass

_KINDS = {"answer": "answers", "verdict": "verdicts"}
_OURS = (FILE, f"{FILE}-journal")


@dataclass(frozen=True, slots=True)
class Contents:
    """What a cache holds. ``size`` is that of its files in bytes; ``counts`` the entries of each kind, empty where the
    file cannot be read as a cache, which ``readable`` says."""

    path: Path
    size: int
    counts: Mapping[str, int] = field(hash=False)
    readable: bool = True

    @property
    def entries(self) -> int:
        return sum(self.counts.values())


def contents(folder: Path) -> Contents:
    """What is in the cache of a folder; nothing where there is none."""
    path = folder / FILE
    try:
        size = sum((folder / name).stat().st_size for name in _OURS if (folder / name).is_file())
        if not path.is_file():
            return Contents(path, size, {})
        with closing(sqlite3.connect(path.as_uri() + "?mode=ro", uri=True)) as connection:
            rows = connection.execute("SELECT kind, count(*) FROM entries GROUP BY kind").fetchall()
    except (sqlite3.Error, OSError, ValueError):
        return Contents(path, _size(path), {}, readable=False)
    counts: dict[str, int] = {}
    for kind, number in rows:
        name = _KINDS.get(str(kind), "other")
        counts[name] = counts.get(name, 0) + int(number)
    return Contents(path, size, counts)


def _size(path: Path) -> int:
    try:
        return path.stat().st_size
    except OSError:
        return 0


def clear(folder: Path) -> Contents:
    """Remove the cache of a folder, and tell what was in it.

    Raises:
        OSError: it cannot be removed.
    """
    held = contents(folder)
    for name in _OURS:
        (folder / name).unlink(missing_ok=True)
    return held
