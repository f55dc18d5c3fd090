"""Functions of variables and inputs as decision diagrams with any values at their leaves.

A node tests one *place* (a variable or an input, in the order of the search); a place on which nothing depends is
left out. 0 and 1 are the leaves false and true.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterator, Mapping, Sequence

from fsmcheck.engines.diagram.budget import Budget

FALSE, TRUE = 0, 1
LEAF = 1 << 60
"""The place of a leaf: after all others."""


class Functions:
    """The nodes made so far. ``place[n]`` is what a node tests; ``children[n]`` has one for each value there."""

    def __init__(self, budget: Budget) -> None:
        self.budget = budget
        self.place: list[int] = [LEAF, LEAF]
        self.children: list[tuple[int, ...]] = [(), ()]
        self.leaves: dict[int, Hashable] = {FALSE: False, TRUE: True}
        self._unique: dict[tuple[int, tuple[int, ...]], int] = {}
        self._by_value: dict[Hashable, int] = {}
        self._results: dict[str, dict[tuple[int, int], int]] = {}
        self._negations: dict[int, int] = {FALSE: TRUE, TRUE: FALSE}
        self._equal: dict[tuple[int, Hashable], int] = {}
        self._ranges: dict[int, frozenset[Hashable]] = {}

    def leaf(self, value: Hashable) -> int:
        """A constant; booleans are 0 and 1 themselves."""
        if value is True or value is False:
            return int(value)
        known = self._by_value.get(value)
        if known is None:
            known = self._by_value[value] = self._new(LEAF, ())
            self.leaves[known] = value
        return known

    def _new(self, place: int, children: tuple[int, ...]) -> int:
        self.place.append(place)
        self.children.append(children)
        self.budget.check_terms(len(self.place))
        return len(self.place) - 1

    def node(self, place: int, children: tuple[int, ...]) -> int:
        first = children[0]
        if all(child == first for child in children):
            return first
        key = (place, children)
        known = self._unique.get(key)
        if known is None:
            known = self._unique[key] = self._new(place, children)
        return known

    def apply(self, name: str, combine: Callable[[Hashable, Hashable], Hashable], a: int, b: int) -> int:
        """The function of two functions' values; ``name`` tells ``combine`` from others."""
        memo = self._results.setdefault(name, {})

        def walk(a: int, b: int) -> int:
            place = min(self.place[a], self.place[b])
            if place == LEAF:
                return self.leaf(combine(self.leaves[a], self.leaves[b]))
            key = (a, b)
            known = memo.get(key)
            if known is None:
                xs = self.children[a] if self.place[a] == place else (a,) * len(self.children[b])
                ys = self.children[b] if self.place[b] == place else (b,) * len(xs)
                known = memo[key] = self.node(place, tuple(map(walk, xs, ys)))
            return known

        return walk(a, b)

    def map(self, name: str, change: Callable[[Hashable], Hashable], a: int) -> int:
        """The function with other values; ``name`` tells ``change`` from others."""
        memo = self._results.setdefault(name, {})

        def walk(a: int) -> int:
            known = memo.get((a, a))
            if known is None:
                if self.place[a] == LEAF:
                    known = self.leaf(change(self.leaves[a]))
                else:
                    known = self.node(self.place[a], tuple(map(walk, self.children[a])))
                memo[a, a] = known
            return known

        return walk(a)

    def not_(self, a: int) -> int:
        known = self._negations.get(a)
        if known is None:
            known = self._negations[a] = self.node(self.place[a], tuple(map(self.not_, self.children[a])))
        return known

    def and_(self, a: int, b: int) -> int:
        if b in (a, TRUE):
            return a
        if a == TRUE:
            return b
        if not a or not b:
            return FALSE
        return self._junction("and", self.and_, a, b)

    def or_(self, a: int, b: int) -> int:
        if a == b or not b:
            return a
        if not a:
            return b
        if TRUE in (a, b):
            return TRUE
        return self._junction("or", self.or_, a, b)

    def _junction(self, name: str, again: Callable[[int, int], int], a: int, b: int) -> int:
        if a > b:
            a, b = b, a
        memo = self._results.setdefault(name, {})
        known = memo.get((a, b))
        if known is None:
            place = min(self.place[a], self.place[b])
            xs = self.children[a] if self.place[a] == place else (a,) * len(self.children[b])
            ys = self.children[b] if self.place[b] == place else (b,) * len(xs)
            known = memo[a, b] = self.node(place, tuple(map(again, xs, ys)))
        return known

    def among(self, a: int, value: int) -> int:
        """Of a function whose values are sets: whether a value is in it."""
        key = (a, value)
        known = self._equal.get(key)
        if known is None:
            if self.place[a] == LEAF:
                known = int(value in self.set_at(a))
            else:
                known = self.node(self.place[a], tuple(self.among(child, value) for child in self.children[a]))
            self._equal[key] = known
        return known

    def set_at(self, leaf: int) -> frozenset[int]:
        """The value of a leaf that is a set."""
        value = self.leaves[leaf]
        if not isinstance(value, frozenset):
            raise TypeError("not a set of values")
        return value

    def values(self, a: int) -> frozenset[Hashable]:
        """The values that a function has somewhere."""
        known = self._ranges.get(a)
        if known is None:
            if self.place[a] == LEAF:
                known = frozenset({self.leaves[a]})
            else:
                known = frozenset().union(*map(self.values, self.children[a]))
            self._ranges[a] = known
        return known

    def solutions(self, constraints: Sequence[int], fixed: Mapping[int, int]) -> Iterator[dict[int, int]]:
        """Choices of the places that are not ``fixed`` (each by its number among the values there) that make all
        constraints true; places that do not matter are left out."""
        tests = self.place
        rest: dict[int, None] = {}
        for constraint in constraints:
            node = self.where(constraint, fixed)
            if node == FALSE:
                return
            if node != TRUE:
                rest[node] = None
        if not rest:
            yield {}
            return
        first = min(rest, key=tests.__getitem__)
        for choice in range(len(self.children[first])):
            for further in self.solutions(self.given(tuple(rest), tests[first], choice), fixed):
                yield {tests[first]: choice, **further}

    def where(self, node: int, fixed: Mapping[int, int]) -> int:
        """What is left of a function once the places that it tests first have the values that are ``fixed``."""
        tests, children = self.place, self.children
        while tests[node] in fixed:
            node = children[node][fixed[tests[node]]]
        return node

    def given(self, nodes: Sequence[int], place: int, choice: int) -> list[int]:
        """What is left of constraints (true ones left out) once the first place that any tests has a value."""
        followed = [self.children[node][choice] if self.place[node] == place else node for node in nodes]
        return [node for node in dict.fromkeys(followed) if node != TRUE]
