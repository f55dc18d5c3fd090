"""From a spec to its transition system."""

from __future__ import annotations

from collections.abc import Container, Mapping

from fsmcheck.diagnostics import Subject
from fsmcheck.records import dataclass
from fsmcheck.spec.model import Operator, Spec, State, Transition
from fsmcheck.system import terms as t
from fsmcheck.system.actions import SymbolicRun, WriteRecord
from fsmcheck.system.choices import Choices
from fsmcheck.system.domains import domains
from fsmcheck.system.events import BLOCKED, StateEvents
from fsmcheck.system.expressions import Evaluator
from fsmcheck.system.freshness import Freshness
from fsmcheck.system.guards import guard_fields, guard_terms
from fsmcheck.system.layout import Layout
from fsmcheck.system.staging import anything_set, chosen_value, consistent, differs
from fsmcheck.system.symbolic import BoolSlot, IntSlot, Slot, Store, choose, is_set
from fsmcheck.system.system import Chooser, Event, Location, Phase, Staged, Step, StepKind, System
from fsmcheck.system.terms import FALSE, TRUE, Term


class _Translator:
    def __init__(self, spec: Spec, profile: str, layout: Layout | None = None) -> None:
        self.spec = spec
        self.profile = profile
        self.layout = layout or Layout(spec, domains(spec))
        self.steps: list[Step] = []
        self.subjects: set[tuple[str, Subject]] = set()

    def system(self) -> System:
        self._start()
        for state in self.spec.states:
            self._state(state)
        return System(
            self.spec.name.text if self.spec.name else "",
            self.profile,
            Location(self.spec.initial.text, Phase.START),
            self.layout.variables(),
            self.layout.initial(),
            tuple(self.steps),
            frozenset(self.subjects),
        )

    def _updates(self, store: Store, freshness: Freshness | None = None) -> dict[str, Term]:
        updates: dict[str, Term] = {}
        for name, slot in store.items():
            if slot is not self.layout.store[name]:
                updates |= self.layout.assignments(name, slot)
        if freshness is not None:
            updates |= freshness.changed()
        return updates

    def _step(  # noqa: PLR0913 - one parameter for each part of a step
        self,
        name: str,
        kind: StepKind,
        source: Location,
        target: Location,
        guard: Term,
        updates: Mapping[str, Term],
        choices: Choices,
        *,
        events: tuple[Event, ...] = (),
        transition: int | None = None,
        agent: str | None = None,
        staged: Mapping[str, Staged] | None = None,
    ) -> None:
        if guard is FALSE:
            return
        live = tuple(event for event in events if event.condition is not FALSE)
        terms = [guard, *updates.values(), *(event.condition for event in live)]
        inner = {choice.name for event in live for choice in event.inputs}
        inputs = tuple(choice for choice in choices.used_in(terms) if choice.name not in inner)
        given = staged or {}
        self.steps.append(Step(name, kind, source, target, guard, updates, inputs, live, transition, agent, given))

    def _start(self) -> None:
        state = self.spec.state_by_name[self.spec.initial.text]
        choices = Choices("start")
        given = {name: anything_set(self.layout, name, choices) for name in self.spec.input_names}
        store: dict[str, Slot] = {
            name: given[name] if name in given else self.layout.default(name) for name in self.layout.store
        }
        legal = t.and_(*(consistent(slot) for name, slot in store.items() if name in given))
        staged = {name: Staged(slot) for name, slot in given.items()}
        run = SymbolicRun(self.layout, store, choices, "start")
        freshness = Freshness(self.layout, dict.fromkeys(self.layout.bookkeeping, FALSE))
        freshness.enter(state, store)
        records = run.run(state.entry, Subject(state=state.name.text))
        losses = freshness.act(records)
        events = StateEvents(self.layout, state, self.subjects)
        source = Location(state.name.text, Phase.START)
        entered = Event("FSM203", Subject(state=state.name.text), TRUE)
        self.subjects.add((entered.rule, entered.subject))
        self._step(
            "start",
            StepKind.START,
            source,
            Location(state.name.text, Phase.RUNNING),
            t.and_(legal, t.not_(run.error)),
            self._updates(run.store, freshness),
            choices,
            events=(entered, *events.of_records(records, losses)),
            staged=staged,
        )
        self._step(
            "start!",
            StepKind.FAIL,
            source,
            Location(state.name.text, Phase.FAILED),
            t.and_(legal, run.error),
            self._updates(store),
            choices,
            events=tuple(events.failures(records)),
            staged=staged,
        )

    def _state(self, state: State) -> None:
        name = state.name.text
        running = Location(name, Phase.RUNNING)
        choices = Choices(name)
        if state.terminal:
            self._step("done " + name, StepKind.FINISH, running, Location(name, Phase.DONE), TRUE, {}, choices)
            return
        store = self.layout.store
        evaluator = Evaluator(store, self.layout.types, self.layout.domains, choices, (name, "pre"))
        met = t.and_(*(is_set(store[req.field.text]) for req in state.requires))
        guards = [guard_terms(transition, evaluator, name) for transition in state.transitions]
        tried: list[Term] = []
        gates: list[Term] = []
        enabled: list[Term] = []
        prior: Term = TRUE
        for transition, terms in zip(state.transitions, guards, strict=True):
            gate = met if self.profile == "gated" or not transition.guards else TRUE
            gates.append(gate)
            tried.append(t.and_(prior, gate))
            enabled.append(t.and_(gate, terms.all))
            prior = t.and_(prior, t.not_(enabled[-1]))
        events = StateEvents(self.layout, state, self.subjects)
        shared = (
            *events.guard_failures(tried, guards),
            *events.overlaps(met, guards),
            *events.open_transitions(gates, guards),
        )
        for transition, terms in zip(state.transitions, guards, strict=True):
            fires = t.and_(tried[transition.index], terms.all)
            alternatives = self._alternatives(state, transition, choices)
            self._fire(state, transition, fires, met, events, shared, alternatives, choices)
        self._rest(state, prior, met, events, shared, choices)
        self._stages(state)

    def _alternatives(
        self, state: State, transition: Transition, choices: Choices
    ) -> dict[str, tuple[Term, frozenset[str]]]:
        """For each required field that the guards name: when another set value would make them false.

        The second part names the inputs that stand for that other value (and what it leads to).
        """
        found: dict[str, tuple[Term, frozenset[str]]] = {}
        required = {req.field.text for req in state.requires}
        for name in sorted(required & guard_fields(transition)):
            inner = Choices(f"{state.name.text}/{transition.index}/{name}")
            other = anything_set(self.layout, name, inner)
            store = {**self.layout.store, name: other}
            snapshot = (state.name.text, transition.index, "instead", name)
            evaluator = Evaluator(store, self.layout.types, self.layout.domains, inner, snapshot)
            guards = guard_terms(transition, evaluator, state.name.text)
            condition = t.and_(consistent(other), differs(self.layout, name, other), t.not_(guards.all))
            choices.inputs.update(inner.inputs)
            found[name] = (condition, frozenset(inner.inputs))
        return found

    def _fire(  # noqa: PLR0913, PLR0917 - what the transitions of a state share
        self,
        state: State,
        transition: Transition,
        fires: Term,
        met: Term,
        events: StateEvents,
        shared: tuple[Event, ...],
        alternatives: dict[str, tuple[Term, frozenset[str]]],
        choices: Choices,
    ) -> None:
        source_name, target = state.name.text, self.spec.state_by_name[transition.target.text]
        here = Subject(state=source_name)
        edge = Subject(state=source_name, transition=transition.index)
        run = SymbolicRun(self.layout, self.layout.store, choices, (source_name, transition.index))
        freshness = Freshness(self.layout)
        for earlier in state.transitions[: transition.index + 1]:
            freshness.read(guard_fields(earlier))
        freshness.use_by_presence(state)
        found = list(shared)
        found += events.taken(transition, met, guard_fields(transition), alternatives, choices)
        assigned: set[str] = set()
        all_records: list[WriteRecord] = []
        for actions, place in ((state.exit, here), (transition.actions, edge)):
            records = run.run(actions, place)
            losses = freshness.act(records)
            assigned |= {record.field for record in records if record.operator is Operator.ASSIGN}
            found += events.of_records(records, losses)
            found += events.stale_evidence(records)
            all_records += records
        freshness.leave(state, frozenset(assigned), run.store)
        freshness.enter(target, run.store)
        records = run.run(target.entry, Subject(state=target.name.text))
        found += events.of_records(records, freshness.act(records))
        all_records += records
        found.append(events.note("FSM203", Subject(state=target.name.text), TRUE))
        name = f"{source_name}/{transition.index}"
        running = Location(source_name, Phase.RUNNING)
        self._step(
            name,
            StepKind.FIRE,
            running,
            Location(target.name.text, Phase.RUNNING),
            t.and_(fires, t.not_(run.error)),
            self._updates(run.store, freshness),
            choices,
            events=tuple(found),
            transition=transition.index,
        )
        failures = (events.note("FSM303", edge, TRUE, BLOCKED), *events.failures(all_records))
        self._step(
            name + "!",
            StepKind.FAIL,
            running,
            Location(source_name, Phase.FAILED),
            t.and_(fires, run.error),
            {},
            choices,
            events=(*shared, *failures),
            transition=transition.index,
        )

    def _rest(
        self, state: State, none: Term, met: Term, events: StateEvents, shared: tuple[Event, ...], choices: Choices
    ) -> None:
        name = state.name.text
        running = Location(name, Phase.RUNNING)
        freshness = Freshness(self.layout)
        freshness.read(self.spec.template_fields[name])
        self._step(
            "park " + name,
            StepKind.PARK,
            running,
            Location(name, Phase.WAITING),
            t.and_(none, t.not_(met)),
            freshness.changed(),
            choices,
            events=(*shared, *events.parked()),
        )
        stuck = events.note("FSM301", Subject(state=name), TRUE)
        self._step(
            "stick " + name,
            StepKind.STICK,
            running,
            Location(name, Phase.STUCK),
            t.and_(none, met),
            {},
            choices,
            events=(*shared, stuck),
        )

    def _stages(self, state: State) -> None:
        name = state.name.text
        waiting, running = Location(name, Phase.WAITING), Location(name, Phase.RUNNING)
        for agent in dict.fromkeys(req.agent.text for req in state.requires):
            allowed = {place.text for place in self.spec.agent_by_name[agent].can_transition}
            if name not in allowed:
                continue
            choices = Choices(f"{name}<{agent}")
            store: dict[str, Slot] = dict(self.layout.store)
            freshness = Freshness(self.layout)
            freshness.exchange()
            legal: list[Term] = []
            staged: dict[str, Staged] = {}
            for field in dict.fromkeys(req.field.text for req in state.requires if req.agent.text == agent):
                old = store[field]
                new = chosen_value(self.layout, field, old, choices)
                writes = is_set(new)
                if isinstance(new, BoolSlot | IntSlot):
                    writes = choices.boolean(("write", field), Chooser.AGENT)
                    staged[field] = Staged(new, str(writes.value))
                else:
                    staged[field] = Staged(new)
                legal.append(t.or_(t.not_(writes), consistent(new)))
                store[field] = choose(writes, new, old)
                freshness.staged(field, writes)
            self._step(
                f"{name}<{agent}",
                StepKind.STAGE,
                waiting,
                running,
                t.and_(*legal),
                self._updates(store, freshness),
                choices,
                agent=agent,
                staged=staged,
            )


def translate(spec: Spec, profile: str) -> System:
    """The transition system of a spec whose names all resolve and whose expressions all check.

    ``profile`` is ``gated`` or ``eager``. Caps of the policy are not part of it.
    """
    return _Translator(spec, profile).system()


@dataclass(frozen=True, slots=True)
class Part:
    """The steps from some states, and what their events may be about."""

    steps: tuple[Step, ...]
    subjects: frozenset[tuple[str, Subject]]


def translate_part(spec: Spec, profile: str, states: Container[str], layout: Layout) -> Part:
    """What ``translate`` makes of some states, as steps over the variables of a layout, which is that of the spec."""
    translator = _Translator(spec, profile, layout)
    for state in spec.states:
        if state.name.text in states:
            translator._state(state)
    return Part(tuple(translator.steps), frozenset(translator.subjects))
