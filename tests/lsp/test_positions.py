"""Offsets and positions: columns in the code units that were agreed on, lines as editors split them."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from lsprotocol import types

from fsmcheck.lsp.diagnostics import carried
from fsmcheck.lsp.positions import Lines
from fsmcheck.source import Span
from tests.report.sample import finding

# a, e with a combining acute accent, an emoji outside the basic plane, a euro sign: one to four bytes each.
TEXT = "ae\u0301\U0001f600€z\r\nsecond\rthird\u2028still third\n"


@pytest.mark.parametrize(
    ("encoding", "columns"),
    # Where each character of the first line begins, and where the line ends.
    [
        ("utf-32", (0, 1, 2, 3, 4, 5, 6)),
        ("utf-16", (0, 1, 2, 3, 5, 6, 7)),
        ("utf-8", (0, 1, 2, 4, 8, 11, 12)),
    ],
)
def test_columns_are_counted_in_the_units_agreed_on(encoding: str, columns: tuple[int, ...]) -> None:
    lines = Lines(TEXT, encoding)
    assert tuple(lines.position(offset).character for offset in range(7)) == columns
    assert tuple(lines.offset(types.Position(0, column)) for column in columns) == tuple(range(7))


def test_a_column_inside_a_character_is_its_start_and_one_behind_the_line_its_end() -> None:
    lines = Lines(TEXT, "utf-16")
    assert lines.offset(types.Position(0, 4)) == 3
    assert lines.offset(types.Position(0, 99)) == 6
    assert lines.offset(types.Position(99, 0)) == len(TEXT)


def test_lines_end_where_editors_end_them() -> None:
    lines = Lines(TEXT)
    assert lines.position(TEXT.index("second")) == types.Position(1, 0)
    assert lines.position(TEXT.index("third")) == types.Position(2, 0)
    assert lines.position(TEXT.index("still")) == types.Position(2, 6)


@given(st.text(alphabet="aé\U0001f600\r\n\u2028\ud800"), st.sampled_from(["utf-8", "utf-16", "utf-32"]))
def test_positions_lead_back_to_their_offsets(text: str, encoding: str) -> None:
    lines = Lines(text, encoding)
    for offset in range(len(text) + 1):
        inside_a_break = text[offset - 1 : offset + 1] == "\r\n" and offset > 0
        if not inside_a_break:
            assert lines.offset(lines.position(offset)) == offset


def test_findings_move_with_the_text_around_them() -> None:
    old = "one two three"
    findings = [finding(span=Span(*span), related=()) for span in ((0, 3), (4, 7), (8, 13))]
    moved = carried(findings, old, "one 2222222 three")
    assert [(each.span.start, each.span.end) for each in moved] == [(0, 3), (12, 17)]
