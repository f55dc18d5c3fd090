"""Type checking: the types found, every error with its place, and enum literals out of their enum."""

from __future__ import annotations

import pytest

from fsmcheck.cel.ast import FieldRef, walk
from fsmcheck.cel.check import check, enum_literal_mismatches
from fsmcheck.cel.errors import CelError
from fsmcheck.cel.syntax import parse
from fsmcheck.cel.types import BOOLEAN, DYN, INTEGER, NULL, NUMBER, STRING, Kind, Type
from fsmcheck.source import Span

VERDICT = Type(Kind.ENUM, values=("done", "again"))
MOOD = Type(Kind.ENUM, values=("good", "bad"))
FIELDS = {
    "text": STRING,
    "verdict": VERDICT,
    "mood": MOOD,
    "count": Type(Kind.INTEGER, nullable=True),
    "score": Type(Kind.NUMBER, nullable=True),
    "flag": Type(Kind.BOOLEAN, nullable=True),
    "names": Type(Kind.LIST, element=STRING),
    "totals": Type(Kind.MAP, element=INTEGER, key=STRING),
    "verdicts": Type(Kind.LIST, element=VERDICT),
}


def errors_of(text: str) -> tuple[CelError, ...]:
    return check(parse(text), FIELDS)[1]


def under(text: str, span: Span) -> str:
    return text[span.start : span.end]


@pytest.mark.parametrize(
    ("text", "type_"),
    [
        ("context.count", Type(Kind.INTEGER, nullable=True)),
        ("context.count + 1", INTEGER),
        ("-context.score", NUMBER),
        ("context.verdict", VERDICT),
        ("context.verdict + '!'", STRING),
        ("context.flag", Type(Kind.BOOLEAN, nullable=True)),
        ("!context.flag", BOOLEAN),
        ("has(context.text) && context.count == null", BOOLEAN),
        ("context.totals.a", INTEGER),
        ("context.totals['a']", INTEGER),
        ("context.names[0]", STRING),
        ("context.names + []", Type(Kind.LIST, element=STRING)),
        ("[]", Type(Kind.LIST)),
        ("[1, 2]", Type(Kind.LIST, element=INTEGER)),
        ("[1, 'a']", Type(Kind.LIST, element=DYN)),
        ("[context.count, 1]", Type(Kind.LIST, element=Type(Kind.INTEGER, nullable=True))),
        ("[1, 'a'][0] + 1", INTEGER),
        ("{'a': 1}", Type(Kind.MAP, element=INTEGER, key=STRING)),
        ("{}", Type(Kind.MAP)),
        ("context.names.map(n, size(n))", Type(Kind.LIST, element=INTEGER)),
        ("context.totals.filter(k, k != '')", Type(Kind.LIST, element=STRING)),
        ("true ? context.count : null", Type(Kind.INTEGER, nullable=True)),
        ("true ? context.verdict : 'x'", STRING),
        ("true ? context.verdict : context.mood", STRING),
        ("true ? [] : context.names", Type(Kind.LIST, element=STRING)),
        ("string(context.count)", STRING),
        ("double('1')", NUMBER),
        ("null", NULL),
    ],
)
def test_types(text: str, type_: Type):
    typed, errors = check(parse(text), FIELDS)
    assert errors == ()
    assert typed.type == type_


def test_every_node_gets_its_type():
    typed, _ = check(parse("context.names.all(n, n in ['a'] || context.count > size(n))"), FIELDS)
    assert all(node.type is not DYN for node in walk(typed))


@pytest.mark.parametrize(
    ("text", "message", "place", "advice"),
    [
        ("context.text == null", '"==" compares a string with null', None, 'a string is never null: compare with ""'),
        ("null != context.verdict", '"!=" compares an enum with null', None, 'an enum is never null: compare with ""'),
        (
            "context.names == null",
            '"==" compares a list of string with null',
            None,
            "a list of string is never null: compare with []",
        ),
        (
            "context.totals == null",
            '"==" compares a map of integer with null',
            None,
            "a map of integer is never null: compare with {}",
        ),
        ("1 == null", '"==" compares an integer with null', None, "an integer is never null"),
        (
            "context.count == 1.0",
            '"==" compares an integer with a number: expected one type on both sides',
            None,
            "convert one side: double(…) or int(…)",
        ),
        (
            "context.count < context.score",
            '"<" compares an integer with a number: expected one type on both sides',
            None,
            "convert one side: double(…) or int(…)",
        ),
        (
            "context.text == 1",
            '"==" compares a string with an integer: expected one type on both sides',
            None,
            "convert the other side: string(…)",
        ),
        (
            "[1] < [2]",
            '"<" compares a list of integer with a list of integer: expected numbers, strings or booleans',
            None,
            None,
        ),
        (
            "context.text + context.count",
            '"+" has a string and an integer: expected two integers, two numbers, two strings or two lists',
            None,
            "convert the other side: string(…)",
        ),
        ("1.0 % 2.0", '"%" has a number and a number: expected two integers', None, None),
        (
            "null + 1",
            '"+" has null and an integer: expected two integers, two numbers, two strings or two lists',
            None,
            None,
        ),
        ("'a' - 'b'", '"-" has a string and a string: expected two integers or two numbers', None, None),
        ("-context.text", '"-" has a string: expected an integer or a number', "context.text", None),
        ("!context.text", '"!" has a string: expected a boolean', "context.text", 'compare it: != ""'),
        ("!context.count", '"!" has an integer: expected a boolean', "context.count", "compare it: != 0"),
        (
            "!context.names",
            '"!" has a list of string: expected a boolean',
            "context.names",
            "compare its size: size(…) > 0",
        ),
        ("true && context.count", '"&&" has an integer: expected a boolean', "context.count", "compare it: != 0"),
        ("context.text || true", '"||" has a string: expected a boolean', "context.text", 'compare it: != ""'),
        ("1 ? 2 : 3", 'the condition of "?:" has an integer: expected a boolean', "1", "compare it: != 0"),
        ("true ? 1 : 'a'", 'the branches of "?:" are an integer and a string: expected one type', "1 : 'a'", None),
        ("true ? 1 : null", 'the branches of "?:" are an integer and null: expected one type', "1 : null", None),
        ("1 in context.names", '"in" looks for an integer in a list with elements of type string', None, None),
        ("1 in context.totals", '"in" looks for an integer in a map with keys of type string', None, None),
        (
            "'a' in context.text",
            '"in" has a string on its right: expected a list or a map',
            "context.text",
            "write text.contains(part)",
        ),
        ("context.names['a']", "a list is indexed with a string: expected an integer", "'a'", None),
        ("context.totals[1]", "a map key is an integer: expected a string", "1", None),
        ("context.text[0]", "a string cannot be indexed: expected a list or a map", "context.text", None),
        ("context.text.size", 'a string has no "size": expected a map with string keys', None, None),
        ("has(context.count.x)", 'an integer has no "x": expected a map with string keys', "context.count.x", None),
        ("{1.0: 2}", "a map key is a number: expected a string, an integer or a boolean", "1.0", None),
        ("size(context.count)", '"size" has an integer: expected a string or a list or a map', "context.count", None),
        ("context.count.startsWith('1')", '"startsWith" has an integer: expected a string', "context.count", None),
        ("int(true)", '"int" has a boolean: expected a string or an integer or a number', "true", None),
        ("context.text.all(c, true)", '"all" has a string: expected a list or a map', "context.text", None),
        (
            "context.names.exists(n, n)",
            'the condition of "exists" has a string: expected a boolean',
            "n",
            'compare it: != ""',
        ),
        (
            "context.names.map(n, n, n)",
            'the condition of "map" has a string: expected a boolean',
            "n",
            'compare it: != ""',
        ),
        ("context.text.matches('a(')", "invalid regular expression: missing ): a(", "'a('", None),
    ],
)
def test_type_errors(text: str, message: str, place: str | None, advice: str | None):
    (error,) = errors_of(text)
    assert (error.message, under(text, error.span), error.help) == (message, place or text, advice)
    assert error.kind == "type"


def test_unknown_fields_are_a_kind_of_their_own():
    text = "context.verdikt == 'x' || context.zzzzzz + 1 > 2"
    first, second = errors_of(text)
    assert (first.message, under(text, first.span), first.help, first.kind) == (
        'unknown field "verdikt": expected a field of "context"',
        "verdikt",
        'did you mean "verdict"?',
        "unknown-field",
    )
    assert second.help == "fields: count, flag, mood, names, score, text, totals, verdict, verdicts"
    assert [error.kind for error in errors_of("has(context.nope)")] == ["unknown-field"]


def test_all_errors_at_once_and_each_once():
    text = "context.nope.x + 1 == 2 && context.text > 1 && !context.names[1.5] || size(true) == 1"
    assert [under(text, error.span) for error in errors_of(text)] == [
        "nope",
        "context.text > 1",
        "context.names[1.5]",
        "1.5",
        "true",
    ]


def test_nullable_fields_take_null_and_operators():
    for text in ["context.count == null", "null != context.score", "context.flag == null", "context.count + 1 > 2"]:
        assert errors_of(text) == ()


def test_an_inner_variable_hides_an_outer_one_only_inside():
    text = "context.names.all(x, [1].all(x, x > 0) && x == 'a')"
    assert errors_of(text) == ()


def mismatches(text: str) -> list[tuple[str | None, str]]:
    typed, errors = check(parse(text), FIELDS)
    assert errors == ()
    return [
        (found.subject.name if isinstance(found.subject, FieldRef) else None, under(text, found.literal.span))
        for found in enum_literal_mismatches(typed)
    ]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("context.verdict == 'done' || context.verdict != ''", []),
        ("context.verdict == 'dnoe'", [("verdict", "'dnoe'")]),
        ("'dnoe' != context.verdict", [("verdict", "'dnoe'")]),
        ("context.verdict in ['done', 'x', 'y']", [("verdict", "'x'"), ("verdict", "'y'")]),
        ("'x' in [context.verdict, context.mood]", [("verdict", "'x'")]),
        ("'good' in [context.verdict, context.mood]", []),
        ("context.verdict == (context.flag ? 'done' : 'x')", [("verdict", "'x'")]),
        ("(context.flag ? context.verdict : context.mood) == 'good'", []),
        ("(context.flag ? context.verdict : context.mood) == 'x'", [("verdict", "'x'")]),
        ("(context.flag ? context.verdict : context.text) == 'x'", []),
        ("'x' in context.verdicts", [("verdicts", "'x'")]),
        ("context.verdicts[0] == 'x'", [(None, "'x'")]),
        ("context.verdicts.exists(v, v == 'x')", [(None, "'x'")]),
        ("context.verdicts == ['done', 'x']", [("verdicts", "'x'")]),
        ("context.verdict == context.mood", []),
        ("context.text == 'x' && context.verdict == context.text", []),
        ("context.verdict == 'x' && context.mood == 'y'", [("verdict", "'x'"), ("mood", "'y'")]),
    ],
)
def test_enum_literals(text: str, expected: list[tuple[str | None, str]]):
    assert mismatches(text) == expected
