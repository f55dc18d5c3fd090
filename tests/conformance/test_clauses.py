"""The kit names the clause that a reducer breaks, and passes those that break none."""

from __future__ import annotations

import json
import os
import sys
from collections import Counter
from collections.abc import Mapping
from pathlib import Path

import pytest

from fsmcheck.conformance.answers import Answer
from fsmcheck.conformance.clauses import CLAUSES
from fsmcheck.conformance.conduct import Scenario, reference_run
from fsmcheck.conformance.examine import examine, probe_jobs, put_through
from fsmcheck.conformance.probes import PROBES
from fsmcheck.conformance.render import lines
from fsmcheck.conformance.verdict import broken_clauses
from fsmcheck.reducer.configuration import Profile
from fsmcheck.reducer.json_values import JsonValue
from tests.conformance.mutants import EAGER_ONLY, EXPRESSIONS, MUTANTS
from tests.conformance.mutants import reducer as mutants

HERE = Path(__file__).parent
MUTANT = [sys.executable, str(HERE / "mutants" / "reducer.py")]
BOTH: tuple[Profile, ...] = ("gated", "eager")
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


class InProcess:
    """The mutants' reducer without a process, so that all of them can be tried in little time."""

    conversation = mutants.Conversation()

    def load(self, document: JsonValue, profile: Profile) -> Answer:
        return self._ask({"op": "load", "spec": document, "profile": profile})

    def start(self, inputs: Mapping[str, JsonValue]) -> Answer:
        return self._ask({"op": "start", "inputs": dict(inputs)})

    def exchange(self, agent: str, writes: Mapping[str, JsonValue]) -> Answer:
        return self._ask({"op": "exchange", "agent": agent, "writes": dict(writes)})

    def _ask(self, request: dict[str, JsonValue]) -> Answer:
        answer: Answer = json.loads(json.dumps(self.conversation.answer(json.loads(json.dumps(request)))))
        return answer


JOBS = {profile: list(probe_jobs((profile,))) for profile in BOTH}
QUICK = {profile: [job for job in JOBS[profile] if job.clause != "runaway"] for profile in BOTH}


@pytest.mark.parametrize("mutant", [mutant for mutant in MUTANTS if MUTANTS[mutant] not in EXPRESSIONS])
def test_the_broken_clause_is_named(monkeypatch: pytest.MonkeyPatch, mutant: str) -> None:
    monkeypatch.setattr(mutants, "FAULT", mutant)
    jobs = (JOBS if MUTANTS[mutant] in LONG_RUNS else QUICK)["eager" if mutant in EAGER_ONLY else "gated"]
    misses = [miss for job in jobs for miss in put_through(InProcess(), job)]
    assert [broken.clause for broken in broken_clauses(misses)] == [MUTANTS[mutant]]


@pytest.mark.parametrize(
    "mutant", ["exit-last", "limit-1001", *(mutant for mutant in MUTANTS if MUTANTS[mutant] in EXPRESSIONS)]
)
def test_the_broken_clause_is_named_across_a_pipe(mutant: str) -> None:
    found = examine([*MUTANT, mutant], JOBS["gated"])
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


def test_the_verdict_in_words() -> None:
    told = list(lines(examine([*MUTANT, "exit-last"], QUICK["gated"])))
    assert told[0] == (
        "it breaks action-order: a transition runs the source's exit, then its onTransition, then the target's entry"
    )
    assert '        then microsteps[0].store.trail should be "sxte" and is "stxe"' in told
    assert told[-1].endswith("the reducer breaks action-order")
