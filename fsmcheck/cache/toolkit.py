"""What an answer owes to the tool: a digest of the package's own files and of the libraries it stands on.

Files are looked at by size and times; only where those changed are they read again, so that a developer's edit counts
and an installation made anew from the same files does not.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator, Sequence
from functools import cache
from hashlib import sha256
from pathlib import Path

from fsmcheck import __version__
from fsmcheck.cache.store import Store

PACKAGE = Path(__file__).parent.parent
LIBRARIES = ("cel_python", "google_re2", "lark", "networkx", "numpy", "pyyaml", "z3_solver")
_SUFFIXES = (".py", ".json", ".lark")
_KIND = "tool"


def tool_digest(store: Store, package: Path = PACKAGE, path: Sequence[str] | None = None) -> str:
    """A digest of the package's files, the versions of its libraries and the interpreter, as they were when this
    process asked first: what it has imported does not change with the files."""
    seen = _seen_first(package)
    stamp = sha256(f"{package.absolute()}\0{seen}".encode(errors="surrogatepass")).hexdigest()
    content = store.get(_KIND, stamp)
    if not isinstance(content, str):
        content = _content(package)
        if is_unchanged(package):
            store.put_many(_KIND, {stamp: content})
    parts = (__version__, content, sys.version, sys.platform, *versions(tuple(sys.path if path is None else path)))
    return sha256("\0".join(parts).encode(errors="surrogatepass")).hexdigest()


def is_unchanged(package: Path = PACKAGE) -> bool:
    """Whether the package's files are still those of the digest. Where they are not, nobody knows which of them made
    an answer, and it must not be kept."""
    return _seen(package) == _seen_first(package)


@cache
def _seen_first(package: Path) -> str:
    return _seen(package)


def _files(folder: str, inside: str = "") -> Iterator[tuple[str, os.DirEntry[str]]]:
    with os.scandir(folder) as entries:
        for entry in sorted(entries, key=lambda entry: entry.name):
            if entry.is_dir():
                if entry.name != "__pycache__":
                    yield from _files(entry.path, f"{inside}{entry.name}/")
            elif entry.name.endswith(_SUFFIXES):
                yield inside + entry.name, entry


def _seen(package: Path) -> str:
    """The files by name, size and times; of those that go while they are looked at, nothing but that."""
    parts = []
    try:
        for name, entry in _files(str(package)):
            status = entry.stat()
            parts.append(f"{name}:{status.st_size}:{status.st_mtime_ns}:{status.st_ctime_ns}")
    except FileNotFoundError as error:
        parts.append(f"gone: {error.filename}")
    return "\0".join(parts)


@cache
def _content(package: Path) -> str:
    digest = sha256()
    for name, entry in _files(str(package)):
        with open(entry.path, "rb", buffering=0) as file:  # noqa: PTH123 - half the cost
            data = file.read()
        digest.update(f"{name}\0{len(data)}\0".encode(errors="surrogatepass"))
        digest.update(data)
    return digest.hexdigest()


@cache
def versions(path: tuple[str, ...]) -> tuple[str, ...]:
    """The installed libraries, as the names of their folders of metadata say (``importlib.metadata`` costs a start-up
    more than all else)."""
    found = []
    for folder in path:
        try:
            names = os.listdir(folder or ".")  # noqa: PTH208 - half the cost
        except OSError:
            continue
        found += sorted(
            name
            for name in names
            if name.endswith((".dist-info", ".egg-info"))
            and name.partition("-")[0].lower().replace(".", "_") in LIBRARIES
        )
    return tuple(found)
