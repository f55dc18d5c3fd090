"""Traces: their shape, strict reading, typed comparison in a replay, and the story they tell."""

from __future__ import annotations

import copy
import json
from typing import Any

import pytest

from fsmcheck.diagnostics import Subject
from fsmcheck.reducer.monitors import violations
from fsmcheck.reducer.replay import replay, rerun
from fsmcheck.reducer.story import story, tell
from fsmcheck.reducer.strict_json import StrictJsonError, parse_json
from fsmcheck.reducer.trace import Trace, TraceError, build_trace, parse_trace
from tests.reducer.machines import Exchange, loop, run_of, spec_of
from tests.reducer.test_steps import counting

KINDS = spec_of("""
    name: kinds
    version: 3
    initialState: ask
    context:
      i: { type: integer }
      n: { type: number }
      b: { type: boolean }
      l: { type: list, of: number }
      m: { type: map, of: string }
      given: { type: string }
    agents: { hand: { canTransition: [ask] } }
    states:
      ask:
        requires:
          - { name: i, from: { agent: hand } }
          - { name: n, from: { agent: hand } }
          - { name: b, from: { agent: hand } }
          - { name: l, from: { agent: hand } }
          - { name: m, from: { agent: hand } }
        transitions: [{ toState: rest }]
      rest: { terminal: true }
    policy: { maxIterations: 2 }
""")
EXCHANGES: tuple[Exchange, ...] = (
    ("hand", {"i": "x"}),
    ("hand", {"i": 1, "n": 2, "b": True, "l": [1, 2.5], "m": {"k": "v"}}),
)


def kinds_trace() -> Any:
    run = run_of(KINDS, *EXCHANGES, inputs={"given": "g"})
    return parse_trace(json.dumps(build_trace(KINDS, "gated", run)))


def test_the_shape_of_a_trace() -> None:
    empty = {"i": None, "n": None, "b": None, "l": [], "m": {}, "given": "g"}
    full = {"i": 1, "n": 2.0, "b": True, "l": [1.0, 2.5], "m": {"k": "v"}, "given": "g"}
    asked = [{"field": name, "agent": "hand"} for name in ("i", "n", "b", "l", "m")]
    waiting = {"microsteps": [], "state": "ask", "status": "waiting", "store": empty, "awaits": asked}
    assert kinds_trace() == {
        "schema": "fsmcheck.trace/1",
        "spec": {"name": "kinds", "version": 3, "sha256": KINDS.sha256},
        "profile": "gated",
        "inputs": {"given": "g"},
        "start": waiting,
        "steps": [
            {"agent": "hand", "writes": {"i": "x"}, "rejected": "type-mismatch", "advance": waiting},
            {
                "agent": "hand",
                "writes": EXCHANGES[1][1],
                "advance": {
                    "microsteps": [{"from": "ask", "transition": 0, "to": "rest", "store": full}],
                    "state": "rest",
                    "status": "done",
                    "store": full,
                    "awaits": [],
                },
            },
        ],
    }


def test_a_trace_replays() -> None:
    trace = kinds_trace()
    assert replay(KINDS, trace) == []
    assert [step.rejected for step in rerun(KINDS, trace)] == [None, "type-mismatch", None]


@pytest.mark.parametrize(
    ("field", "value", "same"),
    [
        ("i", 1.0, False),
        ("i", True, False),
        ("n", 2, True),
        ("n", True, False),
        ("b", 1, False),
        ("l", [1, 2.5], True),
        ("l", [True, 2.5], False),
        ("l", [1.0], False),
        ("m", {"k": "w"}, False),
        ("m", {"k": "v", "j": ""}, False),
        ("given", "h", False),
    ],
)
def test_values_are_compared_by_the_type_of_their_field(field: str, value: object, same: bool) -> None:
    trace = kinds_trace()
    trace["steps"][1]["advance"]["store"][field] = value
    assert [(found.step, found.path) for found in replay(KINDS, trace)] == ([] if same else [(2, f"store.{field}")])


def changed(*path: str | int, value: object) -> Trace:
    trace = kinds_trace()
    place = trace
    for key in path[:-1]:
        place = place[key]
    place[path[-1]] = value
    return copy.deepcopy(trace)


@pytest.mark.parametrize(
    ("trace", "paths"),
    [
        (changed("steps", 1, "advance", "state", value="ask"), ["state"]),
        (changed("steps", 1, "advance", "status", value="stuck"), ["status"]),
        (changed("steps", 1, "advance", "microsteps", value=[]), ["microsteps[0]"]),
        (changed("steps", 1, "advance", "microsteps", 0, "transition", value=1), ["microsteps[0]"]),
        (changed("steps", 1, "advance", "microsteps", 0, "store", "i", value=2), ["microsteps[0].store.i"]),
        (changed("steps", 1, "rejected", value="empty-value"), ["rejected"]),
        (changed("start", "awaits", value=[]), ["awaits"]),
        (changed("start", "store", value={}), [f"store.{name}" for name in ("i", "n", "b", "l", "m", "given")]),
        (changed("start", "store", "extra", value=1), ["store.extra"]),
        (changed("inputs", value={}), ["inputs"]),
        (changed("spec", "sha256", value="0" * 64), ["spec.sha256"]),
        (changed("spec", "name", value="kind"), ["spec.name"]),
        (changed("spec", "version", value="3"), ["spec.version"]),
        (changed("spec", value={"sha256": KINDS.sha256}), ["spec.name", "spec.version"]),
    ],
)
def test_every_difference_is_told(trace: Trace, paths: list[str]) -> None:
    assert [found.path for found in replay(KINDS, trace)] == paths


def test_a_trace_without_caps_says_so_and_is_replayed_so() -> None:
    run = run_of(KINDS, *[("hand", {})] * 3, inputs={"given": "g"}, caps=False)
    trace = build_trace(KINDS, "gated", run, caps=False)
    assert trace["policy"] == "ignored"
    assert replay(KINDS, trace) == []
    del trace["policy"]
    assert [(found.step, found.path) for found in replay(KINDS, trace)][:2] == [(2, "status"), (2, "awaits")]


def test_a_capped_trace_names_the_cap() -> None:
    trace: Any = build_trace(KINDS, "gated", run_of(KINDS, ("hand", {}), ("hand", {}), inputs={"given": "g"}))
    assert trace["steps"][1]["advance"]["cap"] == "maxIterations"
    assert replay(KINDS, trace) == []
    trace["steps"][1]["advance"]["cap"] = "maxExchangesPerStage"
    assert [found.path for found in replay(KINDS, trace)] == ["cap"]


def test_guard_errors_are_compared_by_place() -> None:
    fields = "n: { type: integer }, gap: { type: integer, default: null }"
    spec = spec_of(counting("context.gap > 1", "assign: { n: 1 }", fields))
    trace: Any = build_trace(spec, "gated", run_of(spec))
    trace["start"]["guardErrors"][0]["message"] = "in other words"
    assert replay(spec, trace) == []
    for microstep in (1, False, "0"):
        trace["start"]["guardErrors"][0]["microstep"] = microstep
        assert [found.path for found in replay(spec, trace)] == ["guardErrors"]
    del trace["start"]["guardErrors"][0]["microstep"]
    assert replay(spec, trace) == []
    trace["start"]["guardErrors"][0]["guard"] = 1
    assert [found.path for found in replay(spec, trace)] == ["guardErrors"]
    del trace["start"]["guardErrors"]
    assert replay(spec, trace) == []


@pytest.mark.parametrize(
    "text",
    [
        "",
        "[]",
        "{}",
        '{"schema": "fsmcheck.trace/2"}',
        json.dumps(changed("profile", value="lazy")),
        json.dumps(changed("policy", value="kept")),
        json.dumps(changed("spec", value=None)),
        json.dumps(changed("inputs", value=[])),
        json.dumps(changed("start", value=[])),
        json.dumps(changed("start", "store", value=[])),
        json.dumps(changed("steps", value={})),
        json.dumps(changed("steps", 0, value=1)),
        json.dumps(changed("steps", 0, "agent", value=1)),
        json.dumps(changed("steps", 0, "writes", value=[])),
        json.dumps(changed("steps", 0, "rejected", value=1)),
        json.dumps(changed("steps", 0, "advance", "awaits", value=[1])),
        json.dumps(changed("steps", 0, "advance", "guardErrors", value=[{}])),
        json.dumps(changed("steps", 1, "advance", "microsteps", 0, "transition", value=True)),
        json.dumps(changed("microstepLimit", value=0)),
    ],
)
def test_no_trace(text: str) -> None:
    with pytest.raises(TraceError):
        parse_trace(text)


@pytest.mark.parametrize(
    "text",
    [
        '{"a": 1, "a": 2}',
        "NaN",
        "-Infinity",
        "1e999",
        '"\\ud800"',
        '{"\\udfff": 1}',
        "{",
        "[" * 100_000,
        "1" * 5000,
        "1 2",
    ],
)
def test_strict_json(text: str) -> None:
    with pytest.raises(StrictJsonError):
        parse_json(text)


def test_surrogate_pairs_are_one_character() -> None:
    assert parse_json('"\\ud83d\\ude00"') == "\U0001f600"


def stale_run() -> tuple[Any, Any, Trace]:
    spec = loop("outcome")
    run = run_of(
        spec,
        ("planner", {"plan": "p", "directive": "d1"}),
        ("executor", {"result": "r1", "outcome": "replan"}),
        ("planner", {"directive": "d2"}),
        ("executor", {"result": "r2"}),
    )
    (found,) = [found for found in violations(spec, "gated", run) if found.rule == "FSM403"]
    trace = build_trace(spec, "gated", run, violates=(found.rule, found.subject), detail=found.detail)
    return spec, found, trace


STORY = [
    'start in "plan"',
    '   waiting in "plan" for plan and directive from "planner"',
    '1. "planner" stages plan = "p" and directive = "d1"',
    '   "plan" → "execute" by transition 0',
    '   waiting in "execute" for result and outcome from "executor"',
    '2. "executor" stages result = "r1" and outcome = "replan"',
    '   "execute" → "replan" by transition 1: directive = "", result = "" and history = ["d1: r1"]',
    '   waiting in "replan" for directive from "planner"',
    '3. "planner" stages directive = "d2"',
    '   "replan" → "execute" by transition 0',
    '   waiting in "execute" for result from "executor"',
    '4. "executor" stages result = "r2"',
    '   "execute" → "replan" by transition 1: directive = "", result = "" and history = ["d1: r1", "d2: r2"]',
    '   waiting in "replan" for directive from "planner"',
    'so "execute" is left because of "outcome", an answer to an earlier visit',
    '   "outcome" is "replan", which "executor" staged in step 2',
]


def test_a_story_says_who_staged_the_stale_value() -> None:
    spec, found, trace = stale_run()
    assert story(spec, trace, found.detail) == STORY
    assert trace["violates"] == {
        "rule": "FSM403",
        "subject": Subject(state="execute", transition=1, field="outcome").as_dict(),
        "detail": found.detail,
    }
    read: Any = parse_trace(json.dumps(trace))
    assert tell(read) == STORY
    del read["violates"]
    assert tell(read) == STORY[:-2]


@pytest.mark.parametrize(
    ("reason", "line"),
    [
        ("stale-trigger", 'so "execute" is left because of "outcome" and "result", answers to an earlier visit'),
        (
            "complete-and-stale",
            'so "execute" is left with no exchange in this visit: "outcome" and "result" still answer an earlier one',
        ),
    ],
)
def test_several_answers_are_told_in_the_plural(reason: str, line: str) -> None:
    _, _, trace = stale_run()
    read: Any = parse_trace(json.dumps(trace))
    detail = read["violates"]["detail"]
    detail["reason"] = reason
    detail["fields"].append({**detail["fields"][0], "field": "result"})
    assert line in tell(read)


@pytest.mark.parametrize(
    ("rule", "subject", "same"),
    [
        ("FSM403", {"state": "execute", "transition": 1, "field": "outcome"}, True),
        ("FSM404", {"state": "execute", "transition": 1, "field": "outcome"}, False),
        ("FSM403", {"state": "execute", "transition": 0, "field": "outcome"}, False),
        ("FSM403", {"state": "execute", "transition": True, "field": "outcome"}, False),
        ("FSM403", {"state": "execute", "transition": 1}, False),
        ("FSM403", {"state": "execute", "transition": 1, "field": "outcome", "more": 1}, False),
        ("FSM505", {"state": "execute"}, True),
        ("FSM302", {"state": "execute", "transition": 0, "other": 1}, True),
        ("FSM302", {"state": "execute", "transition": 0, "other": 9}, False),
        ("FSM302", {"state": "execute", "transition": 0, "other": True}, False),
        ("FSM505", {"state": "elsewhere"}, False),
        ("FSM505", {"state": ["execute"]}, False),
        ("FSM505", {"state": "execute", "more": "execute"}, False),
    ],
)
def test_what_a_run_does_not_violate_is_a_difference(rule: str, subject: dict[str, Any], same: bool) -> None:
    spec, _, trace = stale_run()
    told: Any = parse_trace(json.dumps({**trace, "violates": {"rule": rule, "subject": subject}}))
    assert [(found.step, found.path) for found in replay(spec, told)] == ([] if same else [(4, "violates")])


def test_a_run_that_is_cut_off_before_the_violation_does_not_show_it() -> None:
    spec, _, trace = stale_run()
    cut: Any = {**trace, "steps": trace["steps"][:-1]}  # type: ignore[index]
    (found,) = replay(spec, cut)
    assert str(found).startswith("the run does not violate what the trace says that it does: {'rule': 'FSM403'")


@pytest.mark.parametrize("detail", [{}, {"step": "x"}, {"reason": "stale-trigger", "step": 99, "microstep": 0}])
def test_a_foreign_detail_is_let_be(detail: dict[str, object]) -> None:
    trace: Any = stale_run()[2]
    trace["violates"]["detail"] = detail
    assert tell(trace) == STORY[:-2]


@pytest.mark.parametrize("violates", [7, None, [], {"rule": 3, "subject": {}}, {"rule": "FSM403"}])
def test_what_a_trace_violates_is_a_rule_and_a_subject(violates: object) -> None:
    trace: Any = {**stale_run()[2], "violates": violates}
    with pytest.raises(TraceError, match="is not"):
        parse_trace(json.dumps(trace))
