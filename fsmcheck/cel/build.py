"""cel-python's parse tree to our syntax tree."""

from __future__ import annotations

from fsmcheck.cel.ast import (
    Binary,
    BinaryOp,
    Conditional,
    Expr,
    FieldRef,
    Index,
    ListLiteral,
    Literal,
    MapLiteral,
    Select,
    Unary,
    UnaryOp,
    Variable,
)
from fsmcheck.cel.calls import CallBuilder
from fsmcheck.cel.errors import CelError, CelSyntaxError, ErrorKind, quoted
from fsmcheck.cel.lalr import Tree
from fsmcheck.cel.limits import MAX_NESTING, MAX_NODES
from fsmcheck.cel.literals import BadLiteralError, float_value, int_value, string_value
from fsmcheck.cel.scan import RESERVED, Token, TokenKind
from fsmcheck.cel.tree import inner, items, leaf, span_of, subtrees
from fsmcheck.source import Span

_OPERATORS = {
    "relation_lt": BinaryOp.LT,
    "relation_le": BinaryOp.LE,
    "relation_gt": BinaryOp.GT,
    "relation_ge": BinaryOp.GE,
    "relation_eq": BinaryOp.EQ,
    "relation_ne": BinaryOp.NE,
    "relation_in": BinaryOp.IN,
    "addition_add": BinaryOp.ADD,
    "addition_sub": BinaryOp.SUB,
    "multiplication_mul": BinaryOp.MUL,
    "multiplication_div": BinaryOp.DIV,
    "multiplication_mod": BinaryOp.MOD,
}
_LOGIC = {"conditionalor": BinaryOp.OR, "conditionaland": BinaryOp.AND}
_NUMBERS = frozenset({TokenKind.INT, TokenKind.FLOAT})
_WORDS = {"true": True, "false": False, "null": None}
_PYTHON_WORDS = {"True": "true", "False": "false", "None": "null", "nil": "null"}


class Builder:
    """Turns one parse tree into a syntax tree and collects what is not supported in ``errors``."""

    def __init__(self, text: str, variables: frozenset[str]) -> None:
        self.text = text
        self.errors: list[CelError] = []
        self.scope: list[str] = sorted(variables)
        self._nodes = 0
        self._calls = CallBuilder(self)

    def build(self, tree: Tree, depth: int = 0) -> Expr:
        """The node for a tree ``depth`` levels below the root. Raises CelSyntaxError over a size limit."""
        tree = inner(tree)
        span = span_of(tree)
        self._nodes += 1
        if depth > MAX_NESTING:
            message = f"the expression is nested too deeply: expected at most {MAX_NESTING} levels"
            raise CelSyntaxError([CelError(message, span)])
        if self._nodes > MAX_NODES:
            raise CelSyntaxError([CelError(f"the expression has too many parts: expected at most {MAX_NODES}", span)])
        return self._node(tree, span, depth + 1)

    def reject(self, message: str, span: Span, advice: str | None = None, kind: ErrorKind = "unsupported") -> Expr:
        """Note an error and stand a value of no known type in for what was wrong."""
        self.errors.append(CelError(message, span, advice, kind))
        return Variable("", span)

    def _node(self, tree: Tree, span: Span, depth: int) -> Expr:
        match tree.data:
            case "expr":
                condition, then, otherwise = (self.build(child, depth) for child in subtrees(tree))
                return Conditional(condition, then, otherwise, span)
            case "conditionalor" | "conditionaland":
                return self._logic(tree, depth)
            case "relation" | "addition" | "multiplication":
                operator, right = subtrees(tree)
                left = next(subtrees(operator))
                return Binary(_OPERATORS[operator.data], self.build(left, depth), self.build(right, depth), span)
            case "unary":
                return self._unary(tree, span, depth)
            case "literal":
                return self._literal(leaf(tree), negative=False, span=span)
            case "ident":
                return self._name(leaf(tree), span)
            case "list_lit":
                return ListLiteral(tuple(self.build(item, depth) for item in items(tree)), span)
            case "map_lit":
                parts = [self.build(item, depth) for item in items(tree)]
                return MapLiteral(tuple(zip(parts[::2], parts[1::2], strict=True)), span)
            case _:
                return self._member(tree, span, depth)

    def _member(self, tree: Tree, span: Span, depth: int) -> Expr:
        match tree.data:
            case "member_dot":
                return self._select(tree, span, depth)
            case "member_index":
                operand, index = subtrees(tree)
                if self.is_context(operand):
                    message = '"context" cannot be indexed: expected "context.<field>"'
                    return self.reject(message, span, "name the field after a dot")
                return Index(self.build(operand, depth), self.build(index, depth), span)
            case "member_dot_arg" | "ident_arg":
                return self._calls.build(tree, span, depth)
            case "member_object":
                return self.reject("messages are not supported", span)
            case _:
                return self.reject("a leading dot is not supported", span)

    def _logic(self, tree: Tree, depth: int) -> Expr:
        kind = tree.data
        operands: list[Tree] = []
        while True:
            tree = inner(tree)
            if tree.data != kind:
                break
            tree, right = subtrees(tree)
            operands.append(right)
        operands.append(tree)
        depth += (len(operands) - 1).bit_length() - 1
        self._nodes += len(operands) - 2
        nodes = [self.build(operand, depth) for operand in reversed(operands)]
        spans = [span_of(operand) for operand in reversed(operands)]
        return _balanced(_LOGIC[kind], nodes, spans)

    def _unary(self, tree: Tree, span: Span, depth: int) -> Expr:
        sign, operand = subtrees(tree)
        op = UnaryOp.NOT if sign.data == "unary_not" else UnaryOp.NEGATE
        core = inner(operand)
        if op is UnaryOp.NEGATE and core.data == "literal" and span_of(core) == span_of(operand):
            token = leaf(core)
            if token.kind in _NUMBERS:
                return self._literal(token, negative=True, span=span)
        if operand.data == "unary" and len(operand.children) == 2 and not self._is_number(operand):
            second = next(subtrees(operand)).data
            if second != sign.data:
                at = span_of(operand).start
                return self.reject(
                    f'unexpected "{self.text[at]}": expected a value after "{op.value}"',
                    Span(at, at + 1),
                    "put what follows in parentheses",
                    "syntax",
                )
        return Unary(op, self.build(operand, depth), span)

    def _is_number(self, unary: Tree) -> bool:
        sign, operand = subtrees(unary)
        core = inner(operand)
        return sign.data == "unary_neg" and core.data == "literal" and leaf(core).kind in _NUMBERS

    def _literal(self, token: Token, *, negative: bool, span: Span) -> Expr:
        text = token.text
        try:
            match token.kind:
                case TokenKind.INT:
                    return Literal(int_value(text, negative, span), span)
                case TokenKind.FLOAT:
                    return Literal(float_value(text, negative, span), span)
                case TokenKind.STRING:
                    return Literal(string_value(text, span.start), span)
                case _:
                    return Literal(_WORDS[text], span)
        except BadLiteralError as bad:
            return self.reject(bad.error.message, bad.error.span, bad.error.help, bad.error.kind)

    def _name(self, token: Token, span: Span) -> Expr:
        name = token.text
        if name in self.scope:
            return Variable(name, span)
        if name == "context":
            return self.reject('"context" is no value by itself: expected "context.<field>"', span, kind="unknown-name")
        if name in RESERVED:
            return self.reject(f'"{name}" is a reserved word: expected a value', span, kind="syntax")
        advice = (
            f'write "{_PYTHON_WORDS[name]}"'
            if name in _PYTHON_WORDS
            else f"write {quoted('context.' + name)} for a field"
        )
        return self.reject(
            f'unknown name {quoted(name)}: expressions see only "context"', span, advice, kind="unknown-name"
        )

    def _select(self, tree: Tree, span: Span, depth: int) -> Expr:
        operand, name = next(subtrees(tree)), leaf(tree)
        if self.is_context(operand):
            return FieldRef(name.text, span, name.span)
        return Select(self.build(operand, depth), name.text, span)

    def is_context(self, tree: Tree) -> bool:
        """Whether a tree is the bare name ``context``, not hidden by a variable."""
        tree = inner(tree)
        return tree.data == "ident" and leaf(tree).text == "context" and "context" not in self.scope


def _balanced(op: BinaryOp, nodes: list[Expr], spans: list[Span]) -> Expr:
    if len(nodes) == 1:
        return nodes[0]
    middle = (len(nodes) + 1) // 2
    left, right = _balanced(op, nodes[:middle], spans[:middle]), _balanced(op, nodes[middle:], spans[middle:])
    return Binary(op, left, right, Span(spans[0].start, spans[-1].end))
