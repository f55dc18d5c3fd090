"""The kit names the clause that a reducer breaks, and passes those that break none."""

from __future__ import annotations

import os
import sys
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from fsmcheck.conformance.clauses import CLAUSES
from fsmcheck.conformance.conduct import Scenario, reference_run
from fsmcheck.conformance.examine import Examination, examine, probe_jobs
from fsmcheck.conformance.probes import PROBES
from fsmcheck.conformance.render import lines
from fsmcheck.conformance.verdict import broken_clauses
from fsmcheck.reducer.configuration import Profile
from tests.conformance.mutants import MUTANTS

HERE = Path(__file__).parent
MUTANT = [sys.executable, str(HERE / "mutants" / "reducer.py")]
BOTH: tuple[Profile, ...] = ("gated", "eager")
EAGER_ONLY = frozenset(("unguarded-at-once",))
LONG_RUNS = frozenset(("runaway", "no-progress"))
NO_PROBES = {"loading", "protocol"}


@pytest.fixture(autouse=True, scope="module")
def _path() -> None:
    os.environ["PYTHONPATH"] = str(HERE.parents[1])


def test_the_reference_breaks_nothing() -> None:
    found = examine([sys.executable, "-m", "fsmcheck", "reducer"], probe_jobs(BOTH))
    assert found.passed
    assert found.runs > 300


def test_the_reducer_of_the_mutants_breaks_nothing_by_itself() -> None:
    assert examine(MUTANT, probe_jobs(BOTH)).passed


FIRST_OF_THEIR_CLAUSE = list({clause: mutant for mutant, clause in reversed(MUTANTS.items())}.values())
OTHERS = [mutant for mutant in MUTANTS if mutant not in FIRST_OF_THEIR_CLAUSE]


def examined(mutants: list[str]) -> dict[str, Examination]:
    """Mutants, two at a time, each under the profile that shows it."""
    jobs = {profile: list(probe_jobs((profile,))) for profile in BOTH}
    quick = {profile: [job for job in jobs[profile] if job.clause != "runaway"] for profile in BOTH}

    def judge(mutant: str) -> Examination:
        made = jobs if MUTANTS[mutant] in LONG_RUNS else quick
        return examine([*MUTANT, mutant], made["eager" if mutant in EAGER_ONLY else "gated"])

    with ThreadPoolExecutor(2) as pool:
        return dict(zip(mutants, pool.map(judge, mutants), strict=True))


@pytest.fixture(scope="module")
def examinations() -> dict[str, Examination]:
    return examined(FIRST_OF_THEIR_CLAUSE)


@pytest.mark.slow
def test_the_broken_clause_is_named_for_every_other_mutant() -> None:
    named = {
        mutant: [broken.clause for broken in broken_clauses(found.misses)]
        for mutant, found in examined(OTHERS).items()
        if not found.failures
    }
    assert named == {mutant: [MUTANTS[mutant]] for mutant in OTHERS}


@pytest.mark.parametrize("mutant", FIRST_OF_THEIR_CLAUSE)
def test_the_broken_clause_is_named(examinations: dict[str, Examination], mutant: str) -> None:
    found = examinations[mutant]
    assert not found.failures
    assert [broken.clause for broken in broken_clauses(found.misses)] == [MUTANTS[mutant]]


def test_every_clause_is_probed_and_most_have_a_mutant() -> None:
    assert {probe.clause for probe in PROBES} == set(CLAUSES) - NO_PROBES
    assert set(CLAUSES) - NO_PROBES - set(MUTANTS.values()) == set()


def test_probes_have_names_of_their_own_and_begin() -> None:
    assert max(Counter((probe.clause, probe.name) for probe in PROBES).values()) == 1
    for probe in PROBES:
        for profile in probe.profiles:
            run = reference_run(probe.spec, profile, Scenario(probe.inputs, probe.exchanges))
            assert run or probe.clause == "inputs", probe.name


def test_the_verdict_in_words(examinations: dict[str, Examination]) -> None:
    told = list(lines(examinations["exit-last"]))
    assert told[0] == (
        "it breaks action-order: a transition runs the source's exit, then its onTransition, then the target's entry"
    )
    assert '        then microsteps[0].store.trail should be "sxte" and is "stxe"' in told
    assert told[-1].endswith("the reducer breaks action-order")
