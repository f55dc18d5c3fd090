"""What an expression may be, by the abstraction, holds what it is."""

from __future__ import annotations

import re

from hypothesis import assume, example, given, settings
from hypothesis import strategies as st

from fsmcheck.cel.ast import Expr
from fsmcheck.cel.errors import EvaluationError
from fsmcheck.cel.evaluate import evaluate
from fsmcheck.cel.types import Kind, Type
from fsmcheck.cel.values import MapValue, Value
from fsmcheck.spec.model import Expression, Spec
from fsmcheck.system import terms as t
from fsmcheck.system.choices import Choices
from fsmcheck.system.domains import domains
from fsmcheck.system.expressions import Evaluator
from fsmcheck.system.layout import Layout
from fsmcheck.system.symbolic import Sym
from fsmcheck.system.totality import cannot_fail
from tests.cel.expression_strategies import FIELDS, KINDS, of_kind
from tests.oracle.generate import dumped, load_valid
from tests.system.abstraction import admits, possible

TARGETS = {
    "string": "text", "int": "count", "double": "score", "bool": "flag", "strings": "history", "ints": "numbers",
    "tallies": "tallies", "notes": "notes",
}  # fmt: skip
# Operands beyond 2^53 are outside of what the abstraction promises.
LARGE = re.compile(r"\d{10,}|e\+?\d\d|e1[0-9]")
TEXTS = st.sampled_from(["", "a", "b", "ab", "done", "again", "é", "12", "true", "k"])
INTS = st.integers(-4, 4)
STORES = st.fixed_dictionaries(
    {
        "text": TEXTS,
        "other": TEXTS,
        "verdict": st.sampled_from(["", "done", "again", "stop"]),
        "count": st.none() | INTS,
        "limit": st.none() | INTS,
        "score": st.none() | st.sampled_from([0.0, 1.0, 1.5, -2.5, 0.1, 7.25, float("nan"), float("inf")]),
        "flag": st.none() | st.booleans(),
        "ready": st.none() | st.booleans(),
        "history": st.lists(TEXTS, max_size=3).map(tuple),
        "numbers": st.lists(INTS, max_size=3).map(tuple),
        "tallies": st.dictionaries(TEXTS, INTS, max_size=3).map(MapValue),
        "notes": st.dictionaries(TEXTS, TEXTS, max_size=3).map(MapValue),
    }
)


BLANK: dict[str, Value] = {
    "text": "", "other": "", "verdict": "", "count": None, "limit": None, "score": None, "flag": None, "ready": None,
    "history": ("",), "numbers": (), "tallies": MapValue(), "notes": MapValue(),
}  # fmt: skip
# A null in the condition of a three-argument map fails.
FILTERED = ("strings", "context.history.map(x, context.flag, x)")


def declaration(kind: Type) -> dict[str, object]:
    found: dict[str, object] = {"type": kind.kind.value}
    if kind.kind is Kind.ENUM:
        found["values"] = list(kind.values)
    if kind.element is not None:
        found["of"] = kind.element.kind.value
    return found


def machine(actions: list[dict[str, object]]) -> Spec | None:
    """A spec with a field of every kind whose only state runs some actions on leaving."""
    fields = {name: declaration(kind) for name, kind in FIELDS.items()}
    go = {"exit": actions, "transitions": [{"toState": "end"}]}
    states = {"go": go, "end": {"terminal": True}}
    return load_valid(dumped({"fsm": {"initialState": "go", "context": fields, "agents": {}, "states": states}}))


@st.composite
def values(draw: st.DrawFn) -> tuple[str, str]:
    """The kind and text of an expression with numbers of modest size."""
    kind = draw(st.sampled_from(KINDS))
    text = draw(of_kind(kind, 3))
    assume(not LARGE.search(text))
    return kind, text


def typed(kind: str, text: str) -> tuple[Layout, Expr]:
    spec = machine([{"assign": {TARGETS[kind]: "${" + text + "}"}}])
    assume(spec is not None)
    assert spec is not None
    written = spec.states[0].exit[0].writes[0].value
    assume(isinstance(written, Expression))
    assert isinstance(written, Expression)
    assert written.ast is not None
    return Layout(spec, domains(spec)), written.ast


def symbolic(layout: Layout, expr: Expr) -> tuple[Sym, Choices]:
    choices = Choices("x")
    return Evaluator(layout.store, layout.types, layout.domains, choices, "here").evaluate(expr), choices


def concrete(expr: Expr, store: dict[str, Value]) -> tuple[bool, Value]:
    try:
        return False, evaluate(expr, store)
    except EvaluationError:
        return True, None


@settings(max_examples=250, deadline=None)
@given(values(), STORES)
@example(FILTERED, BLANK)
@example(("bool", "!(context.flag && false)"), BLANK)
@example(("bool", "context.flag || true"), BLANK)
def test_the_value_is_one_of_those_that_the_abstraction_admits(
    given_: tuple[str, str], store: dict[str, Value]
) -> None:
    layout, expr = typed(*given_)
    sym, choices = symbolic(layout, expr)
    failed, value = concrete(expr, store)
    condition = sym.error if failed else admits(sym, value, layout)
    assert possible(condition, layout, store, choices), (given_[1], store, failed, value)


@settings(max_examples=150, deadline=None)
@given(of_kind("bool", 3), STORES)
def test_a_guard_holds_where_it_may(text: str, store: dict[str, Value]) -> None:
    assume(not LARGE.search(text))
    layout, expr = typed("bool", text)
    sym, choices = symbolic(layout, expr)
    evaluator = Evaluator(layout.store, layout.types, layout.domains, choices, "here")
    holds = concrete(expr, store) == (False, True)
    term = evaluator.holds(sym)
    assert possible(term if holds else t.not_(term), layout, store, choices), (text, store)


@settings(max_examples=150, deadline=None)
@given(values(), STORES)
@example(FILTERED, BLANK)
def test_what_cannot_fail_does_not(given_: tuple[str, str], store: dict[str, Value]) -> None:
    _, expr = typed(*given_)
    if cannot_fail(expr):
        assert concrete(expr, store)[0] is False


@settings(max_examples=60, deadline=None)
@given(of_kind("bool", 2))
def test_one_expression_has_one_value_in_one_store(text: str) -> None:
    layout, expr = typed("bool", text)
    _, choices = symbolic(layout, expr)
    before = dict(choices.inputs)
    again = Evaluator(layout.store, layout.types, layout.domains, choices, "here")
    again.evaluate(expr)
    assert choices.inputs == before
