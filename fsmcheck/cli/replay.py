"""``fsmcheck replay``: run a trace again and compare every configuration."""

from __future__ import annotations

import click

from fsmcheck.cli import exits
from fsmcheck.cli.output import emit
from fsmcheck.cli.specs import whole_specs
from fsmcheck.report import sanitise


@click.command("replay", short_help="Run a trace again and compare every configuration.")
@click.argument("trace_path", metavar="TRACE")
@click.option("--spec", "spec_path", required=True, metavar="SPEC", help="The file with the spec the trace is of.")
def command(trace_path: str, spec_path: str) -> int:
    """Run the inputs and writes of a trace through the reference reducer and compare every configuration.

    Exit codes: 0 the trace is what the reducer does, 1 it is not, 2 usage error.
    """
    from fsmcheck.reducer.replay import replay
    from fsmcheck.reducer.story import tell
    from fsmcheck.reducer.trace import TraceError, parse_trace
    from fsmcheck.spec.files import UnreadableFileError, read_source

    try:
        trace = parse_trace(read_source(trace_path).text)
    except (TraceError, UnreadableFileError) as error:
        raise click.UsageError(f"{trace_path}: {error}") from None
    specs = whole_specs(spec_path)
    identity = trace["spec"]
    wanted = identity.get("sha256") if isinstance(identity, dict) else None
    spec = next((spec for spec in specs if spec.sha256 == wanted), specs[0])
    mismatches = replay(spec, trace)
    for mismatch in mismatches:
        emit(f"{sanitise.line(trace_path)}: {sanitise.line(str(mismatch))}\n")
    if mismatches:
        return exits.FOUND
    for told in tell(trace):
        emit(f"{sanitise.line(told)}\n")
    emit(f"{sanitise.line(trace_path)}: the reducer does exactly this\n")
    return exits.FINE
