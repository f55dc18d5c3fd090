"""Function calls, ``has`` and the macros in a parse tree."""

from __future__ import annotations

from typing import TYPE_CHECKING

from fsmcheck.cel.ast import Call, Comprehension, Expr, FieldRef, Has, Macro, Select, Variable
from fsmcheck.cel.errors import quoted
from fsmcheck.cel.functions import SIGNATURES
from fsmcheck.cel.scan import RESERVED
from fsmcheck.cel.tree import inner, items, leaf, span_of, subtrees
from fsmcheck.source import Span
from fsmcheck.spelling import suggestion

if TYPE_CHECKING:
    from fsmcheck.cel.build import Builder
    from fsmcheck.cel.lalr import Tree

_MACROS = {macro.value: macro for macro in Macro}
_PLAIN = sorted(["has", *(name for name, signature in SIGNATURES.items() if signature.plain)])
_METHODS = sorted([*_MACROS, *(name for name, signature in SIGNATURES.items() if signature.method)])


class CallBuilder:
    """The part of a ``Builder`` that deals with names followed by parentheses."""

    def __init__(self, builder: Builder) -> None:
        self._builder = builder

    def build(self, tree: Tree, span: Span, depth: int) -> Expr:
        """The node for ``name(…)`` or ``receiver.name(…)``."""
        token = leaf(tree)
        name, name_span = token.text, token.span
        args = items(tree)
        if tree.data == "ident_arg":
            if name == "has":
                return self._has(args, span, depth)
            return self._plain(name, name_span, args, span, depth)
        receiver = next(subtrees(tree))
        if name in _MACROS and args:
            return self._macro(_MACROS[name], receiver, args, span, depth)
        return self._method(name, name_span, receiver, args, span, depth)

    def _plain(self, name: str, name_span: Span, args: tuple[Tree, ...], span: Span, depth: int) -> Expr:
        signature = SIGNATURES.get(name)
        if signature is None or not signature.plain:
            self._build_all(args, depth)
            if signature is not None or name in _MACROS:
                shown = f"value.{name}(…)"
                return self._builder.reject(
                    f'"{name}" is a method: expected "{shown}"', name_span, f'write "{shown}"', "syntax"
                )
            return self._unknown("function", name, name_span, _PLAIN)
        return self._call(name, args, span, depth)

    def _method(
        self, name: str, name_span: Span, receiver: Tree, args: tuple[Tree, ...], span: Span, depth: int
    ) -> Expr:
        signature = SIGNATURES.get(name)
        if signature is None or not signature.method:
            self._build_all((receiver, *args), depth)
            if signature is not None:
                shown = f"{name}(value)"
                return self._builder.reject(
                    f'"{name}" is no method: expected "{shown}"', name_span, f'write "{shown}"', "syntax"
                )
            if name in _MACROS:
                return self._arity(name, 2, len(args), span)
            return self._unknown("method", name, name_span, _METHODS)
        return self._call(name, (receiver, *args), span, depth, receivers=1)

    def _call(self, name: str, args: tuple[Tree, ...], span: Span, depth: int, receivers: int = 0) -> Expr:
        built = self._build_all(args, depth)
        wanted = len(SIGNATURES[name].params)
        if len(args) != wanted:
            return self._arity(name, wanted - receivers, len(args) - receivers, span)
        return Call(name, built, span)

    def _has(self, args: tuple[Tree, ...], span: Span, depth: int) -> Expr:
        if len(args) != 1:
            self._build_all(args, depth)
            return self._arity("has", 1, len(args), span)
        if inner(args[0]).data != "member_dot":
            return self._builder.reject(
                '"has" takes a field or a map entry: expected "context.<field>" or "<map>.<key>"',
                span_of(args[0]),
                kind="syntax",
            )
        operand = self._builder.build(args[0], depth)
        return Has(operand, span) if isinstance(operand, FieldRef | Select) else operand

    def _macro(self, macro: Macro, receiver: Tree, args: tuple[Tree, ...], span: Span, depth: int) -> Expr:
        name, builder = macro.value, self._builder
        longest = 3 if macro is Macro.MAP else 2
        if len(args) == 3 and macro is not Macro.MAP:
            return builder.reject(f'the two-variable form of "{name}" is not supported', span)
        if not 2 <= len(args) <= longest:
            return self._arity(name, 2, len(args), span)
        range_ = builder.build(receiver, depth)
        variable = self._variable(name, args[0])
        if variable is None:
            return Variable("", span)
        builder.scope.append(variable)
        *condition, body = self._build_all(args[1:], depth)
        builder.scope.pop()
        return Comprehension(macro, variable, range_, body, span, condition[0] if condition else None)

    def _variable(self, macro: str, arg: Tree) -> str | None:
        tree = inner(arg)
        span = span_of(arg)
        if tree.data != "ident" or leaf(tree).text in RESERVED:
            self._builder.reject(
                f'the first argument of "{macro}" must be a new name: expected "{macro}(item, …)"', span, kind="syntax"
            )
            return None
        variable = leaf(tree).text
        if variable == "context":
            self._builder.reject(f'a variable of "{macro}" named "context" would hide the store: not supported', span)
            return None
        return variable

    def _build_all(self, trees: tuple[Tree, ...], depth: int) -> tuple[Expr, ...]:
        return tuple(self._builder.build(tree, depth) for tree in trees)

    def _arity(self, name: str, wanted: int, given: int, span: Span) -> Expr:
        return self._builder.reject(
            f'"{name}" has {_arguments(given)}: expected {_arguments(wanted)}', span, kind="syntax"
        )

    def _unknown(self, what: str, name: str, span: Span, known: list[str]) -> Expr:
        advice = suggestion(name, known, f"supported {what}s")
        return self._builder.reject(f"the {what} {quoted(name)} is not supported", span, advice)


def _arguments(count: int) -> str:
    return "1 argument" if count == 1 else f"{count or 'no'} arguments"
