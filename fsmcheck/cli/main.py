"""Which commands there are, and how every way to fail ends."""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from importlib import import_module
from pathlib import Path

import click

from fsmcheck.cli import exits
from fsmcheck.cli.output import ReaderGoneError, complain, emit
from fsmcheck.shortage import SAYS, is_shortage

_COMMANDS = {
    "cache": "Tell what the cache holds, or empty it.",
    "certify": "Re-check certificates from their files alone.",
    "check": "Check specs: what holds, what does not, and how it goes wrong.",
    "completion": "Print a script that completes commands in a shell.",
    "config": "Show the configuration in force, and where it is said.",
    "conform": "Find out which clauses another reducer breaks.",
    "explain": "Explain a rule.",
    "export": "Write the transition system for SPIN, NuSMV or TLC.",
    "graph": "Draw a spec, with what is dead and what is wrong marked.",
    "help": "Show the help of a command.",
    "lsp": "Serve an editor: findings as you type, hover, completion, fixes.",
    "monitor": "Find where production runs depart from their spec.",
    "reducer": "Speak the reducer protocol on standard input and output.",
    "replay": "Run a trace again and compare every configuration.",
    "rules": "List the rules.",
    "schema": "Print the JSON Schema of the spec language.",
    "simulate": "Run a spec by hand or from a script.",
    "suite": "Write runs that cover a spec, with the configurations to expect.",
}
"""Each command with its short help, which a test compares with the command's own."""

_ONLY_TELL = frozenset(("cache", "completion", "config", "explain", "export", "graph", "help", "rules", "schema"))
"""Commands that come to no verdict and have done all they do when they print: a reader may leave early."""

_OTHER_NAMES = {"explain": "explain_rule", "rules": "list_rules"}


class _LateGroup(click.Group):
    """Imports a command's module when the command is asked for, so that none pays for another."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        return list(_COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        if cmd_name not in _COMMANDS:
            return None
        module = import_module(f"fsmcheck.cli.{_OTHER_NAMES.get(cmd_name, cmd_name)}")
        command: click.Command = module.command
        return command

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        is_unknown = args and args[0] not in _COMMANDS and not args[0].startswith("-")
        if is_unknown and not ctx.resilient_parsing:
            from fsmcheck.spelling import suggestion

            is_path = os.path.lexists(args[0])
            hint = (
                f'did you mean "fsmcheck check {args[0]}"?' if is_path else suggestion(args[0], _COMMANDS, "commands")
            )
            raise click.UsageError(f'there is no command "{args[0]}"; {hint}', ctx)
        return super().resolve_command(ctx, args)

    def invoke(self, ctx: click.Context) -> object:
        try:
            return super().invoke(ctx)
        except ReaderGoneError as error:
            if ctx.invoked_subcommand in _ONLY_TELL:
                error.code = exits.FINE
            raise

    def format_epilog(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        from fsmcheck.cli.manual import write_examples
        from fsmcheck.cli.manual_pages import START

        write_examples(formatter, START)

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """The list in the help, without importing any of them."""
        with formatter.section("Commands"):
            formatter.write_dl(list(_COMMANDS.items()))


def _print_version(ctx: click.Context, _parameter: click.Parameter, asked: bool) -> None:
    if asked:
        from fsmcheck import __version__

        emit(f"fsmcheck {__version__}\n")
        ctx.exit(exits.FINE)


@click.group(cls=_LateGroup, context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100})
@click.option(
    "--version", is_flag=True, is_eager=True, expose_value=False, callback=_print_version, help="Print the version."
)
def app() -> None:
    """Check and prove state machines that drive LLM agents."""


def main(arguments: Sequence[str] | None = None, was_interrupted: Callable[[], bool] = lambda: False) -> int:
    """Run the command line; the exit code. Nothing but a code and a short message ever comes out.

    ``was_interrupted`` tells an interrupt that some library turned into an error of its own from a real failure.
    """
    try:
        outcome = app.main(args=arguments, prog_name="fsmcheck", standalone_mode=False)
    except click.exceptions.NoArgsIsHelpError as error:
        click.echo(error.format_message(), err=True)
        return exits.USAGE
    except click.UsageError as error:
        if error.ctx is not None:
            complain(error.ctx.get_usage(), prefix=False)
        complain(error.format_message())
        return exits.USAGE
    except click.ClickException as error:
        complain(error.format_message())
        return error.exit_code
    except (KeyboardInterrupt, click.Abort):
        return _interrupted()
    except ReaderGoneError as error:
        return error.code
    except SystemExit as error:
        # Completion ends so; where nobody reads any more, click does.
        return exits.FINE if error.code == 0 else exits.FAILED
    except Exception as error:  # noqa: BLE001 - no traceback reaches a user
        return _interrupted() if was_interrupted() else _internal(error)
    return outcome if isinstance(outcome, int) else exits.FINE


def _interrupted() -> int:
    complain("interrupted, nothing may be concluded")
    return exits.FAILED


def _internal(error: Exception) -> int:
    if os.environ.get("FSMCHECK_DEBUG") == "1":
        import traceback

        complain("".join(traceback.format_exception(error)), prefix=False)
    text = " ".join(str(error).split())
    if is_shortage(error):
        complain(f"{SAYS}; nothing may be concluded")
        return exits.FAILED
    if isinstance(error, OSError) and error.strerror:
        complain(f"{_place(error)}{error.strerror.lower()}; nothing may be concluded")
        return exits.FAILED
    complain(f"internal error: {type(error).__name__}{': ' if text else ''}{text[:500]}; nothing may be concluded")
    return exits.FAILED


def _place(error: OSError) -> str:
    """What an error of the system is about, where that can be said."""
    if error.filename is not None:
        return f'"{os.fsdecode(error.filename)}": '
    try:
        Path.cwd()
    except OSError:
        return "the current folder: "
    return ""
