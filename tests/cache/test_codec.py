"""Report data comes back from the cache as it went in, and nothing else comes back."""

from __future__ import annotations

import copy
import json
from dataclasses import fields, is_dataclass
from pathlib import Path
from typing import Any

import pytest
from hypothesis import Phase, given, settings
from hypothesis import strategies as st

from fsmcheck import diagnostics, outline, results
from fsmcheck.cache.codec import MisfitError, decoded, encoded
from fsmcheck.check import Options, check
from fsmcheck.kept_trace import KeptTrace
from fsmcheck.results import Notice, Report, SpecReport
from fsmcheck.source import SourceFile, Span

SPECS = Path(__file__).parents[2] / "specs"
SOURCE = SourceFile("a.yaml", "fsm: {}\n")
MOVED = {"microsteps": [{"from": "a", "transition": 0, "to": "b", "store": {"x": 2, "y": "text"}}]}

keys = st.text().filter(lambda text: "\0" not in text)  # such a one is refused
json_values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(),
    lambda inner: (
        st.lists(inner, max_size=3) | st.lists(inner, max_size=3).map(tuple) | st.dictionaries(keys, inner, max_size=3)
    ),
    max_leaves=6,
)
plain_mappings = st.dictionaries(keys, json_values, max_size=3)
st.register_type_strategy(float, st.floats(allow_nan=False))  # which equals nothing
st.register_type_strategy(SourceFile, st.just(SOURCE))
st.register_type_strategy(Span, st.builds(Span, st.integers(0, 99), st.integers(0, 99)))


def built(kind: type) -> st.SearchStrategy[Any]:
    """Any value of a dataclass: free-form mappings hold JSON, everything else is of its declared type."""
    free = {
        each.name: plain_mappings for each in fields(kind) if "Any]" in str(each.type) or "object]" in str(each.type)
    }
    optional = {name: strategy | st.none() for name, strategy in free.items() if name == "trace"}
    return st.builds(kind, **{**free, **optional}) if free else st.builds(kind)


FREE = (diagnostics.Finding, results.Certificate, outline.MatrixColumn, outline.Outline)
for free_form in FREE:
    st.register_type_strategy(free_form, built(free_form))

KINDS = sorted(
    {
        kind
        for module in (diagnostics, outline, results)
        for kind in vars(module).values()
        if isinstance(kind, type) and is_dataclass(kind) and kind not in (diagnostics.Fault, Report, SourceFile)
    },
    key=lambda kind: kind.__name__,
)


@pytest.mark.parametrize("kind", KINDS, ids=lambda kind: kind.__name__)
def test_any_value_comes_back(kind: type, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(results, "Outline", outline.Outline, raising=False)  # for hypothesis, which resolves all types

    @settings(max_examples=8, deadline=None, database=None, phases=[Phase.generate])
    @given(st.from_type(kind))
    def check_one(value: object) -> None:
        data = json.loads(json.dumps(encoded(kind, value, SOURCE)))
        again = decoded(kind, data, SOURCE)
        assert again == value
        assert "ChainMap" in repr(value) or repr(again) == repr(value)  # 1, 1.0 and True are equal

    check_one()


def reports() -> tuple[SpecReport, ...]:
    source = SourceFile("a.yaml", (SPECS / "planner_executor.yaml").read_text(encoding="utf-8"))
    return check([source], Options(profile="both", outline=True)).specs


def test_a_real_report_comes_back() -> None:
    for spec in reports():
        data = json.loads(json.dumps(encoded(SpecReport, spec, spec.source)))
        assert decoded(SpecReport, data, spec.source) == spec
        elsewhere = SourceFile("b.yaml", spec.source.text)
        assert decoded(SpecReport, data, elsewhere).source is elsewhere


def places(data: Any, path: tuple[Any, ...] = ()) -> list[tuple[Any, ...]]:
    found = [path]
    if isinstance(data, list):
        for index, item in enumerate(data):
            found += places(item, (*path, index))
    return found


def test_data_of_another_shape_is_refused_and_never_raises_anything_else() -> None:
    spec = reports()[0]
    data = json.loads(json.dumps(encoded(SpecReport, spec, spec.source)))
    refused = 0
    every = places(data)
    for number, path in enumerate(every[1 :: max(1, len(every) // 400)]):
        broken = copy.deepcopy(data)
        inner = broken
        for step in path[:-1]:
            inner = inner[step]
        inner[path[-1]] = [{"x": 1}, [], "text", -1.5, None, [[[]]]][number % 6]
        try:
            decoded(SpecReport, broken, spec.source)
        except MisfitError:
            refused += 1
    assert refused > 100
    for nonsense in (None, 1, "x", [], {}, [1] * len(fields(SpecReport)), data[:-1], [*data, None]):
        with pytest.raises(MisfitError):
            decoded(SpecReport, nonsense, spec.source)


def test_what_has_no_form_is_refused() -> None:
    finding = diagnostics.Finding("FSM403", "s", diagnostics.Severity.ERROR, "m", Span(0, 1), trace={"a": {1, 2}})
    with pytest.raises(MisfitError):
        encoded(diagnostics.Finding, finding, SOURCE)
    with pytest.raises(MisfitError):
        encoded(Notice, Notice("k", "m", SourceFile("other", "text")), SOURCE)
    with pytest.raises(MisfitError):
        encoded(results.ObligationRecord, finding, SOURCE)


def test_a_kept_trace_is_written_as_it_is_kept() -> None:
    held = {"x": 1, "y": "text"}
    trace = KeptTrace.of({"start": {"microsteps": [], "store": held}, "steps": [{"advance": {**MOVED, "store": held}}]})
    finding = diagnostics.Finding("FSM403", "s", diagnostics.Severity.ERROR, "m", Span(0, 1), trace=trace)
    data = json.loads(json.dumps(encoded(diagnostics.Finding, finding, SOURCE)))
    assert trace.text in data
    again = decoded(diagnostics.Finding, data, SOURCE)
    assert isinstance(again.trace, KeptTrace)
    assert again == finding
    place = data.index(trace.text)
    for damaged in ("", "text", trace.text[4:], trace.text[:-8]):
        with pytest.raises(MisfitError):
            decoded(diagnostics.Finding, [*data[:place], damaged, *data[place + 1 :]], SOURCE)
