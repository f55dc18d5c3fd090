"""Traces kept in little memory are what they were made of, and share what does not change."""

from __future__ import annotations

import json
import pickle
import zlib
from base64 import b64encode
from pathlib import Path
from typing import Any

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from fsmcheck.check import Options, check
from fsmcheck.kept_trace import KeptTrace
from fsmcheck.reducer.trace import build_trace
from fsmcheck.same_json import changed_fields, same_json
from fsmcheck.source import SourceFile
from tests.reducer.machines import run_of
from tests.reducer.test_properties import VALUES, WILD
from tests.reducer.test_traces import KINDS

FAULTY = Path(__file__).parents[2] / "specs" / "faulty" / "outcome_not_consumed.yaml"
EXCHANGE = {"i": 1, "n": 2, "b": True, "l": [1, 2.5], "m": {"k": "v"}}


def trace_of(*exchanges: Any) -> dict[str, Any]:
    return dict(build_trace(KINDS, "gated", run_of(KINDS, *exchanges, inputs={"given": "g"}, caps=False)))


def stores(trace: Any) -> list[Any]:
    """All stores in their order."""
    advances = [trace["start"], *(step["advance"] for step in trace["steps"])]
    return [
        each
        for advance in advances
        for each in (*(microstep["store"] for microstep in advance["microsteps"]), advance["store"])
    ]


@given(WILD)
def test_a_kept_trace_is_the_plain_one(wild: Any) -> None:
    plain = trace_of(*wild)
    kept = KeptTrace.of(plain)
    assert kept == plain
    assert plain == kept
    assert json.dumps(dict(kept)) == json.dumps(plain)  # down to the order of keys and the types of numbers
    assert KeptTrace.from_text(kept.text) == kept
    assert pickle.loads(pickle.dumps(kept)) == kept


def test_values_that_are_equal_but_not_the_same() -> None:
    values: list[object] = [0, False, 0.0, -0.0, 1, True, 1.0, "1", [1], [1.0], {"k": 1}, {"k": True}, None, ""]
    steps = [{"advance": {"microsteps": [], "store": {"x": value}}} for value in values]
    plain = {"start": {"microsteps": [], "store": {"x": values[-1]}}, "steps": steps}
    assert json.dumps(dict(KeptTrace.of(plain))) == json.dumps(plain)


def test_stores_of_other_fields_and_texts_that_utf_8_lacks() -> None:
    held: list[dict[str, object]] = [{}, {"a": "\ud83d\ude00"}, {"b": "\udc00", "a": 1}, {"a": 1, "b": "\udc00"}, {}]
    steps = [{"advance": {"microsteps": [], "store": store}} for store in held]
    plain = {"start": {"microsteps": [], "store": {}}, "steps": steps}
    kept = dict(KeptTrace.of(plain))
    assert kept == plain
    assert [list(store) for store in stores(kept)] == [[], [], ["a"], ["b", "a"], ["a", "b"], []]


def test_what_does_not_change_is_one_object() -> None:
    refused = ("hand", {"i": "x"})
    plain = trace_of(refused, refused, ("hand", EXCHANGE))
    for trace in (plain, KeptTrace.of(plain)):
        start, first, second, *moved, rest = stores(trace)
        assert start is first is second
        assert moved
        assert moved[-1] is rest
        assert rest is not start
        assert rest["given"] is start["given"]


def of_stores(*held: Any) -> dict[str, Any]:
    """A trace, otherwise empty, that begins with a store and goes on with others."""
    first, *rest = ({"microsteps": [], "store": store} for store in held)
    return {"start": first, "steps": [{"advance": advance} for advance in rest]}


LISTS: list[list[Any]] = [
    [[], ["a"], ["a", "b", "c"], ["a"], ["b"], ["b", "c"], [], []],
    [[1], [True, 2], [1.0], [1, 2], [1, 2, 3], [0.0, 1], [-0.0, 1, 2], [-0.0, 1, 2, None]],
    ["ab", "abc", ["ab"], ["ab", "c"], {"a": 1}, {"a": 1, "b": 2}, [], None, ["a"]],
]


@pytest.mark.parametrize("values", LISTS)
@pytest.mark.parametrize("shared", [True, False])
def test_lists_that_grow_and_others(values: list[Any], shared: bool) -> None:
    plain = of_stores(*({"x": value, "y": number // 3} for number, value in enumerate(values)))
    if not shared:
        plain = json.loads(json.dumps(plain))
    kept = KeptTrace.of(plain)
    assert json.dumps(dict(kept)) == json.dumps(plain)
    assert KeptTrace.from_text(kept.text).text == kept.text
    assert kept.text == KeptTrace.of(json.loads(json.dumps(plain))).text  # whatever is one object in it


def test_of_a_list_that_grows_what_is_appended_is_kept() -> None:
    """A thousand long entries, one more with each microstep: the plain trace would hold half a million."""
    entries = [f"entry {number}: {'long ' * 50}{number * number}" for number in range(1000)]
    kept = KeptTrace.of(of_stores(*({"history": entries[:count]} for count in range(1001))))
    assert kept.size < len(json.dumps(entries))
    assert kept["steps"][-1]["advance"]["store"]["history"] == entries


@pytest.mark.parametrize(
    "stores",
    [
        [[{"x": []}], [{}, {"y": ["a"]}]],
        [[{"x": "a"}], [{}, {"x": ["a"]}]],
        [[{"x": []}], {"x": "a"}, [{}, {"x": ["a"]}]],
        [[{"x": []}], [{"y": []}], [{}, {"x": ["a"]}]],
        [[{"x": []}], [{}, {"x": "a"}]],
        [[{"x": []}], [{}, ["x"]]],
        [[{"x": []}], [{}, {}, {}]],
        [[{"x": []}], []],
        [[{"x": []}], [["x"]]],
        [[{"x": []}], 1],
        [[{"x": []}], "x"],
    ],
)
def test_what_is_no_kept_trace(stores: list[Any]) -> None:
    """Something appended to what is no list, or is not there; and other shapes."""
    text = b64encode(zlib.compress(json.dumps(of_stores(*stores)).encode())).decode()
    with pytest.raises(ValueError, match="no trace that was kept"):
        KeptTrace.from_text(text)


NAMED: list[dict[str, Any]] = [
    {"name": "kinds", "version": 1, "sha256": "a"},
    {"name": None, "version": None, "sha256": "b"},
    {"name": '"spec":{"name":"kinds"},', "version": "\udc00", "sha256": "ä"},
]


@pytest.mark.parametrize("before", NAMED)
@pytest.mark.parametrize("said", NAMED)
@pytest.mark.parametrize("after", NAMED)
def test_a_trace_of_another_spec_is_the_same_run(before: Any, said: Any, after: Any) -> None:
    """Whatever it says of its spec, and whatever its values look like."""
    looks_like = f'"spec":{json.dumps(said, separators=(",", ":"))},'
    steps = [{"agent": looks_like, "advance": {"microsteps": [], "store": {"x": {"spec": said}}}}]
    plain = {"spec": before, "inputs": {"y": {"spec": said}, "z": 1}, "start": {"microsteps": [], "store": {}}}
    whole = {"schema": looks_like, **plain, "steps": steps}
    kept = KeptTrace.of(whole)
    for known in (before, said):
        assert kept.of_spec(known, after).text == KeptTrace.of({**whole, "spec": after}).text


@pytest.mark.parametrize("name", ["a", 'say "a"', "b\\c", "ä", "\udc00", ""])
def test_what_a_trace_mentions(name: str) -> None:
    microstep = {"from": "s", "to": name, "store": {}}
    kept = KeptTrace.of({"start": {"microsteps": [microstep], "store": {}}, "steps": []})
    assert kept.mentions([name])
    assert kept.mentions(["other", name])
    assert not kept.mentions(["other", f"{name}!"])
    assert not kept.mentions([])


def test_a_kept_trace_takes_little_room() -> None:
    wide = {f"field_{number}": f"text {number}" for number in range(60)}
    steps = [
        {"advance": {"microsteps": [], "store": {**wide, f"field_{number % 60}": f"text {number}, new"}}}
        for number in range(200)
    ]
    plain = {"start": {"microsteps": [], "store": wide}, "steps": steps}
    assert KeptTrace.of(plain).size * 50 < len(json.dumps(plain))


@pytest.mark.parametrize(
    "text",
    [
        "",
        "no base64",
        "é",
        b64encode(b"not compressed").decode(),
        *(b64encode(zlib.compress(data)).decode() for data in (b"", b"\xff", b"[]", b"{}", b'{"start": {}}', b"3")),
        *(
            b64encode(zlib.compress(json.dumps({"start": start, "steps": steps}).encode())).decode()
            for start, steps in (
                ({"microsteps": [], "store": 1}, []),
                ({"microsteps": [], "store": []}, []),
                ({"microsteps": [], "store": [1]}, []),
                ({"microsteps": [{}], "store": {}}, []),
                ({"microsteps": [], "store": {}}, [{}]),
                ({"microsteps": [], "store": {}}, [{"advance": {"store": {}}}]),
                ({"microsteps": [], "store": {}}, 7),
            )
        ),
    ],
)
def test_no_kept_trace(text: str) -> None:
    with pytest.raises(ValueError, match="no trace that was kept"):
        KeptTrace.from_text(text)


@given(VALUES, VALUES)
@example(1, True)
@example(1, 1.0)
@example(0.0, -0.0)
@example(None, "")
@example({"a": 1, "b": [2]}, {"b": [2], "a": 1})
@example([1, 2], [1, 2.0])
def test_values_are_the_same_where_their_json_is(left: object, right: object) -> None:
    for one, other in ((left, right), (left, json.loads(json.dumps(left)))):
        assert same_json(one, other) == (json.dumps(one, sort_keys=True) == json.dumps(other, sort_keys=True))


@given(st.dictionaries(st.sampled_from("abc"), VALUES), st.dictionaries(st.sampled_from("abc"), VALUES))
def test_changed_fields(before: dict[str, object], after: dict[str, object]) -> None:
    changed = {field: value for field, value in after.items() if not same_json(before.get(field), value)}
    assert changed_fields(before, after) == changed
    assert changed_fields(after, after) == {}


def test_runs_that_begin_alike_share_the_lines_of_their_stories() -> None:
    source = SourceFile(str(FAULTY), FAULTY.read_text(encoding="utf-8"))
    (spec,) = check([source], Options()).specs
    lines = [line for finding in spec.findings for line in finding.story]
    assert len(lines) > len(set(lines))
    assert len({id(line) for line in lines}) == len(set(lines))
    assert all(isinstance(finding.trace, KeptTrace) for finding in spec.findings if finding.story)
