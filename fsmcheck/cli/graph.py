"""``fsmcheck graph``: a picture of a machine."""

from __future__ import annotations

from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING

import click

from fsmcheck.cli import candidates, exits
from fsmcheck.cli.manual import Documented
from fsmcheck.cli.output import emit_utf8, refuse_overwriting, write_file
from fsmcheck.cli.places import NEW_FILE
from fsmcheck.cli.replay import read_trace
from fsmcheck.parallel.limits import cores

if TYPE_CHECKING:
    from fsmcheck.results import SpecReport
    from fsmcheck.spec.load import LoadedDocument
    from fsmcheck.spec.model import Spec


@click.command("graph", cls=Documented, short_help="Draw a spec, with what is dead and what is wrong marked.")
@click.argument("spec_path", metavar="SPEC", shell_complete=candidates.files)
@click.option(
    "--format",
    "format_name",
    type=click.Choice(["mermaid", "dot", "svg"]),
    default="mermaid",
    show_default=True,
    help="How to draw.",
)
@click.option("--output", type=NEW_FILE, metavar="FILE", help="Write it to a file.")
@click.option(
    "--profile",
    type=click.Choice(["gated", "eager"]),
    default="gated",
    show_default=True,
    help="Whether a state is left only once all that it requires is there (gated), or earlier as well (eager).",
)
@click.option("--name", help="Which spec, where the file holds several.")
@click.option(
    "--trace",
    "trace_path",
    metavar="TRACE",
    shell_complete=candidates.files,
    help="Draw this run of it as a Mermaid sequence diagram.",
)
@click.option("--no-check", is_flag=True, help="Draw it without checking it.")
def command(
    spec_path: str,
    format_name: str,
    output: Path | None,
    profile: str,
    name: str | None,
    trace_path: str | None,
    no_check: bool,
) -> int:
    """Draw a spec for Mermaid or Graphviz, or as SVG.

    A state or transition with a finding is marked as violated, with the rule; one that no run comes to as dead. With
    --trace it is a run, as "check --trace-dir" writes them.
    """
    from fsmcheck.pictures.machine import machine

    if trace_path is not None and format_name != "mermaid":
        raise click.UsageError("a trace is drawn for Mermaid only")
    if output is not None:
        refuse_overwriting([spec_path, *([trace_path] if trace_path is not None else [])], [output])
    document, report = _one(spec_path, name, None if no_check or trace_path is not None else profile)
    if document.spec is None:
        fault = document.faults[0]
        raise click.UsageError(f'{spec_path}: {fault.message}; "fsmcheck check" lists all there is to mend')
    if trace_path is not None:
        text = _sequence(trace_path, document.spec)
    else:
        text = str(import_module(f"fsmcheck.pictures.{format_name}").render(machine(document.spec, report)))
    if output is not None:
        write_file(output, text)
    else:
        emit_utf8(text)
    return exits.FINE


def _sequence(trace_path: str, spec: Spec) -> str:
    """The diagram of a trace, which has to be a run of the spec: so nothing in it is missing or made up."""
    from fsmcheck.pictures.sequence import render
    from fsmcheck.reducer.replay import replay

    trace = read_trace(trace_path)
    if replay(spec, trace):
        raise click.UsageError(f'"{trace_path}" is no run of this spec; "fsmcheck replay" says what differs')
    return render(trace)


def _one(path: str, name: str | None, profile: str | None) -> tuple[LoadedDocument, SpecReport | None]:
    """The spec of a name, or the only one, with its report if it is to be checked."""
    from fsmcheck.spec.files import UnreadableFileError, read_source
    from fsmcheck.spec.load import load

    try:
        source = read_source(path)
    except UnreadableFileError as error:
        raise click.UsageError(f"{path}: {error}") from None
    documents = load(source)
    names = [each.spec.name.text if each.spec and each.spec.name else None for each in documents]
    wanted = [index for index, each in enumerate(names) if name is None or each == name]
    if not wanted:
        raise click.UsageError(f'"{path}" holds no spec named "{name}"')
    if len(wanted) > 1:
        listed = ", ".join(f'"{each}"' for each in names)
        raise click.UsageError(f'"{path}" holds several specs, name one of them with --name: {listed}')
    if profile is None:
        return documents[wanted[0]], None
    from fsmcheck.check import Options, check

    return documents[wanted[0]], check([source], Options(profile=profile, jobs=cores())).specs[wanted[0]]
