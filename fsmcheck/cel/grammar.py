"""Tokens to cel-python's parse tree.

Only cel-python's grammar is used, by way of its LALR tables; the package itself, with its evaluator, date library and
more, is not imported.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence

from fsmcheck.cel.errors import CelError, CelSyntaxError, quoted
from fsmcheck.cel.lalr import Tree, UnexpectedTokenError, parse
from fsmcheck.cel.scan import Token, TokenKind
from fsmcheck.cel.tables import grammar
from fsmcheck.source import Span

_CLOSING = {"(": ")", "[": "]", "{": "}"}
_TERMINALS = {
    TokenKind.NAME: "IDENT",
    TokenKind.INT: "INT_LIT",
    TokenKind.FLOAT: "FLOAT_LIT",
    TokenKind.STRING: "STRING_LIT",
}
_WORDS = {"true": "BOOL_LIT", "false": "BOOL_LIT", "null": "NULL_LIT"}
_ADVICE = {"and": 'write "&&"', "or": 'write "||"', "not": 'write "!"', "is": 'write "=="', "if": 'write "a ? b : c"'}


def parse_tree(tokens: Sequence[Token], length: int) -> Tree:
    """The parse tree of an expression text of ``length`` code points; every leaf and node keeps its offsets.

    Raises CelSyntaxError at the first token that does not fit.
    """
    kept = _without_trailing_commas(tokens)
    try:
        return parse(grammar().tables, [(terminal(token), token) for token in kept])
    except UnexpectedTokenError as error:
        raise _unexpected(kept, error.number, error.expected, length) from None


def terminal(token: Token) -> str:
    """What the grammar calls a token."""
    return _TERMINALS.get(token.kind) or _WORDS.get(token.text) or grammar().symbols[token.text]


def _without_trailing_commas(tokens: Sequence[Token]) -> list[Token]:
    """CEL allows one comma before the end of a list or map literal; cel-python's grammar does not."""
    kept: list[Token] = []
    literal: list[bool] = []
    for token in tokens:
        if token.kind is TokenKind.SYMBOL and token.text in _CLOSING:
            literal.append(token.text != "(" and not (kept and _ends_operand(kept[-1])))
        elif token.kind is TokenKind.SYMBOL and token.text in _CLOSING.values():
            closes_literal = bool(literal) and literal.pop()
            if closes_literal and len(kept) > 1 and kept[-1].text == "," and _ends_operand(kept[-2]):
                kept.pop()
        kept.append(token)
    return kept


def _ends_operand(token: Token) -> bool:
    if token.kind is TokenKind.SYMBOL:
        return token.text in _CLOSING.values()
    return token.text != "in" or token.kind is TokenKind.STRING


def _unexpected(tokens: Sequence[Token], index: int, expected: Collection[str], length: int) -> CelSyntaxError:
    if index < len(tokens):
        token = tokens[index]
        optional = _optional_syntax(tokens, index)
        if optional is not None:
            return CelSyntaxError([optional])
        shown = "string" if token.kind is TokenKind.STRING else quoted(token.text)
        message, span, advice = f"unexpected {shown}", token.span, _ADVICE.get(token.text)
    elif not tokens:
        return CelSyntaxError([CelError("the expression is empty", Span(0, length))])
    else:
        message, span = "the expression ends too early", Span(length, length)
        advice = _ADVICE.get(tokens[-1].text)
    return CelSyntaxError([CelError(f"{message}: expected {_wanted(tokens[:index], expected)}", span, advice)])


def _optional_syntax(tokens: Sequence[Token], index: int) -> CelError | None:
    token = tokens[index]
    previous = tokens[index - 1].text if index else ""
    if token.kind is TokenKind.SYMBOL and token.text == "?" and previous in {".", "[", "{", ","}:
        return CelError("optional fields and elements are not supported", token.span, kind="unsupported")
    return None


def _wanted(before: Sequence[Token], expected: Collection[str]) -> str:
    if "INT_LIT" in expected:
        return "a value"
    if set(expected) == {"IDENT"}:
        return "a name"
    opened: list[str] = []
    for token in before:
        if token.kind is TokenKind.SYMBOL and token.text in _CLOSING:
            opened.append(token.text)
        elif token.kind is TokenKind.SYMBOL and token.text in _CLOSING.values() and opened:
            opened.pop()
    return f'an operator or "{_CLOSING[opened[-1]]}"' if opened else "an operator or the end"
