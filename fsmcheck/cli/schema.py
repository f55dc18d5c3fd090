"""``fsmcheck schema``: the JSON Schema of the spec language."""

from __future__ import annotations

from pathlib import Path

import click

from fsmcheck.cli import exits
from fsmcheck.cli.manual import Documented
from fsmcheck.cli.output import emit_utf8, write_file
from fsmcheck.cli.places import NEW_FILE


@click.command("schema", cls=Documented, short_help="Print the JSON Schema of the spec language.")
@click.option("--output", type=NEW_FILE, metavar="FILE", help="Write it to a file.")
def command(output: Path | None) -> int:
    """Print the JSON Schema (draft 7) of the spec language, for editors and other programs.

    It says how a spec is written, not what it means: for that there is "fsmcheck check".
    """
    import json

    from fsmcheck.spec.json_schema import json_schema

    text = json.dumps(json_schema(), indent=2, ensure_ascii=False) + "\n"
    if output is not None:
        write_file(output, text)
    else:
        emit_utf8(text)
    return exits.FINE
