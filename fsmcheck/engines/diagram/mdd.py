"""Sets of configurations as multi-valued decision diagrams: one level for each group of variables.

A node is a number. 0 is the empty set at any level, 1 what is below the last level; any other is a tuple of children,
one for each value at its level, without the empty ones at the end. Equal sets have equal numbers.
"""

from __future__ import annotations

import random
from collections.abc import Sequence

from fsmcheck.engines.diagram.budget import Budget

EMPTY, END = 0, 1
_SHIFT = 32


class Sets:
    """The nodes made so far, and the operations on them with what they gave."""

    def __init__(self, depth: int, budget: Budget) -> None:
        self.depth = depth
        self.budget = budget
        self.children: list[tuple[int, ...]] = [(), ()]
        self.level: list[int] = [-1, depth]
        self._unique: dict[tuple[int, ...], int] = {}
        self._unions: dict[int, int] = {}
        self._meets: dict[int, int] = {}
        self._rests: dict[int, int] = {}
        self._counts: dict[int, int] = {EMPTY: 0, END: 1}

    def forget(self) -> None:
        """Forget what the operations gave, but no node."""
        for results in (self._unions, self._meets, self._rests):
            results.clear()

    def node(self, level: int, children: Sequence[int]) -> int:
        """The node with these children (each a node of the next level, or empty)."""
        length = len(children)
        while length and not children[length - 1]:
            length -= 1
        if not length:
            return EMPTY
        key = tuple(children[:length])
        known = self._unique.get(key)
        if known is None:
            known = self._unique[key] = len(self.children)
            self.children.append(key)
            self.level.append(level)
            self.budget.check_nodes(known)
        return known

    def single(self, values: Sequence[int]) -> int:
        """The set of one configuration, given by its value at each level."""
        node = END
        for level in range(self.depth - 1, -1, -1):
            node = self.node(level, (*(EMPTY,) * values[level], node))
        return node

    def union(self, a: int, b: int) -> int:
        if a == b or not b:
            return a
        if not a:
            return b
        if a > b:
            a, b = b, a
        key = a << _SHIFT | b
        known = self._unions.get(key)
        if known is None:
            x, y = self.children[a], self.children[b]
            if len(x) < len(y):
                x, y = y, x
            self.budget.remember()
            known = self._unions[key] = self.node(self.level[a], (*map(self.union, x, y), *x[len(y) :]))
        return known

    def meet(self, a: int, b: int) -> int:
        """The intersection."""
        if a == b or not a or not b:
            return a if a == b else EMPTY
        if a > b:
            a, b = b, a
        key = a << _SHIFT | b
        known = self._meets.get(key)
        if known is None:
            merged = tuple(map(self.meet, self.children[a], self.children[b]))
            self.budget.remember()
            known = self._meets[key] = self.node(self.level[a], merged)
        return known

    def minus(self, a: int, b: int) -> int:
        """What is in ``a`` and not in ``b``."""
        if a == b or not a:
            return EMPTY
        if not b:
            return a
        key = a << _SHIFT | b
        known = self._rests.get(key)
        if known is None:
            x, y = self.children[a], self.children[b]
            self.budget.remember()
            known = self._rests[key] = self.node(self.level[a], (*map(self.minus, x, y), *x[len(y) :]))
        return known

    def count(self, node: int) -> int:
        """How many configurations a set has."""
        known = self._counts.get(node)
        if known is None:
            known = self._counts[node] = sum(map(self.count, self.children[node]))
        return known

    def has(self, node: int, values: Sequence[int]) -> bool:
        """Whether a configuration is in a set."""
        for value in values:
            children = self.children[node]
            if value >= len(children):
                return False
            node = children[value]
        return node != EMPTY

    def first(self, node: int) -> tuple[int, ...]:
        """Some configuration of a set that is not empty: always the same."""
        values = []
        while node != END:
            children = self.children[node]
            value = next(place for place, child in enumerate(children) if child)
            values.append(value)
            node = children[value]
        return tuple(values)

    def draw(self, node: int, rng: random.Random) -> tuple[int, ...]:
        """A configuration of a set that is not empty, each as likely as any other."""
        values = []
        while node != END:
            chosen = rng.randrange(self.count(node))
            for value, child in enumerate(self.children[node]):
                if chosen < self.count(child):
                    values.append(value)
                    node = child
                    break
                chosen -= self.count(child)
        return tuple(values)

    def size(self, roots: Sequence[int]) -> int:
        """How many nodes some sets take together."""
        seen: set[int] = set()
        stack = list(roots)
        while stack:
            node = stack.pop()
            if node > END and node not in seen:
                seen.add(node)
                stack.extend(self.children[node])
        return len(seen)
