"""Logs as they come: broken lines, other names, missing beginnings, runs without number."""

from __future__ import annotations

import json
import random
import tracemalloc
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from fsmcheck.monitoring.coverage import Counts, CoverageError
from fsmcheck.monitoring.event import Place
from fsmcheck.monitoring.lines import LONGEST_LINE, Line, lines
from fsmcheck.monitoring.mapping import LogMapping, MappingError, read_mapping
from fsmcheck.monitoring.monitor import Limits, Monitor
from fsmcheck.monitoring.outcome import Breach, Departure, Note, Unjudged
from fsmcheck.reducer.reducer import exchange, start
from fsmcheck.source import SourceFile
from fsmcheck.spec.load import load, load_path
from tests.monitoring.logs import entries, interleaved, random_run, text_lines, watch, watch_bytes

ROOT = Path(__file__).parents[2]
LOADED = load_path(str(ROOT / "specs/planner_executor.yaml"))[0].spec
assert LOADED is not None
SPEC = LOADED
START = {"run": "a", "event": "start", "inputs": {"objective": "o"}, "state": "plan", "status": "waiting"}
PLANNED = {"run": "a", "event": "exchange", "agent": "planner", "writes": {"plan": "p", "directive": "d"}}
FULL = {
    "objective": "o",
    "plan": "p",
    "directive": "d",
    "result": "",
    "outcome": "",
    "summary": "",
    "history": [],
}


def encoded(*events: Any) -> bytes:
    return b"".join(json.dumps(event).encode() + b"\n" for event in events)


BROKEN = {
    b"{bad": "no-json",
    b'{"run": "a", "run": "b", "event": "start"}': "no-json",
    b'{"run": "a", "event": "start", "inputs": {"objective": NaN}}': "no-json",
    b'{"run": "a", "event": "start", "inputs": {"objective": 1e999}}': "no-json",
    b'{"run": "\\ud800", "event": "start"}': "no-json",
    b"[" * 100_000: "no-json",
    b"[1]": "no-object",
    b"null": "no-object",
    b"\xff\xfe": "not-utf8",
    b'{"event": "start"}': "no-run",
    b'{"run": true, "event": "start"}': "no-run",
    b'{"run": "a"}': "no-event",
    b'{"run": "a", "event": "deploy"}': "unknown-event",
    b'{"run": "a", "event": ["start"]}': "unknown-event",
    b'{"run": "a", "event": "start", "inputs": []}': "malformed",
    b'{"run": "a", "event": "exchange", "writes": {}}': "malformed",
    b'{"run": "a", "event": "configuration", "state": 1}': "malformed",
    b'{"run": "a", "event": "configuration", "status": "sleeping"}': "malformed",
    b'{"run": "a", "event": "configuration", "advance": {"microsteps": [{"from": "a"}]}}': "malformed",
    b'{"run": "a", "event": "configuration", "awaits": [{"field": "plan"}]}': "malformed",
    b'{"run": "a", "event": "exchange", "agent": "x", "rejected": 1}': "malformed",
    b'{"run": "' + b"x" * LONGEST_LINE + b'"}': "too-long",
}


@pytest.mark.parametrize("data", BROKEN, ids=lambda data: data[:60].decode(errors="replace"))
def test_each_line_that_cannot_be_judged_is_a_located_complaint(data: bytes) -> None:
    found, monitor = watch_bytes(SPEC, b"\n\r\n" + data + b"\n" + encoded(START | {"run": "z"}))
    assert [(each.place, each.kind) for each in found if isinstance(each, Unjudged)] == [
        (Place("log", 3), BROKEN[data])
    ]
    assert len(found) == 1
    assert monitor.tally.complaints == {BROKEN[data]: 1}
    assert monitor.tally.runs == 1


def test_values_nested_beyond_all_measure_are_a_complaint() -> None:
    deep = b'{"run": "a", "event": "exchange", "agent": "planner", "writes": {"plan": %s}, "state": "plan"}\n'
    for depth in (100, 400, 900):
        found, monitor = watch_bytes(SPEC, encoded(START) + deep % (b"[" * depth + b"]" * depth))
        assert len(found) == 1
        assert isinstance(found[0], Departure) or monitor.tally.complaints == {"malformed": 1}


def test_numbers_beyond_a_double_in_a_store_are_no_configuration() -> None:
    spec = load_path(str(ROOT / "specs/patterns/score_gate.yaml"))[0].spec
    assert spec is not None
    store = {field.name.text: 10**400 for field in spec.fields}
    known = {"run": "a", "event": "configuration", "state": spec.initial.text, "status": "waiting", "store": store}
    _, monitor = watch(spec, "gated", [known])
    assert monitor.tally.skipped == 1


def test_windows_line_ends_and_a_byte_order_mark_are_no_matter() -> None:
    data = b"\xef\xbb\xbf" + encoded(START, PLANNED | {"state": "execute"}).replace(b"\n", b"\r\n")
    found, monitor = watch_bytes(SPEC, data)
    assert (found, monitor.tally.events) == ([], 2)


def test_a_last_line_that_breaks_off_is_said_to_and_one_without_a_line_break_is_taken() -> None:
    whole = encoded(START, PLANNED | {"state": "execute"})
    assert watch_bytes(SPEC, whole[:-1])[0] == []
    found, _ = watch_bytes(SPEC, whole[:-5])
    assert [(each.place.line, each.kind) for each in found if isinstance(each, Unjudged)] == [(2, "truncated")]


@given(st.binary(max_size=300), st.integers(1, 9))
@settings(max_examples=150)
def test_lines_are_those_of_the_data_however_it_comes(data: bytes, size: int) -> None:
    pieces = iter([data[at : at + size] for at in range(0, len(data), size)])
    got = list(lines(lambda _: next(pieces, b""), longest=20))
    parts = data.split(b"\n")
    expected = [*parts[:-1], *([parts[-1]] if parts[-1] else [])]
    assert [line.number for line in got] == list(range(1, len(expected) + 1))
    assert [line.too_long for line in got] == [len(part) > 20 for part in expected]
    assert [line.data for line in got if not line.too_long] == [part for part in expected if len(part) <= 20]
    assert [line.ended for line in got] == [True] * (len(parts) - 1) + [False] * bool(parts[-1])


@given(
    st.lists(
        st.one_of(
            st.binary(max_size=60),
            st.recursive(
                st.none()
                | st.booleans()
                | st.integers()
                | st.text(max_size=5)
                | st.sampled_from(["a", "start", "exchange"]),
                lambda inner: (
                    st.lists(inner, max_size=3)
                    | st.dictionaries(
                        st.sampled_from(
                            ["run", "event", "agent", "writes", "state", "status", "store", "advance", "plan"]
                        ),
                        inner,
                    )
                ),
            ).map(lambda value: json.dumps(value).encode()),
        ),
        max_size=8,
    )
)
@settings(max_examples=80)
def test_nothing_that_a_log_holds_makes_the_monitor_fail(parts: list[bytes]) -> None:
    watch_bytes(SPEC, encoded(START) + b"\n".join(parts))


def test_what_is_said_is_compared_by_the_type_of_its_field() -> None:
    for value in ([], None, 0, "", "x"):
        store = {"outcome": value}
        found, _ = watch(SPEC, "gated", [START, PLANNED | {"store": store}])
        assert len(found) == (0 if value == "" and isinstance(value, str) else 1), value


def test_a_departure_says_where_what_and_which_clause() -> None:
    found, monitor = watch(SPEC, "gated", [START, PLANNED | {"state": "finish", "time": "12:00"}])
    departure = found[0]
    assert isinstance(departure, Departure)
    assert (departure.place, departure.run, departure.step, departure.time) == (Place("log", 2), "a", 1, "12:00")
    assert (departure.found.path, departure.found.expected, departure.found.logged) == ("state", "execute", "finish")
    assert monitor.tally.departed == 1


def test_after_a_departure_the_run_is_taken_up_where_the_log_gives_all_of_it() -> None:
    wrong = PLANNED | {"state": "replan", "status": "waiting", "store": FULL | {"directive": ""}}
    planned = {"run": "a", "event": "exchange", "agent": "planner", "writes": {"directive": "e"}, "state": "execute"}
    found, monitor = watch(SPEC, "gated", [START, wrong, planned, planned | {"agent": "nobody"}])
    assert [each.place.line for each in found if isinstance(each, Departure)] == [2, 4]
    assert monitor.tally.skipped == 0
    partial = PLANNED | {"state": "replan"}
    found, monitor = watch(SPEC, "gated", [START, partial, planned, planned | {"agent": "nobody"}])
    assert [each.place.line for each in found if isinstance(each, Departure)] == [2]
    assert monitor.tally.skipped == 2


def test_a_log_may_begin_in_the_middle_of_a_run() -> None:
    report = {"run": "a", "event": "exchange", "agent": "executor", "writes": {"result": "r", "outcome": "done"}}
    known = {"run": "a", "event": "configuration", "state": "execute", "status": "waiting", "store": FULL}
    found, monitor = watch(SPEC, "gated", [PLANNED, known, report | {"state": "finish"}])
    assert [type(each) for each in found] == [Note]
    assert (monitor.tally.joined, monitor.tally.skipped) == (1, 2)
    found, _ = watch(SPEC, "gated", [PLANNED, known, report | {"state": "abort"}])
    departure = found[-1]
    assert isinstance(departure, Departure)
    assert departure.telling.trace is None
    assert departure.telling.remark == "the run was met in its middle: there is no trace of it"


def test_caps_are_not_judged_where_the_counters_are_not_known() -> None:
    known = {"run": "a", "event": "configuration", "state": "execute", "status": "waiting", "store": FULL}
    capped = {"run": "a", "event": "exchange", "agent": "executor", "writes": {}, "state": "execute"}
    said = {"status": "capped", "cap": "maxIterations", "awaits": []}
    found, monitor = watch(SPEC, "gated", [known, capped | said])
    assert [type(each) for each in found] == [Note]
    assert monitor.tally.ended == 1


def test_an_event_after_the_end() -> None:
    run = [start(SPEC, {"objective": "o"}, "gated")]
    for agent, writes in (
        ("planner", {"plan": "p", "directive": "d"}),
        ("executor", {"result": "r", "outcome": "done"}),
        ("planner", {"summary": "s"}),
    ):
        run.append(exchange(SPEC, run[-1].configuration, agent, writes, "gated"))
    log = entries(run, "a")
    late = {"run": "a", "event": "exchange", "agent": "planner", "writes": {"summary": "t"}}
    assert watch(SPEC, "gated", [*log, late | {"rejected": "not-waiting"}])[0] == []
    found, _ = watch(SPEC, "gated", [*log, late])
    assert [each.found.clause for each in found if isinstance(each, Departure)] == ["not-waiting"]
    found, monitor = watch(SPEC, "gated", [*log, {"run": "a", "event": "end"}, late])
    assert [each.kind for each in found if isinstance(each, Unjudged)] == ["after-end"]
    assert monitor.tally.ended == 1


def test_an_unreadable_line_is_mentioned_where_a_departure_may_follow_from_it() -> None:
    bad = b"{bad\n"
    late = encoded({"run": "a", "event": "configuration", "state": "execute"})
    found, _ = watch_bytes(SPEC, encoded(START) + bad + late)
    assert [each.unread for each in found if isinstance(each, Departure)] == [True]
    found, _ = watch_bytes(SPEC, bad + encoded(START) + late)
    assert [each.unread for each in found if isinstance(each, Departure)] == [False]


def test_a_malformed_event_sets_its_run_aside() -> None:
    broken = {"run": "a", "event": "exchange", "agent": "planner", "writes": 1}
    found, monitor = watch(SPEC, "gated", [START, broken, PLANNED | {"state": "finish"}])
    assert [type(each) for each in found] == [Unjudged]
    assert monitor.tally.skipped == 1


def test_fields_that_are_not_declared_are_named_once() -> None:
    found, monitor = watch(SPEC, "gated", [START | {"store": {"extra": 1}}, PLANNED | {"store": {"extra": 2}}])
    assert [each.message for each in found if isinstance(each, Unjudged)] == [
        'the store has a field "extra" that is not declared; it is let be'
    ]
    assert monitor.tally.complaints == {"unknown-field": 2}


def test_inputs_that_the_spec_refuses() -> None:
    odd = {"run": "a", "event": "start", "inputs": {"objective": ""}}
    found, _ = watch(SPEC, "gated", [odd])
    assert [each.found.clause for each in found if isinstance(each, Departure)] == ["inputs"]
    found, monitor = watch(SPEC, "gated", [odd | {"rejected": True}])
    assert (found, monitor.tally.refused, monitor.tally.runs) == ([], 1, 0)
    found, _ = watch(SPEC, "gated", [START | {"rejected": True}])
    assert [each.found.clause for each in found if isinstance(each, Departure)] == ["inputs"]


OTHER_NAMES = """
run: trace.id
event: type
agent: actor.name
writes: payload
state: after.node
rejected:
events:
  start: [run_started, run_resumed]
  exchange: agent_replied
others: ignore
"""


def test_a_log_with_other_names() -> None:
    mapping = read_mapping(SourceFile("map.yaml", OTHER_NAMES))
    log = [
        {"trace": {"id": 7}, "type": "run_started", "inputs": {"objective": "o"}},
        {"level": "info", "message": "thinking"},
        {"trace": {"id": 7}, "type": "token_count", "tokens": 12},
        {
            "trace": {"id": 7},
            "type": "agent_replied",
            "actor": {"name": "planner"},
            "payload": {"plan": "p", "directive": "d"},
            "after": {"node": "execute"},
        },
        {"trace": {"id": 7}, "type": "agent_replied", "actor": {"name": "planner"}, "after": {"node": "execute"}},
    ]
    found, monitor = watch(SPEC, "gated", log, mapping=mapping)
    assert (found, monitor.tally.events, monitor.tally.ignored) == ([], 3, 2)
    log[3]["after"] = {"node": "plan"}
    found, _ = watch(SPEC, "gated", log, mapping=mapping)
    assert [(each.place.line, type(each)) for each in found] == [(4, Departure)]


@pytest.mark.parametrize(
    "text",
    [
        "[]",
        "a: b",
        "run: 1",
        "run: a..b",
        "event:",
        "others: maybe",
        "events: x",
        "events: {begin: x}",
        "run: &a b",
        "",
    ],
)
def test_mappings_that_make_no_sense(text: str) -> None:
    with pytest.raises(MappingError):
        read_mapping(SourceFile("map.yaml", text))


def test_one_run_after_the_other_needs_no_names() -> None:
    mapping = LogMapping().renamed([("run", "")])
    bare = {key: value for key, value in START.items() if key != "run"}
    found, monitor = watch(SPEC, "gated", [bare, bare], mapping=mapping)
    assert (found, monitor.tally.runs, monitor.tally.restarted) == ([], 2, 1)


def test_a_log_of_nothing_but_other_lines_is_no_clean_log() -> None:
    found, _ = watch(SPEC, "gated", [{"a": 1}], mapping=LogMapping(ignore_others=True))
    assert [each.kind for each in found if isinstance(each, Unjudged)] == ["nothing-read"]
    assert watch(SPEC, "gated", [])[0] == []


def test_runs_that_nothing_is_heard_of_are_dropped_and_that_is_said() -> None:
    log = [START | {"run": f"r{number}"} for number in range(5)]
    found, monitor = watch(SPEC, "gated", log, limits=Limits(runs=3))
    assert [each.place.line for each in found if isinstance(each, Note)] == [4]
    assert (monitor.open_runs, monitor.tally.dropped) == (3, 2)


def test_a_run_that_is_too_long_to_be_kept_has_no_trace() -> None:
    idle = {"run": "a", "event": "exchange", "agent": "planner", "writes": {"directive": "d"}}
    found, _ = watch(SPEC, "gated", [START, idle, idle, idle | {"state": "done"}], limits=Limits(history=2))
    departure = found[-1]
    assert isinstance(departure, Departure)
    assert departure.telling.remark == "the run is too long to be kept: there is no trace of it"


def many(events: int) -> Iterator[Line]:
    rng, number = random.Random(5), 0
    while number < events:
        runs = [entries(random_run(SPEC, "gated", rng), f"run {number} {i}", full=False) for i in range(60)]
        for line in text_lines(interleaved(runs, rng)):
            number += 1
            yield line._replace(number=number)


def test_memory_does_not_grow_with_the_log() -> None:
    monitor = Monitor(SPEC, "gated")
    batch = list(many(1_000))
    tracemalloc.start()
    try:
        sizes = []
        for lap in range(5):
            for line in batch:
                monitor.feed("log", line._replace(data=line.data.replace(b'"run ', b'"%d ' % lap)))
            sizes.append(tracemalloc.get_traced_memory()[0])
    finally:
        tracemalloc.stop()
    assert monitor.tally.departed == 0
    assert sizes[-1] - sizes[1] < 500_000, sizes


HOT = """
fsm:
  name: hot
  version: 1
  initialState: a
  context:
    go: { type: string }
    heap: { type: list, of: integer }
  agents:
    hand: { canTransition: [a] }
  states:
    a:
      requires: [ { name: go, from: { agent: hand } } ]
      transitions:
        - toState: a
          onTransition: [ append: { heap: 1 } ]
        - toState: z
    z: { terminal: true }
"""


def test_a_step_that_never_comes_to_rest_is_not_kept() -> None:
    spec = load(SourceFile("hot.yaml", HOT))[0].spec
    assert spec is not None
    begin = {"run": "a", "event": "start", "inputs": {}}
    go = {"run": "a", "event": "exchange", "agent": "hand", "writes": {"go": "g"}, "status": "runaway"}
    known = {"run": "a", "event": "configuration", "state": "z"}
    _, monitor = watch(spec, "gated", [begin, go])
    kept = monitor._runs.find("a")
    assert kept is not None
    assert kept.last is None
    found, _ = watch(spec, "gated", [begin, go, known])
    assert [each.violation.rule for each in found if isinstance(each, Breach)] == ["FSM401", "FSM502"]
    departure = found[-1]
    assert isinstance(departure, Departure)
    assert (departure.found.path, departure.found.clause) == ("state", None)


def test_coverage_counts_what_runs_did_and_adds_up() -> None:
    log = [
        START,
        PLANNED,
        {"run": "a", "event": "exchange", "agent": "executor", "writes": {"result": "r", "outcome": "replan"}},
    ]
    _, monitor = watch(SPEC, "gated", log)
    coverage = monitor.counts.coverage()
    assert coverage.events == 3
    assert {name: count for name, count in coverage.states.items() if count} == {"plan": 1, "execute": 1, "replan": 1}
    assert {place for place, count in coverage.transitions.items() if count} == {("plan", 0), ("execute", 1)}
    assert coverage.guards["execute", 0, 0] == (0, 1, 0)
    assert coverage.guards["execute", 1, 0] == (1, 0, 0)
    assert coverage.guards["execute", 2, 0] == (0, 0, 0)
    total = Counts(SPEC, "gated")
    text = json.dumps(monitor.counts.as_json())
    total.add(text)
    total.add(text)
    assert total.coverage().guards["execute", 0, 0] == (0, 2, 0)
    assert (total.events, total.runs) == (6, 2)
    for wrong in (
        "{}",
        "[",
        text.replace(SPEC.sha256, "0"),
        text.replace('"gated"', '"eager"'),
        text.replace("3", "-3"),
    ):
        with pytest.raises(CoverageError):
            total.add(wrong)


def test_what_a_departed_step_would_have_done_is_not_covered() -> None:
    _, monitor = watch(SPEC, "gated", [START, PLANNED | {"state": "plan"}])
    assert monitor.counts.coverage().states["execute"] == 0


def test_only_rules_that_are_wanted_are_watched() -> None:
    rng = random.Random(2)
    spec = load_path(str(ROOT / "specs/faulty/result_not_consumed.yaml"))[0].spec
    assert spec is not None
    monitor = Monitor(spec, "gated", wants=lambda rule: rule == "FSM404")
    runs = [entries(random_run(spec, "gated", rng), str(number)) for number in range(40)]
    found = [each for line in text_lines(interleaved(runs, rng)) for each in monitor.feed("log", line)]
    assert {each.violation.rule for each in found if isinstance(each, Breach)} == {"FSM404"}
