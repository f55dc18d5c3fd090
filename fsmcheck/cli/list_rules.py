"""``fsmcheck rules``: the catalogue."""

from __future__ import annotations

import json

import click

from fsmcheck.cli import exits
from fsmcheck.cli.manual import Documented
from fsmcheck.cli.output import emit, emit_utf8


@click.command("rules", cls=Documented, short_help="List the rules.")
@click.option(
    "--format",
    "format_name",
    type=click.Choice(["text", "json"]),
    default="text",
    show_default=True,
    help="For whom the list is.",
)
def command(format_name: str) -> int:
    """List the rules with their severity and what each one finds."""
    from fsmcheck.rules.catalogue import RULES

    if format_name == "json":
        rules = [
            {"id": rule.id, "slug": rule.slug, "severity": rule.severity.value, "summary": rule.summary}
            for rule in RULES
        ]
        emit_utf8(json.dumps({"schema": "fsmcheck.rules/1", "rules": rules}, indent=2, ensure_ascii=False) + "\n")
        return exits.FINE
    longest = max(len(rule.slug) for rule in RULES)
    for rule in RULES:
        emit(f"{rule.id}  {rule.severity.value:<7}  {rule.slug:<{longest}}  {rule.summary}\n")
    return exits.FINE
