"""Evaluation: the traps that other evaluators fell into, and what has no value."""

from __future__ import annotations

import math
from collections.abc import Mapping

import pytest

from fsmcheck.cel.errors import NOWHERE
from fsmcheck.cel.evaluate import EvaluationError, evaluate, to_text
from fsmcheck.cel.syntax import parse
from fsmcheck.cel.values import MapValue, Value
from fsmcheck.source import Span

STORE: Mapping[str, Value] = {
    "text": "",
    "plan": "walk",
    "verdict": "",
    "count": None,
    "total": 0,
    "score": None,
    "flag": None,
    "off": False,
    "names": (),
    "history": ("a", "b"),
    "totals": MapValue(),
    "notes": MapValue({"k": "v"}),
}


def value(text: str) -> Value:
    """Evaluated unchecked: run-time semantics alone."""
    return evaluate(parse(text), STORE)


def failure(text: str) -> EvaluationError:
    with pytest.raises(EvaluationError) as caught:
        value(text)
    return caught.value


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("true == 1", False),
        ("1 == 1.0", True),
        ("1 == null", False),
        ("null == null", True),
        ("'1' == 1", False),
        ("[1] == [1.0]", True),
        ("[true] == [1]", False),
        ("{'a': 1} == {'a': 1.0}", True),
        ("{1: 'a', true: 'b'}[true]", "b"),
        ("{1: 'a', true: 'b'}[1]", "a"),
        ("{1: 'a'}[1.0]", "a"),
        ("true in [1]", False),
        ("1 in {true: 1}", False),
        ("9223372036854775807 == 9223372036854775808.0", True),
        ("0.0 / 0.0 == 0.0 / 0.0", False),
        ("0.0 / 0.0 != 0.0 / 0.0", True),
        ("[0.0 / 0.0] == [0.0 / 0.0]", False),
        ("0.0 / 0.0 >= 1.0", False),
        ("-0.0 == 0.0", True),
        ("-7 / 2", -3),
        ("-7 % 2", -1),
        ("7 % -2", 1),
        ("1.0 / 0.0", math.inf),
        ("1.0 / -0.0", -math.inf),
        ("-9223372036854775808 % 1", 0),
        ("1 < 1.5", True),
        ("false < true", True),
        ("'Z' < 'a'", True),
        ("'\U0001f600' > '\uffff'", True),
        ("size('\U0001f600é')", 2),
        ("'e\u0301'.size()", 2),
        ("size({'a': 1})", 1),
        ("'abc'.contains('')", True),
        ("string(true)", "true"),
        ("string(1.0)", "1"),
        ("string(-4.5e-3)", "-0.0045"),
        ("string(1e6)", "1e+06"),
        ("int(-1.9)", -1),
        ("int(' 12 ')", 12),
        ("int('-9223372036854775808')", -(2**63)),
        ("double('inf')", math.inf),
        ("bool('t')", True),
        ("'ab'.matches('^a')", True),
        ("'xab'.matches('a')", True),
        ("'ab'.matches('(?i)B$')", True),
        ("{'a': null}.a", None),
        ("has({'a': null}.a)", True),
        ("has({'a': 1}.b)", False),
        ("[3, 1, 2].map(x, x > 1, x * 2)", (6, 4)),
        ("{'b': 1, 'a': 2}.map(k, k)", ("b", "a")),
        ("[1, 2, 3].filter(x, x != 2)", (1, 3)),
        ("[1, 2, 2].exists_one(x, x == 2)", False),
        ("[].all(x, 1 / 0 > 0)", True),
        ("[1].all(x, [2].all(x, x == 2) && x == 1)", True),
    ],
)
def test_values(text: str, expected: Value):
    got = value(text)
    assert got == expected
    assert type(got) is type(expected)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("false && 1 / 0 > 0", False),
        ("1 / 0 > 0 && false", False),
        ("1 / 0 > 0 || true", True),
        ("null || true", True),
        ("1 && false", False),
        ("true ? 1 : 1 / 0", 1),
        ("[0, 1].exists(x, 1 / x == 1)", True),
        ("[0, 2].all(x, 1 / x == 1)", False),
        ("context.count > 1 || context.plan == 'walk'", True),
    ],
)
def test_errors_that_logic_absorbs(text: str, expected: Value):
    assert value(text) is expected or value(text) == expected


@pytest.mark.parametrize(
    ("text", "message", "place"),
    [
        ("true && 1", "a condition is an integer: expected a boolean", "1"),
        ("context.flag || false", "a condition is null: expected a boolean", "context.flag"),
        ("!null", "a condition is null: expected a boolean", "null"),
        ("null ? 1 : 2", "a condition is null: expected a boolean", "null"),
        ("1 / 0 > 0 || 'a'[0]", "division by zero", "1 / 0"),
        ("true && 1 % 0 == 0", "remainder of a division by zero", "1 % 0"),
        ("'a' in 'abc'", '"in" has a string on its right: expected a list or a map', None),
        ("null in {'a': 1}", "null is no map key: expected a string, an integer or a boolean", None),
        ("[1][-1]", "index -1 is out of range: the list has 1 elements", None),
        ("[1][0.5]", "a list is indexed with a number: expected an integer", None),
        ("[1][true]", "a list is indexed with a boolean: expected an integer", None),
        ("context.plan[0]", "a string cannot be indexed: expected a list or a map", None),
        ("context.notes.x", 'the map has no key "x"', None),
        ("context.notes['x']", 'the map has no key "x"', None),
        ("{1: 2}[true]", 'the map has no key "true"', None),
        ("context.count + 1", '"+" cannot be applied to null and an integer', None),
        ("context.count < 1", '"<" cannot be applied to null and an integer', None),
        ("1 + 1.0", '"+" cannot be applied to an integer and a number', None),
        ("1.0 % 1.0", '"%" cannot be applied to a number and a number', None),
        ("true + 1", '"+" cannot be applied to a boolean and an integer', None),
        ("true < 1", '"<" cannot be applied to a boolean and an integer', None),
        ("-context.count", '"-" has null: expected an integer or a number', None),
        ("-true", '"-" has a boolean: expected an integer or a number', None),
        ("9223372036854775807 + 1", "integer overflow: the result has more than 64 bits", None),
        ("-9223372036854775807 - 2", "integer overflow: the result has more than 64 bits", None),
        ("9223372036854775807 * 2", "integer overflow: the result has more than 64 bits", None),
        ("-9223372036854775808 / -1", "integer overflow: the result has more than 64 bits", None),
        ("-9223372036854775808 % -1", "integer overflow: the result has more than 64 bits", None),
        ("-(-9223372036854775808)", "integer overflow: the result has more than 64 bits", None),
        ("size(null)", '"size" has null: expected a string, a list or a map', None),
        ("'a'.startsWith(1)", '"startsWith" has an integer: expected a string', None),
        ("null.contains('a')", '"contains" has null: expected a string', None),
        ("'a'.matches('(')", "invalid regular expression: missing ): (", None),
        (r"'a'.matches('(a)\\1')", r"invalid regular expression: invalid escape sequence: \1", None),
        ("int('1.5')", "the text is no integer", None),
        ("int('9223372036854775808')", "the text is no integer", None),
        ("int('0x10')", "the text is no integer", None),
        ("int('1_0')", "the text is no integer", None),
        ("int('١')", "the text is no integer", None),
        ("int(9223372036854775808.0)", "the number does not fit an integer", None),
        ("int(0.0 / 0.0)", "the number does not fit an integer", None),
        ("int(null)", "null cannot become an integer", None),
        ("int(true)", "a boolean cannot become an integer", None),
        ("double('1_0')", "the text is no number", None),
        ("double('')", "the text is no number", None),
        ("double('\u0131nf')", "the text is no number", None),
        ("double('\u0130NF\u0130N\u0130TY')", "the text is no number", None),
        ("double([])", "a list cannot become a number", None),
        ("bool('yes')", "the text is neither true nor false", None),
        ("bool(1)", "an integer cannot become a boolean", None),
        ("string(null)", "null cannot become a string", None),
        ("string([])", "a list cannot become a string", None),
        ("{'a': 1, 'a': 2}", "a map literal repeats a key", None),
        ("{1.0: 1}", "a map key is a number: expected a string, an integer or a boolean", None),
        ("'a'.b", 'a string has no "b": expected a map', None),
        ("has('a'.b)", 'a string has no "b": expected a map', None),
        ("'abc'.all(c, true)", '"all" has a string: expected a list or a map', None),
        ("[1, 2].exists_one(x, 1 / (x - 1) > 0)", "division by zero", "1 / (x - 1)"),
        ("[0, 1].map(x, 1 / x)", "division by zero", "1 / x"),
        ("[1].filter(x, null)", "a condition is null: expected a boolean", "null"),
        ("[1].all(x, x)", "a condition is an integer: expected a boolean", "x"),
        ("context.nope == 1 && true", 'unknown field "nope"', "context.nope"),
    ],
)
def test_what_has_no_value(text: str, message: str, place: str | None):
    error = failure(text)
    assert error.message == str(error) == message
    assert text[error.span.start : error.span.end] == (place or text)


def test_an_unknown_variable_fails_and_is_not_absorbed_as_a_name():
    with pytest.raises(EvaluationError, match='unknown name "x"'):
        evaluate(parse("x", ("x",)), {})


@pytest.mark.parametrize(
    ("name", "is_set"),
    [
        ("text", False),
        ("plan", True),
        ("verdict", False),
        ("count", False),
        ("total", True),
        ("flag", False),
        ("off", True),
        ("names", False),
        ("history", True),
        ("totals", False),
        ("notes", True),
    ],
)
def test_has_on_a_field_means_set(name: str, is_set: bool):
    assert value(f"has(context.{name})") is is_set


def test_empty_fields_read_as_their_empty_value():
    for text in [
        "context.text == ''",
        "context.verdict == ''",
        "context.count == null",
        "context.flag == null",
        "context.names == []",
        "context.totals == {}",
        "size(context.text) == 0",
    ]:
        assert value(text) is True


def test_half_surrogates_in_the_store_do_not_leak_an_exception():
    for text in ["context.t.matches('a')", "'a'.matches(context.t)"]:
        with pytest.raises(EvaluationError, match="half of a surrogate pair"):
            evaluate(parse(text), {"t": "\ud800"})


@pytest.mark.parametrize(
    ("given", "expected"),
    [
        ("a", "a"),
        (True, "true"),
        (False, "false"),
        (-3, "-3"),
        (0.0, "0"),
        (-0.0, "-0"),
        (100.0, "100"),
        (123456.7, "123456.7"),
        (1234567.0, "1.234567e+06"),
        (0.0001, "0.0001"),
        (0.00001, "1e-05"),
        (0.1 + 0.2, "0.30000000000000004"),
        (1e100, "1e+100"),
        (5e-324, "5e-324"),
        (math.inf, "inf"),
        (-math.inf, "-inf"),
        (math.nan, "nan"),
    ],
)
def test_to_text(given: Value, expected: str):
    assert to_text(given) == expected


def test_to_text_of_what_has_none():
    for given in (None, (), MapValue()):
        with pytest.raises(EvaluationError) as caught:
            to_text(given, Span(3, 5))
        assert caught.value.span == Span(3, 5)
    with pytest.raises(EvaluationError) as caught:
        to_text(None)
    assert caught.value.span == NOWHERE


def test_maps_tell_booleans_from_numbers_and_hash_alike_where_equal():
    mixed = MapValue([(1, "a"), (True, "b")])
    assert (mixed[1], mixed[True], len(mixed)) == ("a", "b", 2)
    assert hash(MapValue({"a": 1, "b": 2})) == hash(MapValue({"b": 2, "a": 1}))
    assert MapValue({"a": 1, "b": 2}) == MapValue({"b": 2, "a": 1})
