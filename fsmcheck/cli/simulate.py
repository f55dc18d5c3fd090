"""``fsmcheck simulate``: run a spec by hand or from a script."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from fsmcheck.cli import candidates, exits
from fsmcheck.cli.manual import Documented
from fsmcheck.cli.output import emit, need_input
from fsmcheck.cli.specs import one_spec
from fsmcheck.report import sanitise

if TYPE_CHECKING:
    from fsmcheck.reducer.configuration import Profile
    from fsmcheck.reducer.script import Script


@click.command("simulate", cls=Documented, short_help="Run a spec by hand or from a script.")
@click.argument("spec_path", metavar="SPEC", shell_complete=candidates.files)
@click.option(
    "--script",
    "script_path",
    metavar="FILE",
    shell_complete=candidates.files,
    help="Inputs and exchanges, a line each; - reads them piped.",
)
@click.option(
    "--profile",
    type=click.Choice(["gated", "eager"]),
    default="gated",
    show_default=True,
    help="Whether a state is left only once all that it requires is there (gated), or earlier as well (eager).",
)
@click.option("--name", help="Which spec, where the file holds several.")
@click.option("--no-caps", is_flag=True, help="Do as if the policy had no caps.")
def command(spec_path: str, script_path: str | None, profile: Profile, name: str | None, no_caps: bool) -> int:
    """Run a spec on the reference reducer and print every microstep.

    Without --script you are asked for the inputs, then for one exchange after the other, until the run ends or
    you say quit. A line of a script is "field=value ..." for inputs or "agent field=value ..." for an exchange; a
    value is JSON or a bare word, and # starts a comment.
    """
    from fsmcheck.reducer.reducer import InputError, UnrunnableSpecError
    from fsmcheck.reducer.simulate import run_script, run_session

    spec = one_spec(spec_path, name)
    try:
        if script_path is None:
            need_input()
            run_session(spec, profile, _ask, _say, caps=not no_caps)
        else:
            run_script(spec, _read_script(script_path), profile, _say, caps=not no_caps)
    except (InputError, UnrunnableSpecError) as error:
        raise click.UsageError(f"{spec_path}: {error}") from None
    return exits.FINE


def _read_script(path: str) -> Script:
    from fsmcheck.reducer.script import ScriptError, parse_script
    from fsmcheck.spec.files import UnreadableFileError, read_source

    try:
        return parse_script(read_source(path).text)
    except (ScriptError, UnreadableFileError) as error:
        raise click.UsageError(f"{path}: {error}") from None


def _ask(prompt: str) -> str:
    emit(sanitise.line(prompt))
    return input()


def _say(text: str) -> None:
    emit(f"{sanitise.line(text)}\n")
