"""From a spec to its transition system."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from fsmcheck.cel.ast import mentioned_fields
from fsmcheck.diagnostics import Subject
from fsmcheck.spec.model import Operator, Spec, State, Transition
from fsmcheck.system import terms as t
from fsmcheck.system.actions import SymbolicRun, WriteRecord
from fsmcheck.system.choices import STAGED_LIMIT, Choices
from fsmcheck.system.domains import domains
from fsmcheck.system.events import BLOCKED, StateEvents
from fsmcheck.system.expressions import Evaluator
from fsmcheck.system.freshness import Freshness
from fsmcheck.system.layout import Layout
from fsmcheck.system.symbolic import BoolSlot, InClass, IntSlot, NumberSlot, SizedSlot, Slot, Store, choose, is_set
from fsmcheck.system.system import Chooser, Event, Location, Phase, Staged, Step, StepKind, System
from fsmcheck.system.terms import FALSE, TRUE, Term


@dataclass(frozen=True, slots=True)
class GuardTerms:
    """The guards of one transition in one store: when each is true, when each fails to be a boolean."""

    true: tuple[Term, ...]
    fails: tuple[Term, ...]

    @property
    def all(self) -> Term:
        return t.and_(*self.true)

    @property
    def error(self) -> Term:
        """Some guard that is evaluated fails: those before it are true."""
        return t.or_(*(t.and_(*self.true[:number], fails) for number, fails in enumerate(self.fails)))


def guard_fields(transition: Transition) -> frozenset[str]:
    """The fields that the guards of a transition name."""
    return frozenset().union(
        *(
            mentioned_fields(guard.expression.ast)
            for guard in transition.guards
            if guard.expression is not None and guard.expression.ast is not None
        )
    )


def guard_terms(transition: Transition, evaluator: Evaluator, state: str) -> GuardTerms:
    """Translate the guards of a transition. A guard of another backend may hold or not."""
    true: list[Term] = []
    fails: list[Term] = []
    for number, guard in enumerate(transition.guards):
        if guard.expression is None or guard.expression.ast is None:
            key = (evaluator.snapshot, "opaque", state, transition.index, number)
            true.append(evaluator.choices.boolean(key))
            fails.append(FALSE)
            continue
        value = evaluator.evaluate(guard.expression.ast)
        true.append(evaluator.holds(value))
        fails.append(t.not_(value.ok))
    return GuardTerms(tuple(true), tuple(fails))


class _Translator:
    def __init__(self, spec: Spec, profile: str) -> None:
        self.spec = spec
        self.profile = profile
        self.layout = Layout(spec, domains(spec))
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

    def _step(
        self, name: str, kind: StepKind, source: Location, target: Location, guard: Term,
        updates: Mapping[str, Term], choices: Choices, events: tuple[Event, ...] = (),
        transition: int | None = None, agent: str | None = None, staged: Mapping[str, Staged] | None = None,
    ) -> None:
        if guard is FALSE:
            return
        live = tuple(event for event in events if event.condition is not FALSE)
        terms = [guard, *updates.values(), *(event.condition for event in live)]
        inner = {choice.name for event in live for choice in event.inputs}
        inputs = tuple(choice for choice in choices.used_in(terms) if choice.name not in inner)
        self.steps.append(Step(name, kind, source, target, guard, updates, inputs, live, transition, agent, staged or {}))

    def _start(self) -> None:
        state = self.spec.state_by_name[self.spec.initial.text]
        choices = Choices("start")
        given = {name: self._anything_set(name, choices) for name in self.spec.input_names}
        store: dict[str, Slot] = {
            name: given[name] if name in given else self.layout.default(name) for name in self.layout.store
        }
        legal = t.and_(*(self._consistent(slot) for name, slot in store.items() if name in given))
        staged = {name: Staged(slot) for name, slot in given.items()}
        run = SymbolicRun(self.layout, store, choices, "start")
        freshness = Freshness(self.layout, dict.fromkeys(self.layout.bookkeeping(), FALSE))
        freshness.enter(state, store)
        records = run.run(state.entry, Subject(state=state.name.text))
        losses = freshness.act(records)
        events = StateEvents(self.layout, state, self.subjects)
        source = Location(state.name.text, Phase.START)
        entered = Event("FSM203", Subject(state=state.name.text), TRUE)
        self.subjects.add((entered.rule, entered.subject))
        self._step(
            "start", StepKind.START, source, Location(state.name.text, Phase.RUNNING),
            t.and_(legal, t.not_(run.error)), self._updates(run.store, freshness), choices,
            (entered, *events.of_records(records, losses)), staged=staged,
        )
        self._step(
            "start!", StepKind.FAIL, source, Location(state.name.text, Phase.FAILED),
            t.and_(legal, run.error), self._updates(store), choices, tuple(events.failures(records)),
            staged=staged,
        )

    def _anything_set(self, name: str, choices: Choices) -> Slot:
        """Any set value of a field, chosen by an agent or at the start."""
        slot = self.layout.store[name]
        chosen = self._chosen(name, slot, choices)
        match chosen:
            case InClass(term=term):
                choices.restrict(term, nonzero=True)
            case NumberSlot(region=region):
                choices.restrict(region, nonzero=True)
            case SizedSlot(size=size):
                choices.restrict(size, nonzero=True)
            case _:
                pass
        return chosen

    def _chosen(self, name: str, slot: Slot, choices: Choices) -> Slot:
        """A value of a field that an agent picks; label 0 (or size 0) where it may also pick none."""
        agent = Chooser.AGENT
        match slot:
            case InClass(text_class=text_class, term=term):
                domain = self.layout.domain_of(name)
                return InClass(text_class, choices.finite(("staged", name), term.sort, domain, agent))
            case BoolSlot():
                return BoolSlot(FALSE, choices.boolean(("staged", name), agent))
            case IntSlot():
                value = choices.integer(("staged", name), -STAGED_LIMIT, STAGED_LIMIT, agent)
                return IntSlot(FALSE, value)
            case NumberSlot(region=region):
                domain = (0, *range(2, region.sort.size))
                return NumberSlot(choices.finite(("staged", name), region.sort, domain, agent))
            case SizedSlot(facts=facts):
                size = choices.integer(("staged", name, "size"), 0, STAGED_LIMIT, agent)
                member = {key: choices.boolean(("staged", name, repr(key)), agent) for key in facts}
                return SizedSlot(size, member)

    def _consistent(self, slot: Slot) -> Term:
        """A chosen collection has at least as many elements as distinct members that are asked about."""
        if not isinstance(slot, SizedSlot) or not slot.facts:
            return TRUE
        one, zero = t.integer(1), t.integer(0)
        total = zero
        for fact in slot.facts.values():
            total = t.add(total, t.ite(fact, one, zero))
        return t.le(total, slot.size)

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
            other = self._anything_set(name, inner)
            store = {**self.layout.store, name: other}
            snapshot = (state.name.text, transition.index, "instead", name)
            evaluator = Evaluator(store, self.layout.types, self.layout.domains, inner, snapshot)
            guards = guard_terms(transition, evaluator, state.name.text)
            condition = t.and_(self._consistent(other), self._differs(name, other), t.not_(guards.all))
            choices.inputs.update(inner.inputs)
            found[name] = (condition, frozenset(inner.inputs))
        return found

    def _differs(self, name: str, other: Slot) -> Term:
        match self.layout.store[name], other:
            case InClass(text_class=text_class, term=old), InClass(term=new):
                free = FALSE if text_class.other is None else t.eq(new, t.label(new.sort, text_class.other))
                return t.or_(t.not_(t.eq(old, new)), free)
            case BoolSlot(value=old), BoolSlot(value=new):
                return t.not_(t.eq(old, new))
            case IntSlot(value=old), IntSlot(value=new):
                return t.not_(t.eq(old, new))
            case NumberSlot(region=old), NumberSlot(region=new):
                return t.or_(t.not_(t.eq(old, new)), t.one_of(new, range(2, new.sort.size, 2)))
            case _:
                return TRUE

    def _fire(
        self, state: State, transition: Transition, fires: Term, met: Term, events: StateEvents,
        shared: tuple[Event, ...], alternatives: dict[str, tuple[Term, frozenset[str]]], choices: Choices,
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
            name, StepKind.FIRE, running, Location(target.name.text, Phase.RUNNING),
            t.and_(fires, t.not_(run.error)), self._updates(run.store, freshness), choices, tuple(found),
            transition.index,
        )
        failures = (events.note("FSM303", edge, TRUE, BLOCKED), *events.failures(all_records))
        self._step(
            name + "!", StepKind.FAIL, running, Location(source_name, Phase.FAILED), t.and_(fires, run.error), {},
            choices, (*shared, *failures), transition.index,
        )

    def _rest(
        self, state: State, none: Term, met: Term, events: StateEvents, shared: tuple[Event, ...], choices: Choices
    ) -> None:
        name = state.name.text
        running = Location(name, Phase.RUNNING)
        freshness = Freshness(self.layout)
        freshness.read(self.spec.template_fields[name])
        self._step(
            "park " + name, StepKind.PARK, running, Location(name, Phase.WAITING), t.and_(none, t.not_(met)),
            freshness.changed(), choices, (*shared, *events.parked()),
        )
        stuck = events.note("FSM301", Subject(state=name), TRUE)
        self._step(
            "stick " + name, StepKind.STICK, running, Location(name, Phase.STUCK), t.and_(none, met), {}, choices,
            (*shared, stuck),
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
                new = self._chosen(field, old, choices)
                writes = is_set(new)
                if isinstance(new, BoolSlot | IntSlot):
                    writes = choices.boolean(("write", field), Chooser.AGENT)
                    staged[field] = Staged(new, str(writes.value))
                else:
                    staged[field] = Staged(new)
                legal.append(t.or_(t.not_(writes), self._consistent(new)))
                store[field] = choose(writes, new, old)
                freshness.staged(field, writes)
            self._step(
                f"{name}<{agent}", StepKind.STAGE, waiting, running, t.and_(*legal),
                self._updates(store, freshness), choices, (), None, agent, staged,
            )


def translate(spec: Spec, profile: str) -> System:
    """The transition system of a spec whose names all resolve and whose expressions all check.

    ``profile`` is ``gated`` or ``eager``. Caps of the policy are not part of it.
    """
    return _Translator(spec, profile).system()
