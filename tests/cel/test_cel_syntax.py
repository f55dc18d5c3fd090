"""Parsing: the tree, its offsets, and what is said about texts that are refused."""

from __future__ import annotations

import pytest

from fsmcheck.cel.ast import (
    Binary,
    BinaryOp,
    Call,
    Comprehension,
    Conditional,
    FieldRef,
    Has,
    Index,
    ListLiteral,
    Literal,
    Macro,
    MapLiteral,
    Select,
    Unary,
    UnaryOp,
    Variable,
    walk,
)
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


def test_every_form_has_its_node():
    text = "has(context.a) ? [context.b[0], -context.c, {'k': 2}.k] : context.d.map(x, x != null, size(x) + 1)"
    kinds = {type(node) for node in walk(parse(text))}
    assert kinds == {
        Binary,
        Call,
        Comprehension,
        Conditional,
        FieldRef,
        Has,
        Index,
        ListLiteral,
        Literal,
        MapLiteral,
        Select,
        Unary,
        Variable,
    }


def test_every_node_covers_its_own_text_without_outer_parentheses():
    text = "((context.text)) == 'a𝄞' && !( context.n+1 in [ 2 ] )"
    tree = parse(text)
    assert isinstance(tree, Binary)
    assert [under(text, node.span) for node in walk(tree)] == [
        text,
        "((context.text)) == 'a𝄞'",
        "context.text",
        "'a𝄞'",
        "!( context.n+1 in [ 2 ] )",
        "context.n+1 in [ 2 ]",
        "context.n+1",
        "context.n",
        "1",
        "[ 2 ]",
        "2",
    ]


def test_a_field_knows_the_place_of_its_name_alone():
    text = "1 + context\n  .total // the total"
    field = parse(text).right
    assert isinstance(field, FieldRef)
    assert under(text, field.name_span) == "total"
    assert under(text, field.span) == "context\n  .total"


def test_precedence_and_associativity():
    tree = parse("1 - 2 - 3 * 4")
    assert (tree.op, tree.left.op, tree.right.op) == (BinaryOp.SUB, BinaryOp.SUB, BinaryOp.MUL)


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("0x1F", 31),
        ("-9223372036854775808", -(2**63)),
        ("- 9223372036854775808", -(2**63)),
        ("9223372036854775807", 2**63 - 1),
        ("00012", 12),
        (".5", 0.5),
        ("-1.5e-3", -0.0015),
        ("2E3", 2000.0),
        ("null", None),
        ("true", True),
        (r"'a\'b'", "a'b"),
        (r'"\"\\\n\x41\X42\u00e9\U0001F600\101\?\`"', '"\\\nABé😀A?`'),
        (r"r'\n'", r"\n"),
        (r"r'\'", "\\"),
        (r'R"a\"', "a\\"),
        ('"""a"b\n""c"""', 'a"b\n""c'),
        ("'''it''s'''", "it''s"),
        ('"""a\r\nb\rc\\r"""', "a\nb\nc\r"),
        ("''", ""),
        ('""""""', ""),
        (r"r'''a\'''", "a\\"),
        ("'//'", "//"),
    ],
)
def test_literals(text: str, value: object):
    tree = parse(text)
    assert isinstance(tree, Literal)
    assert tree.value == value
    assert type(tree.value) is type(value)
    assert tree.span == Span(0, len(text))


def test_a_sign_belongs_to_the_number_only_where_it_touches_nothing_else():
    assert isinstance(parse("-(1)"), Unary)
    assert parse("- -1").operand == Literal(-1, Span(2, 4))
    assert parse("!!context.a").operand.op is UnaryOp.NOT
    subtraction = parse("context.n-1")
    assert isinstance(subtraction, Binary)
    assert subtraction.op is BinaryOp.SUB


def test_trailing_commas_in_literals():
    assert len(parse("[1, 2,]").elements) == 2
    assert len(parse("{'a': 1,}").entries) == 1


def test_macros():
    tree = parse("context.items.map(x, x > 1, [x].exists_one(x, x == 2))")
    assert isinstance(tree, Comprehension)
    assert (tree.macro, tree.variable) == (Macro.MAP, "x")
    assert isinstance(tree.condition, Binary)
    assert isinstance(tree.body, Comprehension)
    assert tree.body.macro is Macro.EXISTS_ONE


def test_methods_become_calls_with_the_receiver_first():
    tree = parse("context.a.startsWith('b')")
    assert isinstance(tree, Call)
    assert (tree.function, len(tree.args)) == ("startsWith", 2)
    assert parse("size([1])").function == parse("[1].size()").function
    assert parse("matches('a', 'b')").function == "matches"


def test_has_takes_fields_and_entries():
    assert isinstance(parse("has(context.a)").operand, FieldRef)
    assert isinstance(parse("has(context.m.k)").operand, Select)


def test_reserved_words_may_follow_a_dot():
    assert parse("context.package").name == "package"


def test_long_runs_of_and_are_shallow_and_in_order():
    text = " && ".join(f"context.f{number}" for number in range(200))
    tree = parse(text)
    assert [node.name for node in walk(tree) if isinstance(node, FieldRef)] == [f"f{number}" for number in range(200)]
    depth, level = 0, [tree]
    while level:
        depth, level = (
            depth + 1,
            [part for node in level if isinstance(node, Binary) for part in (node.left, node.right)],
        )
    assert depth == 9
    for node in walk(tree):
        assert not under(text, node.span).startswith((" ", "&"))


def test_free_variables_only_where_they_are_given():
    assert isinstance(parse("x + 1", ("x",)).left, Variable)
    assert only("x + 1").kind == "unknown-name"


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
