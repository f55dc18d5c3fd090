"""``fsmcheck reducer``: the reference reducer on the protocol, for other programs."""

from __future__ import annotations

import sys

import click

from fsmcheck.cli.manual import Documented
from fsmcheck.cli.output import UndeliveredError, need_input


@click.command("reducer", cls=Documented, short_help="Speak the reducer protocol on standard input and output.")
def command() -> int:
    """Serve the reference reducer on the protocol fsmcheck.reducer/1: one JSON object a line, one answer a line."""
    from fsmcheck.reducer.protocol import serve

    need_input()
    if sys.stdout is None:
        raise UndeliveredError("standard output is closed")
    return serve(sys.stdin.buffer, sys.stdout.buffer)
