"""A spec under a profile, with the searches made for it so far."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import field, replace
from functools import cached_property
from typing import TYPE_CHECKING, Any

from fsmcheck.diagnostics import Subject
from fsmcheck.engines.explicit import Graph, Hit, Key, Limits, explore, glance
from fsmcheck.engines.graph import TransitionGraph
from fsmcheck.engines.moves import Move, graph_moves
from fsmcheck.engines.packing import Packing
from fsmcheck.engines.survey import Survey
from fsmcheck.engines.turns import Product
from fsmcheck.obligations.concretise import RANDOM, READABLE, Pool, Style, literals, scripts
from fsmcheck.obligations.confirm import Run, Shown, Stage, witness_finder
from fsmcheck.obligations.obligation import Obligation, Verdict
from fsmcheck.obligations.plan import plan
from fsmcheck.records import dataclass
from fsmcheck.reducer.configuration import Profile
from fsmcheck.spec.model import Spec
from fsmcheck.system.domains import domains
from fsmcheck.system.layout import Layout
from fsmcheck.system.slice import Cones, restrict, slice_system
from fsmcheck.system.system import Location, Phase, StepKind, System
from fsmcheck.system.terms import Term, printed
from fsmcheck.system.translate import translate

if TYPE_CHECKING:
    from fsmcheck.engines.induction import Induction
    from fsmcheck.obligations.diagrams import Diagrams, Searched
    from fsmcheck.obligations.layers import Layered, Layers
    from fsmcheck.obligations.loops import Turning
    from fsmcheck.obligations.standstill import Standstill

Path = list[tuple[int, int, tuple[int, ...]]]
Finder = Callable[[Run], tuple[int, Mapping[str, Any]] | None]

STYLES = (*READABLE, *RANDOM)
PATIENCE = 6_000
"""Steps and microsteps of runs performed for one question before it is left open."""

SHARE = 3
"""Processor time that may lead nowhere in one spec, in multiples of what one obligation may take."""

LEAST = 0.1
"""Seconds that every question gets all the same."""

KEPT = 200_000
"""Configurations of searches that are remembered, for the memory that they take."""

PRODUCTS_KEPT = 8
"""Products of the base search with a loop that are remembered."""

ORDINARY = 500
"""Locations of a large spec that still gets no more than the usual limits: some 250 states."""

WHOLE = 40_000
"""Configurations after which the search of the unsliced system is given up for slices."""

WIDE = 1_000
"""Ways to make one exchange from which on the configurations are counted by diagrams before they are searched."""

WHOLE_SUCCESSORS, BASE_SUCCESSORS = 500_000, 10_000_000
"""Ways to make any exchange in any configuration from which on a search one by one takes too long: of the unsliced
system, about which diagrams answer as much, and of the machine alone."""

TOO_MANY = "more than {} configurations, or too many ways between them"
"""Why such a search is not begun."""


def nothing_known(_obligation: Obligation) -> None:
    """No proof is known of anything."""


@dataclass
class Case:
    """A spec under a profile, with the searches and the proofs by induction made for it so far.

    ``wasted`` are seconds of processor time that led nowhere (so that it does not matter who else is at work),
    ``sliced`` those of them that searches of slices took, by what these keep.
    ``ended_at_a_standstill`` are the questions that took a search which knows where the machine makes no progress.
    ``entire`` is the system of the whole spec, with all that any rule asks, where ``system`` may be a part of it.
    ``recall`` gives a proof that is known from an earlier check, for what a complete search does not settle. ``memory``
    are the bytes that the process may take (None: nobody looks).
    """

    spec: Spec
    profile: Profile
    limits: Limits
    system: System
    layout: Layout
    stage: Stage
    entire: System
    recall: Callable[[Obligation], Verdict | None] = nothing_known
    memory: int | None = None
    wasted: float = 0.0
    sliced: dict[frozenset[str], float] = field(default_factory=dict)
    proofs: list[Induction] = field(default_factory=list)
    shown_to_end: list[bool] | None = None
    ended_at_a_standstill: set[Obligation] = field(default_factory=set)
    _survey: Survey | None = None
    excluded: dict[Key, bool] = field(default_factory=dict)
    _floors: dict[tuple[str, int], bool] = field(default_factory=dict)
    _entered: dict[str, bool] = field(default_factory=dict)
    turnings: dict[tuple[str, ...], Turning] = field(default_factory=dict)
    _products: dict[tuple[tuple[str, ...], bool], Product] = field(default_factory=dict)
    _graphs: dict[frozenset[str] | str, Graph] = field(default_factory=dict)

    @property
    def is_entire(self) -> bool:
        """Whether the system is that of the whole spec, with all that any rule asks."""
        return self.system is self.entire

    @cached_property
    def whole(self) -> Graph:
        """The search of the unsliced system, with every event."""
        searched = self.diagrams.whole() if self.is_wide else None
        if searched is not None and self._too_many(searched.counts, WHOLE, WHOLE_SUCCESSORS):
            return glance(searched.packing, TOO_MANY.format(WHOLE))
        limits = Limits(WHOLE * self.scale, self.scale * self.seconds_left)
        return self._graph("whole", lambda: self.system, limits)

    @cached_property
    def base(self) -> Graph:
        """The search of the machine alone, without bookkeeping."""
        most = self.limits.configurations
        if not self.whole.complete and self._is_too_large(most):
            machine = restrict(self.system, self.cones.machine, lambda _event: False)
            return glance(Packing(machine), TOO_MANY.format(most))
        return self._graph("base", lambda: slice_system(self.system, lambda _event: False))

    @cached_property
    def is_wide(self) -> bool:
        """Whether an exchange can be made in so many ways that diagrams are asked first."""
        return any(step.kind is StepKind.STAGE and step.ways > WIDE for step in self.system.steps)

    def _is_too_large(self, most: int) -> bool:
        """Whether a search of the machine alone would be cut off, by what other searches know."""
        if self.layers.are_searched:
            searched = self.layers.whole()
            return searched is not None and searched.count_of(self.cones.machine) > most
        return self._too_many(self.diagrams.counts_of_machine(), most, BASE_SUCCESSORS)

    def _too_many(self, counts: Mapping[Location, int], most: int, most_successors: int) -> bool:
        """Whether a search one by one would be cut off, by the number of configurations or of their successors."""
        successors = sum(
            counts.get(step.source, 0) * step.ways for step in self.system.steps if step.kind is StepKind.STAGE
        )
        return sum(counts.values()) > most or successors > most_successors

    @cached_property
    def diagrams(self) -> Diagrams:
        """The searches by decision diagrams."""
        from fsmcheck.obligations.diagrams import Diagrams

        return Diagrams(self)

    @cached_property
    def layers(self) -> Layers:
        """The searches of layers."""
        from fsmcheck.obligations.layers import Layers

        return Layers(self)

    @cached_property
    def standstill(self) -> Standstill:
        """The searches that know where the machine makes no progress."""
        from fsmcheck.obligations.standstill import Standstill

        return Standstill(self)

    @property
    def survey(self) -> Survey:
        """What there is to know of the base search."""
        if self._survey is None or self._survey.graph is not self.base:
            self._survey = Survey(self.base)
        return self._survey

    def floor(self, measure: Term, step: int) -> bool:
        """Whether Spacer shows that an integer term over the store is never negative when a step of the machine is
        taken."""
        from fsmcheck.obligations.settle import never_below_zero

        key = (printed(measure), step)
        if key not in self._floors:
            self._floors[key] = never_below_zero(self.base.system, measure, step)
        return self._floors[key]

    def may_enter(self, state: str) -> bool:
        """Whether a run may come to be in a state (where the search was cut off, it may)."""
        searched: Searched | Layered | None = None
        if not self.whole.complete and not self.layers.are_searched:
            searched = self.diagrams.base()
        if not self.whole.complete and searched is None:
            searched = self.layers.base()
        if searched is not None:
            return Location(state, Phase.RUNNING) in searched.counts
        return not self.base.complete or Location(state, Phase.RUNNING) in self.base.reached

    @cached_property
    def witnessed(self) -> frozenset[tuple[str, Subject]]:
        """What runs performed for it show to be possible, where the whole search is complete."""
        from fsmcheck.obligations.witnesses import witnessed

        return witnessed(self, self.whole) if self.whole.complete else frozenset()

    def shown_entered(self, state: str) -> bool:
        """Whether a confirmed run enters a state (the initial one: whether its ``entry`` succeeds)."""
        if ("FSM203", Subject(state=state)) in self.witnessed:
            return True
        if state not in self._entered:
            subject = Subject(state=state)
            graph = self.graph_for("FSM203", subject)
            hits = graph.hits.get(("FSM203", subject, ""), [])
            find = witness_finder(self.spec, "FSM203", subject)
            self._entered[state] = self.show_hit(graph, hits, find) is not None
        return self._entered[state]

    def graph_for(self, rule: str, subject: Subject) -> Graph:
        """A search that shows the events of an obligation: the whole one, or a slice where that is too large."""
        return self.whole if self.whole.complete else self.slice_for(rule, subject)

    def slice_for(self, rule: str, subject: Subject) -> Graph:
        """A search of the slice that an obligation depends on, with the events of all that depend on the same; what
        it takes counts against the spec's share."""
        began, before = time.process_time(), self.wasted
        keep = self.cones.by_subject.get((rule, subject), self.cones.machine)
        graph = self._graph(keep, lambda: self._restricted(keep))
        took = time.process_time() - began
        self.wasted = before + took
        self.sliced[keep] = self.sliced.get(keep, 0.0) + took
        return graph

    @cached_property
    def cones(self) -> Cones:
        """What the questions about the system depend on."""
        return Cones(self.system)

    def _restricted(self, keep: frozenset[str]) -> System:
        return restrict(self.system, keep, lambda event: self.cones.by_subject[event.rule, event.subject] == keep)

    def _graph(self, key: frozenset[str] | str, system: Callable[[], System], limits: Limits | None = None) -> Graph:
        known = self._graphs.pop(key, None)
        if known is None:
            began = time.process_time()
            known = explore(system(), limits or replace(self.limits, seconds=self.seconds_left))
            if not known.complete:
                self.wasted += time.process_time() - began
            while self._graphs and sum(len(graph.values) for graph in self._graphs.values()) > KEPT:
                self._graphs.pop(next(iter(self._graphs)))
        self._graphs[key] = known
        return known

    @cached_property
    def scale(self) -> int:
        """How many times as large as an ordinary spec this one is; the limits of a spec as a whole grow with it."""
        return max(1, len(self.system.locations) // ORDINARY)

    @property
    def share(self) -> float:
        """Seconds that may lead nowhere in the spec as a whole."""
        return SHARE * self.scale * self.limits.seconds

    @property
    def exhausted(self) -> bool:
        """Whether the spec has used up its share of time that led nowhere."""
        return self.wasted > self.share

    @property
    def seconds_left(self) -> float:
        """Wall time for one more question: what one obligation may take, or what is left of the spec's share of time
        that led nowhere."""
        return max(LEAST, min(self.limits.seconds, self.share - self.wasted))

    @cached_property
    def literals(self) -> Pool:
        """The literals of the spec, for the values of runs."""
        return literals(self.spec)

    @cached_property
    def transitions(self) -> TransitionGraph:
        """The graph of the spec's transitions."""
        return TransitionGraph(self.spec)

    def product(self, cycle: tuple[str, ...]) -> Product:
        """The base search with the place in a cycle."""
        return self._product(cycle, None)

    def rounds(self, cycle: tuple[str, ...]) -> Product:
        """The part of it in which the cycle is gone round without leaving it."""
        return self._product(cycle, tuple(self.survey.entered.get(cycle[0], ())))

    def _product(self, cycle: tuple[str, ...], starts: tuple[int, ...] | None) -> Product:
        key = (cycle, starts is None)
        known = self._products.get(key)
        if known is None:
            if len(self._products) >= PRODUCTS_KEPT:
                self._products.pop(next(iter(self._products)))
            known = self._products[key] = Product(self.base, cycle, starts)
        return known

    def show(self, graph: Graph, path: Path, find: Finder, styles: Sequence[Style] = STYLES) -> Shown | None:
        """The first concrete run along an abstract path that shows something."""
        return self.show_moves(graph.system, graph_moves(graph, path), find, styles)

    def show_moves(
        self, system: System, moves: Sequence[Move], find: Finder, styles: Sequence[Style] = STYLES
    ) -> Shown | None:
        """The first concrete run along some moves that shows something."""
        self.stage.ask()
        patience = self.stage.spent + PATIENCE
        for script in scripts(self.layout, system, moves, styles, self.literals):
            if self.stage.spent > patience:
                return None
            shown = self.stage.show(script, find)
            if shown is not None:
                return shown
        return None

    def show_hit(self, graph: Graph, hits: Iterable[Hit], find: Finder) -> Shown | None:
        patience = self.stage.spent + PATIENCE
        for hit in hits:
            if self.stage.spent > patience:
                return None
            path = [*graph.path(hit.source), (hit.source, hit.step, hit.inputs)]
            shown = self.show(graph, path, find)
            if shown is not None:
                return shown
        return None


def make_case(spec: Spec, profile: Profile, limits: Limits, system: System | None = None) -> Case:
    """Translate a spec, unless its ``system`` is there already; nothing is searched yet."""
    system = translate(spec, profile) if system is None else system
    return Case(spec, profile, limits, system, Layout(spec, domains(spec)), Stage(spec, profile), system)


def obligations_of(case: Case) -> tuple[Obligation, ...]:
    return plan(case.spec, case.system, case.profile)
