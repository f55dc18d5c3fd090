"""``fsmcheck monitor``: production runs against their spec, from logs or as they happen."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

import click

from fsmcheck.cli import candidates, exits
from fsmcheck.cli.listening import Listening, opened, rare_collections
from fsmcheck.cli.manual import Documented
from fsmcheck.cli.output import complain, refuse_overwriting, write_file
from fsmcheck.cli.places import NEW_FILE, NEW_FOLDER
from fsmcheck.cli.selection import rule_prefixes
from fsmcheck.cli.specs import one_spec
from fsmcheck.diagnostics import Severity
from fsmcheck.report import sanitise

if TYPE_CHECKING:
    from fsmcheck.cli.watchlog import Reporter
    from fsmcheck.monitoring.mapping import LogMapping
    from fsmcheck.monitoring.monitor import Monitor
    from fsmcheck.reducer.configuration import Profile
    from fsmcheck.spec.model import Spec


@click.command("monitor", cls=Documented, short_help="Find where production runs depart from their spec.")
@click.argument("spec_path", metavar="SPEC", shell_complete=candidates.files)
@click.argument("logs", metavar="LOG...", nargs=-1, required=True, shell_complete=candidates.files)
@click.option(
    "--profile",
    type=click.Choice(["gated", "eager"]),
    default="gated",
    show_default=True,
    help="The way of gating of the reducer that made the log.",
)
@click.option("--name", help="Which spec, where the file holds several.")
@click.option("--mapping", "mapping_path", metavar="FILE", help="Under which names the log holds what (YAML).")
@click.option("--map", "renamed", multiple=True, metavar="PART=PATH", help="One such name: --map run=trace.id.")
@click.option(
    "--select",
    multiple=True,
    callback=rule_prefixes,
    shell_complete=candidates.rules,
    metavar="RULE,...",
    help="Watch only these rules.",
)
@click.option(
    "--ignore",
    multiple=True,
    callback=rule_prefixes,
    shell_complete=candidates.rules,
    metavar="RULE,...",
    help="Watch all rules but these.",
)
@click.option(
    "--fail-on",
    type=click.Choice(["error", "warning", "info", "never"]),
    default="error",
    show_default=True,
    help="The least severity of a broken rule that makes the exit code 1.",
)
@click.option("--every", is_flag=True, help="Tell every violation, not only the first at each place of the spec.")
@click.option("--lenient", is_flag=True, help="Lines that cannot be judged do not make the exit code 1.")
@click.option("--fail-fast", is_flag=True, help="Stop at the first thing that makes the exit code 1.")
@click.option("--quiet", is_flag=True, help="Tell the summary only.")
@click.option(
    "--format",
    "format_name",
    type=click.Choice(["text", "json"]),
    default="text",
    show_default=True,
    help="json is an object a line, the summary last.",
)
@click.option(
    "--write-trace",
    "trace_dir",
    type=NEW_FOLDER,
    metavar="DIR",
    help="Write a trace for every run that went wrong.",
)
@click.option(
    "--coverage",
    "coverage_path",
    type=NEW_FILE,
    metavar="FILE",
    help="Write what the runs have exercised as JSON.",
)
@click.option("--add-coverage", "earlier", multiple=True, metavar="FILE", help="Add coverage that was written before.")
@click.option("--table", is_flag=True, help="Print what the runs have exercised as a table.")
@click.option(
    "--html",
    "html_path",
    type=NEW_FILE,
    metavar="FILE",
    help="Write the report of the spec as a page that shows the coverage.",
)
@click.option("--max-runs", type=click.IntRange(1), default=10_000, show_default=True, help="Open runs that are kept.")
@click.option(
    "--history",
    type=click.IntRange(1),
    default=1_000,
    show_default=True,
    help="Events of a run that are kept for its story and trace.",
)
def command(
    spec_path: str,
    logs: tuple[str, ...],
    profile: Profile,
    name: str | None,
    mapping_path: str | None,
    renamed: tuple[str, ...],
    select: tuple[str, ...],
    ignore: tuple[str, ...],
    fail_on: str,
    every: bool,
    lenient: bool,
    fail_fast: bool,
    quiet: bool,
    format_name: str,
    trace_dir: Path | None,
    coverage_path: Path | None,
    earlier: tuple[str, ...],
    table: bool,
    html_path: Path | None,
    max_runs: int,
    history: int,
) -> int:
    """Follow the runs in event logs (JSON Lines; - is standard input) on the reference reducer.

    What is told: where a run departs from the spec, which rules about behaviour a run breaks, and lines that cannot
    be judged, as they come; at the end a summary.
    """
    from fsmcheck.cli.watchlog import Reporter
    from fsmcheck.monitoring.monitor import Limits, Monitor
    from fsmcheck.reducer.runnable import UnrunnableSpecError

    given = [spec_path, *logs, *([mapping_path] if mapping_path is not None else [])]
    refuse_overwriting(given, [path for path in (coverage_path, html_path) if path is not None])
    spec = one_spec(spec_path, name)
    mapping = _mapping(mapping_path, renamed)
    try:
        monitor = Monitor(spec, profile, mapping, Limits(max_runs, history), _wanted(select, ignore), every=every)
    except UnrunnableSpecError as error:
        raise click.UsageError(f"{spec_path}: {error}") from None
    _add_coverage(monitor, earlier)
    least = None if fail_on == "never" else Severity(fail_on)
    reporter = Reporter(format_name, least, trace_dir, quiet=quiet, lenient=lenient)
    interrupted = _watch(monitor, reporter, logs, fail_fast)
    reporter.summary(monitor, table=table, interrupted=interrupted)
    if coverage_path is not None:
        write_file(coverage_path, _json(monitor))
    if html_path is not None:
        write_file(html_path, _page(spec, profile, monitor))
    if interrupted and logs != ("-",):
        complain("interrupted before the end of the log")
        return exits.FAILED
    return exits.FOUND if reporter.found else exits.FINE


def _watch(monitor: Monitor, reporter: Reporter, logs: tuple[str, ...], fail_fast: bool) -> bool:
    """Read all logs; whether that was interrupted."""
    from fsmcheck.monitoring.lines import lines

    with Listening() as listening, rare_collections():
        for log in logs:
            path = "<stdin>" if log == "-" else log
            with opened(log) as descriptor:
                for line in lines(lambda size, fd=descriptor: listening.read(fd, size)):  # type: ignore[misc]
                    if listening.interrupted and not line.ended:
                        return True
                    for outcome in monitor.feed(path, line):
                        reporter.tell(outcome)
                    if listening.interrupted or (fail_fast and reporter.found):
                        return listening.interrupted
            if listening.interrupted:
                return True
        for outcome in monitor.close(path):
            reporter.tell(outcome)
    return False


def _mapping(path: str | None, renamed: tuple[str, ...]) -> LogMapping:
    from fsmcheck.monitoring.mapping import LogMapping, MappingError, read_mapping
    from fsmcheck.spec.files import UnreadableFileError, read_source

    try:
        mapping = LogMapping() if path is None else read_mapping(read_source(path))
        pairs = [pair.partition("=") for pair in renamed]
        unclear = [part for part, separator, _ in pairs if not separator]
        if unclear:
            raise MappingError(f'"{unclear[0]}" is no mapping: expected PART=PATH')
        return mapping.renamed((part, where) for part, _, where in pairs)
    except MappingError as error:
        raise click.UsageError(str(error)) from None
    except UnreadableFileError as error:
        raise click.UsageError(f"{path}: {error}") from None


def _wanted(select: tuple[str, ...], ignore: tuple[str, ...]) -> Callable[[str], bool]:
    from fsmcheck.options import Options

    return Options(select=select, ignore=ignore).wants


def _add_coverage(monitor: Monitor, paths: tuple[str, ...]) -> None:
    from fsmcheck.monitoring.coverage import CoverageError
    from fsmcheck.spec.files import UnreadableFileError, read_source

    for path in paths:
        try:
            monitor.counts.add(read_source(path, limit=100_000_000).text)
        except (CoverageError, UnreadableFileError) as error:
            raise click.UsageError(f"{path}: {error}") from None


def _json(monitor: Monitor) -> str:
    import json

    text = json.dumps(monitor.counts.as_json(), indent=2, ensure_ascii=False)
    return sanitise.json_text(sanitise.scalar_values(text)) + "\n"


def _page(spec: Spec, profile: Profile, monitor: Monitor) -> str:
    """The report of the spec with what production has exercised drawn in."""
    from fsmcheck.monitoring.page import page

    return page(spec, profile, monitor.counts.coverage())
