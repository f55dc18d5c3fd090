"""Invariants as SMT-LIB 2: the reachable set of either kind of search, and what Spacer answers."""

from __future__ import annotations

from collections.abc import Mapping

from fsmcheck.engines.diagram.invariant import DiagramSet
from fsmcheck.engines.explicit import Graph
from fsmcheck.engines.horn import SpacerInvariant
from fsmcheck.engines.induction import Invariant, ReachableSet
from fsmcheck.engines.packing import Packing
from fsmcheck.engines.smtlib import Node, Symbols
from fsmcheck.engines.solver import z3
from fsmcheck.system.system import Location, Variable
from fsmcheck.system.terms import BOOL, INT

Packed = tuple[int, ...]


def invariant_at(invariant: Invariant, location: Location, symbols: Symbols, values: Mapping[str, Node]) -> Node:
    """What an invariant says at a location; ``TypeError`` for one of an unknown kind."""
    if isinstance(invariant, ReachableSet):
        return _Diagram(invariant.graph, symbols, values).at(location)
    if isinstance(invariant, DiagramSet):
        return _of_diagram(invariant, location, symbols, values)
    if isinstance(invariant, SpacerInvariant):
        return _of_spacer(invariant, location, symbols, values)
    raise TypeError(f"no text for a {type(invariant).__name__}")


class _Diagram:
    """Membership in a set of packed values: one variable a level, equal remainders shared."""

    def __init__(self, graph: Graph, symbols: Symbols, values: Mapping[str, Node]) -> None:
        self.graph = graph
        self.symbols = symbols
        self.values = values
        self.memo: dict[tuple[int, frozenset[Packed]], Node] = {}

    def at(self, location: Location) -> Node:
        place = self.graph.system.locations.index(location)
        pairs = zip(self.graph.locations, self.graph.values, strict=True)
        return self._member(0, frozenset(packed for where, packed in pairs if where == place))

    def _member(self, level: int, rest: frozenset[Packed]) -> Node:
        nodes = self.symbols.nodes
        if not rest:
            return nodes.any(())
        if level == len(self.graph.system.variables):
            return nodes.all(())
        if (level, rest) not in self.memo:
            tails: dict[int, set[Packed]] = {}
            for packed in sorted(rest):
                tails.setdefault(packed[0], set()).add(packed[1:])
            grouped: dict[frozenset[Packed], list[int]] = {}
            for value, tail in tails.items():
                grouped.setdefault(frozenset(tail), []).append(value)
            self.memo[level, rest] = nodes.any(
                self._both(self._one_of(level, chosen), self._member(level + 1, tail))
                for tail, chosen in grouped.items()
            )
        return self.memo[level, rest]

    def _both(self, first: Node, second: Node) -> Node:
        true = self.symbols.nodes.all(())
        return self.symbols.nodes.all(part for part in (first, second) if part is not true)

    def _one_of(self, level: int, chosen: list[int]) -> Node:
        variable = self.graph.system.variables[level]
        return _one_of(self.graph.packing, variable, chosen, self.values[variable.name], self.symbols)


def _one_of(packing: Packing, variable: Variable, chosen: list[int], node: Node, symbols: Symbols) -> Node:
    """That a variable has one of some packed values."""
    nodes = symbols.nodes
    spans = packing.intervals.get(variable.name)
    if spans is None and variable.sort == BOOL:
        return nodes.all(()) if len(chosen) == 2 else node if chosen == [1] else nodes.call("not", node)
    if spans is None:
        whole = len(chosen) == variable.sort.size
        return nodes.all(()) if whole else symbols.one_of(node, variable.sort, chosen)
    parts = []
    for index in chosen:
        low, high = spans[index]
        bounds = [] if low == float("-inf") else [nodes.call("<=", nodes.integer(int(low)), node)]
        bounds += [] if high == float("inf") else [nodes.call("<=", node, nodes.integer(int(high)))]
        parts.append(nodes.all(bounds))
    return nodes.any(parts)


def _of_diagram(invariant: DiagramSet, location: Location, symbols: Symbols, values: Mapping[str, Node]) -> Node:
    packing = invariant.diagram.ready.packing

    def has(name: str, value: int) -> Node:
        return _one_of(packing, packing.system.by_name[name], [value], values[name], symbols)

    return invariant.membership(location, has, symbols.nodes.all, symbols.nodes.any)


_OPERATORS: Mapping[int, str] = {
    z3.Z3_OP_TRUE: "true", z3.Z3_OP_FALSE: "false", z3.Z3_OP_AND: "and", z3.Z3_OP_OR: "or", z3.Z3_OP_NOT: "not",
    z3.Z3_OP_IMPLIES: "=>", z3.Z3_OP_ITE: "ite", z3.Z3_OP_EQ: "=", z3.Z3_OP_DISTINCT: "distinct", z3.Z3_OP_LE: "<=",
    z3.Z3_OP_GE: ">=", z3.Z3_OP_LT: "<", z3.Z3_OP_GT: ">", z3.Z3_OP_ADD: "+", z3.Z3_OP_SUB: "-", z3.Z3_OP_UMINUS: "-",
    z3.Z3_OP_MUL: "*", z3.Z3_OP_IDIV: "div", z3.Z3_OP_MOD: "mod",
}  # fmt: skip


def _of_spacer(invariant: SpacerInvariant, location: Location, symbols: Symbols, values: Mapping[str, Node]) -> Node:
    formula = invariant.formulas.get(location)
    if formula is None:
        return symbols.nodes.any(())
    atoms = {f"inv!{place}": values[name] for place, name in enumerate(invariant.names)}
    for sort in {variable.sort for variable in invariant.encoding.system.variables} - {BOOL, INT}:
        for index in range(sort.size):
            atoms[invariant.encoding.value(sort, index).decl().name()] = symbols.value(sort, index)
    memo: dict[int, Node] = {}
    stack = [formula]
    while stack:
        node = stack[-1]
        waiting = [child for child in node.children() if child.get_id() not in memo]
        if waiting:
            stack.extend(waiting)
            continue
        stack.pop()
        args = [memo[child.get_id()] for child in node.children()]
        memo[node.get_id()] = _rebuilt(node, args, atoms, symbols)
    return memo[formula.get_id()]


def _rebuilt(node: z3.ExprRef, args: list[Node], atoms: Mapping[str, Node], symbols: Symbols) -> Node:
    kind = node.decl().kind()
    if z3.is_int_value(node):
        return symbols.nodes.integer(node.as_long())
    if not args and node.decl().name() in atoms:
        return atoms[node.decl().name()]
    if kind in (z3.Z3_OP_DT_IS, z3.Z3_OP_DT_RECOGNISER):
        return symbols.nodes.call("=", args[0], atoms[node.decl().params()[0].name()])
    if kind not in _OPERATORS:
        raise ValueError(f"the invariant uses {node.decl().name()}")
    return symbols.nodes.call(_OPERATORS[kind], *args)
