"""--config and --isolated: which configuration is in force."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

if TYPE_CHECKING:
    from fsmcheck.config import Config


def options(command: Callable[..., Any]) -> Callable[..., Any]:
    """Add --config and --isolated to a command."""
    isolated = click.option("--isolated", is_flag=True, help="Take no configuration from files.")
    config = click.option(
        "--config",
        "config_path",
        type=click.Path(exists=True, dir_okay=False, path_type=Path),
        metavar="FILE",
        help="Take the configuration from this file.",
    )
    return config(isolated(command))


def in_force(config_path: Path | None, *, isolated: bool) -> Config:
    """The configuration in a file that was named, else in the one nearest to the current folder.

    Raises:
        click.UsageError: it is wrong, or both options were given.
    """
    from fsmcheck.config import Config, ConfigError, find, read

    if isolated and config_path is not None:
        raise click.UsageError("--config and --isolated exclude each other")
    try:
        if config_path is None:
            return Config() if isolated else find(Path.cwd())
        config = read(config_path)
    except ConfigError as error:
        raise click.UsageError(str(error)) from None
    if config.path is None:
        raise click.UsageError(f'"{config_path}" has no [tool.fsmcheck]')
    return config
