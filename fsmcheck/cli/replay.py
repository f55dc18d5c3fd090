"""``fsmcheck replay``: run a trace again and compare every configuration."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import click

from fsmcheck.cli import candidates, exits
from fsmcheck.cli.manual import Documented
from fsmcheck.cli.output import concluding, emit
from fsmcheck.cli.specs import whole_specs
from fsmcheck.report import sanitise

MOST_BYTES = 100_000_000
"""A trace of a run that turns a thousand times holds as many stores."""

if TYPE_CHECKING:
    from fsmcheck.reducer.configuration import Profile
    from fsmcheck.reducer.replay import Mismatch
    from fsmcheck.reducer.trace import Trace
    from fsmcheck.spec.model import Spec


@click.command("replay", cls=Documented, short_help="Run a trace again and compare every configuration.")
@click.argument("trace_path", metavar="TRACE", shell_complete=candidates.files)
@click.option(
    "--spec",
    "spec_path",
    required=True,
    metavar="SPEC",
    shell_complete=candidates.files,
    help="The file with the spec that the trace is of.",
)
def command(trace_path: str, spec_path: str) -> int:
    """Run the inputs and writes of a trace through the reference reducer and compare every configuration."""
    from fsmcheck.reducer.replay import replay

    trace = read_trace(trace_path)
    specs = whole_specs(spec_path)
    identity = trace["spec"]
    wanted = identity.get("sha256") if isinstance(identity, dict) else None
    spec = next((spec for spec in specs if spec.sha256 == wanted), specs[0])
    path = sanitise.line(trace_path)
    _need_rule(trace_path, trace)
    mismatches = replay(spec, trace)
    code = exits.FOUND if mismatches else exits.FINE
    with concluding(code):
        _tell(path, spec, trace, mismatches)
    return code


def _tell(path: str, spec: Spec, trace: Trace, mismatches: Sequence[Mismatch]) -> None:
    for mismatch in mismatches:
        emit(f"{path}: {sanitise.line(str(mismatch))}\n")
    if mismatches:
        return
    for told in _story(spec, trace):
        emit(f"{sanitise.line(told)}\n")
    emit(f"{path}: every configuration is as the reducer has it{_beyond_the_run(trace)}\n")


def read_trace(path: str) -> Trace:
    """The trace in a file.

    Raises:
        click.UsageError: it cannot be read, or is none.
    """
    from fsmcheck.reducer.trace import TraceError, parse_trace
    from fsmcheck.spec.files import UnreadableFileError, read_source

    try:
        return parse_trace(read_source(path, limit=MOST_BYTES).text)
    except (TraceError, UnreadableFileError) as error:
        raise click.UsageError(f"{path}: {error}") from None


def _need_rule(path: str, trace: Trace) -> None:
    """Raises ``click.UsageError`` where a trace is said to violate what is no rule."""
    from fsmcheck.rules.ids import rule_ids

    rule = _violated(trace)
    if rule is not None and rule not in rule_ids():
        raise click.UsageError(f'{path}: there is no rule "{rule}" to violate')


def _beyond_the_run(trace: Trace) -> str:
    """What to add where a run alone does not show that a rule is violated."""
    from fsmcheck.reducer.monitors import JUDGED

    rule = _violated(trace)
    return "" if rule is None or rule in JUDGED else f"; one run does not tell whether {rule} holds"


def _violated(trace: Trace) -> str | None:
    violates = trace.get("violates")
    return str(violates["rule"]) if isinstance(violates, dict) else None


def _story(spec: Spec, trace: Trace) -> Sequence[str]:
    """The story up to what the trace violates, empty where it names nothing that a run by itself shows."""
    from fsmcheck.reducer.monitors import violations
    from fsmcheck.reducer.replay import rerun
    from fsmcheck.reducer.story import story

    violates = trace.get("violates")
    named = (violates.get("rule"), violates.get("subject")) if isinstance(violates, dict) else None
    profile: Profile = "eager" if trace["profile"] == "eager" else "gated"
    for found in violations(spec, profile, rerun(spec, trace)):
        if named == (found.rule, found.subject.as_dict()):
            return story(spec, trace, found.detail)
    return ()
