"""Every trap of YAML has its place and a message that says what to write instead."""

from __future__ import annotations

import time

import pytest

from fsmcheck.source import SourceFile
from fsmcheck.spec.load import load
from tests.spec.faults import GUARD_COLUMN, GUARD_LINE, covered, guarded, only, spec_of, summary

FINE = "fsm: { initialState: a, states: { a: { terminal: true } } }\n"


@pytest.mark.parametrize(
    ("written", "column", "words"),
    [
        ("!a", 0, 'the tag "!a" is not supported'),
        ("! context.s == ''", 0, 'the tag "!" is not supported'),
        ("!!python/object:os.system x", 0, 'the tag "!!python/object:os.system" is not supported'),
        ("!(context.s == '')", 0, "is not supported"),
        ("a ? b : c", 6, "cannot hold a colon followed by a space"),
        ("context.s == 'a: b'", 15, "cannot hold a colon followed by a space"),
        ("{{ context.s }}", 1, 'an unquoted "{" starts a YAML map, which cannot be a key'),
        ("&& context.s", 0, 'cannot start with "&"'),
        ("&a context.s == ''", 0, 'the anchor "&a" is not supported'),
        ("*a", 0, 'the alias "*a" is not supported'),
        ("'a' == context.s", 4, "text follows a closing quote or bracket"),
        ("[1].exists(x, x == 1)", 3, "text follows a closing quote or bracket"),
        ("> 3", 0, 'cannot start with ">"'),
        ("| x", 0, 'cannot start with "|"'),
        ("@x", 0, 'cannot start with "@"'),
        ("`x`", 0, 'cannot start with "`"'),
        ("%x", 0, 'cannot start with "%"'),
        ("- x", 0, 'a "-" cannot start a list item here'),
        ("? x", 0, 'cannot start with "?"'),
        ("'context.s", 0, "the quote opened here is never closed"),
        ('"\\d"', 1, "not an escape sequence"),
        ("[context.s", 0, 'the "[" opened here is not closed'),
        ("{ a: ${ b } }", 6, 'unquoted text inside "{" cannot hold "{"'),
    ],
)
def test_unquoted_expressions(written: str, column: int, words: str) -> None:
    document = guarded(written)
    fault = next(fault for fault in document.faults if fault.rule == "FSM001")
    assert words in fault.message
    assert document.source.position(fault.span.start) == (GUARD_LINE, GUARD_COLUMN + column)
    assert fault.help is not None
    assert any(word in fault.help for word in ("quote", "close it", "double it"))


@pytest.mark.parametrize("written", ["!a", "&& x", "a ? b : c", "{{ context.s }}", "'a' == context.s", "> 3"])
def test_the_advice_is_to_quote_the_expression(written: str) -> None:
    fault = next(fault for fault in guarded(written).faults if fault.rule == "FSM001")
    assert fault.help is not None
    assert fault.help.startswith("quote the expression")


@pytest.mark.parametrize(("written", "closing"), [("[a", "]"), ("{ a: b", "}")])
def test_the_advice_for_what_is_not_closed_is_to_close_it(written: str, closing: str) -> None:
    (fault,) = only(f"fsm:\n  name: {written}\n").faults
    assert fault.help is not None
    assert fault.help.startswith(f'close it with "{closing}", or quote the text')


def test_a_comment_that_cuts_an_expression() -> None:
    document = guarded("context.s == 'a # b'")
    assert summary(document) == ["12:40 FSM003 'a"]
    assert document.faults[0].help is not None
    assert document.faults[0].help.startswith('an unquoted " #" starts a comment: quote the expression')


def test_a_comment_after_an_expression_is_fine() -> None:
    assert guarded("context.s == '' # why").faults == ()


def test_duplicate_keys_are_each_reported_and_the_first_stays() -> None:
    document = only(FINE + "properties: 1\nproperties: 2\nproperties: 3\n")
    assert summary(document) == ["3:1 FSM001 properties", "4:1 FSM001 properties"]
    assert document.faults[0].related[0].span.start == len(FINE)


def test_keys_that_are_equal_only_as_numbers_are_no_text() -> None:
    document = only("fsm: { 1: x, 1.0: x, true: x, ~: x, yes: x, ? [a] : x }")
    told = [(fault.rule, covered(document, fault)) for fault in document.faults if "expected text" in fault.message]
    assert told == [
        ("FSM002", "1"),
        ("FSM002", "1.0"),
        ("FSM002", "true"),
        ("FSM002", "~"),
        ("FSM001", "[a]"),
    ]


def test_merge_keys_and_aliases() -> None:
    document = only("fsm: &x { <<: *x, initialState: a, states: { a: *x } }")
    assert summary(document) == ["1:6 FSM001 &", "1:11 FSM001 <<", "1:15 FSM001 *x", "1:49 FSM001 *x"]


def test_alias_bombs_do_not_expand() -> None:
    lines = ["a0: &a0 [x, x, x, x, x, x, x, x, x]"]
    lines += [f"a{i}: &a{i} [{', '.join([f'*a{i - 1}'] * 9)}]" for i in range(1, 12)]
    started = time.monotonic()
    document = only(FINE + "\n".join(lines))
    assert time.monotonic() - started < 2
    assert any("alias" in fault.message for fault in document.faults)


@pytest.mark.parametrize("text", ["[" * 100_000, "{a: " * 50_000, "- " * 100_000, "? " * 100_000, "fsm: " + "[" * 60])
def test_deep_nesting(text: str) -> None:
    started = time.monotonic()
    document = only(text)
    assert time.monotonic() - started < 2
    assert document.spec is None
    assert "nested more than 50 deep" in document.faults[0].message


def test_fifty_deep_is_read() -> None:
    assert only("fsm: " + "[" * 49 + "]" * 49).faults[0].rule == "FSM002"


def test_size() -> None:
    document = only("#" * 1_000_001)
    assert "longer than 1000000 characters" in document.faults[0].message
    assert only(FINE + "#" * 999_000).faults == ()


@pytest.mark.parametrize(
    ("character", "name"), [("\0", "U+0000"), ("\x1b", "U+001B"), ("\x7f", "U+007F"), ("\ud800", "U+D800")]
)
def test_control_characters(character: str, name: str) -> None:
    document = only(f"# é\nfsm: {character}")
    assert summary(document) == [f"2:6 FSM001 {character}"]
    assert name in document.faults[0].message


def test_all_control_characters_are_told_up_to_a_limit() -> None:
    assert summary(only("fsm: \0\n# \x1b\n \x07")) == ["1:6 FSM001 \0", "2:3 FSM001 \x1b", "3:2 FSM001 \x07"]
    assert len(only("\0" * 900_000).faults) == 20


@pytest.mark.parametrize("character", ["\x85", "\u2028", "\u2029"])
@pytest.mark.parametrize(
    "text", ["# a comment{}name: n\n" + FINE, FINE + "# {}", "fsm: {{ name: 'a{}b' }}", "fsm: |\n  a{}  b\n"]
)
def test_what_ends_a_line_in_one_yaml_only_is_refused(text: str, character: str) -> None:
    text = text.replace("{{", "{").replace("}}", "}").replace("{}", character)
    document = only(text)
    assert [covered(document, fault) for fault in document.faults] == [character]
    assert (
        f"U+{ord(character):04X} ends a line for some readers of YAML and not for others" in document.faults[0].message
    )
    assert document.spec is None


@pytest.mark.parametrize(
    ("escape", "value"), [("\\x85", "\x85"), ("\\N", "\x85"), ("\\u2028", "\u2028"), ("\\P", "\u2029")]
)
def test_it_may_be_written_as_an_escape(escape: str, value: str) -> None:
    spec = spec_of(f'fsm: {{ name: "a{escape}b", initialState: a, states: {{ a: {{ terminal: true }} }} }}\n')
    assert spec.name is not None
    assert spec.name.text == f"a{value}b"


def test_marks_count_code_points_after_wide_characters_and_byte_order_marks() -> None:
    document = only("\ufeff# 日本😀\nfsm: { é😀: x, initialState: a, states: { a: { terminal: 1 } } }")
    assert summary(document) == ["2:8 FSM002 é😀", "2:57 FSM002 1"]


def test_carriage_returns() -> None:
    document = only("fsm:\r\n  initialState: a\r\n  states:\r\n    a: { terminal: 1 }\r\n")
    assert summary(document) == ["4:20 FSM002 1"]


@pytest.mark.parametrize(
    ("text", "place", "words"),
    [
        ("fsm:\n\tinitialState: a\n", "2:1", "a tab is used for indentation"),
        ("fsm:\n  a: 1\n b: 2\n", "3:2", "does not belong to the map before it"),
        ("fsm:\n  a: 1\n   b: 2\n", "3:5", "a key is not expected here"),
        ("fsm:\n  - a\n  b: 2\n", "3:3", "does not belong to the list before it"),
        ("fsm:\n  a: 1\n  b\n", "3:3", 'this line has no ":"'),
        ("fsm: [a}\n", "1:8", 'this "}" does not close the "["'),
        ("%YAML 3.0\n---\nfsm: 1\n", "1:1", "directive is not supported"),
        ("fsm: 1\n...\nfoo\n", "3:1", "does not belong to the document before it"),
        ("fsm: !e!x y", "1:6", "starts a YAML tag"),
    ],
)
def test_broken_structure(text: str, place: str, words: str) -> None:
    document = load(SourceFile("spec.yaml", text))[-1]
    fault = document.faults[0]
    assert fault.rule == "FSM001"
    assert words in fault.message
    assert ":".join(map(str, document.source.position(fault.span.start))) == place
    assert document.has_fsm


def test_block_collections_end_before_the_comments_behind_them() -> None:
    spec = spec_of("fsm:\n  initialState: a\n  states:\n    a:\n      terminal: true\n  # behind\n\n# far behind\n")
    assert spec.source.text[spec.span.start : spec.span.end].endswith("terminal: true")
    assert spec.source.text[spec.states[0].span.start : spec.states[0].span.end] == "a:\n      terminal: true"


def test_block_scalars_end_with_their_last_line() -> None:
    text = FINE.replace("fsm: {", 'fsm: { description: "",').replace('""', '"x"')
    assert only(text).faults == ()
    document = only(
        "fsm:\n  description: |\n    one\n    two\n\n  # behind\n  initialState: a\n  states: { a: {terminal: true}}\n"
    )
    assert document.spec is not None
    assert document.spec.description == "one\ntwo\n"


def test_standard_tags_on_text() -> None:
    assert only(FINE.replace("a,", "!!str a,", 1)).faults == ()


def test_long_numbers() -> None:
    started = time.monotonic()
    document = only("fsm: { initialState: a, states: { a: { terminal: true } }, version: " + "9" * 600_000 + " }")
    assert time.monotonic() - started < 2
    assert "has 600000 digits" in document.faults[0].message
    text = "fsm: { initialState: a, states: { a: { terminal: true } }, version: " + ":59" * 200_000 + " }"
    started = time.monotonic()
    only(text)
    assert time.monotonic() - started < 2
