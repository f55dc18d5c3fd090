"""What may happen to a child, each in a process that has used no solver: ``python -m tests.parallel.scenario NAME``.

Prints the report as JSON, without times, and what else a test wants to know.
"""

from __future__ import annotations

import ctypes
import errno
import json
import os
import signal
import sys
import time
from collections.abc import Callable
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import Any, NoReturn

from fsmcheck.check import RuleCrashError, check
from fsmcheck.obligations import run
from fsmcheck.obligations.case import Case
from fsmcheck.obligations.obligation import Obligation, Verdict
from fsmcheck.options import Options
from fsmcheck.parallel import job, pool
from fsmcheck.remembered import check as check_or_remember
from fsmcheck.report import formats
from fsmcheck.results import Report
from fsmcheck.source import SourceFile
from fsmcheck.spec.files import read_source

ROOT = Path(__file__).parents[2]
PLAIN = read_source(str(ROOT / "specs" / "planner_executor.yaml"))
OTHER = read_source(str(ROOT / "specs" / "faulty" / "outcome_not_consumed.yaml"))
DECIDE = run.decide
Decide = Callable[[Case, Obligation], Verdict]
LIMIT = 3.0


def mixture() -> list[SourceFile]:
    """A dozen files: good, faulty, broken, without a spec, and with several documents."""
    cases = ROOT / "tests" / "cases"
    paths = [
        *sorted((ROOT / "specs" / "faulty").glob("*.yaml"))[:3],
        *(
            min((cases / rule).glob("bad_*.yaml"))
            for rule in ("FSM001", "FSM003", "FSM102", "FSM108", "FSM305", "FSM403", "FSM405")
        ),
    ]
    two = f"{PLAIN.text}\n---\nfsm: 3\n---\n{OTHER.text}"
    return [SourceFile("two.yaml", two), PLAIN, *(read_source(str(path)) for path in paths)]


def timeless(report: Report) -> str:
    """The report as JSON, without the seconds."""
    specs = (replace(s, obligations=tuple(replace(o, seconds=0.0) for o in s.obligations)) for s in report.specs)
    return formats.render("json", replace(report, specs=tuple(specs)))


@cache
def serial_mixture() -> str:
    return timeless(check(mixture(), Options(profile="both")))


def on(ids: dict[str, Callable[[], object]]) -> None:
    """Do something else first where some obligations are decided."""

    def decide(case: Case, obligation: Obligation) -> Verdict:
        if obligation.id in ids:
            ids[obligation.id]()
        return DECIDE(case, obligation)

    run.decide = decide


def die(number: int) -> Callable[[], object]:
    return lambda: os.kill(os.getpid(), number)


def hog() -> NoReturn:
    taken = []
    while True:
        taken.append(bytearray(b"x" * 20_000_000))
        time.sleep(0.01)


def sleep() -> NoReturn:
    while True:
        time.sleep(60)


def refuse() -> NoReturn:
    raise MemoryError


class Dropped:
    def __del__(self) -> None:
        raise MemoryError


def no_children() -> bool:
    try:
        os.waitpid(-1, os.WNOHANG)
    except ChildProcessError:
        return True
    return False


def both(jobs: int = 2, **options: Any) -> Report:
    return check([PLAIN, OTHER], Options(jobs=jobs, **options))


def killed() -> Report:
    on({"FSM402:plan:gated": die(signal.SIGKILL), "FSM204:execute:gated": die(signal.SIGSEGV)})
    return both()


def terminated() -> Report:
    """The C++ runtime ends a process, which says so itself; another one writes to standard error by way of Python."""
    on(
        {
            "FSM402:plan:gated": lambda: ctypes.CDLL("libstdc++.so.6")._ZSt9terminatev(),
            "FSM204:execute:gated": lambda: sys.stderr.write("said by us\n"),
        }
    )
    return check([PLAIN], Options(jobs=1))


def hungry() -> Report:
    on({"FSM402:plan:gated": hog, "FSM204:execute:gated": refuse})
    return both(memory=300)


def dropping() -> Report:
    on({"FSM402:plan:gated": Dropped})
    return both()


def hanging() -> Report:
    job.LEAST_PATIENCE = LIMIT
    run.PATIENCE = 0
    on({"FSM402:plan:gated": sleep})
    return both()


def untranslatable() -> Report:
    make = run.make_case

    def make_case(spec: Any, *rest: Any) -> Case:
        if spec.source == PLAIN:
            os._exit(7)
        return make(spec, *rest)

    run.make_case = make_case
    return both()


def unchecked() -> Report:
    run.rechecked = lambda *_: die(signal.SIGKILL)()
    return both()


def unsolved() -> Report:
    from fsmcheck.obligations import constants

    constants.constant_guards = lambda _spec: die(signal.SIGABRT)()
    return both()


def lost(profile: str = "gated", select: str = "") -> Report:
    """A spec whose processes are killed by the rules on its text, even once it was given up."""
    import fsmcheck.check

    findings = fsmcheck.check._text_findings
    fsmcheck.check._text_findings = lambda document, *rest: (
        die(signal.SIGKILL)() if document.source == PLAIN else findings(document, *rest)
    )
    return both(profile=profile, select=tuple(filter(None, [select])))


def lost_late() -> Report:
    """Processes that are killed once everything is decided, and again when they tell of what was."""
    import fsmcheck.check

    parent = os.getpid()
    link = fsmcheck.check.link
    fsmcheck.check.link = lambda *rest: link(*rest) if os.getpid() == parent else die(signal.SIGKILL)()
    return both()


def lost_in_command() -> Report:
    """As ``lost``, by way of the command line: prints what it prints, and leaves with its exit code."""
    import fsmcheck.check
    from fsmcheck.cli.main import main as command

    fsmcheck.check._text_findings = lambda *_: die(signal.SIGKILL)()
    sys.exit(command(["check", "--no-cache", "--fail-on", "warning", "--jobs", "2", PLAIN.path, OTHER.path]))


FINE = str(ROOT / "specs" / "patterns" / "critique_refine.yaml")
"""A spec without errors."""


def command_on(*arguments: str) -> NoReturn:
    """The command on a spec without errors and on the planner, with little memory."""
    from fsmcheck.cli.main import main as command

    sys.exit(command(["check", "--no-cache", "--jobs", "2", "--memory", "300", FINE, PLAIN.path, *arguments]))


def drained_in_command(*arguments: str) -> None:
    """The planner cannot be translated within the memory there is."""
    make = run.make_case

    def make_case(spec: Any, *rest: Any) -> Case:
        return hog() if spec.source.path == PLAIN.path else make(spec, *rest)

    run.make_case = make_case
    command_on(*arguments)


def hungry_in_command(*arguments: str) -> None:
    """One obligation of the planner eats its memory."""
    on({"FSM402:plan:gated": hog})
    command_on(*arguments)


def unfigured_in_command(folder: str) -> None:
    """Figures eat the memory, whoever works them out; twice, with a cache."""
    from fsmcheck.cli.main import main as command

    os.environ["FSMCHECK_CACHE_DIR"] = folder
    run.bounds = lambda _: hog()
    arguments = ["check", "--jobs", "1", "--memory", "300", "--format", "json", PLAIN.path]
    codes = [command([*arguments, "--output", str(Path(folder, f"{number}.json"))]) for number in range(2)]
    sys.exit(max(codes))


def waiting() -> Report:
    """Stops at an obligation until it is interrupted, and says so."""

    def wait() -> None:
        sys.stderr.write(f"child {os.getpid()}\n")
        sys.stderr.flush()
        sleep()

    on({"FSM402:plan:gated": wait})
    return both()


def mixed() -> Report:
    return check(mixture(), Options(profile="both", jobs=2))


def remembered(folder: str) -> Report:
    on({"FSM402:plan:gated": die(signal.SIGKILL)})
    return remembered_again(folder)


def remembered_again(folder: str) -> Report:
    return check_or_remember([PLAIN, OTHER], Options(jobs=2, cache=Path(folder)))


def refused(forks: str) -> Report:
    """The system refuses every process after so many."""
    fork, left = os.fork, [int(forks)]

    def limited() -> int:
        left[0] -= 1
        if left[0] < 0:
            raise BlockingIOError(errno.EAGAIN, os.strerror(errno.EAGAIN))
        return fork()

    os.fork = limited
    return check([PLAIN, OTHER, PLAIN, OTHER], Options(jobs=3))


def crowded() -> Report:
    """The descriptors of children have higher numbers than select takes."""
    import resource

    resource.setrlimit(resource.RLIMIT_NOFILE, (2_000, resource.getrlimit(resource.RLIMIT_NOFILE)[1]))
    for _ in range(1_100):
        os.dup(2)
    return both()


def fail(*_: object) -> NoReturn:
    """The work of a unit at which a rule crashes."""
    raise RuleCrashError("FSM403", ValueError("no"))


def main(name: str, *arguments: str) -> None:
    pool.POLL = 0.01
    report = globals()[name](*arguments)
    sys.stdout.write(told(report))


def told(report: Report) -> str:
    return json.dumps({"report": timeless(report), "no_children": no_children()})


if __name__ == "__main__":
    main(*sys.argv[1:])
