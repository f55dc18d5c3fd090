"""``fsmcheck help``: the help of a command, for those who ask so."""

from __future__ import annotations

import click

from fsmcheck.cli import candidates, exits
from fsmcheck.cli.manual import Documented
from fsmcheck.cli.output import emit


@click.command("help", cls=Documented, short_help="Show the help of a command.")
@click.argument("name", metavar="[COMMAND]", required=False, shell_complete=candidates.commands)
@click.pass_context
def command(ctx: click.Context, name: str | None) -> int:
    """Show the help of COMMAND as "COMMAND --help" does, or that of fsmcheck."""
    root = ctx.find_root()
    if name is None:
        emit(f"{root.get_help()}\n")
        return exits.FINE
    assert isinstance(root.command, click.Group)  # noqa: S101 - for the type checker
    _, found, _ = root.command.resolve_command(root, [name])
    if found is not None:
        with click.Context(found, info_name=name, parent=root, **root.command.context_settings) as inner:
            emit(f"{found.get_help(inner)}\n")
    return exits.FINE
