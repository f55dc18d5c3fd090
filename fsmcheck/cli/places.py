"""Types of options that say where something is written: what cannot be a place is told before any work is done."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

import click


def is_folder(path: str | Path) -> bool:
    """Whether there is such a folder, as far as we may know."""
    try:
        return Path(path).is_dir()
    except OSError:
        return False


class _Place(click.Path):
    """A path with a name: what is empty, such as a variable that is not set, stands for no place."""

    def convert(self, value: str | os.PathLike[str], param: click.Parameter | None, ctx: click.Context | None) -> Any:
        if not str(value):
            self.fail("expected a name, not an empty text", param, ctx)
        return super().convert(value, param, ctx)


class _NewFile(_Place):
    """A file in a folder that is there."""

    def convert(self, value: str | os.PathLike[str], param: click.Parameter | None, ctx: click.Context | None) -> Any:
        path = super().convert(value, param, ctx)
        folder = Path(path).absolute().parent
        if not is_folder(folder):
            self.fail(f'there is no folder "{folder}" to write "{path}" to', param, ctx)
        return path


class _NewFolder(_Place):
    """A folder that is there, or can be made."""

    def convert(self, value: str | os.PathLike[str], param: click.Parameter | None, ctx: click.Context | None) -> Any:
        path = super().convert(value, param, ctx)
        place = Path(path).absolute()
        above = next((each for each in (place, *place.parents) if os.path.lexists(each)), place)
        if not is_folder(above):
            self.fail(f'"{above}" is no folder', param, ctx)
        return path


NAMED_FILE = _Place(dir_okay=False, path_type=Path)
"""A file that may be written, or only read, or missing."""

NEW_FILE = _NewFile(dir_okay=False, path_type=Path)
"""A file to write."""

NEW_FOLDER = _NewFolder(file_okay=False, path_type=Path)
"""A folder to write files to; it is made where it is missing."""
