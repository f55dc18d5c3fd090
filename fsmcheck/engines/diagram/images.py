"""The relation of one step, applied to sets: a product of per-field maps that is built as it is needed.

A relation is a set of constraints and of updates, each a function of variables and inputs. Going down the levels, it
is in a *state*: what of its constraints and updates depends on the values above is left of them. At a level, an old
value leads to new values, each with the state below; an input is chosen, in all ways, right before the level that it
first matters to. A field that has nothing to do with others leaves no trace in the state, so the states of a level are
few; one that is copied or compared leaves one state for each of its values. No variable is ever doubled.

Steps that do the same from some level on have the states from there in common, and what these gave so far.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import product

from fsmcheck.engines.diagram.budget import Budget
from fsmcheck.engines.diagram.functions import FALSE, LEAF, TRUE, Functions
from fsmcheck.engines.diagram.levels import Levels
from fsmcheck.engines.diagram.mdd import EMPTY, Sets

DONE = 0
"""The state from which on nothing changes and nothing is asked."""

Update = tuple[int, int]
"""The place of a variable, and the function that says which values it may be given."""

Begin = tuple[int, tuple[int, ...], tuple[Update, ...], int]
"""A level, the constraints and updates of a relation that begin there, and the number of what begins next."""

Rest = tuple[int, tuple[int, ...], tuple[Update, ...], int]
"""A state: the next level where something happens, what is left of constraints and updates that have begun, and the
number of what begins next."""

NOTHING = 0
"""The number of what begins where nothing does any more."""


class Relation:
    """The relation of one step (or of taking it while an event happens); ``made`` states were made for it."""

    def __init__(self, name: str, among: Relations, constraints: tuple[int, ...], updates: Mapping[int, int]) -> None:
        self.name = name
        self.made = 0
        self._among = among
        self._constraints = constraints
        self._updates = updates
        among.working = self
        self._start = among.start(constraints, updates) if FALSE not in constraints else None

    def image(self, node: int) -> int:
        """The configurations to which the step leads from those of a set."""
        if self._start is None:
            return EMPTY
        self._among.working = self
        return self._among.image(node, self._start)

    def before(self, node: int, after: int) -> int:
        """Those of a set from which the step can lead into another."""
        if self._start is None:
            return EMPTY
        self._among.working = self
        return self._among.before(node, after, self._start)

    def possible(self, node: int) -> bool:
        """Whether the step can be taken from some configuration of a set."""
        if self._start is None:
            return False
        self._among.working = self
        return self._among.possible(node, self._start)

    def ways(self, before: Mapping[int, int], after: Mapping[int, int] | None) -> Iterator[dict[int, int]]:
        """The choices of inputs (by place, numbers of values) with which the step leads from the values of one
        configuration (by place) to those of another, or to any."""
        functions = self._among.functions
        asked = list(self._constraints)
        if after is None:
            return functions.solutions(asked, before)
        for place, update in self._updates.items():
            node = functions.where(update, before)
            if node not in functions.leaves:
                asked.append(functions.among(node, after[place]))
            elif after[place] not in functions.set_at(node):
                return iter(())
        return functions.solutions(asked, before)


class Relations:
    """The relations of a search, with their states and what these gave so far."""

    def __init__(self, sets: Sets, functions: Functions, levels: Levels, budget: Budget) -> None:
        self.sets, self.functions, self.levels, self.budget = sets, functions, levels, budget
        self.working: Relation | None = None
        depth = self.sets.depth
        self._begins: list[Begin] = [(depth, (), (), NOTHING)]
        self._begin_numbers: dict[Begin, int] = {}
        self._rests: list[Rest] = [(depth, (), (), NOTHING)]
        self._numbers: dict[Rest, int] = {}
        self._level_of: list[int] = [depth]
        self._moves: list[dict[int, tuple[tuple[int, int], ...]]] = [{}]
        self._images: list[dict[int, int]] = [{}]
        self._befores: list[dict[int, int]] = [{}]
        self._possible: list[dict[int, bool]] = [{}]
        self._options: dict[int, Sequence[tuple[int, int]]] = {}

    def relation(self, name: str, constraints: Iterable[int], updates: Mapping[int, int]) -> Relation:
        """The relation of what is called so."""
        return Relation(name, self, tuple(dict.fromkeys(node for node in constraints if node != TRUE)), dict(updates))

    def forget(self) -> None:
        """Forget what they gave."""
        for images, befores, possible in zip(self._images, self._befores, self._possible, strict=True):
            images.clear()
            befores.clear()
            possible.clear()

    def start(self, constraints: Iterable[int], updates: Mapping[int, int]) -> int:
        """The state above the first level."""
        begun: dict[int, tuple[list[int], list[Update]]] = {}
        for node in constraints:
            begun.setdefault(self._level(node), ([], []))[0].append(node)
        for place, node in updates.items():
            level = min(self._level(node), self.levels.level_of[place])
            begun.setdefault(level, ([], []))[1].append((place, node))
        begins = NOTHING
        for level in sorted(begun, reverse=True):
            asked, changes = begun[level]
            begin = (level, tuple(sorted(asked)), tuple(sorted(changes)), begins)
            known = self._begin_numbers.get(begin)
            if known is None:
                known = self._begin_numbers[begin] = len(self._begins)
                self._begins.append(begin)
            begins = known
        return self._state(self._begins[begins][0], (), (), begins)

    def _level(self, node: int) -> int:
        place = self.functions.place[node]
        return self.sets.depth if place == LEAF else self.levels.zone_of(place)

    def _state(self, level: int, constraints: tuple[int, ...], updates: tuple[Update, ...], begins: int) -> int:
        if level >= self.sets.depth:
            return DONE
        rest = (level, constraints, updates, begins)
        known = self._numbers.get(rest)
        if known is None:
            known = self._numbers[rest] = len(self._rests)
            self._rests.append(rest)
            self._level_of.append(level)
            self._moves.append({})
            self._images.append({})
            self._befores.append({})
            self._possible.append({})
            if self.working is not None:
                self.working.made += 1
                self.budget.check_relation(self.working.name, self.working.made)
        return known

    def image(self, node: int, state: int) -> int:
        """Where a state leads from a set."""
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
            found = [self.image(child, state) if child else EMPTY for child in children]
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
                    part = self.image(child, below) if below else child
                    if part:
                        if new >= len(found):
                            found += [EMPTY] * (new + 1 - len(found))
                        found[new] = union(found[new], part) if found[new] else part
        self.budget.remember()
        known = memo[node] = self.sets.node(level, found)
        return known

    def before(self, node: int, after: int, state: int) -> int:
        """The part of a set from which a state can lead into another."""
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
            found = [self.before(child, target, state) for child, target in zip(children, targets, strict=False)]
        else:
            found = [EMPTY] * len(children)
            for value, child in enumerate(children):
                if child:
                    for new, below in self._ways(state, value):
                        if new < len(targets) and targets[new]:
                            part = self.before(child, targets[new], below)
                            found[value] = self.sets.union(found[value], part)
        self.budget.remember()
        known = memo[key] = self.sets.node(level, found)
        return known

    def possible(self, node: int, state: int) -> bool:
        """Whether a state leads anywhere from a set."""
        if not state or not node:
            return node != EMPTY
        memo = self._possible[state]
        known = memo.get(node)
        if known is None:
            children = self.sets.children[node]
            if self.sets.level[node] < self._level_of[state]:
                known = any(self.possible(child, state) for child in children)
            else:
                known = any(
                    self.possible(child, below)
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
        level, constraints, updates, begins = self._rests[state]
        beginning = self._begins[begins]
        if beginning[0] == level:
            constraints = tuple(dict.fromkeys((*constraints, *beginning[1])))
            updates = (*updates, *beginning[2])
            begins = beginning[3]
        tests, children = self.functions.place, self.functions.children
        old = self.levels.values[level][value]
        own = self.levels.order.zones[level] - len(old)
        found: dict[tuple[int, int], None] = {}
        pending = [(constraints, updates)]
        seen = set(pending)
        while pending:
            constraints, updates = pending.pop()
            self.budget.work()
            place, tested = LEAF, TRUE
            for node in constraints:
                if tests[node] < place:
                    place, tested = tests[node], node
            for _, node in updates:
                if tests[node] < place:
                    place, tested = tests[node], node
            if place >= own:
                self._settle(level, old, (constraints, updates, begins), found)
                continue
            for choice in range(len(children[tested])):
                left = self.functions.given(constraints, place, choice) if constraints else []
                if FALSE in left:
                    continue
                changed = [(target, children[n][choice] if tests[n] == place else n) for target, n in updates]
                following = (tuple(left), tuple(changed))
                if following not in seen:
                    seen.add(following)
                    pending.append(following)
        known = self._moves[state][value] = tuple(found)
        return known

    def _settle(
        self,
        level: int,
        old: tuple[int, ...],
        left: tuple[tuple[int, ...], tuple[Update, ...], int],
        found: dict[tuple[int, int], None],
    ) -> None:
        """Add the new values of a level's variables, each with the state below, once the inputs are chosen: ``left``
        are the constraints and the updates, and the number of what begins next."""
        tests, children = self.functions.place, self.functions.children
        constraints, updates, begins = left
        end = self.levels.order.zones[level]
        own = end - len(old)
        asked: dict[int, None] = {}
        below = self._begins[begins][0]
        for constraint in constraints:
            node = constraint
            while tests[node] < end:
                node = children[node][old[tests[node] - own]]
            if node == FALSE:
                return
            if node != TRUE:
                asked[node] = None
                below = min(below, self._level(node))
        options: list[Sequence[tuple[int, int]]] = [((value, TRUE),) for value in old]
        later: list[Update] = []
        for place, update in updates:
            node = update
            while tests[node] < end:
                node = children[node][old[tests[node] - own]]
            if place < end:
                options[place - own] = self._new_values(node)
            else:
                later.append((place, node))
                below = min(below, self._level(node), self.levels.level_of[place])
        for chosen in product(*options):
            self.budget.work()
            conditions = [condition for _, condition in chosen if condition != TRUE]
            every = tuple(sorted({*asked, *conditions})) if asked or conditions else ()
            reached = self._state(min([below, *map(self._level, conditions)]), every, tuple(later), begins)
            found[self.levels.number(level, tuple([value for value, _ in chosen])), reached] = None

    def _new_values(self, node: int) -> Sequence[tuple[int, int]]:
        """The values that an update may give, each with the condition on what lies below."""
        known = self._options.get(node)
        if known is None:
            if self.functions.place[node] == LEAF:
                known = [(value, TRUE) for value in sorted(self.functions.set_at(node))]
            else:
                values = {value for leaf in self.functions.values(node) for value in leaf}  # type: ignore[attr-defined]
                known = [(value, self.functions.among(node, value)) for value in sorted(values)]
            self._options[node] = known
        return known
