"""``fsmcheck config``: what is in force, and where it is said."""

from __future__ import annotations

import json
import os
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import click

from fsmcheck.cli import exits, settings
from fsmcheck.cli.manual import Documented
from fsmcheck.cli.output import emit
from fsmcheck.report import sanitise

if TYPE_CHECKING:
    from fsmcheck.config import Config


@click.command("config", cls=Documented, short_help="Show the configuration in force, and where it is said.")
@settings.options
def command(config_path: Path | None, isolated: bool) -> int:
    """Show every setting as TOML, with the place it comes from.

    The file nearest to the current folder is in force: .fsmcheck.toml, or a pyproject.toml with [tool.fsmcheck].
    Options of "fsmcheck check" go before it.
    """
    config = settings.in_force(config_path, isolated=isolated)
    for line in _shown(config):
        emit(f"{sanitise.line(line)}\n")
    return exits.FINE


def _shown(config: Config) -> Iterator[str]:
    yield f"# {_relative(config.path)}" if config.path is not None else "# no configuration file: all as it comes"
    flat = {
        "select": list(config.select),
        "ignore": list(config.ignore),
        "profile": config.profile,
        "fail-on": config.fail_on.value,
    }
    for key, value in flat.items():
        yield f"{key} = {_toml(value)}  # {_origin(config, key.replace('-', '_'))}"
    if config.baseline is not None:
        yield f"baseline = {_toml(_relative(config.baseline))}  # {_origin(config, 'baseline')}"
    if config.timeout is not None:
        yield f"limits.timeout = {config.timeout}  # {_origin(config, 'timeout')}"
    if config.memory is not None:
        yield f"limits.memory = {config.memory}  # {_origin(config, 'memory')}"
    for rule, severity in config.severity:
        yield f"severity.{rule} = {_toml(severity.value)}  # {_origin(config, 'severity')}"
    for each in config.per_file_ignores:
        rules = _toml(list(each.rules))
        yield f"per-file-ignores.{_toml(each.pattern)} = {rules}  # {_origin(config, 'per_file_ignores')}"


def _origin(config: Config, key: str) -> str:
    if config.path is None or key not in config.lines:
        return "default"
    return f"{_relative(config.path)}:{config.lines[key]}"


def _relative(path: Path) -> str:
    return os.path.relpath(path)


def _toml(value: object) -> str:
    return json.dumps(value, ensure_ascii=False)
