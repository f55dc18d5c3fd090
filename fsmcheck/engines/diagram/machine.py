"""A system made ready for search by diagrams: the order, the values, and the relation of each step."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cached_property

from fsmcheck.engines.diagram.budget import Budget
from fsmcheck.engines.diagram.evaluate import Evaluation
from fsmcheck.engines.diagram.functions import Functions
from fsmcheck.engines.diagram.images import Relation
from fsmcheck.engines.diagram.levels import Levels
from fsmcheck.engines.diagram.mdd import Sets
from fsmcheck.engines.diagram.order import conjuncts, own_names, static_order
from fsmcheck.engines.packing import Packing, step_inputs
from fsmcheck.system import terms as t
from fsmcheck.system.system import Event, Step, System
from fsmcheck.system.terms import Term


class Machine:
    """Everything about a system that a search by diagrams works with; relations are built when first asked for.

    Making it, and whatever is asked of it, may raise ``BudgetError``.
    """

    def __init__(self, system: System, budget: Budget, *, backwards: bool = False) -> None:
        self.system = system
        self.budget = budget
        self.packing = Packing(system)
        self.order = static_order(self.packing, budget.check_time, backwards=backwards)
        self.sets = Sets(len(self.order.levels), budget)
        self.functions = Functions(budget)
        self.levels = Levels(self.order)
        self.evaluation = Evaluation(self.functions, self.order.sites)
        self._relations: dict[int, Relation] = {}
        self._guards: dict[int, Relation] = {}
        self._enabled: dict[tuple[int, int], int] = {}
        self._filters: dict[int, Relation] = {}
        self._names: dict[int, frozenset[str]] = {}

    @cached_property
    def location_numbers(self) -> dict[object, int]:
        """Each location's number, as in ``System.locations``."""
        return {location: number for number, location in enumerate(self.system.locations)}

    def forget(self) -> None:
        """Forget what operations on sets gave, for the memory that it takes; no set is lost."""
        self.sets.forget()
        for relations in (self._relations, self._guards, self._filters):
            for relation in relations.values():
                relation.forget()
        self.budget.forgotten()

    def initial(self) -> int:
        """The set of the one configuration before the run starts."""
        packed = dict(zip(self.packing.index, self.packing.initial(), strict=True))
        return self.sets.single(self.levels.encode(packed))

    def relation(self, number: int) -> Relation:
        """The relation of a step."""
        known = self._relations.get(number)
        if known is None:
            step = self.system.steps[number]
            known = self._relations[number] = self._related(step.name, self._guard(step), self._updates(step))
        return known

    def _related(self, name: str, constraints: list[int], updates: Mapping[int, int]) -> Relation:
        return Relation(name, (self.sets, self.functions, self.levels, self.budget), constraints, updates)

    def _guard(self, step: Step) -> list[int]:
        return [self.evaluation.may(conjunct)[0] for conjunct in conjuncts(step.guard)]

    def _updates(self, step: Step) -> dict[int, int]:
        return {
            self.order.sites[name].place: self.evaluation.update(term, self.packing.intervals.get(name))
            for name, term in step.updates.items()
        }

    def _filled(self, step: Step) -> list[int]:
        """That every update has a value to give."""
        return [self.functions.map("filled", bool, node) for node in self._updates(step).values()]

    def taking(self, number: int, event: Event) -> Relation:
        """The relation, without updates, of taking a step while an event happens."""
        step = self.system.steps[number]
        asked = [*self._guard(step), *self._filled(step), self.condition(event, step)]
        return self._related(step.name, asked, {})

    def condition(self, event: Event, step: Step) -> int:
        """Where an event may happen."""
        copies = own_names(event, step)
        condition = event.condition
        if copies:
            sorts = t.variables([condition])
            renamed: dict[str, Term] = {name: t.var(copy, sorts[name]) for name, copy in copies.items()}
            condition = t.substitute(condition, renamed)
        return self.evaluation.may(condition)[0]

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
            if number not in self._guards:
                self._guards[number] = self._related(step.name, [*self._guard(step), *self._filled(step)], {})
            known = self._enabled[number, reached] = self._guards[number].image(reached)
        return known

    def _shares_inputs(self, step: Step, event: Event) -> bool:
        names = self._names.get(id(event.condition))
        if names is None:
            names = self._names[id(event.condition)] = frozenset(t.variables([event.condition]))
        return any(choice.name in names for choice in step.inputs)

    def inputs_for(
        self, number: int, before: Mapping[str, int], after: Mapping[str, int] | None, event: Event | None = None
    ) -> tuple[int, ...] | None:
        """Values of a step's inputs (in the order of ``packing.step_inputs``) with which it leads from one
        configuration to another, or with which it can be taken while an event happens; None where there are none."""
        step = self.system.steps[number]
        sites = self.order.sites
        relation = self.relation(number) if event is None else self.taking(number, event)
        given = {sites[name].place: value for name, value in before.items()}
        wanted = None if after is None else {sites[name].place: value for name, value in after.items()}
        chosen = next(relation.ways(given, wanted), None)
        if chosen is None:
            return None
        return tuple(sites[choice.name].packed[chosen.get(sites[choice.name].place, 0)] for choice in step_inputs(step))
