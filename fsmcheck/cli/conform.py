"""``fsmcheck conform``: put another reducer through its paces."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from fsmcheck.cli import candidates, exits
from fsmcheck.cli.manual import Documented
from fsmcheck.cli.output import complain, concluding, emit, refuse_overwriting, write_file
from fsmcheck.cli.places import NEW_FILE, NEW_FOLDER
from fsmcheck.cli.seconds import Seconds
from fsmcheck.report import sanitise

if TYPE_CHECKING:
    from fsmcheck.conformance.examine import Examination, Job
    from fsmcheck.conformance.process import Bounds
    from fsmcheck.reducer.configuration import Profile
    from fsmcheck.spec.model import Spec

_REDUCER = "fsmcheck.reducer"


_PROFILES: dict[str, tuple[Profile, ...]] = {"gated": ("gated",), "eager": ("eager",), "both": ("gated", "eager")}


class _WithCommand(Documented):
    """Keeps what follows ``--`` apart, options of the other program included."""

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        cut = args.index("--") if "--" in args else len(args)
        ctx.meta[_REDUCER] = tuple(args[cut + 1 :])
        return super().parse_args(ctx, args[:cut])

    def collect_usage_pieces(self, ctx: click.Context) -> list[str]:
        return [*super().collect_usage_pieces(ctx), "-- COMMAND..."]


@click.command("conform", cls=_WithCommand, short_help="Find out which clauses another reducer breaks.")
@click.argument("spec_paths", metavar="[SPEC]...", nargs=-1, shell_complete=candidates.files)
@click.option(
    "--profile",
    type=click.Choice(["gated", "eager", "both"]),
    default="gated",
    show_default=True,
    help="Whether a state is left only once all that it requires is there (gated), or earlier as well (eager).",
)
@click.option(
    "--suite",
    "suites",
    multiple=True,
    metavar="PATH",
    shell_complete=candidates.files,
    help='A suite that "fsmcheck suite" or --case-dir wrote, or a folder of suites.',
)
@click.option("--shipped", is_flag=True, help="The suites of the specs that come with fsmcheck.")
@click.option("--no-probes", is_flag=True, help="Leave out the probes of single clauses.")
@click.option(
    "--random", "random_runs", type=click.IntRange(0), default=0, metavar="N", help="Random runs of each SPEC."
)
@click.option(
    "--seed", type=click.IntRange(0), default=0, show_default=True, metavar="N", help="The seed of the random runs."
)
@click.option(
    "--deadline",
    type=Seconds(0.05),
    default=10.0,
    show_default=True,
    metavar="SECONDS",
    help="The most time for one answer.",
)
@click.option(
    "--trace-dir",
    type=NEW_FOLDER,
    metavar="DIR",
    shell_complete=candidates.folders,
    help="Write a trace for every run that differs.",
)
@click.option(
    "--case-dir",
    type=NEW_FOLDER,
    metavar="DIR",
    shell_complete=candidates.folders,
    help="Write every run that differs as a suite of one case.",
)
@click.option(
    "--write-pytest",
    type=NEW_FILE,
    metavar="FILE",
    shell_complete=candidates.files,
    help="Write the runs that differ as tests for pytest.",
)
@click.pass_context
def command(
    ctx: click.Context,
    spec_paths: tuple[str, ...],
    profile: str,
    suites: tuple[str, ...],
    no_probes: bool,
    random_runs: int,
    seed: int,
    deadline: float,
    shipped: bool,
    trace_dir: Path | None,
    case_dir: Path | None,
    write_pytest: Path | None,
) -> int:
    """Put COMMAND, a reducer that speaks the protocol, to the test.

    It goes through probes of single clauses of the spec language and through runs that cover each SPEC; for each clause
    that it breaks there is the shortest run that shows it.
    """
    from fsmcheck.cli.specs import whole_specs
    from fsmcheck.conformance.examine import examine
    from fsmcheck.conformance.process import Bounds
    from fsmcheck.conformance.render import lines

    reducer: tuple[str, ...] = ctx.meta[_REDUCER]
    if not reducer:
        raise click.UsageError("expected a command after --, such as -- node reducer.js")
    profiles = _PROFILES[profile]
    paths = _files(spec_paths)
    refuse_overwriting([*paths, *suites], [] if write_pytest is None else [write_pytest])
    specs = [spec for path in paths for spec in whole_specs(path)]
    bounds = Bounds(seconds=deadline)
    jobs = [*_suite_jobs(specs, suites, profiles, shipped=shipped), *([] if no_probes else _probe_jobs(profiles))]
    if not jobs:
        raise click.UsageError("there is nothing to do: expected a SPEC or a suite where probes are left out")
    found = examine(reducer, jobs, bounds)
    if random_runs and not found.failures:
        found = _joined(found, reducer, specs, profiles, random_runs, seed, bounds)
    _write_divergences(found, trace_dir, case_dir)
    if write_pytest is not None:
        _write_tests(found, write_pytest, reducer, deadline)
    code = exits.FINE if found.passed else exits.FOUND
    with concluding(code):
        for line in lines(found):
            emit(f"{sanitise.line(line)}\n")
    return code


def _files(paths: tuple[str, ...]) -> list[str]:
    from fsmcheck.cli.discover import discover

    return discover(paths) if paths else []


def _suite_jobs(
    specs: list[Spec], folders: tuple[str, ...], profiles: tuple[Profile, ...], *, shipped: bool
) -> list[Job]:
    from fsmcheck.conformance.shipped import shipped_jobs
    from fsmcheck.conformance.suite import make_suite
    from fsmcheck.conformance.suite_files import SuiteError, read_suites

    jobs = [make_suite(spec, profile).job() for spec in specs for profile in profiles]
    if shipped:
        jobs.extend(shipped_jobs(profiles))
    try:
        for folder in folders:
            jobs.extend(read_suites(Path(folder), profiles))
    except SuiteError as error:
        raise click.UsageError(str(error)) from None
    return jobs


def _probe_jobs(profiles: tuple[Profile, ...]) -> list[Job]:
    from fsmcheck.conformance.examine import probe_jobs

    return list(probe_jobs(profiles))


def _joined(
    found: Examination,
    reducer: tuple[str, ...],
    specs: list[Spec],
    profiles: tuple[Profile, ...],
    runs: int,
    seed: int,
    bounds: Bounds,
) -> Examination:
    from fsmcheck.conformance.examine import Examination

    try:
        from fsmcheck.conformance.divergence import random_examination
    except ImportError:
        raise click.UsageError("random runs need hypothesis: install fsmcheck[conform]") from None
    parts = [found]
    parts.extend(random_examination(reducer, spec, each, runs, seed, bounds) for spec in specs for each in profiles)
    return Examination(
        sum(part.runs for part in parts),
        tuple(miss for part in parts for miss in part.misses),
        tuple(failure for part in parts for failure in part.failures),
        any(part.cut_short for part in parts),
    )


def _write_divergences(found: Examination, trace_dir: Path | None, case_dir: Path | None) -> None:
    import json

    from fsmcheck.conformance.cases import suite_of
    from fsmcheck.conformance.render import trace_of

    for number, miss in enumerate(found.misses, 1):
        name = f"{number:03}-{miss.deviation.clause}-{miss.job.profile}.json"
        for folder, data in ((trace_dir, trace_of(miss)), (case_dir, suite_of(miss))):
            if folder is not None and data is not None:
                folder.mkdir(parents=True, exist_ok=True)
                text = json.dumps(data, indent=2, ensure_ascii=False)
                write_file(folder / name, sanitise.json_text(text) + "\n")


def _write_tests(found: Examination, path: Path, reducer: tuple[str, ...], deadline: float) -> None:
    from fsmcheck.conformance.cases import pytest_file

    if not found.misses:
        complain(f'no run differs, so "{path}" is not written')
        return
    write_file(path, pytest_file(found.misses, reducer, deadline))
