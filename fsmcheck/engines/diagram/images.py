"""The relation of one step, applied to sets: a product of per-field maps that is built as it is needed.

A relation is a set of constraints and of updates, each a function of variables and inputs. Going down the levels, it
is in a *state*: what of its constraints and updates depends on the values above is left of them. At a level, an old
value leads to new values, each with the state below; an input is chosen, in all ways, right before the level that it
first matters to. A field that has nothing to do with others leaves no trace in the state, so the states of a level are
few; one that is copied or compared leaves one state for each of its values. No variable is ever doubled.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import product

from fsmcheck.engines.diagram.budget import Budget
from fsmcheck.engines.diagram.functions import FALSE, LEAF, TRUE, Functions
from fsmcheck.engines.diagram.levels import Levels
from fsmcheck.engines.diagram.mdd import EMPTY, Sets
from fsmcheck.records import dataclass

DONE = 0
"""The state from which on nothing changes and nothing is asked."""

Update = tuple[int, int]
"""The place of a variable, and the function that says which values it may be given."""


@dataclass(frozen=True, slots=True)
class Rest:
    """A state: the next level where something happens, and what is left of constraints and updates that have begun."""

    level: int
    constraints: tuple[int, ...]
    updates: tuple[Update, ...]


class Relation:
    """The relation of one step (or of taking it while an event happens), with what it gave so far."""

    def __init__(
        self,
        name: str,
        parts: tuple[Sets, Functions, Levels, Budget],
        constraints: Iterable[int],
        updates: Mapping[int, int],
    ) -> None:
        self.name = name
        self.sets, self.functions, self.levels, self.budget = parts
        self.constraints = tuple(dict.fromkeys(node for node in constraints if node != TRUE))
        self.updates = dict(updates)
        depth = self.sets.depth
        self._begin: list[tuple[list[int], list[Update]]] = [([], []) for _ in range(depth)]
        self.impossible = FALSE in self.constraints
        if not self.impossible:
            for node in self.constraints:
                self._begin[self._level(node)][0].append(node)
            for place, node in self.updates.items():
                self._begin[min(self._level(node), self.levels.level_of[place])][1].append((place, node))
        self._following = [depth] * depth
        for level in range(depth - 2, -1, -1):
            begun = any(self._begin[level + 1])
            self._following[level] = level + 1 if begun else self._following[level + 1]
        self._rests: list[Rest] = [Rest(depth, (), ())]
        self._numbers: dict[Rest, int] = {}
        self._level_of: list[int] = [depth]
        self._moves: list[dict[int, tuple[tuple[int, int], ...]]] = [{}]
        self._images: list[dict[int, int]] = [{}]
        self._befores: list[dict[int, int]] = [{}]
        self._possible: list[dict[int, bool]] = [{}]
        first = 0 if depth and any(self._begin[0]) else self._following[0] if depth else depth
        self._start = self._state(first, (), ())

    def forget(self) -> None:
        """Forget what it gave."""
        for images, befores, possible in zip(self._images, self._befores, self._possible, strict=True):
            images.clear()
            befores.clear()
            possible.clear()

    def image(self, node: int) -> int:
        """The configurations to which the step leads from those of a set."""
        return EMPTY if self.impossible else self._image(node, self._start)

    def before(self, node: int, after: int) -> int:
        """Those of a set from which the step can lead into another."""
        return EMPTY if self.impossible else self._before(node, after, self._start)

    def possible(self, node: int) -> bool:
        """Whether the step can be taken from some configuration of a set."""
        return not self.impossible and self._can(node, self._start)

    def ways(self, before: Mapping[int, int], after: Mapping[int, int] | None) -> Iterator[dict[int, int]]:
        """The choices of inputs (by place, numbers of values) with which the step leads from the values of one
        configuration (by place) to those of another, or to any."""
        asked = list(self.constraints)
        for place, node in self.updates.items():
            asked.append(self.functions.among(node, after[place]) if after is not None else TRUE)
        return self.functions.solutions(asked, before)

    def _level(self, node: int) -> int:
        place = self.functions.place[node]
        return self.sets.depth if place == LEAF else self.levels.zone_of(place)

    def _state(self, level: int, constraints: tuple[int, ...], updates: tuple[Update, ...]) -> int:
        if level >= self.sets.depth:
            return DONE
        rest = Rest(level, constraints, updates)
        known = self._numbers.get(rest)
        if known is None:
            known = self._numbers[rest] = len(self._rests)
            self._rests.append(rest)
            self._level_of.append(level)
            self._moves.append({})
            self._images.append({})
            self._befores.append({})
            self._possible.append({})
            self.budget.check_relation(self.name, known)
        return known

    def _image(self, node: int, state: int) -> int:
        if not state:
            return node
        memo = self._images[state]
        known = memo.get(node)
        if known is not None:
            return known
        level = self.sets.level[node]
        children = self.sets.children[node]
        found: list[int]
        if level < self._level_of[state]:
            found = [self._image(child, state) if child else EMPTY for child in children]
        else:
            found = []
            union = self.sets.union
            moves = self._moves[state]
            for value, child in enumerate(children):
                if not child:
                    continue
                ways = moves.get(value)
                if ways is None:
                    ways = self._follow(state, value)
                for new, below in ways:
                    part = self._image(child, below) if below else child
                    if part:
                        if new >= len(found):
                            found += [EMPTY] * (new + 1 - len(found))
                        found[new] = union(found[new], part) if found[new] else part
        self.budget.remember()
        known = memo[node] = self.sets.node(level, found)
        return known

    def _before(self, node: int, after: int, state: int) -> int:
        if not state:
            return self.sets.meet(node, after)
        if not node or not after:
            return EMPTY
        memo = self._befores[state]
        key = node << 32 | after
        known = memo.get(key)
        if known is not None:
            return known
        level = self.sets.level[node]
        children, targets = self.sets.children[node], self.sets.children[after]
        if level < self._level_of[state]:
            found = [self._before(child, target, state) for child, target in zip(children, targets, strict=False)]
        else:
            found = [EMPTY] * len(children)
            for value, child in enumerate(children):
                if child:
                    for new, below in self._ways(state, value):
                        if new < len(targets) and targets[new]:
                            part = self._before(child, targets[new], below)
                            found[value] = self.sets.union(found[value], part)
        self.budget.remember()
        known = memo[key] = self.sets.node(level, found)
        return known

    def _can(self, node: int, state: int) -> bool:
        if not state or not node:
            return node != EMPTY
        memo = self._possible[state]
        known = memo.get(node)
        if known is None:
            children = self.sets.children[node]
            if self.sets.level[node] < self._level_of[state]:
                known = any(self._can(child, state) for child in children)
            else:
                known = any(
                    self._can(child, below)
                    for value, child in enumerate(children)
                    if child
                    for _, below in self._ways(state, value)
                )
            self.budget.remember()
            memo[node] = known
        return known

    def _ways(self, state: int, value: int) -> tuple[tuple[int, int], ...]:
        known = self._moves[state].get(value)
        return self._follow(state, value) if known is None else known

    def _follow(self, state: int, value: int) -> tuple[tuple[int, int], ...]:
        """Where an old value leads: new values, each with the state below."""
        rest = self._rests[state]
        level = rest.level
        begun, updates = self._begin[level]
        old = self.levels.values[level][value]
        given = dict(zip(self.levels.places[level], old, strict=True))
        found: dict[tuple[int, int], None] = {}
        pending: list[tuple[tuple[int, ...], tuple[Update, ...]]] = [
            (tuple(dict.fromkeys((*rest.constraints, *begun))), (*rest.updates, *updates))
        ]
        seen = set(pending)
        while pending:
            constraints, changes = pending.pop()
            self.budget.work()
            place = self._next_place(level, constraints, changes)
            if place is None:
                for new, below in self._settled(level, old, constraints, changes):
                    found[self.levels.number(level, new), below] = None
                continue
            choices = (given[place],) if place in given else range(self._width(place, constraints, changes))
            for choice in choices:
                following = self._chosen(place, choice, constraints, changes)
                if following is not None and following not in seen:
                    seen.add(following)
                    pending.append(following)
        known = self._moves[state][value] = tuple(found)
        return known

    def _next_place(self, level: int, constraints: Iterable[int], updates: Iterable[Update]) -> int | None:
        """The first place of a level's zone that something depends on."""
        tests = self.functions.place
        place = min((*(tests[node] for node in constraints), *(tests[node] for _, node in updates)), default=LEAF)
        return place if place != LEAF and self.levels.zone_of(place) == level else None

    def _width(self, place: int, constraints: Iterable[int], updates: Iterable[Update]) -> int:
        nodes = (*constraints, *(node for _, node in updates))
        return next(len(self.functions.children[node]) for node in nodes if self.functions.place[node] == place)

    def _chosen(
        self, place: int, choice: int, constraints: Sequence[int], updates: Sequence[Update]
    ) -> tuple[tuple[int, ...], tuple[Update, ...]] | None:
        """What is left once a place has a value; None where a constraint fails."""
        left = self.functions.given(constraints, place, choice)
        if FALSE in left:
            return None
        tests, children = self.functions.place, self.functions.children
        changes = tuple((target, children[n][choice] if tests[n] == place else n) for target, n in updates)
        return tuple(left), changes

    def _settled(
        self, level: int, old: tuple[int, ...], constraints: tuple[int, ...], updates: Sequence[Update]
    ) -> Iterator[tuple[tuple[int, ...], int]]:
        """The new values of a level's variables, once all that is known at the level is known."""
        places = self.levels.places[level]
        here = {place: node for place, node in updates if place in places}
        later = tuple((place, node) for place, node in updates if place not in here)
        options: list[list[tuple[int, int]]] = []
        for place, value in zip(places, old, strict=True):
            node = here.get(place)
            options.append([(value, TRUE)] if node is None else self._new_values(node))
        for chosen in product(*options):
            self.budget.work()
            asked = (*constraints, *(condition for _, condition in chosen if condition != TRUE))
            left = tuple(sorted(dict.fromkeys(asked)))
            tops = [self._level(node) for node in left]
            tops += [min(self._level(node), self.levels.level_of[place]) for place, node in later]
            below = self._state(min([*tops, self._following[level]]), left, later)
            yield tuple(value for value, _ in chosen), below

    def _new_values(self, node: int) -> list[tuple[int, int]]:
        """The values that an update may give, each with the condition on what lies below."""
        if self.functions.place[node] == LEAF:
            return [(value, TRUE) for value in sorted(self.functions.set_at(node))]
        options = sorted({value for leaf in self.functions.values(node) for value in leaf})  # type: ignore[attr-defined]
        return [(value, self.functions.among(node, value)) for value in options]
