"""Functions on symbolic texts: joining, turning into text, size, and the tests against a constant."""

from __future__ import annotations

from collections.abc import Callable

from fsmcheck.cel import ast
from fsmcheck.cel.evaluate import EvaluationError, evaluate
from fsmcheck.cel.types import STRING
from fsmcheck.cel.values import Value
from fsmcheck.source import Span
from fsmcheck.system import terms as t
from fsmcheck.system import texts
from fsmcheck.system.scope import Scope
from fsmcheck.system.symbolic import SomeText, Sym, TextLeaf, map_cases, shape, text, truth
from fsmcheck.system.terms import FALSE, TRUE, Term

_NOWHERE = Span(0, 0)


def concatenate(parts: tuple[Sym, ...]) -> Sym:
    """Texts joined; a null part fails. Exact where every part is a constant."""
    error = t.or_(*(t.not_(part.ok) for part in parts))
    leaves = [part.cases()[0][1] if len(part.cases()) == 1 else None for part in parts]
    if all(isinstance(leaf, str) for leaf in leaves):
        return text("".join(str(leaf) for leaf in leaves), error)
    set_parts = [map_cases(part, lambda leaf: t.not_(texts.is_empty(leaf))) for part in parts]
    visible = [number for number, leaf in enumerate(leaves) if leaf != ""]
    if len(visible) == 1:
        only = parts[visible[0]]
        return Sym(only.type, error, FALSE, only.payload)
    return text(SomeText(t.or_(*set_parts)), error)


def as_text(scope: Scope, sym: Sym, key: object) -> Sym:
    """CEL's ``string()``."""
    match shape(sym.type):
        case "text":
            return Sym(sym.type, sym.error, sym.null, sym.payload)
        case "boolean":
            cases: tuple[tuple[Term, TextLeaf], ...] = (
                (sym.term(), "true"),
                (t.not_(sym.term()), "false"),
            )
            return Sym(STRING, t.not_(sym.ok), FALSE, cases)
        case "integer" | "number":
            return text(SomeText(TRUE), t.not_(sym.ok))
        case _:
            return scope.unknown(STRING, (key, "string"))


def text_size(scope: Scope, sym: Sym, key: object) -> Term:
    """The number of code points of a text."""
    result = t.integer(0)
    for number, (condition, leaf) in enumerate(sym.cases()):
        size = texts.tabulate(
            leaf,
            lambda known: t.integer(len(known)),
            lambda n=number: scope.choices.integer((scope.snapshot, key, "size", n), 1),  # type: ignore[misc]
        )
        result = t.ite(condition, size, result)
    return result


def text_test(scope: Scope, function: str, subject: Sym, needle: str, failed: Term, key: object) -> Sym:
    """``startsWith``, ``endsWith``, ``contains`` or ``matches`` of a text and a constant."""

    def decide(known: str) -> Value:
        call = ast.Call(function, (ast.Literal(known, _NOWHERE), ast.Literal(needle, _NOWHERE)), _NOWHERE)
        return evaluate(call, {})

    def result_of(known: str) -> Term:
        try:
            return t.boolean(decide(known) is True)
        except EvaluationError:
            return FALSE

    def fails(known: str) -> Term:
        try:
            decide(known)
        except EvaluationError:
            return TRUE
        return FALSE

    def chosen(purpose: str) -> Callable[[], Term]:
        return lambda: scope.choices.boolean((scope.snapshot, key, purpose))

    value = map_cases(subject, lambda leaf: texts.tabulate(leaf, result_of, chosen("test")))
    may_fail = function == "matches"
    error = map_cases(
        subject, lambda leaf: texts.tabulate(leaf, fails, chosen("test error") if may_fail else lambda: FALSE)
    )
    return truth(value, t.or_(failed, error))
