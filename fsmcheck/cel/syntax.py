"""Expression text to abstract syntax."""

from __future__ import annotations

from collections.abc import Collection, Sequence

from fsmcheck.cel.ast import Expr
from fsmcheck.cel.build import Builder
from fsmcheck.cel.errors import CelError, CelSyntaxError
from fsmcheck.cel.grammar import parse_tree
from fsmcheck.cel.limits import MAX_NESTING, MAX_TEXT
from fsmcheck.cel.scan import Token, TokenKind, scan
from fsmcheck.source import Span

__all__ = ["CelSyntaxError", "parse"]


def parse(text: str, variables: Collection[str] = ()) -> Expr:
    """The untyped syntax tree of an expression.

    The only names are ``context`` (whose fields become ``FieldRef``), the variables of macros and the given
    ``variables`` (both become ``Variable``). Runs of ``&&`` and of ``||`` come as balanced trees in the order
    written, which by CEL's rules for errors means the same and keeps a long guard shallow.

    Raises CelSyntaxError with every error that was found: one for text that CEL cannot parse, all of them for
    names and features that are not supported.
    """
    if len(text) > MAX_TEXT:
        message = f"the expression is too long: {len(text)} characters, expected at most {MAX_TEXT}"
        raise CelSyntaxError([CelError(message, Span(MAX_TEXT, len(text)))])
    tokens = scan(text)
    _check_nesting(tokens)
    builder = Builder(text, frozenset(variables))
    try:
        expr = builder.build(parse_tree(tokens, len(text)))
    except RecursionError:
        # MAX_NESTING prevents this unless the caller has used up most of the interpreter's stack.
        raise CelSyntaxError([CelError("the expression is nested too deeply", Span(0, len(text)))]) from None
    if builder.errors:
        raise CelSyntaxError(builder.errors, expr)
    return expr


def _check_nesting(tokens: Sequence[Token]) -> None:
    depth = 0
    for token in tokens:
        if token.kind is TokenKind.SYMBOL and token.text in "([{":
            depth += 1
            if depth > MAX_NESTING:
                raise CelSyntaxError(
                    [CelError(f"too many nested brackets: expected at most {MAX_NESTING}", token.span)]
                )
        elif token.kind is TokenKind.SYMBOL and token.text in ")]}":
            depth -= 1
