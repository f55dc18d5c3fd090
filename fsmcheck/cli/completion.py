"""``fsmcheck completion``: what makes a shell complete our commands, options and values."""

from __future__ import annotations

import click

from fsmcheck.cli import exits
from fsmcheck.cli.manual import Documented
from fsmcheck.cli.output import emit

SHELLS = ("bash", "zsh", "fish")
PROGRAM = "fsmcheck"
VARIABLE = "_FSMCHECK_COMPLETE"


@click.command("completion", cls=Documented, short_help="Print a script that completes commands in a shell.")
@click.argument("shell", type=click.Choice(SHELLS))
@click.pass_context
def command(ctx: click.Context, shell: str) -> int:
    """Print a script that lets SHELL complete commands, options, formats, profiles, rules and files.

    It asks fsmcheck itself for what there is, so it need not be written anew when fsmcheck is.
    """
    from click.shell_completion import get_completion_class

    kind = get_completion_class(shell)
    if kind is None:
        raise click.UsageError(f'there is no completion for "{shell}"')
    emit(kind(ctx.find_root().command, {}, PROGRAM, VARIABLE).source().strip() + "\n")
    return exits.FINE
