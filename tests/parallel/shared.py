"""What may happen to processes that share one spec: ``python -m tests.parallel.shared NAME``.

As in ``scenario``, but every spec is shared, however small it is. ``diagrams/NAME`` is the same where the search of the
whole is cut off, ``layers/NAME`` where diagrams give up as well, ``slices/NAME`` where layers do, too.
"""

from __future__ import annotations

import errno
import os
import signal
import sys
import time
from collections.abc import Callable
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any, NoReturn

from bench.large import spec
from fsmcheck.check import check
from fsmcheck.engines.diagram.budget import DiagramLimits
from fsmcheck.engines.disagreement import DisagreementError
from fsmcheck.obligations import case as cases
from fsmcheck.obligations import diagrams, layers, shares
from fsmcheck.obligations import run as running
from fsmcheck.options import Options
from fsmcheck.parallel import child, job, pool, sharers
from fsmcheck.parallel.unit import Unit
from fsmcheck.remembered import check as check_or_remember
from fsmcheck.results import Report, SpecReport
from fsmcheck.source import SourceFile
from tests.parallel import scenario
from tests.parallel.scenario import OTHER, PLAIN, die, hog, mixture, on, refuse, sleep

LARGE = SourceFile("large.yaml", spec(60))
ENDS, BOUNDED = "FSM204:execute:gated", "FSM505:execute:gated"


SOURCES = {"plain": PLAIN, "other": OTHER, "large": LARGE}


def cut_off(by: str) -> None:
    """Have the search of the whole cut off, and most decided by diagrams, layers or slices."""
    cases.WHOLE = 1
    if by != "diagrams":
        diagrams.DiagramLimits = partial(DiagramLimits, nodes=10)  # type: ignore[attr-defined]
    if by == "slices":
        layers.MEGABYTES = 0


def one(source: SourceFile = PLAIN, jobs: int = 2, **options: Any) -> Report:
    return check([source], Options(jobs=jobs, **options))


def large(jobs: str) -> Report:
    return one(LARGE, int(jobs))


def many(source: str, jobs: str, profile: str = "gated") -> Report:
    """The processes that are forked for it, on standard error."""
    fork = sharers._Sharers._forked

    def forked(crew: Any) -> Any:
        sys.stderr.write("forked\n")
        sys.stderr.flush()
        return fork(crew)

    sharers._Sharers._forked = forked  # type: ignore[method-assign]
    return one(SOURCES[source], int(jobs), profile=profile)


def remembered(folder: str) -> Report:
    """With a cache, then with a further comment: what was decided anew then is on standard error."""
    sources = (OTHER, SourceFile(OTHER.path, f"{OTHER.text}# no more than that\n"))
    first, second = (check_or_remember([each], Options(jobs=2, cache=Path(folder))) for each in sources)
    anew = [each.id for spec in second.specs for each in spec.obligations if not each.cached]
    sys.stderr.write("".join(f"{name}\n" for name in anew))
    return first


def faulty(jobs: str) -> Report:
    return one(OTHER, int(jobs), profile="both")


def mixed(jobs: str) -> Report:
    return check(mixture(), Options(profile="both", jobs=int(jobs)))


def killed() -> Report:
    on({ENDS: die(signal.SIGKILL), BOUNDED: die(signal.SIGSEGV)})
    return one()


def hungry() -> Report:
    on({ENDS: hog, BOUNDED: refuse})
    return one(memory=300)


def hanging() -> Report:
    job.LEAST_PATIENCE = 1.0
    scenario.run.PATIENCE = 0
    on({ENDS: sleep})
    return one()


def replacing(kind: str, instead: Callable[..., object]) -> None:
    """Do something else for one kind of part (all where it is empty)."""
    do = shares.Parts.do

    def done(self: shares.Parts, part: object) -> object:
        return instead() if kind in (type(part).__name__, "") else do(self, part)

    shares.Parts.do = done  # type: ignore[method-assign]


def dying() -> Report:
    replacing("", die(signal.SIGKILL))
    return one()


def unfigured() -> Report:
    replacing("Turns", die(signal.SIGKILL))
    return one()


def unconfirmed() -> Report:
    replacing("Conditions", die(signal.SIGKILL))
    return one()


def lossy(kind: str, folder: str) -> Report:
    """With a cache, first without one kind of part: what the notices say of that is on standard error."""
    do = shares.Parts.do
    replacing(kind, die(signal.SIGKILL))
    first = check_or_remember([PLAIN], Options(jobs=2, cache=Path(folder)))
    sys.stderr.write("".join(f"{notice.kind}: {notice.message}\n" for notice in first.notices))
    shares.Parts.do = do  # type: ignore[method-assign]
    return check_or_remember([PLAIN], Options(jobs=2, cache=Path(folder)))


def stumbling(folder: str) -> Report:
    """Whoever is the first to look at conditions, or at figures, is killed."""
    do = shares.Parts.do

    def done(self: shares.Parts, part: object) -> object:
        kind = type(part).__name__
        if kind in ("Conditions", "Ends") and not (place := Path(folder, kind)).exists():
            place.touch()
            os.kill(os.getpid(), signal.SIGKILL)
        return do(self, part)

    shares.Parts.do = done  # type: ignore[method-assign]
    return one()


def crowded(room: str) -> Report:
    """The system lets a unit's process have no more than so many others."""
    outermost, fork = os.getpid(), os.fork
    forked: list[int] = []

    def limited() -> int:
        if os.getpid() != outermost:
            if len(forked) == int(room):
                raise BlockingIOError(errno.EAGAIN, os.strerror(errno.EAGAIN))
            forked.append(0)
        return fork()

    os.fork = limited
    return one(LARGE, jobs=3)


def unwitnessed() -> Report:
    replacing("Witnesses", die(signal.SIGKILL))
    return one()


def contradicted() -> Report:
    def contradict() -> NoReturn:
        raise DisagreementError("they do not agree")

    on({ENDS: contradict})
    try:
        return one()
    except DisagreementError as error:
        sys.stderr.write(f"raised: {error}\n")
        return Report("gated", (), "", "")


def doubted() -> Report:
    replacing("Conditions", lambda: False)
    return one()


def waiting(jobs: str = "2") -> Report:
    def wait() -> None:
        sys.stderr.write(f"child {os.getpid()} {os.getppid()}\n")
        sys.stderr.flush()
        sleep()

    on({ENDS: wait})
    return one(jobs=int(jobs))


def told() -> Report:
    """The progress, on standard error."""
    seen: list[tuple[int, int, str]] = []
    on({ENDS: lambda: time.sleep(0.5)})
    report = check([PLAIN], Options(jobs=2), lambda *step: seen.append(step))
    for done, total, label in seen:
        sys.stderr.write(f"{done}/{total} {label}\n")
    return report


HEAVIEST = 30


def allowed(unit: Unit, course: Any) -> SpecReport:
    """The work of a unit that tells how many processes it may have, once it has been granted some more."""
    allowance: child.Allowance = course.share.args[0]
    granted = 0
    if unit.weight == HEAVIEST:
        granted = len(os.read(allowance.more, 1)) + len(os.read(allowance.more, 1))
    return SpecReport(unit.source, "gated", f"{allowance.processes}+{granted}", None, (), ())


def allotted() -> Report:
    """Three units of different weight, and four processes for them; the heaviest waits for what the others leave."""
    from fsmcheck.parallel.unit import units
    from fsmcheck.spec.load import load

    todo = [
        replace(each, weight=HEAVIEST - 10 * place) for place, each in enumerate(units([*load(PLAIN)] * 3, Options()))
    ]
    reports = pool.Pool(allowed, 4, 1 << 40).run(todo).by_place
    return Report("gated", tuple(reports[place] for place in range(3)), "", "")


def main(name: str, *arguments: str) -> None:
    by, _, name = name.rpartition("/")
    if by:
        cut_off(by)
    running.LEAST = sharers.ALONE = 1  # type: ignore[attr-defined]
    report = globals()[name](*arguments)
    sys.stdout.write(scenario.told(report))


if __name__ == "__main__":
    main(*sys.argv[1:])
