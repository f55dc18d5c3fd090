"""``states``: requirements, guards, transitions."""

from __future__ import annotations

from fsmcheck.diagnostics import Subject
from fsmcheck.records import dataclass
from fsmcheck.source import Span
from fsmcheck.spec.decode_actions import ActionDecoder
from fsmcheck.spec.expressions import ExpressionReader
from fsmcheck.spec.forms import (
    FaultLog,
    Keys,
    as_boolean,
    as_mapping,
    as_name,
    as_text,
    entries_of,
    items_of,
    named_entries,
)
from fsmcheck.spec.model import Action, Guard, Name, Requirement, State, Template, Transition
from fsmcheck.spec.nodes import MappingNode, Node
from fsmcheck.spec.wording import shown

_STATE_KEYS = Keys(optional=("description", "requires", "entry", "exit", "transitions", "terminal"))
_REQUIREMENT_KEYS = Keys(required=("name", "from"))
_FROM_KEYS = Keys(required=("agent",))
_TRANSITION_KEYS = Keys(required=("toState",), optional=("guards", "onTransition", "description"))
_GUARD_KEYS = Keys(required=("backend", "expression"))
_CEL = "cel"


@dataclass(frozen=True, slots=True)
class StateDecoder:
    """Decodes the states of one document."""

    log: FaultLog
    reader: ExpressionReader

    def states(self, node: Node) -> tuple[State, ...] | None:
        """The states in the order written; None where ``states`` is no map."""
        entries = entries_of(self.log, node, '"states"')
        if entries is None:
            return None
        if not entries:
            self.log.add("FSM002", '"states" is an empty map, expected at least one state', node.span)
        return tuple(self._state(name, value) for name, value in named_entries(entries))

    def _state(self, name: Name, node: Node) -> State:
        what = f"state {shown(name.text)}"
        span = Span(name.span.start, max(name.span.end, node.span.end))
        subject = Subject(name.text)
        mapping = as_mapping(self.log, node, what, _STATE_KEYS)
        if mapping is None:
            return State(name, None, (), (), (), (), terminal=False, span=span)
        terminal = mapping.entry("terminal")
        is_terminal = None if terminal is None else as_boolean(self.log, terminal.value, f'"terminal" of {what}')
        transitions = items_of(self.log, _under(mapping, "transitions"), f'"transitions" of {what}')
        decoded = (self._transition(item, name.text, index) for index, item in enumerate(transitions))
        return State(
            name,
            self._template(mapping, what, subject),
            self._requirements(mapping, what),
            self._actions(mapping, "entry", what, subject),
            self._actions(mapping, "exit", what, subject),
            tuple(transition for transition in decoded if transition is not None),
            terminal=bool(is_terminal),
            span=span,
        )

    def _template(self, mapping: MappingNode, what: str, subject: Subject) -> Template | None:
        entry = mapping.entry("description")
        scalar = None if entry is None else as_text(self.log, entry.value, f"the description of {what}")
        return None if scalar is None else self.reader.template(scalar, subject)

    def _actions(self, mapping: MappingNode, key: str, what: str, subject: Subject) -> tuple[Action, ...]:
        decoder = ActionDecoder(self.log, self.reader)
        return decoder.actions(_under(mapping, key), f'"{key}" of {what}', subject)

    def _requirements(self, mapping: MappingNode, what: str) -> tuple[Requirement, ...]:
        items = items_of(self.log, _under(mapping, "requires"), f'"requires" of {what}')
        found = (self._requirement(item, f"a requirement of {what}") for item in items)
        return tuple(requirement for requirement in found if requirement is not None)

    def _requirement(self, node: Node, what: str) -> Requirement | None:
        mapping = as_mapping(self.log, node, what, _REQUIREMENT_KEYS)
        if mapping is None:
            return None
        field = mapping.entry("name")
        field_name = None if field is None else as_name(self.log, field.value, f'"name" of {what}')
        origin = _under(mapping, "from")
        source = None if origin is None else as_mapping(self.log, origin, f'"from" of {what}', _FROM_KEYS)
        agent = None if source is None else source.entry("agent")
        agent_name = None if agent is None else as_name(self.log, agent.value, f'"agent" of {what}')
        if field_name is None or agent_name is None:
            return None
        return Requirement(field_name, agent_name, mapping.span)

    def _transition(self, node: Node, state: str, index: int) -> Transition | None:
        what = f"transition {index} of state {shown(state)}"
        subject = Subject(state, index)
        mapping = as_mapping(self.log, node, what, _TRANSITION_KEYS)
        if mapping is None:
            return None
        to_state = mapping.entry("toState")
        target = None if to_state is None else as_name(self.log, to_state.value, f'"toState" of {what}')
        guards = items_of(self.log, _under(mapping, "guards"), f'"guards" of {what}')
        decoded = tuple(self._guard(item, f"a guard of {what}", subject) for item in guards)
        actions = self._actions(mapping, "onTransition", what, subject)
        description = self._template(mapping, what, subject)
        if target is None:
            return None
        kept = tuple(guard for guard in decoded if guard is not None)
        return Transition(index, target, kept, actions, description, mapping.span)

    def _guard(self, node: Node, what: str, subject: Subject) -> Guard | None:
        mapping = as_mapping(self.log, node, what, _GUARD_KEYS)
        if mapping is None:
            return None
        backend_entry = mapping.entry("backend")
        backend = None if backend_entry is None else as_name(self.log, backend_entry.value, f'"backend" of {what}')
        expression = mapping.entry("expression")
        scalar = None if expression is None else as_text(self.log, expression.value, f'"expression" of {what}')
        if scalar is None:
            return None if backend is None else Guard(backend, None, "", mapping.span)
        if backend is None:
            backend = Name(_CEL, mapping.span)
        if backend.text != _CEL:
            message = f"the guard's backend is {shown(backend.text)}, so it is taken as one that may hold or not"
            self.log.add("FSM005", message, backend.span, 'write it in CEL: "backend: cel"', subject)
            return Guard(backend, None, scalar.text, mapping.span)
        return Guard(backend, self.reader.guard(scalar, subject), scalar.text, mapping.span)


def _under(mapping: MappingNode, key: str) -> Node | None:
    entry = mapping.entry(key)
    return None if entry is None else entry.value
