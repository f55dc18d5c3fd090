"""Putting a candidate in this process through a spec: the suite, then random runs."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

from fsmcheck.conformance.clauses import CLAUSES
from fsmcheck.conformance.examine import Examination, Miss, examine_by, probe_jobs
from fsmcheck.conformance.failure import Failure, ReducerFailure
from fsmcheck.conformance.in_process import InProcess
from fsmcheck.conformance.render import run_lines
from fsmcheck.conformance.shorten import shortened
from fsmcheck.conformance.suite import make_suite
from fsmcheck.conformance.verdict import broken_clauses
from fsmcheck.records import dataclass
from fsmcheck.reducer.configuration import Profile
from fsmcheck.spec.model import Spec

RUNS = 100


@dataclass(frozen=True, slots=True)
class Trial:
    """How hard to try: the random runs (0: none) and their seed, whether the probes of single clauses are tried, which
    need a candidate that loads any spec, and the seconds that a call may take (None: any)."""

    runs: int = RUNS
    seed: int = 0
    probes: bool = False
    deadline: float | None = 10.0


def examine_candidate(
    candidate: object, spec: Spec, profiles: Sequence[Profile], trial: Trial | None = None
) -> Examination:
    """Put a candidate through the suite of a spec and, if that finds nothing, through random runs.

    Random runs need hypothesis. Raises ``CandidateError`` where the object cannot be a reducer.
    """
    trial = trial or Trial()

    def connect() -> InProcess:
        return InProcess(candidate, trial.deadline)

    jobs = [make_suite(spec, profile).job() for profile in profiles]
    found = examine_by(connect, [*jobs, *(probe_jobs(profiles) if trial.probes else ())])
    if found.passed and trial.runs:
        from fsmcheck.conformance.divergence import random_examination_by

        for profile in profiles:
            more = random_examination_by(connect, spec, profile, trial.runs, trial.seed, shrink_failures=True)
            found = replace(more, runs=found.runs + more.runs)
            if not found.passed:
                break
    return replace(found, misses=tuple(_shortest(connect(), miss) for miss in _of_each_clause(found)))


def complaint(found: Examination) -> str:
    """What is wrong with a candidate, clause by clause, each with its shortest run; empty where nothing is."""
    return "\n".join(_lines(found))


def _lines(found: Examination) -> Iterator[str]:
    for miss in found.misses:
        clause = miss.deviation.clause
        yield f"the reducer breaks {clause}: {CLAUSES[clause]}"
        yield f'    in "{miss.job.name}", {miss.job.profile}:'
        yield from (f"        {line}" for line in run_lines(miss))
    for failure in {(failure.name, failure.detail): failure for _, failure in reversed(found.failures)}.values():
        yield f"the reducer fails by {failure.name}: {failure.meaning} ({failure.detail})"
        yield from (f"        {number}. {request}" for number, request in enumerate(_requests(failure), 1))


def _requests(failure: Failure) -> tuple[str, ...]:
    return (*failure.before, f"{failure.request}, where it fails")


def _of_each_clause(found: Examination) -> list[Miss]:
    """Of each clause that is broken the miss with the fewest exchanges."""
    return [
        min(broken.misses, key=lambda miss: miss.deviation.difference.step) for broken in broken_clauses(found.misses)
    ]


def _shortest(reducer: InProcess, miss: Miss) -> Miss:
    try:
        with reducer:
            if reducer.load(miss.job.spec.document, miss.job.profile).get("ok") is True:  # type: ignore[arg-type]
                return shortened(reducer, miss)
    except ReducerFailure:
        pass
    return miss
