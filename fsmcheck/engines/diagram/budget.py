"""What a search by diagrams may use, and how it ends when that is not enough."""

from __future__ import annotations

import time

from fsmcheck.records import dataclass


@dataclass(frozen=True, slots=True)
class DiagramLimits:
    """When to give up: nodes of the diagrams of sets, nodes of those of terms, states of one step's relation, results
    of operations remembered, and seconds of wall time."""

    nodes: int = 800_000
    terms: int = 200_000
    relation: int = 20_000
    results: int = 2_000_000
    seconds: float = 10.0


class BudgetError(Exception):
    """A limit was reached; the message says which."""


MOST_SEARCHES = 4
"""Nodes that a search and all questions about it may leave behind, in multiples of what one of them may."""


class Budget:
    """Watches over the limits of one search, then of one question about it after the other; the time counts from its
    making."""

    def __init__(self, limits: DiagramLimits) -> None:
        self.limits = limits
        self._deadline = time.monotonic() + limits.seconds
        self._most_nodes = limits.nodes
        self._most_terms = limits.terms
        self._results = 0
        self._kept = 0
        self._work = 0

    def extend(self, seconds: float, nodes: int, terms: int) -> None:
        """Let the limits for one more question count from now, where there are so many nodes of sets and of terms: what
        others needed before it must not matter."""
        self._deadline = time.monotonic() + seconds
        self._most_nodes = min(nodes + self.limits.nodes, MOST_SEARCHES * self.limits.nodes)
        self._most_terms = min(terms + self.limits.terms, MOST_SEARCHES * self.limits.terms)
        self._kept += self._results
        self._results = 0

    @property
    def is_full(self) -> bool:
        """Whether so many results are remembered that they had better be forgotten."""
        return self._kept > self.limits.results // 2

    def forgotten(self) -> None:
        """Note that no results are remembered any more."""
        self._kept = 0

    def check_time(self) -> None:
        """Raises ``BudgetError`` once the time is up."""
        if time.monotonic() > self._deadline:
            raise BudgetError("out of time")

    def check_nodes(self, count: int) -> None:
        """Raises ``BudgetError`` where there are too many nodes of sets."""
        if count > self._most_nodes:
            raise BudgetError(f"more than {self.limits.nodes} nodes")
        if not count % 1024:
            self.check_time()

    def check_terms(self, count: int) -> None:
        """Raises ``BudgetError`` where there are too many nodes of terms."""
        if count > self._most_terms:
            raise BudgetError(f"more than {self.limits.terms} nodes for the guards and updates")
        if not count % 1024:
            self.check_time()

    def check_relation(self, name: str, count: int) -> None:
        """Raises ``BudgetError`` where the relation of one step is too large."""
        if count > self.limits.relation:
            raise BudgetError(f'step "{name}" relates too many fields')

    def remember(self) -> None:
        """Note one more remembered result. Raises ``BudgetError`` where there are too many, or the time is up."""
        self._results += 1
        if not self._results % 4096:
            if self._results > self.limits.results:
                raise BudgetError(f"more than {self.limits.results} results to remember")
            self.check_time()

    def work(self) -> None:
        """Note one more bit of work that leaves nothing behind. Raises ``BudgetError`` once the time is up."""
        self._work += 1
        if not self._work % 4096:
            self.check_time()
