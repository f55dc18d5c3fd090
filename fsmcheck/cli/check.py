"""``fsmcheck check``: the main job."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

import click

from fsmcheck.cache.place import user_folder
from fsmcheck.cli import candidates, exits, settings
from fsmcheck.cli.baseline import known_findings
from fsmcheck.cli.discover import discover
from fsmcheck.cli.manual import Documented
from fsmcheck.cli.more_reports import more_reports
from fsmcheck.cli.output import ReaderGoneError, complain, emit, emit_utf8, refuse_overwriting, wants_colour, write_file
from fsmcheck.cli.places import NAMED_FILE, NEW_FILE, NEW_FOLDER
from fsmcheck.cli.progress import Progress
from fsmcheck.cli.seconds import Seconds
from fsmcheck.cli.selection import rule_prefixes
from fsmcheck.config import LEAST_MEMORY
from fsmcheck.diagnostics import Severity
from fsmcheck.parallel.limits import cores
from fsmcheck.report import formats
from fsmcheck.report.tally import reaches
from fsmcheck.results import LOST_SPEC

if TYPE_CHECKING:
    from fsmcheck.options import Options
    from fsmcheck.results import Notice, Report
    from fsmcheck.source import SourceFile
    from fsmcheck.spec.files import UnreadableFileError


class UnansweredError(click.ClickException):
    """There is no cluster to check anything on."""

    exit_code = exits.FAILED


@click.command("check", cls=Documented, short_help="Check specs: what holds, what does not, and how it goes wrong.")
@click.argument("paths", nargs=-1, required=True, metavar="PATH...", shell_complete=candidates.files)
@click.option(
    "--format",
    "format_name",
    type=click.Choice(formats.NAMES),
    default="text",
    show_default=True,
    help="For whom the report is.",
)
@click.option("--output", type=NEW_FILE, metavar="FILE", help="Write the report to a file.")
@click.option(
    "--report",
    "reports",
    multiple=True,
    callback=more_reports,
    metavar="FORMAT=FILE",
    help="Write another report to a file; may be repeated.",
)
@click.option(
    "--select",
    multiple=True,
    callback=rule_prefixes,
    shell_complete=candidates.rules,
    metavar="RULE,...",
    help="Only these rules, and what of them is undecided: FSM403, or FSM4 for all 4xx.",
)
@click.option(
    "--ignore",
    multiple=True,
    callback=rule_prefixes,
    shell_complete=candidates.rules,
    metavar="RULE,...",
    help="All rules but these.",
)
@click.option(
    "--profile",
    type=click.Choice(["gated", "eager", "both"]),
    help="Whether a state is left only once all that it requires is there (gated, the default), or earlier as well "
    "(eager).",
)
@click.option(
    "--timeout",
    type=Seconds(),
    metavar="SECONDS",
    help="The most time for one obligation; 10 seconds by default.",
)
@click.option(
    "--jobs",
    type=click.IntRange(min=1),
    metavar="N",
    help="How many processes to use; by default as many as there are cores.",
)
@click.option(
    "--memory",
    type=click.IntRange(min=LEAST_MEMORY),
    metavar="MB",
    help="The most memory for one process; 4096 by default, or less where the machine has less.",
)
@click.option("--cluster", metavar="ADDRESS", help="Use the Dask cluster of the scheduler at this address.")
@click.option(
    "--fail-on",
    type=click.Choice([severity.value for severity in Severity]),
    help="The least severity that makes the exit code 1; error by default.",
)
@click.option("--exit-zero", is_flag=True, help="Exit with 0 whatever was found.")
@click.option(
    "--trace-dir",
    type=NEW_FOLDER,
    metavar="DIR",
    help="Write each counterexample to a file.",
)
@click.option(
    "--certificates",
    type=NEW_FOLDER,
    metavar="DIR",
    help='Write what the proofs rest on, for "fsmcheck certify".',
)
@click.option(
    "--baseline",
    type=NAMED_FILE,
    metavar="FILE",
    help="Show no findings that are listed in this file.",
)
@click.option("--write-baseline", is_flag=True, help="Write the findings there are to the baseline first.")
@click.option("--diff", metavar="REV", help="Show no findings that there were at this git revision.")
@click.option("--watch", is_flag=True, help="Check again whenever a spec changes, until Ctrl-C.")
@click.option("--no-cache", is_flag=True, help="Decide everything anew, and remember none of it.")
@click.option("--specs-only", is_flag=True, help="Leave out files without a top-level fsm, for hooks.")
@click.option("--statistics", is_flag=True, help="Only count the findings of each rule.")
@settings.options
def command(
    paths: Sequence[str],
    format_name: str,
    output: Path | None,
    reports: tuple[tuple[str, Path], ...],
    select: tuple[str, ...],
    ignore: tuple[str, ...],
    profile: str | None,
    timeout: float | None,
    jobs: int | None,
    memory: int | None,
    cluster: str | None,
    fail_on: str | None,
    exit_zero: bool,
    trace_dir: Path | None,
    certificates: Path | None,
    baseline: Path | None,
    write_baseline: bool,
    diff: str | None,
    watch: bool,
    no_cache: bool,
    specs_only: bool,
    statistics: bool,
    config_path: Path | None,
    isolated: bool,
) -> int:
    """Check the specs in files and folders; - reads standard input.

    A folder is searched for *.yaml and *.yml with a top-level fsm. Options win over the settings of a configuration
    file, and those over the defaults.
    """
    if watch:
        from fsmcheck.cli.watch import repeated

        return repeated(click.get_current_context())
    found = discover(paths, specs_only=specs_only)
    if not found and format_name == "text" and output is None and not reports:
        return exits.FINE
    config = settings.in_force(config_path, isolated=isolated)
    from fsmcheck.options import Options

    options = Options(
        profile=profile or config.profile,
        select=select or config.select,
        ignore=ignore or config.ignore,
        timeout=timeout or config.timeout,
        jobs=_processes(jobs, cluster),
        memory=memory or config.memory,
        cluster=cluster,
        certificates=certificates is not None,
        severities=config.severity,
        per_file_ignores=config.per_file_ignores,
        cache=None if no_cache else user_folder(),
        outline="html" in (format_name, *(name for name, _ in reports)),
    )
    threshold = Severity(fail_on) if fail_on is not None else config.fail_on
    baseline = baseline or config.baseline
    if statistics and format_name != "text":
        raise click.UsageError("--statistics is text, and goes with no other --format")
    outputs = [*(path for _, path in reports), output, baseline if write_baseline else None]
    read = [config.path, None if write_baseline else baseline]
    refuse_overwriting(
        [*found, *(str(path) for path in read if path is not None)], [path for path in outputs if path is not None]
    )
    known = known_findings(baseline, write=write_baseline)
    before = None
    if diff is not None:
        from fsmcheck.cli.diff import files_before

        before = files_before(diff, found)
    report = known.applied(replace(_check(_sources(found), options), fail_on=threshold))
    if before is not None:
        bare = replace(options, certificates=False, outline=False)
        report = before.applied(report, lambda sources: _check(sources, bare))
    if trace_dir is not None:
        from fsmcheck.cli.traces import write_traces

        write_traces(report, trace_dir)
    if certificates is not None:
        from fsmcheck.cli.certificates import write_certificates

        write_certificates(report, certificates)
    for name, path in reports:
        write_file(path, formats.pieces(name, report))
    try:
        _deliver(report, "statistics" if statistics else format_name, output)
    except ReaderGoneError as error:
        error.code = _concluded(report, exit_zero=exit_zero)
        raise
    return _concluded(report, exit_zero=exit_zero)


def _concluded(report: Report, *, exit_zero: bool) -> int:
    """What is to be said besides the report, and the exit code. Raises ``LostSpecsError``."""
    for notice in report.notices:
        if notice.kind != LOST_SPEC:
            complain(_told(notice), prefix=False)
    if report.interrupted:
        complain("interrupted, nothing may be concluded")
        return exits.FAILED
    if report.lost:
        from fsmcheck.cli.lost import LostSpecsError

        raise LostSpecsError(report)
    return exits.FOUND if not exit_zero and reaches(report, report.fail_on) else exits.FINE


def _processes(jobs: int | None, cluster: str | None) -> int:
    if cluster is not None and jobs is not None:
        raise click.UsageError("--cluster and --jobs exclude each other")
    return jobs or cores()


def _check(sources: Sequence[SourceFile | UnreadableFileError], options: Options) -> Report:
    from fsmcheck.parallel.losses import ClusterError
    from fsmcheck.remembered import check

    progress = Progress()
    try:
        return check(sources, options, progress)
    except ClusterError as error:
        raise UnansweredError(str(error)) from None
    finally:
        progress.close()


def _sources(paths: Sequence[str]) -> list[SourceFile | UnreadableFileError]:
    from fsmcheck.spec.files import UnreadableFileError, read_source

    sources: list[SourceFile | UnreadableFileError] = []
    for path in paths:
        try:
            sources.append(read_source(path))
        except UnreadableFileError as unreadable:
            sources.append(unreadable)
    return sources


def _told(notice: Notice) -> str:
    if notice.source is None or notice.span is None:
        return f"fsmcheck: warning: {notice.message}"
    line, column = notice.source.position(notice.span.start)
    return f"{notice.source.path}:{line}:{column}: warning: {notice.message}".replace("\n", " ")


def _deliver(report: Report, format_name: str, output: Path | None) -> None:
    import sys

    rendered: Iterable[str]
    if format_name == "statistics":
        from fsmcheck.report import statistics

        rendered = (statistics.render(report),)
    elif format_name != "text":
        rendered = formats.pieces(format_name, report)
    else:
        rendered = formats.pieces(format_name, report, colour=output is None and wants_colour(sys.stdout))
    if output is not None:
        write_file(output, rendered)
    elif format_name in ("text", "statistics"):
        emit(rendered)
    else:
        emit_utf8(rendered)
