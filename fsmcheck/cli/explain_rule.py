"""``fsmcheck explain``: what a rule finds, why it matters, how to fix it."""

from __future__ import annotations

from collections.abc import Iterator

import click

from fsmcheck.cli import candidates, exits
from fsmcheck.cli.manual import Documented
from fsmcheck.cli.output import emit


@click.command("explain", cls=Documented, short_help="Explain a rule.")
@click.argument("rule", metavar="RULE", shell_complete=candidates.rule)
def command(rule: str) -> int:
    """Explain a rule, given by its ID (FSM403) or its slug (re-fires), and show where it fails and passes."""
    from fsmcheck.rules.catalogue import RULES
    from fsmcheck.spelling import suggestion

    wanted = rule.strip().lower()
    for known in RULES:
        if wanted in (known.id.lower(), known.slug):
            emit(f"{known.id} {known.slug} ({known.severity.value})\n\n{known.documentation.strip()}\n")
            emit("".join(f"{line}\n" for line in _shown(known.id)))
            return exits.FINE
    names = [name for known in RULES for name in (known.id, known.slug)]
    raise click.UsageError(f'there is no rule "{rule}"; {suggestion(rule, names, "rules")}')


def _shown(rule: str) -> Iterator[str]:
    from fsmcheck.report import sanitise
    from fsmcheck.rules.examples import example

    shown = example(rule)
    if shown is None:
        return
    yield from ("", "## From a spec that fails", "")
    yield from (sanitise.line(line) for line in shown.fails.numbered(shown.place))
    yield from ("", sanitise.line(shown.message), "", "## From one that passes", "")
    yield from (sanitise.line(line) for line in shown.passes.numbered())
