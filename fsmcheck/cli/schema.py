"""``fsmcheck schema``: the JSON Schema of the spec language."""

from __future__ import annotations

import click

from fsmcheck.cli import exits
from fsmcheck.cli.output import emit_utf8


@click.command("schema", short_help="Print the JSON Schema of the spec language.")
def command() -> int:
    """Print the JSON Schema (draft 7) of the spec language, for editors and other programs."""
    import json

    from fsmcheck.spec.json_schema import json_schema

    emit_utf8(json.dumps(json_schema(), indent=2, ensure_ascii=False) + "\n")
    return exits.FINE
