"""What --watch looks at: the specs in some files and folders, known by their content."""

from __future__ import annotations

import os
import stat
import time
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import field
from hashlib import sha256
from pathlib import Path

import click

from fsmcheck.cli.discover import yaml_files
from fsmcheck.records import dataclass
from fsmcheck.spec.recognise import holds_fsm

_RECENT = 2.0
_NO_SPEC = ""
_MOST_BYTES = 1_100_000


@dataclass(slots=True)
class Watched:
    """The files and folders that are watched for specs, and ``more`` files that count whatever is in them."""

    paths: Sequence[str]
    more: Sequence[str]
    _known: dict[str, tuple[tuple[int, ...], str]] = field(default_factory=dict)

    def state(self) -> Mapping[str, str]:
        """What there is now: for each path what tells one content from another.

        Nothing raises: a file that vanishes meanwhile is not there, and a folder that cannot be searched is there
        with the reason.
        """
        found: dict[str, str] = {}
        for path in (*self.paths, *self.more):
            if not Path(path).is_dir():
                content = self._content(path, whole=True)
                if content is not None:
                    found[path] = content
                continue
            try:
                for inner in yaml_files(path):
                    content = self._content(str(inner), whole=False)
                    if content is not None:
                        found[str(inner)] = content
            except click.UsageError as error:
                found[path] = error.message
        return found

    def _content(self, path: str, *, whole: bool) -> str | None:
        """A digest of a file; None where there is none, or unless ``whole``, where it holds no spec."""
        try:
            status = os.stat(path)  # noqa: PTH116 - a path that is no text of the file system may be given
        except (OSError, ValueError):
            self._known.pop(path, None)
            return None
        key = (status.st_mtime_ns, status.st_ctime_ns, status.st_size, status.st_ino, status.st_mode)
        known = self._known.get(path)
        if known is not None and known[0] == key:
            return known[1] or None
        content = self._read(path, status.st_mode, whole=whole)
        # A file that is written twice within a tick of the clock looks the same: what is recent is read again.
        if time.time() - status.st_mtime > _RECENT:
            self._known[path] = (key, content)
        return content or None

    @staticmethod
    def _read(path: str, mode: int, *, whole: bool) -> str:
        if not stat.S_ISREG(mode):
            return f"kind {stat.S_IFMT(mode)}"
        try:
            with Path(path).open("rb") as file:
                data = file.read(_MOST_BYTES)
        except OSError as error:
            return f"unreadable: {error.strerror}"
        if not whole and not holds_fsm(data):
            return _NO_SPEC
        return sha256(data).hexdigest()


def configuration_files(folder: Path) -> Iterator[str]:
    """The files that may configure a check in a folder, those that do not exist yet included."""
    from fsmcheck.config import OWN_FILE, SHARED_FILE

    for parent in (folder.absolute(), *folder.absolute().parents):
        yield from (os.path.relpath(parent / name) for name in (OWN_FILE, SHARED_FILE))
