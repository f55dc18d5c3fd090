"""Suites cover what can be covered, and say what they do not."""

from __future__ import annotations

import json
import sys
from pathlib import Path

import pytest

from fsmcheck.conformance.conduct import Scenario
from fsmcheck.conformance.examine import Job, examine
from fsmcheck.conformance.render import lines, trace_of
from fsmcheck.conformance.suite import Suite, coverage_lines, make_suite, suite_json
from fsmcheck.conformance.suite_files import SuiteError, read_suites
from fsmcheck.reducer.replay import replay
from fsmcheck.spec.load import load_path
from fsmcheck.spec.model import Spec
from tests.reducer.machines import spec_of

ROOT = Path(__file__).parents[2]
GOOD = [
    path
    for path in sorted((ROOT / "specs").rglob("*.yaml"))
    if path.parent.name != "faulty" and path.stem != "verdicts"
]
MUTANT = [sys.executable, str(Path(__file__).parent / "mutants" / "reducer.py")]


@pytest.fixture(autouse=True)
def _path(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PYTHONPATH", str(ROOT))


def shipped(name: str) -> Spec:
    (document,) = load_path(str(ROOT / "specs" / name))
    assert document.spec is not None
    return document.spec


def missing(suite: Suite) -> dict[str, tuple[str, ...]]:
    return {row.kind: row.missing for row in suite.coverage if row.missing}


def test_the_suite_of_the_planner_and_the_executor() -> None:
    suite = make_suite(shipped("planner_executor.yaml"), "gated")
    assert missing(suite) == {
        "guard": ("execute → abort (2) guards[0] false",),
        "status": ("stuck", "no-progress", "runaway", "failed"),
        "cap": ("maxExchangesPerStage", "maxExchangesPerAgentPerStage"),
    }
    assert len(suite.scenarios) <= 8
    assert suite.exchanges <= 32


def test_conditions_of_a_conjunction() -> None:
    spec = spec_of("""
        initialState: ask
        context: { a: { type: boolean }, b: { type: integer } }
        agents: { hand: { canTransition: [ask] } }
        states:
          ask:
            requires: [{ name: a, from: { agent: hand } }, { name: b, from: { agent: hand } }]
            transitions:
              - toState: rest
                guards:
                  - { backend: cel, expression: "context.a && context.b > 3" }
                  - { backend: cel, expression: "context.b < 9" }
              - { toState: rest }
          rest: { terminal: true }
    """)
    suite = make_suite(spec, "gated")
    assert set(missing(suite)) == {"status", "rejection"}
    assert "  condition     3 of 3" in coverage_lines(suite)


@pytest.mark.parametrize("path", GOOD, ids=lambda path: path.stem)
def test_suites_of_the_shipped_specs(path: Path) -> None:
    for document in load_path(str(path)):
        assert document.spec is not None
        for row in make_suite(document.spec, "gated").coverage:
            assert row.kind not in ("state", "write") or not row.missing


def test_suites_as_files(tmp_path: Path) -> None:
    suite = make_suite(shipped("planner_executor.yaml"), "gated")
    data = suite_json(suite)
    file = tmp_path / "one.json"
    file.write_text(json.dumps(data), encoding="utf-8")
    (job,) = read_suites(tmp_path, ("gated",))
    assert job.scenarios == suite.scenarios
    assert examine(MUTANT, [job]).passed
    with pytest.raises(SuiteError, match="no suite for the profile eager"):
        read_suites(tmp_path, ("eager",))
    file.write_text(json.dumps(data).replace('"done"', '"stuck"', 1), encoding="utf-8")
    with pytest.raises(SuiteError, match=r"expects something else"):
        read_suites(tmp_path, ("gated",))
    file.write_text("{}", encoding="utf-8")
    with pytest.raises(SuiteError, match="is no suite"):
        read_suites(tmp_path, ("gated",))


@pytest.mark.parametrize(
    ("mutant", "clause"),
    [
        ("exit-last", "action-order"),
        ("empty-ignored", "emptying"),
        ("accepts-type-mismatch", "type-mismatch"),
        ("no-iterations-cap", "cap-iterations"),
        ("keeps-good-writes", None),
    ],
)
def test_a_suite_alone_tells_what_is_wrong(mutant: str, clause: str | None) -> None:
    spec = shipped("planner_executor.yaml")
    found = examine([*MUTANT, mutant], [make_suite(spec, "gated").job()])
    assert bool(found.misses) is (clause is not None)
    if clause is not None:
        assert clause in {miss.deviation.clause for miss in found.misses}
        assert any(line.startswith(f"it breaks {clause}:") for line in lines(found))
        trace = trace_of(found.misses[0])
        assert trace is not None
        assert replay(spec, trace) == []


@pytest.mark.parametrize(
    ("content", "told"),
    [
        (b"\xff\x00", "byte 0xFF is not UTF-8"),
        (b"[]", "it is no suite"),
        (b'{"schema": "fsmcheck.suite/1", "profile": "gated"}', 'there is no "document"'),
        (b'{"schema": "fsmcheck.suite/1", "profile": "gated", "document": SPEC, "cases": []}', "it has no cases"),
        (b'{"schema": "fsmcheck.suite/1", "profile": "gated", "document": SPEC, "cases": [1]}', "has another shape"),
    ],
)
def test_a_file_that_is_no_suite_is_told_in_plain_words(tmp_path: Path, content: bytes, told: str) -> None:
    file = tmp_path / "suite.json"
    document = b'{"fsm": {"initialState": "a", "states": {"a": {"terminal": true}}}}'
    file.write_bytes(content.replace(b"SPEC", document))
    with pytest.raises(SuiteError) as raised:
        read_suites(tmp_path, ("gated",))
    assert told in str(raised.value)
    assert not any(word in str(raised.value) for word in ("codec", "subscriptable", "object is"))


def test_a_suite_that_is_a_device_is_not_waited_for(tmp_path: Path) -> None:
    (tmp_path / "endless.json").symlink_to("/dev/zero")
    with pytest.raises(SuiteError, match="this is a device"):
        read_suites(tmp_path, ("gated",))


def test_the_runs_of_a_suite_after_a_failure_are_made(tmp_path: Path) -> None:
    """A reducer that dies on one exchange of one run: the others are tried by a new process, and counted."""
    candidate = tmp_path / "dies.py"
    candidate.write_text(
        "import json, sys\n"
        "from fsmcheck.reducer.protocol import Session, respond\n"
        "session = Session()\n"
        "for line in sys.stdin:\n"
        "    request = json.loads(line)\n"
        "    if request['op'] == 'close':\n"
        "        break\n"
        "    if request.get('writes', {}).get('e') == 'b':\n"
        "        sys.exit(7)\n"
        "    session, answer = respond(session, request)\n"
        "    print(json.dumps(answer), flush=True)\n",
        encoding="utf-8",
    )
    document = {
        "initialState": "a",
        "context": {"e": {"type": "enum", "values": ["a", "b", "c"]}},
        "agents": {"w": {"canTransition": ["a"]}},
        "states": {
            "a": {"requires": [{"name": "e", "from": {"agent": "w"}}], "transitions": [{"toState": "d"}]},
            "d": {"terminal": True},
        },
    }
    spec = spec_of(json.dumps(document))
    scenarios = tuple(Scenario({}, (("w", {"e": value}),)) for value in ("b", "a", "c", "b", "a"))
    found = examine([sys.executable, str(candidate)], [Job("suite", spec, "gated", scenarios)])
    assert [failure.name for _, failure in found.failures] == ["crash", "crash"]
    assert (found.runs, found.cut_short, found.misses) == (5, False, ())
    found = examine([sys.executable, str(candidate)], [Job("suite", spec, "gated", (scenarios[0],) * 5)])
    assert (len(found.failures), found.runs, found.cut_short) == (3, 3, True)
    found = examine([sys.executable, "-c", "raise SystemExit(7)"], [Job("suite", spec, "gated", scenarios)])
    assert (len(found.failures), found.runs, found.cut_short) == (1, 0, True)
