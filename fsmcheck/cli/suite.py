"""``fsmcheck suite``: runs that cover a spec, as plain JSON."""

from __future__ import annotations

import json
import re
from pathlib import Path

import click

from fsmcheck.cli import candidates, exits
from fsmcheck.cli.manual import Documented
from fsmcheck.cli.output import emit, write_file
from fsmcheck.cli.specs import whole_specs
from fsmcheck.report import sanitise

_UNSAFE = re.compile(r"[^A-Za-z0-9_-]+")


@click.command("suite", cls=Documented, short_help="Write runs that cover a spec, with the configurations to expect.")
@click.argument("spec_paths", metavar="SPEC...", nargs=-1, required=True, shell_complete=candidates.files)
@click.option(
    "--output",
    "folder",
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
def command(spec_paths: tuple[str, ...], folder: str | None, profile: str) -> int:
    """Find few runs that cover what a spec can do, print the coverage and write them as plain JSON."""
    from fsmcheck.cli.discover import discover
    from fsmcheck.conformance.suite import coverage_lines, make_suite, suite_json

    taken: set[str] = set()
    for path in discover(spec_paths):
        for spec in whole_specs(path):
            for each in ("gated", "eager"):
                if profile not in (each, "both"):
                    continue
                suite = make_suite(spec, "eager" if each == "eager" else "gated")
                for line in coverage_lines(suite):
                    emit(f"{sanitise.line(line)}\n")
                if folder is not None:
                    text = json.dumps(suite_json(suite), indent=1, ensure_ascii=False)
                    target = Path(folder)
                    target.mkdir(parents=True, exist_ok=True)
                    name = _free(_UNSAFE.sub("_", suite.name), each, taken)
                    write_file(target / name, sanitise.json_text(text) + "\n")
    return exits.FINE


def _free(name: str, profile: str, taken: set[str]) -> str:
    candidate, number = f"{name[:80]}-{profile}.json", 1
    while candidate.lower() in taken:
        number += 1
        candidate = f"{name[:80]}-{number}-{profile}.json"
    taken.add(candidate.lower())
    return candidate
