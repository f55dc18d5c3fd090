"""Solvers that give up, die, are killed, run out of something or lie never make a certificate accepted."""

from __future__ import annotations

import json
import sys
from pathlib import Path

import pytest

from fsmcheck.certify import solvers
from fsmcheck.certify.refusal import RefusalError
from fsmcheck.certify.script import Script
from fsmcheck.certify.solvers import Limits, Solver, refute, solver
from fsmcheck.certify.verify import Status, certify
from tests.certify.written import manifests

READ = "import json, os, sys, time, signal\nrequest = json.load(sys.stdin)\ncount = len(request['checks'])\n"
TELL = "sys.stdout.write(json.dumps({'version': '1', 'answers': answers}))\n"


def fake(code: str) -> Solver:
    return Solver("fake", (sys.executable, "-c", READ + code))


def answering(answers: str) -> Solver:
    return fake(f"answers = {answers}\n{TELL}")


HONEST = answering("['unsat'] * count")
FAULTS: dict[str, Solver] = {
    "gives up": answering("['unknown'] * count"),
    "gives up once": answering("['unsat'] * (count - 1) + ['unknown']"),
    "is satisfied": answering("['sat'] * count"),
    "is satisfied once": answering("['unsat'] * (count - 1) + ['sat']"),
    "complains": answering("""['(error "out of memory")'] + ['unsat'] * (count - 1)"""),
    "complains beside an answer": answering("""['unsat\\n(error "x")'] + ['unsat'] * (count - 1)"""),
    "says nothing to a check": answering("[''] + ['unsat'] * (count - 1)"),
    "says too little": answering("['unsat'] * (count - 1)"),
    "says too much": answering("['unsat'] * (count + 1)"),
    "says nothing": answering("[]"),
    "says something else": answering("[None] * count"),
    "answers another form": answering("{'0': 'unsat'}"),
    "is mute": fake(""),
    "raves": fake("print('unsat\\n' * count)"),
    "adds noise": fake(f"print('warning')\nanswers = ['unsat'] * count\n{TELL}"),
    "fails": fake("raise MemoryError"),
    "fails after its answers": fake(f"answers = ['unsat'] * count\n{TELL}\nsys.stdout.flush()\nos._exit(3)"),
    "is killed": fake("os.kill(os.getpid(), signal.SIGKILL)"),
    "is killed after its answers": fake(
        f"answers = ['unsat'] * count\n{TELL}\nsys.stdout.flush()\nos.kill(os.getpid(), signal.SIGKILL)"
    ),
    "crashes": fake("os.kill(os.getpid(), signal.SIGSEGV)"),
    "hangs": fake("time.sleep(60)"),
    "hangs after its answers": fake(f"answers = ['unsat'] * count\n{TELL}\nsys.stdout.flush()\ntime.sleep(60)"),
    "is not there": Solver("fake", ("/nowhere/solver",)),
}
SCRIPT = Script("", ("(check-sat)", "(check-sat)"), ("one", "two"), 1)


def test_an_honest_solver_is_believed() -> None:
    refute(HONEST, SCRIPT, Limits(seconds=20))


@pytest.mark.parametrize("fault", FAULTS)
def test_a_faulty_solver_is_not(fault: str) -> None:
    with pytest.raises(RefusalError, match="fake"):
        refute(FAULTS[fault], SCRIPT, Limits(seconds=1 if "hangs" in fault else 20))


@pytest.mark.parametrize(("checks", "seconds"), [(0, 1), (2, 1), (3, 2), (4, 2), (5, 3)])
def test_a_long_certificate_is_given_more_time(checks: int, seconds: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(solvers, "BATCH", 2)
    given = []

    def run(*_: object, timeout: float, **__: object) -> None:
        given.append(timeout)
        raise OSError(0, "not run")

    monkeypatch.setattr("subprocess.run", run)
    with pytest.raises(RefusalError, match="not run"):
        refute(HONEST, Script("", ("(check-sat)",) * checks, ("one",) * checks, 1), Limits(seconds=1))
    assert given == [seconds]


@pytest.mark.parametrize("order", [1, -1])
def test_one_solver_that_disagrees_is_enough(order: int, folder: Path) -> None:
    solvers = (HONEST, FAULTS["is satisfied once"])[::order]
    assert {result.status for result in certify(folder, solvers)} == {Status.REFUSED, Status.STATED}


def test_nobody_asked_is_nobody_convinced(folder: Path) -> None:
    assert {result.status for result in certify(folder, ())} == {Status.REFUSED, Status.STATED}


@pytest.mark.parametrize("name", ["z3", "cvc5"])
@pytest.mark.parametrize(
    ("check", "answer"),
    [
        ("(push 1)(check-sat)(pop 1)", "sat"),
        ("(push 1)(assert (undeclared))(check-sat)(pop 1)", None),
        ("(push 1)(pop 1)", ""),
        ("(declare-const x Int)(assert (= (* x x x) (+ 1 (* 7 x", None),
    ],
)
def test_what_a_real_solver_says_is_passed_on(name: str, check: str, answer: str | None) -> None:
    with pytest.raises(RefusalError, match=name if answer is None else f"{name} answers '{answer}'"):
        refute(solver(name), Script("(set-logic ALL)", (check,), ("one",), 1), Limits(seconds=60))


@pytest.mark.parametrize("name", ["z3", "cvc5"])
def test_a_real_solver_without_memory_is_refused(name: str, folder: Path) -> None:
    results = {each.name: each for each in certify(folder, (solver(name),), limits=Limits(seconds=60, megabytes=48))}
    for path in manifests(folder, "induction"):
        result = results[path.name]
        assert (result.status, result.detail.startswith(f"{name} ended with")) == (Status.REFUSED, True)


@pytest.mark.parametrize("name", ["z3", "cvc5"])
def test_a_real_solver_without_time_is_refused(name: str) -> None:
    hard = "(declare-const x Int)(declare-const y Int)(declare-const z Int)" + "".join(
        f"(assert (> {each} 1))" for each in "xyz"
    )
    hard += "(assert (= (+ (* x x x) (* y y y)) (* z z z)))(check-sat)"
    with pytest.raises(RefusalError, match=name):
        refute(solver(name), Script("(set-logic ALL)", (hard,), ("fermat",), 1), Limits(seconds=2))


def test_the_request_is_all_that_a_solver_sees(folder: Path, tmp_path: Path) -> None:
    seen = tmp_path / "seen.json"
    certify(folder, (fake(f"json.dump(request, open({str(seen)!r}, 'w'))"),))
    request = json.loads(seen.read_text())
    assert request.keys() == {"definitions", "checks", "megabytes"}
    assert ";" not in request["definitions"]
    assert "check-sat" not in request["definitions"]
