"""The values of --report: a format and a file each."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import click

from fsmcheck.report import formats
from fsmcheck.spelling import suggestion


def more_reports(ctx: click.Context, param: click.Parameter, values: Sequence[str]) -> tuple[tuple[str, Path], ...]:
    """The formats and files.

    Raises:
        click.BadParameter: a value has another form, there is no such format or no folder for the file.
    """
    found = []
    for value in values:
        name, sign, file = value.partition("=")
        if not sign or not file:
            raise click.BadParameter(f'expected FORMAT=FILE such as sarif=out.sarif, not "{value}"', ctx, param)
        if name not in formats.NAMES:
            hint = suggestion(name, formats.NAMES, "formats")
            raise click.BadParameter(f'there is no format "{name}"; {hint}', ctx, param)
        path = Path(file)
        if not path.absolute().parent.is_dir() or path.is_dir():
            raise click.BadParameter(f'"{file}" is no file that can be written', ctx, param)
        found.append((name, path))
    return tuple(found)
