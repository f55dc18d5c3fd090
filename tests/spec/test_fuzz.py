"""No bytes lead to a traceback, and every place that is given lies in the text."""

from __future__ import annotations

from pathlib import Path

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from fsmcheck.rules.catalogue import RULES
from fsmcheck.rules.rule import Rule
from fsmcheck.source import SourceFile
from fsmcheck.spec.files import UnreadableFileError, decode_source
from fsmcheck.spec.load import load

VALID = (Path(__file__).parents[2] / "specs" / "planner_executor.yaml").read_bytes()
WORDS = (
    "fsm states context type list enum values a x initialState terminal true toState assign append guards expression"
)
MARKS = ": - { } [ ] , ' # & &a *a ! !!str ? << --- ... % @ ${ {{ }} context.x == 1 1.5 .nan ~ \\ \0 é 😀 \ufeff"
SPACE = (
    "\n",
    "\n  ",
    "\n    ",
    " ",
    ": ",
    "- ",
    "? ",
    " #",
    "|\n",
    ">\n",
    "---\n",
    "\t",
    "\r\n",
    "\u2028",
    "\x85",
    '"',
)
PIECES = st.sampled_from((*WORDS.split(" "), *MARKS.split(" "), *SPACE))
TEXTS = st.lists(PIECES, max_size=40).map("".join)


def check(text: str) -> None:
    documents = load(SourceFile("t", text))
    assert documents
    for document in documents:
        assert document.spec is not None or document.faults
        for rule in RULES:
            for finding in rule.check(document) if isinstance(rule, Rule) else ():
                assert 0 <= finding.span.start <= finding.span.end <= len(text)
                for related in finding.related:
                    assert 0 <= related.span.start <= related.span.end <= len(text)


@settings(max_examples=300, deadline=None)
@given(TEXTS)
def test_yaml_like_text(text: str) -> None:
    check(text)


@settings(max_examples=150, deadline=None)
@given(TEXTS)
def test_yaml_like_text_in_a_spec(text: str) -> None:
    check("fsm:\n  initialState: a\n  states:\n    a:\n      entry: [{assign: {x: 1}}]\n      transitions: " + text)


@settings(max_examples=150, deadline=None, suppress_health_check=[HealthCheck.data_too_large])
@given(st.lists(st.tuples(st.integers(0, len(VALID) - 1), st.integers(0, 12), st.binary(max_size=6)), max_size=4))
def test_mutated_bytes(edits: list[tuple[int, int, bytes]]) -> None:
    data = VALID
    for start, length, inserted in edits:
        data = data[:start] + inserted + data[start + length :]
    try:
        source = decode_source("t", data)
    except UnreadableFileError:
        return
    check(source.text)


@settings(max_examples=100, deadline=None)
@given(st.binary(max_size=60))
def test_any_bytes(data: bytes) -> None:
    try:
        check(decode_source("t", data).text)
    except UnreadableFileError:
        return
