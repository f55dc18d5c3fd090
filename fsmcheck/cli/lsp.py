"""``fsmcheck lsp``: the language server."""

from __future__ import annotations

from importlib.util import find_spec
from pathlib import Path

import click

from fsmcheck.cli import settings
from fsmcheck.cli.manual import Documented
from fsmcheck.cli.output import need_input

_EXTRA = ("pygls", "lsprotocol")


@click.command("lsp", cls=Documented, short_help="Serve an editor: findings as you type, hover, completion, fixes.")
@click.option(
    "--profile",
    type=click.Choice(["gated", "eager", "both"]),
    show_default="what the configuration says, else gated",
    help="Whether a transition waits for the state's requirements.",
)
@click.option(
    "--stdio", is_flag=True, hidden=True, expose_value=False, help="Some editors say so; there is no other way."
)
@click.option("--no-cache", is_flag=True, help="Decide everything anew, and remember none of it.")
@settings.options
def command(profile: str | None, no_cache: bool, config_path: Path | None, isolated: bool) -> int:
    """Speak the language server protocol over standard input and output; the log is on standard error.

    It is started by an editor. It needs an extra: pip install "fsmcheck[lsp]".
    """
    missing = [name for name in _EXTRA if _is_missing(name)]
    if missing:
        raise click.UsageError(f'there is no {missing[0]} here; install it with: pip install "fsmcheck[lsp]"')
    if isolated and config_path is not None:
        raise click.UsageError("--config and --isolated exclude each other")
    if config_path is not None:
        settings.in_force(config_path, isolated=False)
    need_input()
    from fsmcheck.lsp.analysis import Settings
    from fsmcheck.lsp.server import serve

    return serve(Settings(profile, config_path, isolated, not no_cache))


def _is_missing(name: str) -> bool:
    try:
        return find_spec(name) is None
    except ValueError:
        return True
