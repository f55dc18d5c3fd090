"""All units, by whatever means this process has."""

from __future__ import annotations

import os
import sys
import threading
from collections.abc import Sequence

from fsmcheck.obligations.course import Course
from fsmcheck.options import Options
from fsmcheck.parallel.limits import memory_for
from fsmcheck.parallel.pool import Pool
from fsmcheck.parallel.unit import Progress, Reports, Unit, Work
from fsmcheck.results import SpecReport


def run(work: Work, units: Sequence[Unit], options: Options, progress: Progress | None) -> Reports:
    """The reports on all units, as ``options`` say: on a cluster, or in child processes of this machine.

    Units of which nothing has to be decided are done here. Raises as ``Pool.run`` does, and ``ClusterError``.
    """
    here = {place: work(unit, Course()) for place, unit in enumerate(units) if unit.weight == 0}
    places = [place for place in range(len(units)) if place not in here]
    away = [units[place] for place in places]
    found = Reports({})
    if away and options.cluster is not None:
        from fsmcheck.parallel.cluster import on_cluster

        found = on_cluster(work, away, options, progress)
    elif away:
        found = _in_children(work, away, options, progress)
    there: dict[int, SpecReport] = {places[place]: report for place, report in found.by_place.items()}
    return Reports(here | there, found.interrupted)


def _in_children(work: Work, units: Sequence[Unit], options: Options, progress: Progress | None) -> Reports:
    jobs = options.jobs or 1
    memory = memory_for(min(jobs, len(units)), options.memory)
    if not hasattr(os, "fork"):
        return Reports({place: work(unit, Course()) for place, unit in enumerate(units)})
    if not may_fork():
        from fsmcheck.parallel.host import through_host

        return through_host(work, jobs, memory, units, progress)
    if len(units) > 1:  # a single child imports what it needs, which may be without Z3
        from fsmcheck.parallel.host import preload

        preload()
    return Pool(work, jobs, memory, progress).run(units)


def may_fork() -> bool:
    """Whether a fork of this process is sound: it has one thread, and Z3, which keeps threads of its own, was not
    used yet. Elsewhere than on Linux, libraries of the system mind as well."""
    z3 = sys.modules.get("z3.z3")
    unused = z3 is None or getattr(z3, "_main_ctx", None) is None
    return sys.platform == "linux" and unused and threading.active_count() == 1
