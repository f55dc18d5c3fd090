from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fsmcheck.report import sanitise

ANY_TEXT = st.text(st.characters(exclude_categories=()))


@pytest.mark.parametrize(
    ("text", "safe"),
    [
        ("plain → text, 日本", "plain → text, 日本"),
        ("a\nb\tc\rd", "a\\nb\\tc\\rd"),
        ("\x1b[31m\x9b", "\\x1b[31m\\x9b"),
        ("\u202e\ufeff", "\\u202e\\ufeff"),
        ("\U000e0041", "\\U000e0041"),
        ("\udc80", "\\udc80"),
    ],
)
def test_line(text: str, safe: str) -> None:
    assert sanitise.line(text) == safe


def test_block_keeps_line_breaks() -> None:
    assert sanitise.block("a\nb\x07") == "a\nb\\x07"


@given(ANY_TEXT)
def test_a_line_is_one_line_that_utf8_can_hold(text: str) -> None:
    safe = sanitise.line(text)
    safe.encode()
    assert len(safe.splitlines()) <= 1


@given(ANY_TEXT, st.sampled_from(["ascii", "latin-1", "cp1252", "utf-8", "no-such-encoding"]))
def test_what_is_encodable_never_fails_to_print(text: str, encoding: str) -> None:
    sanitise.encodable(text, encoding).encode("ascii" if encoding.startswith("no") else encoding)


@given(st.dictionaries(st.text(), st.text()))
def test_json_text_means_the_same(data: dict[str, str]) -> None:
    assert json.loads(sanitise.json_text(json.dumps(data, ensure_ascii=False))) == data
