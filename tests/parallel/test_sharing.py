"""One spec in several processes: the report is that of one process, and what is lost with a process is one answer."""

from __future__ import annotations

import json
import signal
import subprocess
import sys
import time
from collections import Counter
from functools import cache, partial
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import pytest

from fsmcheck.check import check
from fsmcheck.engines.diagram.budget import DiagramLimits
from fsmcheck.obligations import case as cases
from fsmcheck.obligations import diagrams, layers
from fsmcheck.options import Options
from fsmcheck.parallel.limits import MEGABYTE, crew_for
from fsmcheck.source import SourceFile
from tests.parallel.scenario import OTHER, PLAIN, ROOT, serial_mixture, timeless
from tests.parallel.shared import BOUNDED, ENDS, LARGE, SOURCES
from tests.parallel.test_children import alive, verdicts


def command(*arguments: str) -> list[str]:
    return [sys.executable, "-m", "tests.parallel.shared", *arguments]


def played(*arguments: str) -> tuple[Any, str]:
    done = subprocess.run(command(*arguments), cwd=ROOT, capture_output=True, text=True, timeout=120, check=True)
    found = json.loads(done.stdout)
    assert found["no_children"]
    return found["report"], done.stderr


needs_numpy = pytest.mark.skipif(find_spec("numpy") is None, reason="NumPy is not installed")


@cache
def serial(source: SourceFile, profile: str = "gated", by: str = "") -> str:
    """The report of one process; see ``shared`` for what it is decided ``by``."""
    with pytest.MonkeyPatch.context() as patch:
        if by:
            patch.setattr(cases, "WHOLE", 1)
        if by in ("layers", "slices"):
            patch.setattr(diagrams, "DiagramLimits", partial(DiagramLimits, nodes=10))
        if by == "slices":
            patch.setattr(layers, "MEGABYTES", 0)
        return timeless(check([source], Options(profile=profile)))


@pytest.mark.parametrize("jobs", ["1", "2", "3"])
def test_a_large_spec_has_the_same_report_whoever_decides_it(jobs: str) -> None:
    assert played("large", jobs)[0] == serial(LARGE)


@pytest.mark.parametrize("jobs", ["2", "3"])
@pytest.mark.parametrize(
    ("by", "method", "source", "profile"),
    [
        ("diagrams", "diagram", "plain", "gated"),
        ("diagrams", "diagram", "other", "eager"),
        ("diagrams", "diagram", "large", "gated"),
        pytest.param("layers", "frontier", "plain", "gated", marks=needs_numpy),
        ("slices", "explicit", "plain", "eager"),
        ("slices", "explicit", "other", "gated"),
    ],
)
def test_so_has_one_whose_search_is_cut_off(by: str, method: str, source: str, profile: str, jobs: str) -> None:
    expected = serial(SOURCES[source], profile, by)
    methods = Counter(each["method"] for each in json.loads(expected)["specs"][0]["obligations"])
    assert max(methods, key=lambda name: methods[name]).startswith(method)
    found, told = played(f"{by}/many", source, jobs, profile)
    assert found == expected
    assert told == "forked\n" * int(jobs)


def test_what_was_found_out_together_is_remembered(tmp_path: Path) -> None:
    found, told = played("diagrams/remembered", str(tmp_path))
    assert found == serial(OTHER, by="diagrams")
    assert told == ""


@pytest.mark.parametrize("room", ["0", "1"])
def test_where_the_system_refuses_processes_those_there_are_decide(room: str) -> None:
    assert played("crowded", room) == (serial(LARGE), "")


def test_a_faulty_spec_has_the_same_report_whoever_decides_it() -> None:
    assert played("faulty", "3")[0] == serial(OTHER, "both")


def test_many_specs_have_the_same_report_whoever_decides_them() -> None:
    assert played("mixed", "2")[0] == serial_mixture()


@pytest.mark.parametrize(
    ("scenario", "reasons"),
    [
        ("killed", {ENDS: "killed: the system killed its process", BOUNDED: "killed: its process crashed (SIGSEGV)"}),
        ("hungry", {ENDS: "memory: it took more than 300 MB", BOUNDED: "memory: the system gave no more"}),
        ("hanging", {ENDS: "time: it came to no end within 1 seconds"}),
    ],
)
@pytest.mark.parametrize("by", ["", "diagrams"])
def test_only_what_a_process_was_at_is_lost_with_it(by: str, scenario: str, reasons: dict[str, str]) -> None:
    (found,) = json.loads(played(f"{by}/{scenario}")[0])["specs"]
    (whole,) = json.loads(serial(PLAIN, by=by))["specs"]
    kept, known = verdicts(found), verdicts(whole)
    assert list(kept) == list(known)
    assert {name: each for name, each in kept.items() if name not in reasons} == {
        name: each for name, each in known.items() if name not in reasons
    }
    for name, reason in reasons.items():
        assert kept[name][0] == "unknown"
        assert str(kept[name][1]).startswith(reason)
    assert found["bounds"] == whole["bounds"]


def test_after_three_losses_in_a_row_the_rest_is_given_up() -> None:
    (found,) = json.loads(played("dying")[0])["specs"]
    (whole,) = json.loads(serial(PLAIN))["specs"]
    kept, known = verdicts(found), verdicts(whole)
    lost = {name: reason for name, (verdict, reason) in kept.items() if verdict == "unknown"}
    assert {ENDS, BOUNDED, "FSM203:execute:gated"} <= lost.keys()
    assert {str(reason).partition(",")[0] for reason in lost.values()} == {"killed: the system killed its process"}
    assert {name: each for name, each in kept.items() if name not in lost} == {
        name: each for name, each in known.items() if name not in lost
    }
    assert found["bounds"] is None


def test_what_else_is_lost_leaves_the_verdicts() -> None:
    (whole,) = json.loads(serial(PLAIN))["specs"]
    unfigured_report = json.loads(played("unfigured")[0])
    (unfigured,) = unfigured_report["specs"]
    assert unfigured == {**whole, "bounds": None}
    assert [each["kind"] for each in unfigured_report["notices"]] == ["lost-part"]
    (unconfirmed,) = json.loads(played("unconfirmed")[0])["specs"]
    assert verdicts(unconfirmed) == verdicts(whole)
    assert unconfirmed["bounds"] == whole["bounds"]
    assert "explicit+induction" not in {each["method"] for each in unconfirmed["obligations"]}


OPINION = "Z3 was not asked for a second opinion on the proofs of searches"


@pytest.mark.parametrize(
    ("kind", "lost"), [("Turns", "no figures"), ("Ends", "no figures"), ("Conditions", OPINION), ("Digests", OPINION)]
)
def test_what_else_is_lost_is_told_and_nothing_of_it_remembered(kind: str, lost: str, tmp_path: Path) -> None:
    again, told = played("lossy", kind, str(tmp_path))
    about = f'lost-part: {PLAIN.path} "planner-executor", gated: {lost}: killed: the system killed its process'
    assert told.count("\n") == 1
    assert told.startswith(about)
    assert again == serial(PLAIN)


def test_one_process_that_is_killed_over_no_obligation_costs_nothing(tmp_path: Path) -> None:
    assert played("stumbling", str(tmp_path))[0] == serial(PLAIN)
    assert {each.name for each in tmp_path.iterdir()} == {"Conditions", "Ends"}


@pytest.mark.parametrize("scenario", ["unwitnessed", "doubted"])
def test_what_can_be_found_out_otherwise_is(scenario: str) -> None:
    """Witnesses of each on its own; conditions that are not known to hold, by the unit's process."""
    assert played(scenario)[0] == serial(PLAIN)


def test_a_contradiction_is_raised() -> None:
    assert played("contradicted")[1] == "raised: they do not agree\n"


def test_the_slowest_is_told() -> None:
    lines = played("told")[1].splitlines()
    total = len(json.loads(serial(PLAIN))["specs"][0]["obligations"])
    assert f"{total - 4}/{total} obligations, 0 s at {ENDS}" in lines


def test_what_one_spec_leaves_another_takes() -> None:
    """Of four processes the heaviest of three specs has two at first, and those of the others once they are done."""
    report = json.loads(played("allotted")[0])
    assert [each["name"] for each in report["specs"]] == ["2+2", "1+0", "1+0"]


def started(jobs: str, by: str = "") -> tuple[subprocess.Popen[str], list[int]]:
    """A run that waits for ever in one of several processes; that one and the unit's."""
    process = subprocess.Popen(
        command(f"{by}/waiting", jobs), cwd=ROOT, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    )
    assert process.stderr is not None
    found = [int(number) for number in process.stderr.readline().removeprefix("child ").split()]
    assert all(map(alive, found))
    assert (found[1] == process.pid) == (jobs == "1")
    return process, found[: 1 if jobs == "1" else 2]


@pytest.mark.parametrize(("jobs", "by"), [("1", ""), ("2", ""), ("2", "diagrams")])
def test_an_interrupt_tells_what_is_known(jobs: str, by: str) -> None:
    process, others = started(jobs, by)
    process.send_signal(signal.SIGINT)
    out, _ = process.communicate(timeout=30)
    report = json.loads(json.loads(out)["report"])
    assert report["interrupted"] is True
    found, known = verdicts(report["specs"][0]), verdicts(json.loads(serial(PLAIN, by=by))["specs"][0])
    assert found[ENDS] == ("unknown", "interrupted: it was not decided yet")
    kept = {name for name in known if found[name] == known[name]}
    assert {name for name in known if found[name][0] == "unknown"} == known.keys() - kept
    gone(others)


@pytest.mark.parametrize("victim", ["parent", "unit"])
def test_nobody_outlives_whom_he_works_for(victim: str) -> None:
    process, others = started("2")
    if victim == "parent":
        process.kill()
    else:
        process.send_signal(signal.SIGTERM)
    process.communicate(timeout=30)
    gone(others)


def gone(processes: list[int]) -> None:
    until = time.monotonic() + 10
    while any(map(alive, processes)):
        assert time.monotonic() < until
        time.sleep(0.01)


@pytest.mark.parametrize(
    ("processes", "limit", "now", "most", "each"),
    [
        (2, 4_000, 500, 6, 3_000),  # three quarters of 8 GB, for two
        (2, 1_000, 500, 6, 1_000),
        (8, 4_000, 500, 6, 1_000),  # each as much again as there is now, so that there are only six
        (2, 900, 500, 0, 900),
    ],
)
def test_processes_are_as_many_as_have_room(processes: int, limit: int, now: int, most: int, each: int) -> None:
    found = crew_for(processes, limit * MEGABYTE, now * MEGABYTE, 8_000 * MEGABYTE)
    assert found[0] == most
    assert most == 0 or found[1] == each * MEGABYTE
