"""Parsing: the tree and its offsets."""

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
from fsmcheck.cel.syntax import CelSyntaxError, parse
from fsmcheck.source import Span


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
    with pytest.raises(CelSyntaxError):
        parse("x + 1")
