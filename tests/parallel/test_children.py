"""Children that are lost: what they were deciding is open, all else is as without the loss, and none is left behind."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from fsmcheck.check import check
from fsmcheck.options import Options
from fsmcheck.rules.catalogue import RULES
from tests.parallel.scenario import OTHER, PLAIN, ROOT, serial_mixture, timeless

SPECS = 2
PLAN, EXECUTE = "FSM402:plan:gated", "FSM204:execute:gated"


def command(*arguments: str) -> list[str]:
    return [sys.executable, "-m", "tests.parallel.scenario", *arguments]


@cache
def played(*arguments: str) -> Any:
    done = subprocess.run(command(*arguments), cwd=ROOT, capture_output=True, text=True, timeout=120, check=True)
    found = json.loads(done.stdout)
    assert found["no_children"]
    return json.loads(found["report"])


def ran(*arguments: str) -> subprocess.CompletedProcess[str]:
    """What the command line says, and its exit code."""
    return subprocess.run(command(*arguments), cwd=ROOT, capture_output=True, text=True, timeout=120, check=False)


@cache
def expected() -> Any:
    return json.loads(timeless(check([PLAIN, OTHER], Options())))


def verdicts(spec: Any) -> dict[str, tuple[str, str | None]]:
    return {each["id"]: (each["verdict"], each.get("reason")) for each in spec["obligations"]}


def opened(spec: Any) -> set[str]:
    """The obligations, by rule and place, that the report says are open."""
    return {each["message"].partition(" is undecided")[0] for each in spec["findings"] if each["rule"] == "FSM901"}


def test_what_is_dropped_half_done_says_nothing() -> None:
    done = subprocess.run(command("dropping"), cwd=ROOT, capture_output=True, text=True, timeout=120, check=True)
    assert done.stderr == ""
    assert json.loads(json.loads(done.stdout)["report"]) == expected()


def test_what_libraries_say_when_they_end_a_process_is_not_passed_on() -> None:
    done = ran("terminated")
    (spec,) = json.loads(json.loads(done.stdout)["report"])["specs"]
    assert verdicts(spec)[PLAN] == ("unknown", "killed: its process crashed (SIGABRT)")
    assert opened(spec) == {"FSM402"}
    assert done.stderr == "said by us\n"


@pytest.mark.parametrize(
    ("scenario", "reasons"),
    [
        ("killed", {PLAN: "killed: the system killed its process", EXECUTE: "killed: its process crashed (SIGSEGV)"}),
        ("hungry", {PLAN: "memory: it took more than 300 MB", EXECUTE: "memory: the system gave no more"}),
        ("hanging", {PLAN: "time: it came to no end within 3 seconds"}),
    ],
)
def test_only_what_was_being_decided_is_open(scenario: str, reasons: dict[str, str]) -> None:
    specs = played(scenario)["specs"]
    assert len(specs) == SPECS
    for spec, whole in zip(specs, expected()["specs"], strict=True):
        found, known = verdicts(spec), verdicts(whole)
        assert list(found) == list(known)
        for name, (verdict, reason) in found.items():
            if name in reasons:
                assert verdict == "unknown"
                assert reason.startswith(reasons[name])
            else:
                assert (verdict, reason) == known[name]
        assert opened(spec) == {name.partition(":")[0] for name in reasons}
        lost = [each for each in whole["findings"] if f"{each['rule']}:{each['subject'].get('state')}:gated" in reasons]
        kept = [each for each in spec["findings"] if each["rule"] != "FSM901"]
        assert [each["message"] for each in kept] == [each["message"] for each in whole["findings"] if each not in lost]


def test_more_memory_is_suggested() -> None:
    for spec in played("hungry")["specs"]:
        hints = {
            each["message"].partition(" ")[0]: each["help"] for each in spec["findings"] if each["rule"] == "FSM901"
        }
        assert ("--memory" in hints["FSM402"], "--memory" in hints["FSM204"]) == (True, False)


def test_a_spec_that_cannot_be_translated_is_open_as_a_whole() -> None:
    lost, kept = played("untranslatable")["specs"]
    assert kept == expected()["specs"][1]
    found = verdicts(lost)
    assert found.keys() >= {"FSM204:spec:gated", "FSM301:spec:gated", "FSM403:spec:gated", "FSM504:spec:gated"}
    assert set(found.values()) == {("unknown", "killed: its process ended early (code 7)")}
    assert opened(lost) == {name.partition(":")[0] for name in found}


def test_what_was_decided_stays_where_proofs_cannot_be_checked_again() -> None:
    report = played("unchecked")
    assert len(report["notices"]) == 2 * SPECS
    assert all("second opinion" in each["message"] for each in report["notices"][1::2])
    for spec, whole in zip(report["specs"], expected()["specs"], strict=True):
        assert verdicts(spec) == verdicts(whole)
        assert spec["findings"] == whole["findings"]
        assert "explicit+induction" not in {each["method"] for each in spec["obligations"]}


def test_a_rule_on_the_text_that_kills_the_solver_is_open_with_all_behind_it() -> None:
    for spec in played("unsolved")["specs"]:
        found = verdicts(spec)
        assert found["FSM305:spec:gated"] == ("unknown", "killed: its process crashed (SIGABRT)")
        assert {verdict for verdict, _ in found.values()} == {"unknown"}


@pytest.mark.parametrize("profile", ["gated", "both"])
def test_a_spec_of_which_no_process_can_tell_is_open_with_its_text(profile: str) -> None:
    specs = played("lost", profile)["specs"]
    kept = [spec for spec in specs if spec["path"] == OTHER.path]
    lost = [spec for spec in specs if spec["path"] == PLAIN.path]
    assert kept[0] == expected()["specs"][1]
    assert len(kept) == len(lost) == (2 if profile == "both" else 1)
    asked = {rule.id for rule in RULES} - {"FSM901"}
    for spec in lost:
        found = verdicts(spec)
        assert {name.partition(":")[0] for name in found} == asked
        assert opened(spec) == asked
        assert {rule for each in spec["findings"] if (rule := each["rule"]) != "FSM901"} == set()
        assert set(found.values()) == {
            ("unknown", "killed: the system killed its process, perhaps for want of memory (SIGKILL)")
        }


def test_a_spec_of_which_no_process_can_tell_is_not_fine_where_little_was_asked() -> None:
    lost, kept = played("lost", "gated", "FSM108")["specs"]
    assert [(each["id"], each["verdict"]) for each in lost["obligations"]] == [("FSM108:spec:gated", "unknown")]
    assert kept["obligations"] == []


def test_what_was_decided_is_told_where_no_process_comes_to_tell_it() -> None:
    for spec, whole in zip(played("lost_late")["specs"], expected()["specs"], strict=True):
        found, known = verdicts(spec), verdicts(whole)
        assert {name: verdict for name, (verdict, _) in found.items() if name in known} == {
            name: verdict for name, (verdict, _) in known.items()
        }
        behaviour = [each["message"] for each in whole["findings"] if each["rule"] in {n[:6] for n in known}]
        assert [each["message"] for each in spec["findings"] if each["rule"] != "FSM901"] == behaviour


def test_a_lost_spec_is_a_report_of_the_command() -> None:
    done = ran("lost_in_command")
    assert done.returncode == 3
    assert done.stderr.count("\n") == 1
    told = f'nothing was decided of {PLAIN.path} "planner-executor", gated: killed: the system killed its process'
    assert done.stderr.startswith(f"fsmcheck: {told}")
    assert done.stderr.endswith(" (and 1 more like that); nothing may be concluded\n")
    assert "2 specs: " in done.stdout
    assert "FSM108 is undecided for the spec: killed: the system killed its process" in done.stdout


@pytest.mark.parametrize("arguments", [(), ("--exit-zero",), ("--fail-on", "info"), ("--diff", "HEAD")])
def test_where_nothing_is_decided_of_a_spec_the_run_goes_on_and_is_no_success(arguments: tuple[str, ...]) -> None:
    done = ran("drained_in_command", "--format", "json", *arguments)
    fine, lost = json.loads(done.stdout)["specs"]
    assert set(verdicts(lost).values()) == {("unknown", "memory: it took more than 300 MB")}
    assert not any(verdict == "unknown" for verdict, _ in verdicts(fine).values())
    told = f'nothing was decided of {PLAIN.path} "planner-executor", gated: memory: it took more than 300 MB'
    assert done.stderr == f"fsmcheck: {told}; nothing may be concluded\n"
    assert json.loads(done.stdout)["notices"] == [{"kind": "lost-spec", "message": told}]
    assert done.returncode == 3


def test_a_lost_spec_is_written_to_no_baseline(tmp_path: Path) -> None:
    baseline = tmp_path / "known.json"
    done = ran("drained_in_command", "--baseline", str(baseline), "--write-baseline")
    assert done.returncode == 3
    assert not baseline.exists()


@pytest.mark.parametrize(
    ("arguments", "code"), [((), 0), (("--fail-on", "warning"), 1), (("--select", "FSM402", "--fail-on", "warning"), 1)]
)
def test_where_one_obligation_eats_its_memory_the_exit_code_is_that_of_the_findings(
    arguments: tuple[str, ...], code: int
) -> None:
    done = ran("hungry_in_command", "--format", "json", *arguments)
    _, spec = json.loads(done.stdout)["specs"]
    assert verdicts(spec)[PLAN] == ("unknown", "memory: it took more than 300 MB")
    assert opened(spec) == {"FSM402"}
    assert "proved" in {verdict for verdict, _ in verdicts(spec).values()}
    assert (done.returncode, done.stderr) == (code, "")


def test_figures_that_eat_the_memory_are_told_and_tried_again(tmp_path: Path) -> None:
    done = ran("unfigured_in_command", str(tmp_path))
    (whole,) = [spec for spec in expected()["specs"] if spec["path"] == PLAIN.path]
    about = f'{PLAIN.path} "planner-executor", gated: '
    lost = ["no figures", "Z3 was not asked for a second opinion on the proofs of searches"]
    told = [f"{about}{each}: memory: it took more than 300 MB" for each in lost]
    assert (done.returncode, done.stderr) == (0, "".join(f"fsmcheck: warning: {each}\n" for each in told) * 2)
    for number in range(2):
        report = json.loads((tmp_path / f"{number}.json").read_text(encoding="utf-8"))
        assert report["notices"] == [{"kind": "lost-part", "message": each} for each in told]
        assert report["specs"][0]["bounds"] is None
        assert verdicts(report["specs"][0]) == verdicts(whole)


def test_where_the_system_refuses_processes_those_there_are_do_it_all() -> None:
    assert played("refused", "4")["specs"] == expected()["specs"] * 2


def test_a_spec_for_which_no_process_is_left_is_open() -> None:
    specs = played("refused", "2")["specs"]
    assert len(specs) == 4
    whole = [spec for spec in specs if spec in expected()["specs"]]
    assert len(whole) == 2
    for spec in specs:
        if spec not in whole:
            reason = "killed: the system refused it a process (resource temporarily unavailable)"
            assert set(verdicts(spec).values()) == {("unknown", reason)}
            assert opened(spec) == {name.partition(":")[0] for name in verdicts(spec)}


def test_descriptors_may_have_high_numbers() -> None:
    assert played("crowded") == expected()


def test_two_processes_report_what_one_does() -> None:
    assert played("mixed") == json.loads(serial_mixture())


def test_what_was_lost_is_not_remembered_and_what_was_decided_is(tmp_path: Path) -> None:
    first = played("remembered", str(tmp_path))
    assert {PLAN} == {name for spec in first["specs"] for name, (is_, _) in verdicts(spec).items() if is_ == "unknown"}
    second = played("remembered_again", str(tmp_path))
    for spec, whole in zip(second["specs"], expected()["specs"], strict=True):
        assert verdicts(spec) == verdicts(whole)
        assert spec["findings"] == whole["findings"]
        assert {each["id"] for each in spec["obligations"] if not each.get("cached")} == {PLAN}
    third = played("remembered_again", f"{tmp_path}/")
    assert {each.get("cached") for spec in third["specs"] for each in spec["obligations"]} == {True}


def test_a_process_with_a_solver_has_others_fork() -> None:
    sources = [PLAIN, OTHER]
    check([PLAIN], Options(select=("FSM403",)))
    assert timeless(check(sources, Options(jobs=2))) == timeless(check(sources, Options()))


def alive(process: int) -> bool:
    """Whether a process is there, and not only the memory of one."""
    try:
        return Path(f"/proc/{process}/stat").read_text(encoding="utf-8").rpartition(")")[2].split()[0] != "Z"
    except OSError:
        return False


def started() -> tuple[subprocess.Popen[str], list[int]]:
    """A run whose children wait for ever."""
    process = subprocess.Popen(command("waiting"), cwd=ROOT, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    assert process.stderr is not None
    children = [int(process.stderr.readline().removeprefix("child ")) for _ in range(SPECS)]
    assert all(map(alive, children))
    return process, children


def test_an_interrupt_tells_what_is_known_and_leaves_nobody_behind() -> None:
    process, children = started()
    process.send_signal(signal.SIGINT)
    out, _ = process.communicate(timeout=30)
    assert not any(map(alive, children))
    found = json.loads(out)
    assert found["no_children"]
    report = json.loads(found["report"])
    assert report["interrupted"] is True
    for spec, whole in zip(report["specs"], expected()["specs"], strict=True):
        known = verdicts(whole)
        found = {name: each for name, each in verdicts(spec).items() if name in known}
        assert list(found) == list(known)
        place = list(found).index(PLAN)
        assert list(found.values())[:place] == list(known.values())[:place]
        assert set(list(found.values())[place:]) == {("unknown", "interrupted: it was not decided yet")}


def test_children_die_with_their_parent() -> None:
    process, children = started()
    process.kill()
    process.communicate(timeout=30)
    until = time.monotonic() + 10
    while any(map(alive, children)):
        assert time.monotonic() < until
        time.sleep(0.01)


def test_the_command_is_interrupted(tmp_path: Path) -> None:
    script = (
        "import sys; from tests.parallel import scenario as s; s.both = lambda: None; s.waiting(); "
        "sys.argv = ['fsmcheck', 'check', '--no-cache', '--format', 'json', 'specs/planner_executor.yaml', '--jobs', "
        "'1']; from fsmcheck.cli.entry import run; run()"
    )
    environment = {**os.environ, "FSMCHECK_CACHE_DIR": str(tmp_path)}
    process = subprocess.Popen(
        [sys.executable, "-c", script],
        cwd=ROOT,
        env=environment,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
    )
    assert process.stderr is not None
    child = int(process.stderr.readline().removeprefix("child "))
    os.killpg(process.pid, signal.SIGINT)  # as a terminal does
    out, err = process.communicate(timeout=30)
    assert process.returncode == 3
    assert json.loads(out)["interrupted"] is True
    assert err == "fsmcheck: interrupted, nothing may be concluded\n"
    assert not alive(child)
