"""JSON written piece by piece is what the standard library writes at once."""

from __future__ import annotations

import json
from collections.abc import Iterator
from types import MappingProxyType
from typing import Any

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from fsmcheck.report import sanitise
from fsmcheck.report.json_writer import compact_pieces, pieces

texts = st.text(st.characters(), max_size=6) | st.sampled_from(["\x00\n\t\x7f", "\ud83d", '"\\/', "\u202e", "x" * 300])
values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | texts,
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(texts, inner, max_size=4),
    max_leaves=8,
)
documents = st.dictionaries(texts, values, max_size=4)


def at_once(value: object) -> str:
    return sanitise.json_text(json.dumps(value, indent=2, ensure_ascii=False))


@given(documents)
@example({})
@example({"a": [], "b": {}, "c": [[], {}], "d": [-0.0, 1e300, True]})
def test_a_document(document: dict[str, Any]) -> None:
    assert "".join(pieces(document)) == at_once(document)


@given(st.lists(documents, max_size=3), documents)
def test_lists_that_are_made_while_they_are_written(items: list[dict[str, Any]], more: dict[str, Any]) -> None:
    inner = {"before": 1, "items": items, "after": more}
    whole = {"outer": [inner, inner | {"items": []}]}

    def lazily() -> dict[str, Any]:
        return {"outer": iter(({**inner, "items": iter(items)}, {**inner, "items": iter(())}))}

    assert "".join(pieces(lazily())) == at_once(whole)
    compact = json.dumps(whole, ensure_ascii=False, separators=(",", ":"))
    assert "".join(compact_pieces(lazily())) == compact


def test_items_are_made_one_at_a_time() -> None:
    made: list[int] = []

    def items() -> Iterator[dict[str, int]]:
        for number in range(100):
            made.append(number)
            yield {"number": number}

    until = next(number for number, piece in enumerate(pieces({"items": items()})) if '"number": 7' in piece)
    assert until > 7
    assert made == list(range(8))


def test_views_tuples_and_numbers_that_are_not_finite() -> None:
    document = {"m": MappingProxyType({"a": (1, 2)}), "n": [float("inf"), float("-inf"), float("nan")]}
    assert json.loads("".join(pieces(document))) == {"m": {"a": [1, 2]}, "n": ["Infinity", "-Infinity", "NaN"]}
    with pytest.raises(TypeError):
        list(pieces({"x": object()}))


def test_texts_are_prepared_keys_too() -> None:
    assert json.loads("".join(pieces({"a": "b", "n": [1]}, str.upper))) == {"A": "B", "N": [1]}
