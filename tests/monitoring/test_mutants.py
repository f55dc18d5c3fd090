"""Logs of reducers that break one clause: the departure is found, and the clause named where it can be told."""

from __future__ import annotations

import os
import sys
from pathlib import Path

import pytest

from fsmcheck.conformance.client import Client
from fsmcheck.conformance.examine import probe_jobs
from tests.conformance.mutants import EAGER_ONLY, EXPRESSIONS, MUTANTS
from tests.conformance.mutants import reducer as mutants
from tests.monitoring.mutant_logs import InProcess, clauses

ROOT = Path(__file__).parents[2]
JOBS = {profile: list(probe_jobs((profile,))) for profile in ("gated", "eager")}  # type: ignore[arg-type]

SILENT = {"cap-unnamed"}
"""A log that names no cap says nothing of it."""

CLOSE = {
    "goes-on-after-start": "defaults",  # one run does not show that another came before
    "internal-self-loop": "action-order",
    "append-once": "actions-in-sequence",
    "put-replaces": "actions-in-sequence",
    "writes-in-turn": "advance",
    "first-asked-writes": "not-writable",
    "rejected-uncounted-for-agent": "cap-agent",
    "whole-numbers-stay": "arithmetic",
}
"""What is named where several clauses meet."""

SILENT_IN_PART = SILENT | {
    "awaits-everything",
    "awaits-when-capped",
    "awaits-fields-once",
    "maps-in-order",
    "writes-in-turn",
}
"""A log of states, statuses and stores does not show the way or whom the machine asks."""

CLOSE_IN_PART = CLOSE | {"internal-self-loop": "arithmetic", "beginning-forgotten": None}


def profile_of(mutant: str) -> str:
    return "eager" if mutant in EAGER_ONLY else "gated"


def named(mutant: str, *, full: bool) -> list[str | None]:
    jobs = [job for job in JOBS[profile_of(mutant)] if job.clause == MUTANTS[mutant]]
    return [clause for job in jobs for clause in clauses(InProcess(), job, full=full)]


@pytest.mark.parametrize("mutant", [each for each in MUTANTS if MUTANTS[each] not in EXPRESSIONS])
def test_the_departure_is_found_and_its_clause_named(monkeypatch: pytest.MonkeyPatch, mutant: str) -> None:
    monkeypatch.setattr(mutants, "FAULT", mutant)
    found = named(mutant, full=True)
    assert (not found) == (mutant in SILENT)
    assert mutant in SILENT or CLOSE.get(mutant, MUTANTS[mutant]) in found
    found = named(mutant, full=False)
    assert (not found) == (mutant in SILENT_IN_PART)
    assert mutant in SILENT_IN_PART or CLOSE_IN_PART.get(mutant, MUTANTS[mutant]) in found


@pytest.mark.parametrize("mutant", [each for each in MUTANTS if MUTANTS[each] in EXPRESSIONS])
def test_the_departure_of_a_broken_evaluator_is_found(mutant: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PYTHONPATH", os.fspath(ROOT))
    command = [sys.executable, str(ROOT / "tests/conformance/mutants/reducer.py"), mutant]
    with Client(command) as client:
        found = [clauses(client, job, full=True) for job in JOBS["gated"] if job.clause == MUTANTS[mutant]]
        client.close()
    assert any(found)


def test_the_same_reducer_without_a_fault_departs_nowhere(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(mutants, "FAULT", "")
    for profile, jobs in JOBS.items():
        for job in jobs:
            if job.clause != "runaway":
                assert clauses(InProcess(), job, full=True) == [], (profile, job.name)
                assert clauses(InProcess(), job, full=False) == [], (profile, job.name)
