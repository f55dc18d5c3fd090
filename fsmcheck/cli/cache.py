"""``fsmcheck cache``: what is remembered, and forgetting it."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

import click

from fsmcheck.cli import exits
from fsmcheck.cli.manual import DocumentedGroup
from fsmcheck.cli.output import UndeliveredError, emit
from fsmcheck.report.tally import plural


@click.group("cache", cls=DocumentedGroup, short_help="Tell what the cache holds, or empty it.")
def command() -> None:
    """Look after the cache of verdicts.

    It is in the folder that FSMCHECK_CACHE_DIR names, else where caches of this user are kept.
    """


@command.command("info", short_help="Where the cache is and what it holds.")
def info() -> int:
    """Tell where the cache is, how many entries it has and how large it is."""
    from fsmcheck.cache.upkeep import contents

    folder = _folder()
    if folder is None:
        return exits.FINE
    held = contents(folder)
    emit(f"{held.path}\n")
    if not held.readable:
        emit("the file is damaged or no cache, and will be replaced\n")
    emit(f"{_counted(held.counts)}, {_size(held.size)}\n")
    return exits.FINE


@command.command("clear", short_help="Forget all verdicts.")
def clear() -> int:
    """Remove the cache, and tell what was in it."""
    from fsmcheck.cache.upkeep import clear as removed

    folder = _folder()
    if folder is None:
        return exits.FINE
    try:
        held = removed(folder)
    except OSError as error:
        raise UndeliveredError(f'the cache in "{folder}" cannot be removed: {error.strerror}') from None
    emit(f"removed {_counted(held.counts)}, {_size(held.size)} from {held.path}\n")
    return exits.FINE


def _folder() -> Path | None:
    from fsmcheck.cache.place import user_folder

    folder = user_folder()
    if folder is None:
        emit("there is no cache: neither FSMCHECK_CACHE_DIR nor a home folder is set\n")
    return folder


def _counted(counts: Mapping[str, int]) -> str:
    return " and ".join(plural(counts.get(f"{name}s", 0), name) for name in ("answer", "verdict"))


def _size(size: int) -> str:
    return f"{size} bytes" if size < 10_000 else f"{size / 1_000_000:.1f} MB"
