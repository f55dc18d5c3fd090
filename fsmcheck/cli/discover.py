"""From the paths on the command line to the files to check."""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from pathlib import Path

import click

from fsmcheck.cli.places import is_folder
from fsmcheck.spec.recognise import holds_fsm

STDIN = "-"
_SUFFIXES = (".yaml", ".yml")
_SKIPPED = frozenset({"__pycache__", "node_modules", "venv", "site-packages"})
_ENOUGH = 1_000_000


def discover(paths: Sequence[str], *, specs_only: bool = False) -> list[str]:
    """The files that the paths stand for, each once, in the order of the paths and sorted inside a folder.

    A file that is named is taken as it is; a folder is searched for YAML files with a top-level ``fsm``. With
    ``specs_only`` named files without one are left out too, and there may be none left.

    Raises:
        click.UsageError: a path does not exist, a folder cannot be read, or no spec was found.
    """
    found: dict[str, str] = {}
    for path in paths:
        if path != STDIN:
            _need_name(path)
        if path == STDIN:
            found.setdefault(STDIN, STDIN)
        elif is_folder(path):
            for inner in _search(path):
                found.setdefault(os.path.realpath(inner), inner)
        elif specs_only and _is_file(Path(path)) and not _mentions_fsm(Path(path)):
            continue
        elif os.path.lexists(path):
            found.setdefault(os.path.realpath(path), path)
        else:
            raise click.UsageError(f'there is no file or folder "{path}"')
    if not found and not specs_only:
        listed = ", ".join(f'"{path}"' for path in paths)
        raise click.UsageError(f"no YAML file with a top-level fsm in {listed}")
    return list(found.values())


def _need_name(path: str) -> None:
    """Raises ``click.UsageError`` for what the system takes for no name of a file, such as a very long one."""
    try:
        os.lstat(path)
    except (FileNotFoundError, NotADirectoryError):
        pass
    except (OSError, ValueError) as error:
        reason = error.strerror if isinstance(error, OSError) else "it is no name of a file"
        raise click.UsageError(f'"{path}": {reason}') from None


def _search(folder: str) -> Iterator[str]:
    return (str(path) for path in yaml_files(folder) if _mentions_fsm(path))


def yaml_files(folder: str) -> Iterator[Path]:
    """The YAML files in a folder that is searched, sorted in each.

    Raises:
        click.UsageError: a folder cannot be read.
    """

    def unreadable(error: OSError) -> None:
        raise click.UsageError(f'the folder "{error.filename}" cannot be searched: {error.strerror}')

    for current, folders, files in os.walk(folder, onerror=unreadable):
        folders[:] = sorted(name for name in folders if not _is_skipped(Path(current, name)))
        for name in sorted(files):
            path = Path(current, name)
            if path.suffix.lower() in _SUFFIXES and _is_file(path):
                yield path


def _is_skipped(folder: Path) -> bool:
    return folder.name in _SKIPPED or folder.name.startswith(".") or os.path.lexists(folder / "pyvenv.cfg")


def _is_file(path: Path) -> bool:
    """Raises ``click.UsageError`` where that is not for us to know, as behind a link into a folder that is closed."""
    try:
        return path.is_file()
    except OSError as error:
        raise _unreadable(path, error) from None


def _unreadable(path: Path, error: OSError) -> click.UsageError:
    return click.UsageError(f'the file "{path}" cannot be read: {error.strerror}')


def _mentions_fsm(path: Path) -> bool:
    try:
        with path.open("rb") as file:
            data = file.read(_ENOUGH)
    except OSError as error:
        raise _unreadable(path, error) from None
    return holds_fsm(data)
