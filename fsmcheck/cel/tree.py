"""Finding one's way in cel-python's parse tree."""

from __future__ import annotations

from collections.abc import Iterator

from fsmcheck.cel.lalr import Tree
from fsmcheck.cel.scan import Token
from fsmcheck.source import Span

_TRANSPARENT = frozenset(
    {
        "expr",
        "conditionalor",
        "conditionaland",
        "relation",
        "addition",
        "multiplication",
        "unary",
        "member",
        "primary",
        "paren_expr",
    }
)


def inner(tree: Tree) -> Tree:
    """Down the levels of precedence and the parentheses that add nothing, to what the text is."""
    while tree.data in _TRANSPARENT and len(tree.children) == 1:
        (tree,) = subtrees(tree)
    return tree


def subtrees(tree: Tree) -> Iterator[Tree]:
    """The children that are trees, in text order."""
    for child in tree.children:
        if isinstance(child, Tree):
            yield child


def items(tree: Tree) -> tuple[Tree, ...]:
    """The expressions in the argument list, list or map directly under a tree."""
    lists = [child for child in subtrees(tree) if child.data in {"exprlist", "mapinits"}]
    return tuple(item for child in lists for item in subtrees(child))


def leaf(tree: Tree) -> Token:
    """The first token directly under a tree."""
    return next(child for child in tree.children if isinstance(child, Token))


def span_of(tree: Tree) -> Span:
    """The text that a tree covers, its own parentheses included."""
    return Span(tree.start, tree.end)
