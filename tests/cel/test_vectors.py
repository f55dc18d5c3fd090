"""The standard test vectors of CEL: every case inside the supported subset must come out as published.

Whether a case is inside is decided before it is evaluated: by ``parse`` refusing it, or by a feature that the
case itself shows (FEATURES).
"""

from __future__ import annotations

import json
import math
import sys
from collections import Counter
from dataclasses import dataclass
from pathlib import Path

import pytest

from fsmcheck.cel.check import check
from fsmcheck.cel.evaluate import EvaluationError, evaluate
from fsmcheck.cel.operators import equal, shape
from fsmcheck.cel.syntax import CelSyntaxError, parse
from fsmcheck.cel.types import DYN
from fsmcheck.cel.values import MapValue, Value

VECTORS = Path(__file__).parent.parent / "data" / "cel-spec"

INSIDE = 578
INSIDE_WITHOUT_DYN = 79

FEATURES = {
    "unsigned integers": "unsigned integers are not supported",
    "bytes": "bytes are not supported",
    "quoted names": "quoted names are not supported",
    "two-variable macros": "the two-variable form",
    "types as values, packages and undeclared names": "unknown name",
    "other functions": "the function",
    "other methods": "the method",
}
"""Why ``parse`` may refuse a published expression: the feature, and how the message begins."""


@dataclass(frozen=True)
class Case:
    file: str
    section: str
    name: str
    expr: str
    bindings: dict[str, Value]
    expected: Value
    fails: bool
    unchecked: bool

    def __str__(self) -> str:
        return f"{self.file}/{self.section}/{self.name}: {self.expr}"


class OutsideError(LookupError):
    """The case uses a value that the subset does not have."""


def decoded(value: dict[str, object]) -> Value:
    ((kind, content),) = value.items()
    match kind, content:
        case "null", _:
            return None
        case "bool", bool():
            return content
        case "int", str():
            return int(content)
        case "double", str():
            return float(content)
        case "string", str():
            return content
        case "list", list():
            return tuple(decoded(item) for item in content)
        case "map", list():
            return MapValue([(decoded(key), decoded(item)) for key, item in content])
    raise OutsideError(f"{kind} values")


def published() -> list[tuple[str, dict[str, object]]]:
    return [
        (path.stem, case) for path in sorted(VECTORS.glob("*.json")) for case in json.loads(path.read_text("utf-8"))
    ]


def as_case(file: str, raw: dict) -> Case:
    bindings = {name: decoded(value) for name, value in raw.get("bindings", {}).items()}
    if any("." in name for name in bindings):
        raise OutsideError("dotted names of variables")
    expected = decoded(raw["value"]) if "value" in raw else None
    return Case(
        file,
        raw["section"],
        raw["name"],
        raw["expr"],
        bindings,
        expected,
        fails=raw.get("error", False),
        unchecked=raw.get("untyped", False),
    )


def outside_reason(case: Case) -> str | None:
    try:
        parse(case.expr, tuple(case.bindings))
    except CelSyntaxError as refusal:
        message = refusal.errors[0].message
        for feature, beginning in FEATURES.items():
            if message.startswith(beginning):
                if "dyn(" in case.expr and message == 'the function "dyn" is not supported':
                    return "dyn()"
                return feature
        return f"refused: {message}"
    return None


def result(case: Case) -> Value | EvaluationError:
    expr = parse(case.expr, tuple(case.bindings))
    if not case.unchecked:
        expr, errors = check(expr, {}, dict.fromkeys(case.bindings, DYN))
        if errors and case.fails:
            return EvaluationError(errors[0].message)
        assert errors == (), f"{case}: {errors}"
    try:
        return evaluate(expr, {}, case.bindings)
    except EvaluationError as error:
        return error


def disagreement(case: Case) -> str | None:
    got = result(case)
    if case.fails or isinstance(got, EvaluationError):
        if case.fails and isinstance(got, EvaluationError):
            return None
        return f"{case}: expected {'an error' if case.fails else repr(case.expected)}, got {got!r}"
    both_nan = isinstance(got, float) and isinstance(case.expected, float) and math.isnan(got + case.expected)
    if (equal(got, case.expected) or both_nan) and shape(got) == shape(case.expected):
        return None
    return f"{case}: expected {case.expected!r}, got {got!r}"


@pytest.fixture(scope="module")
def sorted_cases() -> tuple[list[Case], list[Case], Counter[str]]:
    """The cases inside, those outside only because of ``dyn()``, and how many are outside for which reason."""
    inside: list[Case] = []
    dynamic: list[Case] = []
    outside: Counter[str] = Counter()
    for file, raw in published():
        try:
            case = as_case(file, raw)
        except OutsideError as reason:
            outside[str(reason)] += 1
            continue
        reason = outside_reason(case)
        if reason is None:
            inside.append(case)
        else:
            outside[reason] += 1
            if reason == "dyn()":
                dynamic.append(case)
    return inside, dynamic, outside


def test_every_case_inside_the_subset_passes(sorted_cases, capsys):
    inside, _, outside = sorted_cases
    with capsys.disabled():
        sys.stdout.write(f"\nCEL vectors: {len(inside)} inside the subset, {sum(outside.values())} outside:\n")
        for reason, count in outside.most_common():
            sys.stdout.write(f"  {count:4} {reason}\n")
    assert [problem for case in inside if (problem := disagreement(case))] == []
    assert len(inside) == INSIDE


def test_nothing_is_outside_for_an_undocumented_reason(sorted_cases):
    _, _, outside = sorted_cases
    assert [reason for reason in outside if reason.startswith("refused")] == []


def test_cases_with_dyn_pass_without_it_unchecked(sorted_cases):
    """``dyn(x)`` is x to the evaluator; only the checker sees a difference."""
    _, dynamic, _ = sorted_cases
    problems: list[str] = []
    tried = 0
    for case in dynamic:
        bare = Case(**{**vars(case), "expr": case.expr.replace("dyn(", "("), "unchecked": True})
        if outside_reason(bare) is None:
            tried += 1
            problems.extend(filter(None, [disagreement(bare)]))
    assert problems == []
    assert tried == INSIDE_WITHOUT_DYN
