"""Progress measures: integer terms that bound how often a part of the graph can be gone round.

A measure never rises on any step of the part, and falls, from a value that is not negative, on some: those steps
are taken finitely often, and what is left without them is looked at again (a lexicographic measure). A counter
that is reset on the way round rises there, so it is no measure.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Protocol

import z3

from fsmcheck.engines.coverage import cyclic
from fsmcheck.engines.explicit import Graph
from fsmcheck.engines.induction import members_formula
from fsmcheck.engines.smt import Encoding
from fsmcheck.engines.turns import Edge
from fsmcheck.system import terms as t
from fsmcheck.system.terms import INT, Op, Term

RLIMIT = 4_000_000


class Flagged(Protocol):
    """Configurations of a graph (each with a place that does not matter here), and edges of which some are flagged:
    those whose number is to be bounded."""

    @property
    def graph(self) -> Graph: ...
    @property
    def nodes(self) -> list[tuple[int, int]]: ...
    @property
    def edges(self) -> list[list[Edge]]: ...


MOST_CANDIDATES = 24


def candidates(product: Flagged, steps: Iterable[int]) -> list[Term]:
    """Differences of the two sides of integer comparisons in the guards of some steps, and single variables."""
    names = product.graph.system.by_name
    found: dict[str, Term] = {}
    for number in sorted(set(steps)):
        for node in t.walk([product.graph.system.steps[number].guard]):
            if node.op not in (Op.EQ, Op.LT, Op.LE) or node.args[0].sort is not INT:
                continue
            left, right = node.args
            if not t.variables(node.args).keys() <= names.keys():
                continue
            for term in (t.arithmetic(Op.SUB, right, left), t.arithmetic(Op.SUB, left, right)):
                found.setdefault(repr(_shape(term)), term)
    return list(found.values())[:MOST_CANDIDATES]


def _shape(term: Term) -> object:
    return (term.op.value, term.value, tuple(_shape(arg) for arg in term.args))


@dataclass
class _Part:
    """A strongly connected part of a product, in Z3: its configurations and steps."""

    product: Flagged
    edges: Sequence[Edge]

    def __post_init__(self) -> None:
        graph = self.product.graph
        self.encoding = Encoding(graph.system)
        self.solver = z3.Solver(ctx=self.encoding.context)
        self.solver.set("rlimit", RLIMIT)
        self.state = self.encoding.state(0)
        self.solver.add(self.encoding.bounds(0))
        self.steps = sorted({edge[2] for edge in self.edges})
        self.sources = {
            step: frozenset(graph.values[self.product.nodes[edge[0]][0]] for edge in self.edges if edge[2] == step)
            for step in self.steps
        }

    def always(self, number: int, measure: Term, *, falls: bool) -> bool:
        """Whether a step, from any configuration of the part, does not raise a measure (or makes it fall, from a
        value that is not negative)."""
        encoding, system = self.encoding, self.product.graph.system
        step = system.steps[number]
        values = {**self.state, **encoding.inputs(step.inputs, 0)}
        after = {
            variable.name: encoding.term(step.updates[variable.name], values)
            if variable.name in step.updates
            else self.state[variable.name]
            for variable in system.variables
        }
        before_value, after_value = encoding.term(measure, self.state), encoding.term(measure, after)
        wanted = z3.And(after_value < before_value, before_value >= 0) if falls else after_value <= before_value
        here = members_formula(encoding, self.product.graph, self.state, self.sources[number])
        taken = [here, encoding.term(step.guard, values), *encoding.input_bounds(step.inputs, values)]
        return bool(self.solver.check(z3.And(*taken, z3.Not(wanted))) == z3.unsat)


def bounded_by_measure(product: Flagged, edges: Iterable[Edge] | None = None) -> bool:
    """Whether measures bound how often flagged edges are taken, among some edges (all where None)."""
    pool = [edge for out in product.edges for edge in out] if edges is None else list(edges)
    plain: dict[int, list[int]] = {}
    for edge in pool:
        plain.setdefault(edge[0], []).append(edge[1])
    for part in cyclic(plain, plain):
        inside = [edge for edge in pool if edge[0] in part and edge[1] in part]
        if any(edge[3] for edge in inside) and not _bounded_part(product, inside):
            return False
    return True


def _bounded_part(product: Flagged, inside: list[Edge]) -> bool:
    part = _Part(product, inside)
    for measure in candidates(product, part.steps):
        if not all(part.always(step, measure, falls=False) for step in part.steps):
            continue
        falling = {step for step in part.steps if part.always(step, measure, falls=True)}
        if falling and bounded_by_measure(product, [edge for edge in inside if edge[2] not in falling]):
            return True
    return False
