"""Putting a reducer through runs: all that it answers wrongly, all the ways in which it fails to answer."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass

from fsmcheck.conformance.client import Client
from fsmcheck.conformance.conduct import Conversation, Deviation, Reducer, Scenario, deviation, load_deviation
from fsmcheck.conformance.failure import Failure, ReducerFailure
from fsmcheck.conformance.probes import PROBES
from fsmcheck.conformance.process import Bounds
from fsmcheck.reducer.configuration import Profile
from fsmcheck.spec.model import Spec

Notice = Callable[["Job"], None]

ENOUGH_FAILURES = 3
"""Failures of the process after which no further run is tried."""


@dataclass(frozen=True, slots=True)
class Job:
    """Runs of one spec under one profile; ``clause`` is what a probe asks about, None in a suite."""

    name: str
    spec: Spec
    profile: Profile
    scenarios: tuple[Scenario, ...]
    clause: str | None = None


@dataclass(frozen=True, slots=True)
class Miss:
    """A run on which the reducer differs from the reference."""

    job: Job
    scenario: Scenario
    deviation: Deviation


@dataclass(frozen=True, slots=True)
class Examination:
    """What came of the runs. ``cut_short``: there were too many failures to go on."""

    runs: int
    misses: tuple[Miss, ...]
    failures: tuple[tuple[Job, Failure], ...]
    cut_short: bool = False

    @property
    def passed(self) -> bool:
        return not self.misses and not self.failures


def probe_jobs(profiles: Sequence[Profile]) -> Iterator[Job]:
    """The probes that make sense under some profiles."""
    for profile in profiles:
        for probe in PROBES:
            if profile in probe.profiles:
                scenario = Scenario(probe.inputs, probe.exchanges)
                yield Job(probe.name, probe.spec, profile, (scenario,) * probe.times, probe.clause)


def examine(
    command: Sequence[str],
    jobs: Iterable[Job],
    bounds: Bounds | None = None,
    notice: Callable[[Job], None] | None = None,
) -> Examination:
    """Put a command through runs; a new process takes over where one has failed."""
    return examine_by(lambda: Client(command, bounds), jobs, notice)


def examine_by(
    connect: Callable[[], Conversation], jobs: Iterable[Job], notice: Callable[[Job], None] | None = None
) -> Examination:
    """Put a reducer through runs; a new conversation takes over where one has failed."""
    runs = 0
    misses: list[Miss] = []
    failures: list[tuple[Job, Failure]] = []
    pending = list(jobs)
    at = 0
    while at < len(pending) and len(failures) < ENOUGH_FAILURES:
        try:
            with connect() as client:
                while at < len(pending):
                    job = pending[at]
                    if notice is not None:
                        notice(job)
                    at += 1  # a run during which the process fails is not tried again
                    runs += len(job.scenarios)
                    misses.extend(put_through(client, job))
                client.close()
        except ReducerFailure as failed:
            failures.append((pending[at - 1] if at else pending[0], failed.failure))
            if failed.failure.name == "not-started":
                break
    return Examination(runs, tuple(misses), tuple(failures), at < len(pending))


def put_through(reducer: Reducer, job: Job) -> Iterator[Miss]:
    """The runs of a job on which a reducer, a process or not, differs from the reference."""
    found = load_deviation(reducer, job.spec, job.profile)
    if found is not None:
        yield Miss(job, job.scenarios[0], found)
        return
    for scenario in job.scenarios:
        found = deviation(reducer, job.spec, job.profile, scenario)
        if found is not None:
            yield Miss(job, scenario, found)
