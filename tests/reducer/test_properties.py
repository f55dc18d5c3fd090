"""What holds for any run: it replays, rejection changes only counters, bookkeeping never steers it."""

from __future__ import annotations

import json
from itertools import pairwise
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from fsmcheck.reducer.configuration import Profile
from fsmcheck.reducer.monitors import violations
from fsmcheck.reducer.replay import replay, rerun
from fsmcheck.reducer.story import story
from fsmcheck.reducer.trace import build_trace, parse_trace
from tests.reducer.machines import loop, run_of
from tests.reducer.test_traces import KINDS

VALUES = st.recursive(
    st.none()
    | st.booleans()
    | st.integers(-(2**60), 2**60)
    | st.floats(allow_nan=False, allow_infinity=False)
    | st.sampled_from(["", "done", "replan", "x"])
    | st.text(st.characters(exclude_categories=["Cs"]), max_size=4),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text("kj", max_size=2), inner, max_size=2),
    max_leaves=4,
)
LOOPS = {kept: loop(*kept) for kept in ((), ("outcome",), ("result",), ("directive",), ("directive", "outcome"))}
FEW = 24
"""Microsteps, so that a run without end is told in a reasonable time."""
PROFILES: st.SearchStrategy[Profile] = st.sampled_from(["gated", "eager"])


def exchanges(agents: list[str], fields: list[str], values: st.SearchStrategy[Any]) -> st.SearchStrategy[Any]:
    writes = st.dictionaries(st.sampled_from(fields), values, max_size=4)
    return st.lists(st.tuples(st.sampled_from(agents), writes), max_size=12)


WILD = exchanges(["hand", "nobody"], ["i", "n", "b", "l", "m", "given", "nowhere"], VALUES)
PLAUSIBLE = exchanges(
    ["planner", "executor"],
    ["plan", "directive", "result", "outcome"],
    st.sampled_from(["done", "replan", "replan", "replan", "x"]),
)


@given(WILD, st.booleans())
def test_any_run_replays(wild: Any, caps: bool) -> None:
    run = run_of(KINDS, *wild, inputs={"given": "g"}, caps=caps)
    trace = parse_trace(json.dumps(build_trace(KINDS, "gated", run, caps=caps)))
    assert replay(KINDS, trace) == []
    assert [step.configuration for step in rerun(KINDS, trace)] == [step.configuration for step in run]


@given(WILD)
def test_rejection_changes_only_the_counters(wild: Any) -> None:
    run = run_of(KINDS, *wild, inputs={"given": "g"}, caps=False)
    for before, step in pairwise(run):
        counters = step.configuration.counters
        assert counters.total == before.configuration.counters.total + 1
        if step.rejected is not None:
            assert step.configuration.store is before.configuration.store
            assert (step.configuration.state, step.configuration.status) == (
                before.configuration.state,
                before.configuration.status,
            )


@pytest.mark.parametrize("kept", LOOPS)
@settings(max_examples=40)
@given(PLAUSIBLE, PROFILES)
def test_stories_can_be_told_of_every_violation(kept: tuple[str, ...], plausible: Any, profile: Profile) -> None:
    spec = LOOPS[kept]
    run = run_of(spec, *plausible, profile=profile, microstep_limit=FEW)
    trace = build_trace(spec, profile, run, microstep_limit=FEW)
    assert replay(spec, trace) == []
    for found in violations(spec, profile, run):
        told = story(spec, trace, found.detail)
        assert sum(line[0].isdigit() for line in told) == found.step
        json.dumps(found.detail, allow_nan=False)
        if not kept:
            assert found.rule in ("FSM405", "FSM407")
