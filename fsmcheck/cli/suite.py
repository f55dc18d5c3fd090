"""``fsmcheck suite``: runs that cover a spec, as plain JSON."""

from __future__ import annotations

import re
from pathlib import Path
from typing import TYPE_CHECKING

import click

from fsmcheck.cli import candidates, exits
from fsmcheck.cli.manual import Documented
from fsmcheck.cli.output import concluding, emit, write_file
from fsmcheck.cli.places import NEW_FOLDER
from fsmcheck.cli.specs import whole_specs
from fsmcheck.report import sanitise

if TYPE_CHECKING:
    from fsmcheck.spec.model import Spec

_UNSAFE = re.compile(r"[^A-Za-z0-9_-]+")


@click.command("suite", cls=Documented, short_help="Write runs that cover a spec, with the configurations to expect.")
@click.argument("spec_paths", metavar="[SPEC]...", nargs=-1, shell_complete=candidates.files)
@click.option(
    "--output",
    "folder",
    type=NEW_FOLDER,
    metavar="DIR",
    shell_complete=candidates.folders,
    help="Where to write a JSON file for each spec and profile.",
)
@click.option(
    "--profile",
    type=click.Choice(["gated", "eager", "both"]),
    default="gated",
    show_default=True,
    help="Whether a state is left only once all that it requires is there (gated), or earlier as well (eager).",
)
@click.option("--shipped", is_flag=True, help="Write the specs that come with fsmcheck and the suites of them.")
def command(spec_paths: tuple[str, ...], folder: Path | None, profile: str, shipped: bool) -> int:
    """Find few runs that cover what a spec can do, print the coverage and write them as plain JSON."""
    from fsmcheck.cli.discover import discover

    if shipped:
        if spec_paths or folder is None:
            raise click.UsageError("--shipped goes with --output DIR and without a SPEC")
        return _unpack(folder, profile)
    if not spec_paths:
        raise click.UsageError("expected a SPEC, or --shipped")
    taken: set[str] = set()
    for path in discover(spec_paths):
        for spec in whole_specs(path):
            _write(spec, folder, profile, taken)
    return exits.FINE


def _write(spec: Spec, folder: Path | None, profile: str, taken: set[str]) -> None:
    from fsmcheck.conformance.shipped import PROFILES, suite_text
    from fsmcheck.conformance.suite import coverage_lines, explained, make_suite

    for each in PROFILES:
        if profile in (each, "both"):
            suite = explained(make_suite(spec, each))
            # Files that are still to be written are missing where nobody reads any more.
            with concluding(exits.FINE if folder is None else exits.FAILED):
                for line in coverage_lines(suite):
                    emit(f"{sanitise.line(line)}\n")
            if folder is not None:
                folder.mkdir(parents=True, exist_ok=True)
                write_file(folder / _free(_UNSAFE.sub("_", suite.name), each, taken), suite_text(suite))


def _unpack(folder: Path, profile: str) -> int:
    from fsmcheck.conformance.shipped import shipped

    written = 0
    for name, text in shipped().items():
        if name.startswith("specs/") or profile == "both" or name.endswith(f"-{profile}.json"):
            target = folder / name
            target.parent.mkdir(parents=True, exist_ok=True)
            write_file(target, text)
            written += 1
    emit(f"{written} files written to {sanitise.line(str(folder))}\n")
    return exits.FINE


def _free(name: str, profile: str, taken: set[str]) -> str:
    candidate, number = f"{name[:80]}-{profile}.json", 1
    while candidate.lower() in taken:
        number += 1
        candidate = f"{name[:80]}-{number}-{profile}.json"
    taken.add(candidate.lower())
    return candidate
