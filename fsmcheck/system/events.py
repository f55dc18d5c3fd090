"""What the rules ask about each step, as events of the transition system."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING

from fsmcheck.diagnostics import Subject
from fsmcheck.spec.model import Operator, State, Transition
from fsmcheck.system import terms as t
from fsmcheck.system.actions import WriteRecord
from fsmcheck.system.choices import Choices
from fsmcheck.system.layout import EXCHANGED, Layout, preset, stale
from fsmcheck.system.symbolic import is_set
from fsmcheck.system.system import Event
from fsmcheck.system.terms import BOOL, FALSE, TRUE, Term

if TYPE_CHECKING:
    from fsmcheck.system.guards import GuardTerms

BOTH, ONLY_EARLIER, ONLY_LATER = "both", "only the earlier", "only the later"
"""The cases of FSM302."""

PARKS = "parks"
"""The case of FSM111 that the machine parks in the state at all."""

OPEN, BLOCKED = "open", "blocked"
"""Cases of FSM303: the transition's own guards hold (whether or not an earlier one is enabled); its actions fail."""


class StateEvents:
    """Builds the events of the steps that leave one state (or park in it)."""

    def __init__(self, layout: Layout, state: State, subjects: set[tuple[str, Subject]]) -> None:
        self.layout = layout
        self.state = state
        self.name = state.name.text
        self.subjects = subjects
        self.required = tuple(dict.fromkeys(req.field.text for req in state.requires))

    def note(self, rule: str, subject: Subject, condition: Term, case: str = "") -> Event:
        """An event, whose rule is then known to ask about the subject."""
        self.subjects.add((rule, subject))
        return Event(rule, subject, condition, (), case)

    def _stale(self, names: Iterable[str]) -> Term:
        return t.or_(*(self._stale_bit(name) for name in names if name in self.required))

    def _stale_bit(self, name: str) -> Term:
        pair = (self.name, name)
        return t.var(stale(*pair), BOOL) if pair in self.layout.stale_pairs else FALSE

    def taken(
        self,
        transition: Transition,
        met: Term,
        read: frozenset[str],
        alternatives: Mapping[str, tuple[Term, frozenset[str]]],
        choices: Choices,
    ) -> list[Event]:
        """FSM303, FSM401, FSM402, FSM403 on taking a transition."""
        here = Subject(state=self.name)
        edge = Subject(state=self.name, transition=transition.index)
        events = [self.note("FSM303", edge, TRUE)]
        if not self.required:
            return events
        unasked = t.not_(t.var(EXCHANGED, BOOL))
        by_guard = self._stale(sorted(read))
        by_presence = t.and_(met, self._stale(self.required))
        falls = t.and_(unasked, t.or_(by_guard, by_presence))
        events.append(self.note("FSM401", here, falls))
        events.append(self.note("FSM402", here, t.and_(unasked, met, t.not_(falls))))
        for name, (condition, inner) in alternatives.items():
            subject = Subject(state=self.name, transition=transition.index, field=name)
            self.subjects.add(("FSM403", subject))
            refires = t.and_(self._stale_bit(name), condition)
            inputs = tuple(choices.inputs[choice] for choice in sorted(inner))
            used = t.variables([refires])
            events.append(Event("FSM403", subject, refires, tuple(i for i in inputs if i.name in used)))
        return events

    def stale_evidence(self, records: Iterable[WriteRecord]) -> list[Event]:
        """FSM404: an action of the state being left names a required field that is stale."""
        found: dict[Subject, Event] = {}
        for record in records:
            for name in sorted(record.mentions & set(self.required)):
                place = record.place
                subject = Subject(state=place.state, transition=place.transition, field=name)
                found[subject] = self.note("FSM404", subject, self._stale([name]))
        return list(found.values())

    def of_records(self, records: Sequence[WriteRecord], losses: Mapping[int, Term]) -> list[Event]:
        """FSM406 and FSM407 for the writes of one action list."""
        events: list[Event] = []
        agent_fields = self.layout.answered
        for number, record in enumerate(records):
            place = record.place
            subject = Subject(state=place.state, transition=place.transition, field=record.field)
            if record.operator is Operator.ASSIGN and record.field in agent_fields:
                events.append(self.note("FSM406", subject, losses.get(number, FALSE)))
            for name, empty in record.uses_empty.items():
                used = Subject(state=place.state, transition=place.transition, field=name)
                events.append(self.note("FSM407", used, empty))
        return events

    def failures(self, records: Iterable[WriteRecord]) -> list[Event]:
        """FSM304 for actions."""
        events: list[Event] = []
        for record in records:
            if record.failed is not FALSE:
                place = record.place
                subject = Subject(state=place.state, transition=place.transition, field=record.field)
                events.append(self.note("FSM304", subject, record.failed))
        return events

    def guard_failures(self, tried: Sequence[Term], guards: Sequence[GuardTerms]) -> list[Event]:
        """FSM304 for guards that are evaluated."""
        events: list[Event] = []
        for index, (reached, terms) in enumerate(zip(tried, guards, strict=True)):
            if terms.error is not FALSE:
                subject = Subject(state=self.name, transition=index)
                events.append(self.note("FSM304", subject, t.and_(reached, terms.error)))
        return events

    def open_transitions(self, gates: Sequence[Term], guards: Sequence[GuardTerms]) -> list[Event]:
        """FSM303's question why: the guards of a transition hold in a store in which it may be tried."""
        return [
            self.note("FSM303", Subject(state=self.name, transition=index), t.and_(gate, terms.all), OPEN)
            for index, (gate, terms) in enumerate(zip(gates, guards, strict=True))
        ]

    def overlaps(self, met: Term, guards: Sequence[GuardTerms]) -> list[Event]:
        """FSM302: for each pair of guarded transitions, the three kinds of store that make an overlap."""
        events: list[Event] = []
        transitions = self.state.transitions
        for i, earlier in enumerate(transitions):
            for j in range(i + 1, len(transitions)):
                later = transitions[j]
                if not earlier.guards or not later.guards or _same_effect(earlier, later):
                    continue
                subject = Subject(state=self.name, transition=i, other=j)
                a, b = guards[i].all, guards[j].all
                events.append(self.note("FSM302", subject, t.and_(met, a, b), BOTH))
                events.append(self.note("FSM302", subject, t.and_(met, a, t.not_(b)), ONLY_EARLIER))
                events.append(self.note("FSM302", subject, t.and_(met, b, t.not_(a)), ONLY_LATER))
        return events

    def parked(self) -> list[Event]:
        """FSM111, FSM205 and FSM405 on parking."""
        store = self.layout.store
        events: list[Event] = []
        unanswerable = []
        unasked = t.not_(t.var(EXCHANGED, BOOL))
        assigned = {w.field.text for a in self.state.entry if a.operator is Operator.ASSIGN for w in a.writes}
        for name in self.required:
            owners = {req.agent.text for req in self.state.requires if req.field.text == name}
            if not any(self._may_act(owner) for owner in owners):
                unanswerable.append(t.not_(is_set(store[name])))
            before: Term = TRUE
            if name in assigned:
                before = FALSE
            elif (self.name, name) in self.layout.presets:
                before = t.var(preset(self.name, name), BOOL)
            subject = Subject(state=self.name, field=name)
            events.append(self.note("FSM405", subject, t.and_(unasked, before, is_set(store[name]))))
        if self.required:
            events.append(self.note("FSM205", Subject(state=self.name), t.or_(*unanswerable)))
        for name in sorted(self.layout.spec.template_fields[self.name]):
            subject = Subject(state=self.name, field=name)
            events.append(self.note("FSM111", subject, is_set(store[name])))
            events.append(self.note("FSM111", subject, TRUE, PARKS))
        return events

    def _may_act(self, agent: str) -> bool:
        return any(place.text == self.name for place in self.layout.spec.agent_by_name[agent].can_transition)


def _same_effect(earlier: Transition, later: Transition) -> bool:
    """Whether two transitions have the same target and do the same."""

    def effect(transition: Transition) -> list[object]:
        return [
            (
                action.operator,
                [(w.field.text, w.key.text if w.key else None, _written(w.value)) for w in action.writes],
            )
            for action in transition.actions
        ]

    return earlier.target.text == later.target.text and effect(earlier) == effect(later)


def _written(value: object) -> object:
    """A value without its place in the file."""
    match value:
        case _ if hasattr(value, "parts"):
            return tuple(part if isinstance(part, str) else part.text for part in value.parts)
        case _ if hasattr(value, "text"):
            return ("expression", value.text)
        case _:
            constant = getattr(value, "value", None)
            return (type(constant).__name__, repr(constant))
