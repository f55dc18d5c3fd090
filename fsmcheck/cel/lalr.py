"""A parser that runs LALR tables: the machine of Aho, Sethi and Ullman, "Compilers", section 4.7.

It gives the trees that lark's own driver gives for the same tables, without any import of lark.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from fsmcheck.cel.scan import Token
from fsmcheck.records import dataclass

END = "$END"


@dataclass(frozen=True, slots=True)
class Tree:
    """What a rule of the grammar derives: the trees and tokens under it without those that are only punctuation, and
    the half-open offsets of all its text, punctuation included."""

    data: str
    children: Sequence[Tree | Token]
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class Rule:
    """The rule that makes a tree named ``name`` of the last ``length`` values, of which those at ``kept`` stay.

    ``origin`` is the nonterminal; one whose name starts with an underscore has its children given to the tree above.
    """

    origin: str
    name: str
    length: int
    kept: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Tables:
    """For each state and symbol what is next: a state to go to, or ``-1 - n`` where rule ``n`` is reduced."""

    states: Sequence[Mapping[str, int]]
    rules: Sequence[Rule]
    start: int
    end: int


class UnexpectedTokenError(Exception):
    """The token with this number does not fit; ``expected`` are the terminals that the state has an entry for."""

    def __init__(self, number: int, expected: frozenset[str]) -> None:
        super().__init__(number)
        self.number = number
        self.expected = expected


def parse(tables: Tables, tokens: Iterable[tuple[str, Token]]) -> Tree:
    """The tree of tokens, each with its terminal. Raises ``UnexpectedTokenError`` at the first that does not fit."""
    states, values = [tables.start], list[Tree | Token]()
    number = 0
    for number, (terminal, token) in enumerate(tokens, 1):
        action = _reduced(tables, states, values, terminal, number - 1)
        states.append(action)
        values.append(token)
    _reduced(tables, states, values, END, number)
    (tree,) = values
    if isinstance(tree, Token):
        raise UnexpectedTokenError(number, frozenset())
    return tree


def _reduced(tables: Tables, states: list[int], values: list[Tree | Token], terminal: str, number: int) -> int:
    """Reduce until the terminal can be shifted, or all is done; the state to go to."""
    while True:
        row = tables.states[states[-1]]
        action = row.get(terminal)
        if action is None:
            raise UnexpectedTokenError(number, frozenset(symbol for symbol in row if symbol.isupper()))
        if action >= 0:
            return action
        rule = tables.rules[-1 - action]
        parts = values[-rule.length :]
        del states[-rule.length :], values[-rule.length :]
        values.append(_tree(rule, parts))
        state = tables.states[states[-1]][rule.origin]
        states.append(state)
        if terminal == END and state == tables.end:
            return state


def _tree(rule: Rule, parts: Sequence[Tree | Token]) -> Tree:
    children: list[Tree | Token] = []
    for place in rule.kept:
        part = parts[place]
        if isinstance(part, Tree) and part.data.startswith("_"):
            children.extend(part.children)
        else:
            children.append(part)
    first, last = parts[0], parts[-1]
    start = first.start if isinstance(first, Tree) else first.span.start
    end = last.end if isinstance(last, Tree) else last.span.end
    return Tree(rule.name, children, start, end)
