"""Steps of a system on many configurations at once.

A step falls into parts that have no inputs in common: what they write does not depend on each other's choices. So an
agent that answers ten questions at once makes ten small choices one after the other, and what they lead to is made a
set in between.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import cached_property, partial
from math import prod

import numpy as np

from fsmcheck.engines.diagram.order import conjuncts
from fsmcheck.engines.frontier.arrays import Array, among_any, as_set, union
from fsmcheck.engines.frontier.budget import Budget
from fsmcheck.engines.frontier.codes import Codes, narrow
from fsmcheck.engines.frontier.evaluate import Between, Evaluation, Several, Values
from fsmcheck.engines.frontier.parts import Atom, merged, parted, split_guard
from fsmcheck.engines.frontier.pointwise import Tables
from fsmcheck.engines.packing import Packing, step_inputs
from fsmcheck.records import dataclass
from fsmcheck.system import terms as t
from fsmcheck.system.system import Event, Input, Step
from fsmcheck.system.terms import INT

BLOCK = 1 << 18
"""Rows times ways that are worked on at once."""

OF_AN_OUTCOME = 48
"""Bytes that one outcome takes while those of many values are told apart."""


@dataclass
class Setting:
    """What all steps of a search have in common."""

    packing: Packing
    codes: Codes
    budget: Budget

    @cached_property
    def tables(self) -> Tables:
        """The tables of terms with integers."""
        return Tables(self.packing, self.budget)

    def plain(self, rows: Array) -> Evaluation:
        """The terms in some rows that no inputs take part in."""
        return Evaluation(self.codes, self.tables, rows, {}, {})


class Part:
    """Conditions and updates of a step that depend on the same inputs."""

    def __init__(self, setting: Setting, name: str, inputs: Sequence[Input], atom: Atom) -> None:
        self.setting = setting
        self.inputs = tuple(inputs)
        self.conditions = atom.conditions
        self.updates = atom.updates
        self._by_name = {choice.name: choice for choice in self.inputs}
        self._domains = [setting.packing.input_domain(choice) for choice in self.inputs]
        self.ways = prod(map(len, self._domains))
        setting.budget.check_ways(name, self.ways)

    @property
    def may_fail(self) -> bool:
        """Whether it may leave no way to take the step: by a condition, or by an integer below the least one."""
        return bool(self.conditions) or any(term.sort is INT for term in self.updates.values()) or not self.ways

    @cached_property
    def _columns(self) -> dict[str, Array]:
        found: dict[str, Array] = {}
        after, before = self.ways, 1
        for choice, domain in zip(self.inputs, self._domains, strict=True):
            after //= max(1, len(domain))
            values = np.array(domain, narrow(max(domain, default=0)))
            found[choice.name] = np.tile(np.repeat(values, after), before)[None, :]
            before *= len(domain)
        return found

    def chosen(self, way: int) -> dict[str, int]:
        """The packed values of the inputs in one of the ways."""
        return {name: int(column[0, way]) for name, column in self._columns.items()}

    def blocks(self, rows: Array) -> Iterator[tuple[int, Evaluation]]:
        """The terms in some rows with every way to choose, so many rows at a time, each block with where it begins."""
        length = max(1, BLOCK // max(1, self.ways))
        for start in range(0, len(rows) if self.ways else 0, length):
            self.setting.budget.check_time()
            yield start, self.evaluation(rows[start : start + length])

    def evaluation(self, rows: Array) -> Evaluation:
        """The terms in some rows with every way to choose."""
        setting = self.setting
        return Evaluation(setting.codes, setting.tables, rows, self._by_name, self._columns)

    def image(self, rows: Array) -> Array:
        """What some configurations become, as a set."""
        found = [as_set(self.outcomes(known)[1]) for _, known in self.blocks(rows)]
        return union(found) if found else rows[:0]

    def outcomes(
        self, known: Evaluation, allowed: Array | None = None, *, numbered: bool = False
    ) -> tuple[Array, Array]:
        """What rows become, for each row and way in which it can be taken (and is ``allowed``): the outcome, and before
        it the number of the row, if these are to be ``numbered``."""
        codes, kind = self.setting.codes, self.setting.codes.kind
        shape = (len(known.rows), self.ways)
        allowed = self._allowed(known, allowed)
        outcome = known.rows[:, None]
        open_: dict[str, Several | Between] = {}
        for name, term in self.updates.items():
            value = known.update(name, term)
            if isinstance(value, Several | Between):
                open_[name] = value
            else:
                change = value.astype(kind) - known.column(name).astype(kind)
                outcome = outcome + change * kind(codes.stride[name])
        allowed = np.broadcast_to(np.ones((1, 1), bool) if allowed is None else allowed, shape)
        outcome = np.broadcast_to(outcome, shape)[allowed]
        if not open_ and not numbered:
            return None, outcome
        rows, ways = np.nonzero(allowed)
        for name, value in open_.items():
            which, values = _spread(value, rows, ways, codes.radix[name], self.setting.budget)
            rows, ways = rows[which], ways[which]
            change = values.astype(kind) - _at(known.column(name), rows, ways).astype(kind)
            outcome = outcome[which] + change * kind(codes.stride[name])
        return rows, outcome

    def _allowed(self, known: Evaluation, allowed: Array | None) -> Array | None:
        for condition in self.conditions:
            may = known.may(condition)
            allowed = may if allowed is None else allowed & may
        return allowed

    def possible(self, known: Evaluation, target: int | None = None) -> Array:
        """In which rows, by which ways, it can be taken (and leads to what it writes in some configuration)."""
        allowed = np.ones((1, 1), bool)
        for condition in self.conditions:
            allowed = allowed & known.may(condition)
        for name, term in self.updates.items():
            if target is not None:
                allowed = allowed & _holds(known.update(name, term), self.setting.codes.digit(target, name))
            elif term.sort is INT:
                value = known.update(name, term)
                if isinstance(value, Between):
                    allowed = allowed & (value.first <= value.last)
        return np.broadcast_to(allowed, (len(known.rows), self.ways))


def _at(array: Array, rows: Array, ways: Array) -> Array:
    """The entries of an array that may have one row or one column for all."""
    none = np.zeros_like(rows)
    return array[rows if array.shape[0] > 1 else none, ways if array.shape[1] > 1 else none]


def _spread(value: Several | Between, rows: Array, ways: Array, radix: int, budget: Budget) -> tuple[Array, Array]:
    """Each value in each set: the number of the set, and the value. Raises ``BudgetError`` where these are too many."""
    if isinstance(value, Between):
        first, last = _at(value.first, rows, ways), _at(value.last, rows, ways)
        counts = np.maximum(last - first + 1, 0)
        budget.check_bytes(int(counts.sum(dtype=np.int64)) * OF_AN_OUTCOME)
        which = np.repeat(np.arange(len(rows)), counts)
        within = np.arange(len(which)) - np.repeat(np.cumsum(counts) - counts, counts)
        return which, first[which] + within
    bits = _at(value.bits, rows, ways)
    budget.check_bytes(len(bits) * radix * OF_AN_OUTCOME)
    which, values = np.nonzero((bits[:, None] >> np.arange(radix, dtype=np.uint64)) & np.uint64(1))
    return which, values


def _holds(value: Values, wanted: int) -> Array:
    """Where a value is among those that may be."""
    if isinstance(value, Several):
        return (value.bits >> np.uint64(wanted)) & np.uint64(1) != 0
    if isinstance(value, Between):
        return (value.first <= wanted) & (wanted <= value.last)
    return value == wanted


def _marked(count: int, outcomes: tuple[Array, Array], holds: Callable[[Array], Array]) -> Array:
    """Which of so many rows have an outcome for which something holds."""
    rows, codes = outcomes
    marked = np.zeros(count, bool)
    marked[rows[holds(codes)]] = True
    return marked


class ArrayStep:
    """A step. Making it, and whatever is asked of it, may raise ``BudgetError``."""

    def __init__(self, setting: Setting, step: Step) -> None:
        self.setting = setting
        self.step = step
        self.inputs = step_inputs(step)
        names = [choice.name for choice in self.inputs]
        self.conditions, rest = split_guard(step, names)
        self._atoms = parted(step, rest, names)
        self.parts = [self._part(atom) for atom in self._atoms]
        self._asked: dict[int, frozenset[str]] = {}
        self._joint: dict[int, list[Part]] = {}
        self._apart: dict[int, Part] = {}

    def _part(self, atom: Atom) -> Part:
        inputs = [choice for choice in self.inputs if choice.name in atom.inputs]
        return Part(self.setting, self.step.name, inputs, atom)

    @cached_property
    def _whole(self) -> Part:
        """All parts as one."""
        return self._part(merged(self._atoms))

    def allowed(self, known: Evaluation) -> Array:
        """Where the conditions without inputs may hold."""
        allowed = np.ones((len(known.rows), 1), bool)
        for condition in self.conditions:
            allowed = allowed & known.may(condition)
        return allowed

    def image(self, known: Evaluation) -> Array:
        """What the step leads to from some rows, as a set."""
        allowed = self.allowed(known)
        if not allowed.any():
            return known.rows[:0]
        if not self.parts:
            return known.rows[allowed[:, 0]]
        if len(self.parts) == 1 and not self.parts[0].inputs:
            return as_set(self.parts[0].outcomes(known, allowed)[1])
        rows = known.rows[allowed[:, 0]]
        for part in self.parts:
            rows = part.image(rows)
        return rows

    def enabled(self, known: Evaluation) -> Array:
        """From which rows the step can be taken."""
        return self._satisfied(known, self.allowed(known)[:, 0], [part for part in self.parts if part.may_fail])

    @staticmethod
    def _satisfied(known: Evaluation, enabled: Array, parts: Sequence[Part], target: int | None = None) -> Array:
        enabled = enabled.copy()
        for part in parts:
            places = np.flatnonzero(enabled)
            enabled[:] = False
            for start, some in part.blocks(known.rows[places]):
                here = places[start : start + len(some.rows)]
                enabled[here] = part.possible(some, target).any(axis=1)
        return enabled

    def leading_to(self, known: Evaluation, wanted: Array, holds: Callable[[Array], Array]) -> Array:
        """From which of the rows that are ``wanted`` the step leads to some configuration for which something holds:
        of many configurations, in any order, ``holds`` says for which."""
        allowed = self.allowed(known) & wanted[:, None]
        if not self.inputs:
            return _marked(len(known.rows), self._whole.outcomes(known, allowed, numbered=True), holds)
        places = np.flatnonzero(allowed[:, 0])
        before = [known.rows[places]]
        for part in self.parts[:-1]:
            before.append(part.image(before[-1]))
        for part, rows in zip(reversed(self.parts), reversed(before), strict=True):
            marked = np.zeros(len(rows), bool)
            for start, some in part.blocks(rows):
                marked[start : start + len(some.rows)] = _marked(
                    len(some.rows), part.outcomes(some, numbered=True), holds
                )
            holds = partial(among_any, members=rows[marked])
        found = np.zeros(len(known.rows), bool)
        found[places[holds(known.rows[places])]] = True
        return found

    def leading(self, rows: Array, target: int) -> Array:
        """Those rows from which the step leads to one configuration."""
        codes, kind = self.setting.codes, self.setting.codes.kind
        known = self.setting.plain(rows)
        kept = rows
        rest = target
        for name in self.step.updates:
            kept = kept - known.column(name)[:, 0].astype(kind) * kind(codes.stride[name])
            rest -= codes.digit(target, name) * codes.stride[name]
        rows = rows[kept == kind(rest)]
        if not len(rows):
            return rows
        known = self.setting.plain(rows)
        return rows[self._satisfied(known, self.allowed(known)[:, 0], self.parts, target)]

    def inputs_for(self, row: int, target: int | None, event: Event | None = None) -> tuple[int, ...] | None:
        """Packed values of the inputs with which the step leads from one configuration to another, or with which it can
        be taken while an event happens; None where there are none."""
        rows = self.setting.codes.single(row)
        if not self.allowed(self.setting.plain(rows)).all():
            return None
        parts = self.parts if event is None else self._with(event)
        chosen: dict[str, int] = {choice.name: self.setting.packing.input_domain(choice)[0] for choice in self.inputs}
        for part in parts:
            possible = part.possible(part.evaluation(rows), target)[0] if part.ways else np.zeros(1, bool)
            if not possible.any():
                return None
            chosen |= part.chosen(int(possible.argmax()))
        return tuple(chosen[choice.name] for choice in self.inputs)

    def _with(self, event: Event) -> list[Part]:
        """The parts of the step with an event that depends on its inputs."""
        asked = self._inputs_of(event)
        if event.inputs or not asked:
            return self.parts
        condition = Atom((event.condition,), {}, asked, frozenset())
        touched = [atom for atom in self._atoms if not atom.inputs.isdisjoint(asked)]
        rest = [atom for atom in self._atoms if atom.inputs.isdisjoint(asked)]
        return [self._part(merged([*touched, condition])), *map(self._part, rest)]

    def _inputs_of(self, event: Event) -> frozenset[str]:
        """The inputs of the step that an event depends on."""
        known = self._asked.get(id(event))
        if known is None:
            names = frozenset(choice.name for choice in self.inputs)
            known = self._asked[id(event)] = names.intersection(t.variables([event.condition]))
        return known

    def happening(self, event: Event, known: Evaluation, enabled: Array) -> Array:
        """From which rows, of those from which it is ``enabled``, the step can be taken while an event happens.

        Inputs of the event's own may have any value, and with them those of the step that it names.
        """
        if event.inputs:
            return self._satisfied(known, enabled, [self._with_own_inputs(event)])
        if self._inputs_of(event):
            return self._satisfied(known, enabled, self._with_shared_inputs(event))
        return enabled & np.broadcast_to(known.may(event.condition), (len(enabled), 1))[:, 0]

    def _with_shared_inputs(self, event: Event) -> list[Part]:
        known = self._joint.get(id(event))
        if known is None:
            known = self._joint[id(event)] = [part for part in self._with(event) if part.may_fail]
        return known

    def _with_own_inputs(self, event: Event) -> Part:
        known = self._apart.get(id(event))
        if known is None:
            own = {choice.name for choice in event.inputs}
            used = t.variables([event.condition])
            outer = [choice for choice in self.step.inputs if choice.name in used and choice.name not in own]
            inputs = [*(choice for choice in event.inputs if choice.name in used), *outer]
            atom = Atom(tuple(conjuncts(event.condition)), {}, frozenset(used), frozenset())
            known = self._apart[id(event)] = Part(self.setting, self.step.name, inputs, atom)
        return known
