"""Generated expressions: our checker and evaluator against cel-expr-python, Google's implementation.

The fields are variables with dots in their names for the checker (so that they can have wrapper types), and
entries of one map for the evaluator (so that they can be null).
"""

from __future__ import annotations

import math
import os
import re

import pytest
from hypothesis import given, settings

from fsmcheck.cel.ast import Expr
from fsmcheck.cel.check import check
from fsmcheck.cel.evaluate import EvaluationError, evaluate
from fsmcheck.cel.syntax import parse
from fsmcheck.cel.types import Kind, Type
from fsmcheck.cel.values import MapValue, Value
from tests.cel.expression_strategies import FIELDS, STORES, any_expression, expressions

cel = pytest.importorskip("cel_expr_python.cel", reason="cel-expr-python has no build for this platform")

WRAPPERS = {
    Kind.INTEGER: "google.protobuf.Int64Value",
    Kind.NUMBER: "google.protobuf.DoubleValue",
    Kind.BOOLEAN: "google.protobuf.BoolValue",
}
PLAIN = {Kind.INTEGER: cel.Type.INT, Kind.NUMBER: cel.Type.DOUBLE, Kind.BOOLEAN: cel.Type.BOOL}

EXAMPLES = int(os.environ.get("FSMCHECK_CEL_EXAMPLES", "300"))
"""How many expressions of each sort; with a number from outside, new ones each time."""
DERANDOMIZE = "FSMCHECK_CEL_EXAMPLES" not in os.environ

BEYOND_STANDARD = ("int(", "double(")
"""Google's run time converts booleans to numbers, which the language definition does not list."""

HAS_FIELD = re.compile(r"has\(context\.(\w+)\)")


def oracle_type(type_: Type, top: bool = True) -> object:
    match type_.kind:
        case Kind.STRING | Kind.ENUM:
            return cel.Type.STRING
        case Kind.LIST:
            return cel.Type.List(oracle_type(type_.element, top=False))
        case Kind.MAP:
            return cel.Type.Map(cel.Type.STRING, oracle_type(type_.element, top=False))
        case kind:
            return cel.Type(WRAPPERS[kind]) if top else PLAIN[kind]


CHECKING = cel.NewEnv(variables={f"context.{name}": oracle_type(type_) for name, type_ in FIELDS.items()})
RUNNING = cel.NewEnv(variables={"context": cel.Type.DYN})


def as_oracle_reads(text: str) -> str:
    """``has(context.f)`` asks whether a key is present in standard CEL, whether the field is set here."""

    def spelled_out(found: re.Match[str]) -> str:
        name = found[1]
        match FIELDS[name].kind:
            case Kind.STRING | Kind.ENUM:
                return f"(context.{name} != '')"
            case Kind.LIST | Kind.MAP:
                return f"(size(context.{name}) != 0)"
            case _:
                return f"(context.{name} != null)"

    return HAS_FIELD.sub(spelled_out, text)


def plain(value: Value) -> object:
    if isinstance(value, tuple):
        return [plain(item) for item in value]
    if isinstance(value, MapValue):
        return {key: plain(item) for key, item in value.items()}
    return value


def same(one: object, other: object) -> bool:
    if isinstance(one, list) and isinstance(other, list):
        return len(one) == len(other) and all(map(same, one, other))
    if isinstance(one, dict) and isinstance(other, dict):
        return one.keys() == other.keys() and all(same(one[key], other[key]) for key in one)
    if isinstance(one, float) and isinstance(other, float):
        return (math.isnan(one) and math.isnan(other)) or one == other
    return type(one) is type(other) and one == ("nan" if other == "-nan" else other)


def ours(expr: Expr, store: dict[str, Value]) -> object:
    try:
        return plain(evaluate(expr, store))
    except EvaluationError as error:
        return error


def theirs(text: str, store: dict[str, Value]) -> object:
    program = RUNNING.compile(as_oracle_reads(text), disable_check=True)
    answer = program.eval(data={"context": {name: plain(value) for name, value in store.items()}})
    if answer.type() == cel.Type.ERROR:
        return EvaluationError(str(answer.value()))
    return answer.plain_value()


def accepted_by_them(text: str) -> bool:
    try:
        CHECKING.compile(as_oracle_reads(text))
    except Exception:  # noqa: BLE001
        return False
    return True


def assert_same_outcome(expr: Expr, text: str, store: dict[str, Value]) -> None:
    mine, other = ours(expr, store), theirs(text, store)
    failures = [isinstance(outcome, EvaluationError) for outcome in (mine, other)]
    assert failures[0] == failures[1], (mine, other)
    assert failures[0] or same(mine, other), (mine, other)


@settings(max_examples=EXAMPLES, deadline=None, derandomize=DERANDOMIZE)
@given(expressions(), STORES)
def test_well_typed_expressions_have_the_same_value_or_both_fail(text: str, store: dict[str, Value]):
    expr, errors = check(parse(text), FIELDS)
    assert errors == ()
    assert accepted_by_them(text)
    assert_same_outcome(expr, text, store)


@settings(max_examples=EXAMPLES, deadline=None, derandomize=DERANDOMIZE)
@given(any_expression(), STORES)
def test_ill_typed_expressions_are_refused_by_both_or_by_neither(text: str, store: dict[str, Value]):
    expr, errors = check(parse(text), FIELDS)
    assert (errors == ()) == accepted_by_them(text), errors
    if not (errors and text.startswith(BEYOND_STANDARD)):
        assert_same_outcome(expr, text, store)
