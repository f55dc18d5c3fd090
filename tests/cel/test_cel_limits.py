"""Hostile expressions: refused or given up with an error of ours, quickly, and leaving no trace."""

from __future__ import annotations

import sys
import time
from contextlib import suppress

import pytest

from fsmcheck.cel.ast import Expr
from fsmcheck.cel.check import check
from fsmcheck.cel.errors import CelSyntaxError
from fsmcheck.cel.evaluate import EvaluationError, WorkLimit, evaluate
from fsmcheck.cel.limits import MAX_NESTING, MAX_TEXT
from fsmcheck.cel.syntax import parse
from fsmcheck.cel.types import STRING, Kind, Type

FIELDS = {"text": STRING, "many": Type(Kind.LIST, element=STRING), "huge": STRING}
STORE = {"text": "x" * 1000, "many": tuple("ab" * 500), "huge": "y" * 1_000_000}
TEN = "[1,2,3,4,5,6,7,8,9,10]"


def nested(expression: str, times: int, innermost: str) -> str:
    for level in range(times):
        innermost = expression.format(level, innermost)
    return innermost


REFUSED = [
    "(" * 4096,
    "[" * 4096,
    "{" * 4096,
    "!" * 4096,
    "-" * 4096,
    "has(" * 1000,
    "1" * 4096,
    "0x" + "f" * 4000,
    "1e" + "9" * 4000,
    "a." * 2000,
    "'''" * 1000,
    "1 ? " * 1000,
    "1 ? 1 : " * 400 + "1",
    ".5" * 2000,
    "+".join("1" * 500),
    "'" + "\\" * 4094,
    "context.a" + "[0]" * 500,
    "context.a" + ".b" * 500,
    "[" + ",".join("1" * 2000) + "]",
    "\U0001f600" * 100,
    "\x00",
    "//" + "x" * 4000,
    "x" * (MAX_TEXT + 1),
]


@pytest.mark.parametrize("text", REFUSED, ids=lambda text: ascii(text[:20]))
def test_refused_quickly(text: str):
    parse("1")
    started = time.process_time()
    with pytest.raises(CelSyntaxError) as caught:
        parse(text)
    assert time.process_time() - started < 2
    for error in caught.value.errors:
        assert 0 <= error.span.start <= error.span.end <= len(text)
        assert len(error.message) < 200


def test_the_limits_say_what_was_expected():
    for text, message in [
        ("x" * 4097, "the expression is too long: 4097 characters, expected at most 4096"),
        ("(" * 65 + "1" + ")" * 65, "too many nested brackets: expected at most 64"),
        ("+".join("1" * 100), "the expression is nested too deeply: expected at most 64 levels"),
        ("[" + ",".join("1" * 2000) + "]", "the expression has too many parts: expected at most 1500"),
    ]:
        with pytest.raises(CelSyntaxError) as caught:
            parse(text)
        assert [error.message for error in caught.value.errors] == [message]


@pytest.mark.parametrize(
    "text",
    [
        "(" * MAX_NESTING + "1" + ")" * MAX_NESTING,
        nested("[1].all(x{}, {})", 60, "true"),
        nested("{{'a{}': {}}}", 60, "1"),
        nested("!{1}", 60, "true"),
        "1 ? 2 : " * 60 + "3",
        " && ".join(["true"] * 500),
        "+".join("1" * 60),
        "'" + "\\n" * 2000 + "'",
    ],
    ids=lambda text: text[:20],
)
def test_accepted_up_to_the_limits_even_deep_in_the_callers_stack(text: str):
    limit = sys.getrecursionlimit()

    def below(frames: int) -> Expr:
        if frames:
            return below(frames - 1)
        tree, errors = check(parse(text), {})
        assert not any("nested" in error.message for error in errors)
        with suppress(EvaluationError):
            evaluate(tree, {}, budget=10**6)
        return tree

    below(100)
    assert sys.getrecursionlimit() == limit


def test_an_exhausted_stack_is_an_error_of_ours():
    deep = nested("[1].all(x{}, {})", 60, "true")
    tree = parse(deep)
    outcomes: set[str] = set()

    def below(frames: int) -> None:
        if frames:
            below(frames - 1)
            return
        try:
            parse(deep)
        except CelSyntaxError as error:
            outcomes.add(error.errors[0].message)
        outcomes.update(error.message for error in check(tree, {})[1])
        try:
            evaluate(tree, {})
        except WorkLimit as error:
            outcomes.add(error.message)

    below(sys.getrecursionlimit() - 250)
    assert outcomes == {"the expression is nested too deeply", "the evaluation is nested too deeply"}


EXPLOSIVE = [
    nested(TEN + ".all(x{}, {})", 8, "true"),
    nested(TEN + ".map(x{}, {})", 8, "1"),
    nested("[1,2].all(x{}, {})", 60, "true"),
    "context.many.map(a, context.text + context.text)" + ".map(a, a + a)" * 12,
    "[" + "+".join(["context.huge"] * 60) + "]",
    TEN + ".map(a, " + "+".join(["context.many"] * 50) + ")",
    "[1]" + ".map(a, [a, a])" * 40 + " == [1]" + ".map(a, [a, a])" * 40,
    "context.many.all(a, context.many.all(b, !context.huge.contains('z')))",
    "context.many.all(a, !context.huge.matches('(a|b|ab)*c(x+x+)+y'))",
    "context.many.all(a, context.many.all(b, 'c' in context.many || true))",
    "context.many.all(a, context.many.all(b, context.huge == context.huge + ''))",
    nested(TEN + ".exists(x{}, {})", 8, "false"),
]


@pytest.mark.parametrize("text", EXPLOSIVE, ids=lambda text: text[:30])
def test_the_budget_bounds_every_evaluation(text: str):
    tree, errors = check(parse(text), FIELDS)
    assert errors == ()
    started = time.process_time()
    with pytest.raises(WorkLimit, match="the evaluation takes too much work"):
        evaluate(tree, STORE, budget=50_000)
    assert time.process_time() - started < 2


def test_no_operator_absorbs_the_limit():
    tree = parse(nested(TEN + ".all(x{}, {})", 8, "true") + " || true")
    with pytest.raises(WorkLimit):
        evaluate(tree, {}, budget=1000)
    assert evaluate(tree.right, {}, budget=1) is True
