"""A reducer written in JavaScript from docs/language.md and docs/formats.md alone passes: the protocol is enough."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from fsmcheck.conformance.divergence import random_examination
from fsmcheck.conformance.examine import examine, probe_jobs
from fsmcheck.conformance.render import lines
from fsmcheck.conformance.suite import make_suite
from fsmcheck.reducer.configuration import Profile
from fsmcheck.spec.load import load_path

HERE = Path(__file__).parent
NODE = ["node", str(HERE / "node_reducer" / "reducer.js")]
PROFILES: tuple[Profile, ...] = ("gated", "eager")
SPECS = [path for path in sorted((HERE.parents[1] / "specs").rglob("*.yaml")) if path.stem != "verdicts"]

pytestmark = pytest.mark.skipif(
    shutil.which("node") is None, reason="node is not installed, so the reducer in JavaScript cannot run"
)


def test_it_breaks_no_clause() -> None:
    found = examine(NODE, probe_jobs(PROFILES))
    assert list(lines(found)) == [f"{found.runs} runs: the reducer does what the spec language says"]


def test_it_passes_the_suites_of_the_shipped_specs() -> None:
    specs = [document.spec for path in SPECS for document in load_path(str(path)) if document.spec is not None]
    assert len(specs) >= 20
    jobs = [make_suite(spec, profile).job() for spec in specs for profile in PROFILES]
    found = examine(NODE, jobs)
    assert list(lines(found)) == [f"{found.runs} runs: the reducer does what the spec language says"]


def test_it_does_not_diverge_in_random_runs() -> None:
    (document,) = load_path(str(HERE.parents[1] / "specs" / "patterns" / "budget_exit.yaml"))
    assert document.spec is not None
    found = random_examination(NODE, document.spec, "eager", 80, 1)
    assert list(lines(found)) == [f"{found.runs} runs: the reducer does what the spec language says"]
