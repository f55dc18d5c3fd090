"""What is said about expressions that are refused, and where."""

from __future__ import annotations

import pytest

from fsmcheck.cel.errors import CelError
from fsmcheck.cel.syntax import CelSyntaxError, parse
from fsmcheck.source import Span


def refused(text: str) -> tuple[CelError, ...]:
    with pytest.raises(CelSyntaxError) as caught:
        parse(text)
    return caught.value.errors


def only(text: str) -> CelError:
    (error,) = refused(text)
    return error


def under(text: str, span: Span) -> str:
    return text[span.start : span.end]


@pytest.mark.parametrize(
    ("text", "message", "place", "advice"),
    [
        ("", "the expression is empty", "", None),
        ("1 +", "the expression ends too early: expected a value", "", None),
        ("(1", 'the expression ends too early: expected an operator or ")"', "", None),
        ("size([1)", 'unexpected ")": expected an operator or "]"', ")", None),
        ("1 2", 'unexpected "2": expected an operator or the end', "2", None),
        ("context.a 'x'", "unexpected string: expected an operator or the end", "'x'", None),
        ("context.in", 'unexpected "in": expected a name', "in", None),
        ("context.a and context.b", 'unexpected "and": expected an operator or the end', "and", 'write "&&"'),
        ("context.a = 1", 'unexpected character "="', "=", 'write "==" to compare'),
        ("context.a & true", 'unexpected character "&"', "&", 'write "&&" for "and"'),
        ("context.a == “x”", 'unexpected character "“"', "“", "use straight quotes"),
        ("1 \x07", "unexpected character U+0007", "\x07", None),
        ("${context.a}", 'unexpected character "$"', "$", 'leave out "${" and "}": they belong to action values only'),
        ("'abc", "the string has no closing quote", "'abc", None),
        ("'a\nb'", "the string has no closing quote", "'a", None),
        ("'a\\'", "the string has no closing quote", "'a\\'", None),
        (r"'a\qb'", r'unknown escape "\q" in a string', r"\q", r'write "\\" for a backslash, or a raw string: r"…"'),
        (r"'\400'", r'unknown escape "\4" in a string', r"\4", r'write "\\" for a backslash, or a raw string: r"…"'),
        (r"'\ud800'", r'"\ud800" is no Unicode character', r"\ud800", None),
        (r"'\U00110000'", r'"\U00110000" is no Unicode character', r"\U00110000", None),
        ("'\ud800'", "a string cannot hold half of a surrogate pair", "\ud800", None),
        ("12abc", 'malformed number "12abc"', "12abc", None),
        (
            "1 + 9223372036854775808",
            "the integer is out of range: expected at most 64 bits with sign",
            "9223372036854775808",
            None,
        ),
        ("1e999", "the number is too large for a double", "1e999", None),
        ("!-context.a", 'unexpected "-": expected a value after "!"', "-", "put what follows in parentheses"),
        ("f(1,)", 'unexpected ")": expected a value', ")", None),
        ("package", '"package" is a reserved word: expected a value', "package", None),
        ("context", '"context" is no value by itself: expected "context.<field>"', "context", None),
        (
            "verdict == 'done'",
            'unknown name "verdict": expressions see only "context"',
            "verdict",
            'write "context.verdict" for a field',
        ),
        ("context.a == True", 'unknown name "True": expressions see only "context"', "True", 'write "true"'),
        ("size()", '"size" has no arguments: expected 1 argument', "size()", None),
        ("'a'.size(1)", '"size" has 1 argument: expected no arguments', "'a'.size(1)", None),
        ("[1].all()", '"all" has no arguments: expected 2 arguments', "[1].all()", None),
        ("[1].map(x, 1, 2, 3)", '"map" has 4 arguments: expected 2 arguments', "[1].map(x, 1, 2, 3)", None),
        ("has()", '"has" has no arguments: expected 1 argument', "has()", None),
        (
            "has(context.m['a'])",
            '"has" takes a field or a map entry: expected "context.<field>" or "<map>.<key>"',
            "context.m['a']",
            None,
        ),
        (
            "[1].all(context.a, true)",
            'the first argument of "all" must be a new name: expected "all(item, …)"',
            "context.a",
            None,
        ),
        (
            "startsWith('a', 'b')",
            '"startsWith" is a method: expected "value.startsWith(…)"',
            "startsWith",
            'write "value.startsWith(…)"',
        ),
        ("context.a.int()", '"int" is no method: expected "int(value)"', "int", 'write "int(value)"'),
    ],
)
def test_syntax_errors(text: str, message: str, place: str, advice: str | None):
    error = only(text)
    assert (error.message, under(text, error.span), error.help) == (message, place, advice)
    assert error.kind in {"syntax", "unknown-name"}


@pytest.mark.parametrize(
    ("text", "message", "place", "advice"),
    [
        ("1 + 2u", "unsigned integers are not supported", "2u", 'leave out the "u"'),
        ("b'a'", "bytes are not supported", "b'a'", 'leave out the "b"'),
        ("context.`a-b`", "quoted names are not supported", "`", None),
        ("context.?a", "optional fields and elements are not supported", "?", None),
        ("[?context.a]", "optional fields and elements are not supported", "?", None),
        ("Message{a: 1}", "messages are not supported", "Message{a: 1}", None),
        (".context.a", "a leading dot is not supported", ".context", None),
        (
            "context['a']",
            '"context" cannot be indexed: expected "context.<field>"',
            "context['a']",
            "name the field after a dot",
        ),
        (
            "duration('1s')",
            'the function "duration" is not supported',
            "duration",
            "supported functions: bool, double, has, int, matches, size, string",
        ),
        ("'a'.startswith('b')", 'the method "startswith" is not supported', "startswith", 'did you mean "startsWith"?'),
        (
            "[1].all(i, x, true)",
            'the two-variable form of "all" is not supported',
            "[1].all(i, x, true)",
            None,
        ),
        (
            "[1].all(context, true)",
            'a variable of "all" named "context" would hide the store: not supported',
            "context",
            None,
        ),
    ],
)
def test_what_is_not_supported_says_so(text: str, message: str, place: str, advice: str | None):
    error = only(text)
    assert (error.message, under(text, error.span), error.help) == (message, place, advice)
    assert error.kind == "unsupported"


def test_all_names_and_features_are_reported_at_once_in_text_order():
    text = "foo + uint(1) == bar || context.a.trim() == '' || [1].all(i, v, true)"
    assert [under(text, error.span) for error in refused(text)] == ["foo", "uint", "bar", "trim", "[1].all(i, v, true)"]


def test_an_operator_word_must_stand_alone():
    text = "context.a inb"
    assert under(text, only(text).span) == "inb"


def test_long_names_are_shortened_in_messages():
    message = only("x" * 4000).message
    assert len(message) < 120
