"""Putting a reducer through runs: all that it answers wrongly, all the ways in which it fails to answer."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace

from fsmcheck.conformance.client import Client
from fsmcheck.conformance.conduct import Conversation, Deviation, Reducer, Scenario, deviation, load_deviation
from fsmcheck.conformance.failure import Failure, ReducerFailure
from fsmcheck.conformance.probes import PROBES
from fsmcheck.conformance.process import Bounds
from fsmcheck.records import dataclass
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
    """Put a reducer through runs; a new conversation takes over where one has failed.

    A run during which it fails is not tried again, nor is any run of a spec that it fails to load.
    """
    runs, reached = 0, 0
    misses: list[Miss] = []
    failures: list[tuple[Job, Failure]] = []
    pending = deque(jobs)
    passed_over = False

    def begin(number: int) -> None:
        nonlocal reached
        reached = number

    while pending and len(failures) < ENOUGH_FAILURES:
        job, reached = pending[0], 0
        try:
            with connect() as client:
                while pending:
                    job, reached = pending[0], 0
                    if notice is not None:
                        notice(job)
                    misses.extend(put_through(client, job, begin))
                    runs += reached
                    pending.popleft()
                client.close()
        except ReducerFailure as failed:
            failures.append((job, failed.failure))
            if failed.failure.name == "not-started":
                break
            if pending:
                pending.popleft()
                runs += reached
                passed_over = passed_over or not reached
                if 0 < reached < len(job.scenarios):
                    pending.appendleft(replace(job, scenarios=job.scenarios[reached:]))
    return Examination(runs, tuple(misses), tuple(failures), passed_over or bool(pending))


def put_through(reducer: Reducer, job: Job, begin: Callable[[int], None] = lambda _number: None) -> Iterator[Miss]:
    """The runs of a job on which a reducer, a process or not, differs from the reference.

    ``begin`` is told of each run before it is made, by its number from 1.
    """
    found = load_deviation(reducer, job.spec, job.profile)
    if found is not None:
        begin(1)
        yield Miss(job, job.scenarios[0], found)
        return
    for number, scenario in enumerate(job.scenarios, 1):
        begin(number)
        found = deviation(reducer, job.spec, job.profile, scenario)
        if found is not None:
            yield Miss(job, scenario, found)
