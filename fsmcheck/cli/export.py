"""``fsmcheck export``: the transition system for other model checkers."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from fsmcheck.cli import candidates, exits
from fsmcheck.cli.manual import Documented
from fsmcheck.cli.output import complain, emit_utf8, refuse_overwriting, write_file
from fsmcheck.cli.places import NEW_FILE

if TYPE_CHECKING:
    from fsmcheck.spec.load import LoadedDocument
    from fsmcheck.spec.model import Spec


@click.command("export", cls=Documented, short_help="Write the transition system for SPIN, NuSMV or TLC.")
@click.argument("spec_path", metavar="SPEC", shell_complete=candidates.files)
@click.option(
    "--to",
    "language",
    type=click.Choice(["promela", "smv", "tla"]),
    required=True,
    help="For SPIN, for NuSMV, or for TLC.",
)
@click.option(
    "--property",
    "places",
    multiple=True,
    metavar="RULE@PLACE",
    help="Ask only this, such as FSM403@execute/1/outcome; the end can be left out. May be repeated.",
)
@click.option("--machine-only", is_flag=True, help="Ask nothing: the machine without bookkeeping.")
@click.option(
    "--integers",
    "bound",
    type=click.IntRange(min=0),
    metavar="N",
    help="Look at whole numbers and sizes from -N to N only.",
)
@click.option(
    "--profile",
    type=click.Choice(["gated", "eager"]),
    default="gated",
    show_default=True,
    help="Whether a state is left only once all that it requires is there (gated), or earlier as well (eager).",
)
@click.option("--name", help="Which spec, where the file holds several.")
@click.option("--output", type=NEW_FILE, metavar="FILE", help="Write it to a file.")
def command(
    spec_path: str,
    language: str,
    places: tuple[str, ...],
    machine_only: bool,
    bound: int | None,
    profile: str,
    name: str | None,
    output: Path | None,
) -> int:
    """Write the transition system that fsmcheck searches as a model for another model checker.

    Without --property, everything is asked that the language can put. The comment at the top of the model says how
    it is run, and in which direction its answers carry over to the spec.
    """
    from fsmcheck.export.questions import Language
    from fsmcheck.export.refusal import ExportError
    from fsmcheck.export.write import export, machine_alone

    if machine_only and places:
        raise click.UsageError("--machine-only and --property exclude each other")
    if output is not None:
        refuse_overwriting([spec_path], [output, *([output.with_suffix(".cfg")] if language == "tla" else [])])
    spec = _meaningful(spec_path, name)
    module = output.stem if output is not None else None
    try:
        if machine_only:
            exported = machine_alone(spec, profile, Language(language), bound, module)
        else:
            exported = export(spec, profile, Language(language), places, bound, module)
    except ExportError as error:
        raise click.UsageError(str(error)) from None
    if output is None:
        emit_utf8(exported.text)
        return exits.FINE
    write_file(output, exported.text)
    if exported.configuration is not None:
        write_file(output.with_suffix(".cfg"), exported.configuration)
        if exported.module != module:
            complain(f'TLC wants the files to be called after the module, "{exported.module}"')
    return exits.FINE


def _meaningful(path: str, name: str | None) -> Spec:
    """The only spec of a file, or the one of a name, if nothing is wrong with it that leaves it without meaning.

    Raises:
        click.UsageError: there is no such spec, there are several, or what is wrong has to be mended first.
    """
    from fsmcheck.spec.load import load_path

    documents = [each for each in load_path(path) if name is None or _name(each) == name]
    if not documents:
        raise click.UsageError(f'"{path}" holds no spec named "{name}"')
    if len(documents) > 1:
        listed = ", ".join(f'"{_name(each)}"' for each in documents)
        raise click.UsageError(f'"{path}" holds several specs, name one of them with --name: {listed}')
    (document,) = documents
    wrong = _what_is_wrong(document)
    if document.spec is None or wrong is not None:
        raise click.UsageError(f'{wrong or f"{path}: it is no spec"}; "fsmcheck check" lists all there is to mend')
    return document.spec


def _name(document: LoadedDocument) -> str | None:
    return document.spec.name.text if document.spec is not None and document.spec.name is not None else None


def _what_is_wrong(document: LoadedDocument) -> str | None:
    """The first fault that leaves the spec without meaning, with its place."""
    from fsmcheck.check import BLOCKING
    from fsmcheck.rules.catalogue import RULES
    from fsmcheck.rules.rule import Rule

    for rule in RULES:
        if isinstance(rule, Rule) and rule.id in BLOCKING:
            for finding in rule.check(document):
                line, column = document.source.position(finding.span.start)
                return f"{document.source.path}:{line}:{column}: {finding.message}"
    return None
