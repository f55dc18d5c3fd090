"""Units on a Dask cluster that is there already, in batches."""

from __future__ import annotations

import logging
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from itertools import count
from typing import Any
from uuid import uuid4

from fsmcheck.options import Options
from fsmcheck.parallel.child import LostError
from fsmcheck.parallel.host import through_host
from fsmcheck.parallel.job import Job
from fsmcheck.parallel.limits import memory_for
from fsmcheck.parallel.losses import WORKER, ClusterError
from fsmcheck.parallel.unit import Progress, Reports, Unit, Work
from fsmcheck.parallel.versions import mismatch, versions
from fsmcheck.records import dataclass
from fsmcheck.results import SpecReport

ANSWER = 10.0
"""Seconds within which the scheduler, and one worker, must answer."""

ABANDONED = 60.0
"""Seconds without any worker after which the rest is given up."""

MOST_IN_BATCH = 32
BATCHES_A_THREAD = 4
"""Batches for each thread of the cluster at least, where there are enough units: the last one then holds up little."""

RETRIES = 2
_PAUSE = 0.5


def on_cluster(work: Work, units: Sequence[Unit], options: Options, progress: Progress | None) -> Reports:
    """The reports on all units. Units that no worker survives are left open.

    Verdicts are not taken from the cache of the workers' machines. Raises what a unit raised, and ``ClusterError``
    where there is no such cluster, or one with other versions.
    """
    with _quiet(), _client(options.cluster or "") as client:
        threads = _threads(client, options.cluster or "")
        run = _Run(client, work, units, options.memory, progress)
        try:
            run.begin(_batches(units, threads))
            while run.pending:
                run.turn()
        except KeyboardInterrupt:
            run.cancel()
            return Reports(run.reports, interrupted=True)
        finally:
            run.cancel()
        return Reports(run.reports)


def do_batch(work: Work, units: Sequence[Unit], memory: int | None) -> dict[int, SpecReport]:
    """On a worker: the reports on some units, each made in a child of a process apart, since a worker has threads."""
    from distributed import get_worker

    allowed = memory_for(get_worker().state.nthreads, memory)
    return through_host(work, 1, allowed, units).by_place


@dataclass(frozen=True, slots=True)
class _Batch:
    places: tuple[int, ...]
    units: tuple[Unit, ...]


class _Run:
    """The batches that are under way. What is done twice counts once."""

    def __init__(
        self, client: Any, work: Work, units: Sequence[Unit], memory: int | None, progress: Progress | None
    ) -> None:
        self._client = client
        self._work = work
        self._units = units
        self._memory = memory
        self._progress = progress
        self._name, self._number = f"fsmcheck-{uuid4().hex}", count()
        self._last_seen = time.monotonic()
        self.pending: dict[Any, _Batch] = {}
        self.reports: dict[int, SpecReport] = {}

    def begin(self, batches: Sequence[_Batch]) -> None:
        """Hand batches to the scheduler."""
        for batch in batches:
            key = f"{self._name}-{next(self._number)}"
            future = self._client.submit(
                do_batch, self._work, batch.units, self._memory, key=key, retries=RETRIES, pure=False
            )
            self.pending[future] = batch

    def turn(self) -> None:
        """Wait a little, and take in what is done."""
        from distributed import wait

        try:
            done = wait(list(self.pending), timeout=_PAUSE, return_when="FIRST_COMPLETED").done
        except TimeoutError:
            done = set()
        except Exception as error:
            done = {future for future in self.pending if future.status in ("cancelled", "lost")}
            if not done:
                raise ClusterError(f"the cluster failed: {type(error).__name__}: {error}") from error
        for future in done:
            self._take(self.pending.pop(future), future)
        self._look()
        if self._progress is not None:
            self._progress(len(self.reports), len(self._units), "specs")

    def _take(self, batch: _Batch, future: Any) -> None:
        if future.status == "finished":
            for place, report in future.result().items():
                self.reports.setdefault(batch.places[place], report)
            return
        error = future.exception() if future.status == "error" else None
        if error is not None and not _is_loss(error):
            raise error
        if len(batch.units) > 1 and self._client.status == "running":
            self.begin([_Batch((place,), (_bare(self._units[place]),)) for place in batch.places])
        else:
            self._lose(batch, "every worker that tried it died" if error is not None else "the scheduler dropped it")

    def _look(self) -> None:
        """Give up what is left where nobody works on it any more."""
        now = time.monotonic()
        running = self._client.status == "running"
        if running and self._client.scheduler_info(n_workers=-1)["workers"]:
            self._last_seen = now
        elif now - self._last_seen > ABANDONED:
            for batch in list(self.pending.values()):
                self._lose(batch, f"there was no worker for {ABANDONED:.0f} seconds")
            self.pending.clear()

    def _lose(self, batch: _Batch, reason: str) -> None:
        for place in batch.places:
            job = Job(place, self._units[place])
            job.give_up(WORKER + reason)
            self.reports.setdefault(place, self._work(job.unit, job.course))

    def cancel(self) -> None:
        """Have what is under way dropped."""
        if self.pending and self._client.status == "running":
            self._client.cancel(list(self.pending), force=True)
        self.pending.clear()


def _is_loss(error: BaseException) -> bool:
    """Whether an error says that a process was lost, and nothing about the unit."""
    from distributed import KilledWorker
    from distributed.comm import CommClosedError

    return isinstance(error, KilledWorker | CommClosedError | LostError | MemoryError | OSError)


def _bare(unit: Unit) -> Unit:
    return replace(unit.bare, options=replace(unit.options, cache=None, cluster=None))


def _batches(units: Sequence[Unit], threads: int) -> list[_Batch]:
    """The units in batches of about the same weight, the heaviest units first."""
    weights = [unit.weight for unit in units]
    room = max(1, sum(weights) // (BATCHES_A_THREAD * threads))
    found: list[list[int]] = []
    taken = room
    for place in sorted(range(len(units)), key=lambda place: -weights[place]):
        if taken + weights[place] > room or len(found[-1]) >= MOST_IN_BATCH:
            found.append([])
            taken = 0
        found[-1].append(place)
        taken += weights[place]
    return [_Batch(tuple(batch), tuple(_bare(units[place]) for place in batch)) for batch in found]


@contextmanager
def _client(address: str) -> Iterator[Any]:
    try:
        from distributed import Client
    except ModuleNotFoundError:
        raise ClusterError('there is no distributed here; install it with: pip install "fsmcheck[cluster]"') from None
    try:
        client = Client(address, timeout=ANSWER, set_as_default=False)
    except (OSError, ValueError, TypeError):
        raise ClusterError(f'no Dask scheduler answers at "{address}"') from None
    try:
        with client.as_current():
            yield client
    finally:
        client.close(timeout=ANSWER)


def _threads(client: Any, address: str) -> int:
    """How many threads the workers have, once it is clear that they fit."""
    try:
        client.wait_for_workers(1, timeout=ANSWER)
        found = client.run(versions)
    except TimeoutError:
        raise ClusterError(f'the scheduler at "{address}" has no workers') from None
    except ModuleNotFoundError as error:
        raise ClusterError(f'the workers at "{address}" cannot run fsmcheck: {error}') from None
    differs = mismatch(found)
    if differs is not None:
        raise ClusterError(differs)
    threads: int = sum(client.nthreads().values())
    return max(1, threads)


@contextmanager
def _quiet() -> Iterator[None]:
    """Without the log of a library whose workers come and go."""
    logger = logging.getLogger("distributed")
    before = logger.level
    logger.setLevel(logging.CRITICAL)
    try:
        yield
    finally:
        logger.setLevel(before)
