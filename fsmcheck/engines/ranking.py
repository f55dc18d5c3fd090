"""Progress measures: integer terms that bound how often a part of the graph can be gone round.

A measure never rises on any step of the part, falls on some, and is not negative on some: not both of these can be
taken without end. What is left without the ones, and without the others, is looked at again (a lexicographic
measure). A counter that is reset on the way round rises there, so it is no measure.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from enum import Enum
from typing import Protocol

from fsmcheck.engines.coverage import cyclic
from fsmcheck.engines.explicit import Graph
from fsmcheck.engines.induction import members_formula
from fsmcheck.engines.smt import Encoding, answer_of
from fsmcheck.engines.solver import z3
from fsmcheck.engines.turns import Edge
from fsmcheck.records import dataclass
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
                found.setdefault(t.printed(term), term)
    return list(found.values())[:MOST_CANDIDATES]


class Claim(Enum):
    """Of a measure on a step: it does not rise, it falls, it is not negative before."""

    KEEPS = "keeps"
    FALLS = "falls"
    FLOORED = "floored"


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

    def always(self, number: int, measure: Term, claim: Claim) -> bool:
        """Whether a claim about a measure holds on a step taken from any configuration of the part."""
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
        wanted = {
            Claim.KEEPS: after_value <= before_value,
            Claim.FALLS: after_value < before_value,
            Claim.FLOORED: before_value >= 0,
        }[claim]
        here = members_formula(encoding, self.product.graph, self.state, self.sources[number])
        taken = [here, encoding.term(step.guard, values), *encoding.input_bounds(step.inputs, values)]
        return bool(answer_of(self.solver, z3.And(*taken, z3.Not(wanted))) == z3.unsat)


Floor = Callable[[Term, int], bool]
"""Whether a measure is never negative when a step is taken, by other means than its configurations."""


def _no_floor(_measure: Term, _step: int) -> bool:
    return False


def bounded_by_measure(product: Flagged, floor: Floor = _no_floor, edges: Iterable[Edge] | None = None) -> bool:
    """Whether measures bound how often flagged edges are taken, among some edges (all where None)."""
    pool = [edge for out in product.edges for edge in out] if edges is None else list(edges)
    plain: dict[int, list[int]] = {}
    for edge in pool:
        plain.setdefault(edge[0], []).append(edge[1])
    for part in cyclic(plain, plain):
        inside = [edge for edge in pool if edge[0] in part and edge[1] in part]
        if any(edge[3] for edge in inside) and not _bounded_part(product, inside, floor):
            return False
    return True


def _bounded_part(product: Flagged, inside: list[Edge], floor: Floor) -> bool:
    """A run that stays in the part for ever takes some falling step without end, or does so without all of them;
    and some floored step without end, or does so without all of them. The measure forbids both at once."""
    part = _Part(product, inside)
    for measure in candidates(product, part.steps):
        if not all(part.always(step, measure, Claim.KEEPS) for step in part.steps):
            continue
        falling = {step for step in part.steps if part.always(step, measure, Claim.FALLS)}
        if not falling or not bounded_by_measure(product, floor, _without(inside, falling)):
            continue
        floored = {step for step in part.steps if part.always(step, measure, Claim.FLOORED)}
        if floored and bounded_by_measure(product, floor, _without(inside, floored)):
            return True
        if all(floor(measure, step) for step in falling):
            return True
    return False


def _without(edges: list[Edge], steps: set[int]) -> list[Edge]:
    return [edge for edge in edges if edge[2] not in steps]
