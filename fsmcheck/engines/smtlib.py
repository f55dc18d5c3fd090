"""Formulas as SMT-LIB 2 text: nodes with equal parts shared, and a printer that names what occurs twice.

Only what every solver reads is written: simple symbols, ``let``, the core and the integer operators.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import field

from fsmcheck.records import dataclass
from fsmcheck.system.system import Input
from fsmcheck.system.terms import BOOL, INT, Op, Sort, Term

DEEPEST = 40
"""Levels of nesting after which a part is named, so that no reader needs a deep stack."""


@dataclass(frozen=True, slots=True, eq=False)
class Node:
    """A symbol, or an operator applied to nodes."""

    head: str
    args: tuple[Node, ...] = ()


@dataclass
class Nodes:
    """Makes nodes; two that say the same are one."""

    _known: dict[tuple[str, tuple[int, ...]], Node] = field(default_factory=dict)

    def call(self, head: str, *args: Node) -> Node:
        key = (head, tuple(map(id, args)))
        if key not in self._known:
            self._known[key] = Node(head, args)
        return self._known[key]

    def integer(self, value: int) -> Node:
        return self.call(str(value)) if value >= 0 else self.call("-", self.call(str(-value)))

    def all(self, parts: Iterable[Node]) -> Node:
        return self._junction("and", "true", tuple(parts))

    def any(self, parts: Iterable[Node]) -> Node:
        return self._junction("or", "false", tuple(parts))

    def _junction(self, head: str, unit: str, parts: tuple[Node, ...]) -> Node:
        if not parts:
            return self.call(unit)
        return parts[0] if len(parts) == 1 else self.call(head, *parts)

    def truncated(self, left: Node, right: Node) -> Node:
        """Division rounded towards zero; that of SMT-LIB rounds so that the remainder is not negative."""
        zero = self.call("0")

        def negative(node: Node) -> Node:
            return self.call("<", node, zero)

        def magnitude(node: Node) -> Node:
            return self.call("ite", negative(node), self.call("-", node), node)

        quotient = self.call("div", magnitude(left), magnitude(right))
        agree = self.call("=", negative(left), negative(right))
        return self.call("ite", agree, quotient, self.call("-", quotient))


@dataclass
class Symbols:
    """Names for sorts and their values, given out as they are met: names from the spec never get into the text."""

    nodes: Nodes
    sorts: dict[Sort, str] = field(default_factory=dict)

    def sort(self, sort: Sort) -> str:
        if sort == BOOL:
            return "Bool"
        if sort == INT:
            return "Int"
        return self.sorts.setdefault(sort, f"Sort_{len(self.sorts)}")

    def value(self, sort: Sort, value: bool | int) -> Node:
        if sort == BOOL:
            return self.nodes.call("true" if value else "false")
        if sort == INT:
            return self.nodes.integer(int(value))
        return self.nodes.call(f"v_{self.sort(sort).removeprefix('Sort_')}_{int(value)}")

    def one_of(self, node: Node, sort: Sort, indices: Iterable[int]) -> Node:
        return self.nodes.any(self.nodes.call("=", node, self.value(sort, index)) for index in indices)

    def bounds(self, choices: Iterable[Input], values: Mapping[str, Node]) -> list[Node]:
        """The domains of inputs."""
        found: list[Node] = []
        for choice in choices:
            node = values[choice.name]
            if choice.domain and len(choice.domain) < choice.sort.size:
                found.append(self.one_of(node, choice.sort, choice.domain))
            if choice.lower is not None:
                found.append(self.nodes.call("<=", self.nodes.integer(choice.lower), node))
            if choice.upper is not None:
                found.append(self.nodes.call("<=", node, self.nodes.integer(choice.upper)))
        return found

    def term(self, term: Term, values: Mapping[str, Node], memo: dict[int, Node]) -> Node:
        """A term of a system, its variables replaced; ``memo`` is for terms under the same ``values``."""
        stack = [term]
        while stack:
            top = stack[-1]
            waiting = [arg for arg in top.args if id(arg) not in memo]
            if waiting:
                stack.extend(waiting)
                continue
            stack.pop()
            if id(top) not in memo:
                memo[id(top)] = self._node(top, [memo[id(arg)] for arg in top.args], values)
        return memo[id(term)]

    def _node(self, term: Term, args: Sequence[Node], values: Mapping[str, Node]) -> Node:
        match term.op:
            case Op.CONST:
                return self.value(term.sort, int(term.value))
            case Op.VAR:
                return values[str(term.value)]
            case Op.DIV:
                return self.nodes.truncated(*args)
            case Op.MOD:
                quotient = self.nodes.truncated(*args)
                return self.nodes.call("-", args[0], self.nodes.call("*", args[1], quotient))
            case _:
                return self.nodes.call(_OPERATORS[term.op], *args)


_OPERATORS: Mapping[Op, str] = {
    Op.NOT: "not", Op.AND: "and", Op.OR: "or", Op.ITE: "ite", Op.EQ: "=", Op.LT: "<", Op.LE: "<=", Op.ADD: "+",
    Op.SUB: "-", Op.MUL: "*",
}  # fmt: skip


def printed(root: Node) -> str:
    """A node as text. Parts that occur more than once are bound by ``let`` first, those that need none of the others
    outermost."""
    order = _postorder(root)
    uses: dict[int, int] = {}
    for node in order:
        for arg in node.args:
            uses[id(arg)] = uses.get(id(arg), 0) + 1
    text: dict[int, str] = {}
    height: dict[int, int] = {}
    level: dict[int, int] = {}
    bound: list[list[str]] = []
    count = 0
    for node in order:
        inner = " ".join(text[id(arg)] for arg in node.args)
        text[id(node)] = f"({node.head} {inner})" if node.args else node.head
        height[id(node)] = 1 + max((height[id(arg)] for arg in node.args), default=0)
        level[id(node)] = max((level[id(arg)] for arg in node.args), default=0)
        if node is not root and node.args and (uses[id(node)] > 1 or height[id(node)] > DEEPEST):
            here = level[id(node)]
            bound.extend([] for _ in range(here + 1 - len(bound)))
            bound[here].append(f"(t_{count} {text[id(node)]})")
            text[id(node)], height[id(node)], level[id(node)] = f"t_{count}", 0, here + 1
            count += 1
    lets = "".join("(let (" + "\n       ".join(names) + ")\n  " for names in bound)
    return lets + text[id(root)] + ")" * len(bound)


def _postorder(root: Node) -> list[Node]:
    found: dict[int, Node] = {}
    stack = [root]
    while stack:
        node = stack[-1]
        waiting = [arg for arg in node.args if id(arg) not in found]
        if waiting:
            stack.extend(waiting)
            continue
        stack.pop()
        found.setdefault(id(node), node)
    return list(found.values())
