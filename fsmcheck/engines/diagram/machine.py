"""A system made ready for search by diagrams: the order, the values, and the relation of each step."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cached_property

from fsmcheck.engines.diagram.budget import Budget
from fsmcheck.engines.diagram.evaluate import Evaluation
from fsmcheck.engines.diagram.functions import Functions
from fsmcheck.engines.diagram.images import Relation, Relations
from fsmcheck.engines.diagram.levels import Levels
from fsmcheck.engines.diagram.mdd import Sets
from fsmcheck.engines.diagram.order import Arrangement, conjuncts, own_names
from fsmcheck.engines.packing import Packed, step_inputs
from fsmcheck.system import terms as t
from fsmcheck.system.system import Event, Step
from fsmcheck.system.terms import Term


class Machine:
    """Everything about a system that a search by diagrams works with; relations are built when first asked for.

    Making it, and whatever is asked of it, may raise ``BudgetError``.
    """

    def __init__(self, arrangement: Arrangement, budget: Budget, *, backwards: bool = False) -> None:
        self.arrangement = arrangement
        self.packing = arrangement.packing
        self.system = self.packing.system
        self.budget = budget
        self.order = arrangement.order(backwards=backwards)
        self.sets = Sets(len(self.order.levels), budget)
        self.functions = Functions(budget)
        self.levels = Levels(self.order)
        self.evaluation = Evaluation(self.functions, self.order.sites)
        self._all = Relations(self.sets, self.functions, self.levels, budget)
        self._relations: dict[int, Relation] = {}
        self._gates: dict[int, Relation] = {}
        self._guards: dict[int, list[int]] = {}
        self._changes: dict[int, dict[int, int]] = {}
        self._enabled: dict[tuple[int, int], int] = {}
        self._filters: dict[int, Relation] = {}
        self._taking: dict[tuple[int, int], tuple[Event, Relation]] = {}
        self._names: dict[int, frozenset[str]] = {}

    @cached_property
    def location_numbers(self) -> dict[object, int]:
        """Each location's number, as in ``System.locations``."""
        return {location: number for number, location in enumerate(self.system.locations)}

    @cached_property
    def ends(self) -> list[tuple[int, int]]:
        """For each step the numbers of the locations that it leads from and to."""
        numbers = self.location_numbers
        return [(numbers[step.source], numbers[step.target]) for step in self.system.steps]

    def forget(self) -> None:
        """Forget what operations on sets gave, for the memory that it takes; no set is lost."""
        self.sets.forget()
        self._all.forget()
        self.budget.forgotten()

    def initial(self) -> int:
        """The set of the one configuration before the run starts."""
        return self.sets.single(self.encoded(self.packing.initial()))

    @cached_property
    def _place_of(self) -> list[int]:
        """The place of each variable, in the order of the packing."""
        return [self.order.sites[name].place for name in self.packing.index]

    @cached_property
    def _at_level(self) -> list[list[int]]:
        """The variables of each level, by their places in the packing."""
        return [[self.packing.index[name] for name in level] for level in self.order.levels]

    def packed(self, values: Sequence[int]) -> Packed:
        """The packed values of a configuration that is given by one number a level."""
        by_place = self.levels.by_place(values)
        return tuple([by_place[place] for place in self._place_of])

    def encoded(self, packed: Packed) -> tuple[int, ...]:
        """One number a level for a configuration that is given by its packed values."""
        number = self.levels.number
        return tuple([number(level, tuple([packed[n] for n in own])) for level, own in enumerate(self._at_level)])

    def relation(self, number: int) -> Relation:
        """The relation of a step."""
        known = self._relations.get(number)
        if known is None:
            step = self.system.steps[number]
            known = self._relations[number] = self._related(step.name, self._guard(number), self._updates(number))
        return known

    def _related(self, name: str, constraints: list[int], updates: Mapping[int, int]) -> Relation:
        return self._all.relation(name, constraints, updates)

    def _guard(self, number: int) -> list[int]:
        known = self._guards.get(number)
        if known is None:
            parts = conjuncts(self.system.steps[number].guard)
            known = self._guards[number] = [self.evaluation.may(part) for part in parts]
        return known

    def _updates(self, number: int) -> dict[int, int]:
        known = self._changes.get(number)
        if known is None:
            sites, intervals, update = self.order.sites, self.packing.intervals, self.evaluation.update
            terms = self.system.steps[number].updates
            known = {sites[name].place: update(term, intervals.get(name)) for name, term in terms.items()}
            self._changes[number] = known
        return known

    def _filled(self, number: int) -> list[int]:
        """That every update has a value to give."""
        return [self.functions.map("filled", bool, node) for node in self._updates(number).values()]

    def taking(self, number: int, event: Event) -> Relation:
        """The relation, without updates, of taking a step while an event happens."""
        known = self._taking.get((number, id(event)))
        if known is None:
            step = self.system.steps[number]
            asked = [*self._guard(number), *self._filled(number), self.condition(event, step)]
            known = self._taking[number, id(event)] = (event, self._related(step.name, asked, {}))
        return known[1]

    def condition(self, event: Event, step: Step) -> int:
        """Where an event may happen."""
        copies = own_names(event, step)
        condition = event.condition
        if copies:
            sorts = t.variables([condition])
            renamed: dict[str, Term] = {name: t.var(copy, sorts[name]) for name, copy in copies.items()}
            condition = t.substitute(condition, renamed)
        return self.evaluation.may(condition)

    def happens(self, number: int, event: Event, reached: int) -> bool:
        """Whether a step can be taken from some configuration of a set while an event happens."""
        step = self.system.steps[number]
        condition = self.condition(event, step)
        if not event.inputs and self._shares_inputs(step, event):
            return self.taking(number, event).possible(reached)
        enabled = self.enabled(number, reached)
        known = self._filters.get(condition)
        if known is None:
            known = self._filters[condition] = self._related(step.name, [condition], {})
        return known.possible(enabled)

    def enabled(self, number: int, reached: int) -> int:
        """Those of a set from which a step can be taken."""
        known = self._enabled.get((number, reached))
        if known is None:
            step = self.system.steps[number]
            if number not in self._gates:
                self._gates[number] = self._related(step.name, [*self._guard(number), *self._filled(number)], {})
            known = self._enabled[number, reached] = self._gates[number].image(reached)
        return known

    def _shares_inputs(self, step: Step, event: Event) -> bool:
        names = self._names.get(id(event.condition))
        if names is None:
            names = self._names[id(event.condition)] = frozenset(t.variables([event.condition]))
        return any(choice.name in names for choice in step.inputs)

    def inputs_for(
        self, number: int, before: Sequence[int], after: Sequence[int] | None, event: Event | None = None
    ) -> tuple[int, ...] | None:
        """Values of a step's inputs (in the order of ``packing.step_inputs``) with which it leads from one
        configuration (one number a level) to another, or with which it can be taken while an event happens; None where
        there are none."""
        step = self.system.steps[number]
        sites = self.order.sites
        relation = self.relation(number) if event is None else self.taking(number, event)
        wanted = None if after is None else self.levels.by_place(after)
        chosen = next(relation.ways(self.levels.by_place(before), wanted), None)
        if chosen is None:
            return None
        return tuple(sites[choice.name].packed[chosen.get(sites[choice.name].place, 0)] for choice in step_inputs(step))
