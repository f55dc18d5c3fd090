"""A loaded spec: frozen, every node with its place in the file.

Names may dangle (an unknown state in ``toState``, say): the rules on the text report those. Spans are offsets
into ``Spec.source``.
"""

from __future__ import annotations

from enum import Enum
from functools import cached_property

from fsmcheck.cel.ast import Expr
from fsmcheck.cel.types import Type
from fsmcheck.cel.values import Value
from fsmcheck.records import dataclass
from fsmcheck.source import SourceFile, Span


@dataclass(frozen=True, slots=True)
class Name:
    """A name as written, and where."""

    text: str
    span: Span


@dataclass(frozen=True, slots=True)
class Expression:
    """A CEL expression in the file.

    ``ast`` is typed where it type-checked; None where it did not parse or check (a fault was reported). Then ``faulty``
    is the tree as far as it could be made, with the type ``DYN`` for what is wrong: only to look for more faults in.
    ``offsets`` maps offsets in ``text`` to offsets in the file: ``offsets[i]`` is the place of ``text[i]``,
    with one more entry for the end; empty where the scalar's layout prevents that (then use ``span``).
    """

    text: str
    ast: Expr | None
    span: Span
    offsets: tuple[int, ...] = ()
    faulty: Expr | None = None

    @property
    def tree(self) -> Expr | None:
        """The tree to look for faults in, whether it checked or not; None where there is none."""
        return self.faulty if self.ast is None else self.ast

    def place(self, inner: Span) -> Span:
        """The place in the file of a sub-expression's span, the whole expression where unknown."""
        if not self.offsets or inner.start >= len(self.offsets):
            return self.span
        return Span(self.offsets[inner.start], self.offsets[min(inner.end, len(self.offsets) - 1)])

    def within(self, inner: Span) -> str:
        """The text of a sub-expression."""
        return self.text[inner.start : inner.end]


@dataclass(frozen=True, slots=True)
class Constant:
    """A literal value, already in its run-time form (see ``cel.values``)."""

    value: Value
    span: Span


@dataclass(frozen=True, slots=True)
class Concatenation:
    """Text with embedded expressions: its parts in order, plain text as ``str``."""

    parts: tuple[str | Expression, ...]
    span: Span


ActionValue = Constant | Expression | Concatenation


@dataclass(frozen=True, slots=True)
class Template:
    """A description: plain text and ``{{ … }}`` expressions in order."""

    parts: tuple[str | Expression, ...]
    span: Span


class Operator(Enum):
    ASSIGN = "assign"
    APPEND = "append"
    PUT = "put"


@dataclass(frozen=True, slots=True)
class Write:
    """One target of an action: the field, the map key (``put`` only) and the value."""

    field: Name
    key: Name | None
    value: ActionValue
    span: Span


@dataclass(frozen=True, slots=True)
class Action:
    """One item of an action list. All its values are evaluated in the store before it, then written together."""

    operator: Operator
    writes: tuple[Write, ...]
    span: Span


@dataclass(frozen=True, slots=True)
class Guard:
    """One condition. ``expression`` is None for a backend other than ``cel``: it may hold or not."""

    backend: Name
    expression: Expression | None
    text: str
    span: Span


@dataclass(frozen=True, slots=True)
class Transition:
    """``span`` covers the transition, ``target.span`` the value of ``toState``."""

    index: int
    target: Name
    guards: tuple[Guard, ...]
    actions: tuple[Action, ...]
    description: Template | None
    span: Span


@dataclass(frozen=True, slots=True)
class Requirement:
    """The state waits until ``field`` is set and asks ``agent`` for it."""

    field: Name
    agent: Name
    span: Span


@dataclass(frozen=True, slots=True)
class State:
    """A state; ``name.span`` is its key. Absent parts are empty tuples."""

    name: Name
    description: Template | None
    requires: tuple[Requirement, ...]
    entry: tuple[Action, ...]
    exit: tuple[Action, ...]
    transitions: tuple[Transition, ...]
    terminal: bool
    span: Span


@dataclass(frozen=True, slots=True)
class Field:
    """A typed slot of the store. ``default`` is None where the key is absent."""

    name: Name
    type: Type
    default: Constant | None
    description: str | None
    span: Span


@dataclass(frozen=True, slots=True)
class Agent:
    name: Name
    can_transition: tuple[Name, ...]
    description: str | None
    span: Span


@dataclass(frozen=True, slots=True)
class Policy:
    """Caps on exchanges; None where absent. ``span`` is None without a ``policy`` key.

    ``places`` pairs each key that is present with the place of its value.
    """

    max_iterations: int | None = None
    max_exchanges_per_stage: int | None = None
    max_exchanges_per_agent_per_stage: int | None = None
    checkpoint_every: int | None = None
    span: Span | None = None
    places: tuple[tuple[str, Span], ...] = ()

    def place(self, key: str) -> Span | None:
        """The place of a cap's value, else that of the whole policy."""
        return dict(self.places).get(key, self.span)


@dataclass(frozen=True)
class Spec:
    """One ``fsm`` document.

    ``document`` is the ``fsm`` mapping as plain JSON data (for the reducer protocol); ``sha256`` the digest
    of its canonical JSON. ``span`` covers the value of ``fsm``.
    """

    source: SourceFile
    name: Name | None
    version: str | int | None
    description: str | None
    initial: Name
    fields: tuple[Field, ...]
    agents: tuple[Agent, ...]
    states: tuple[State, ...]
    policy: Policy
    document: object
    sha256: str
    span: Span

    @cached_property
    def field_by_name(self) -> dict[str, Field]:
        return {field.name.text: field for field in self.fields}

    @cached_property
    def agent_by_name(self) -> dict[str, Agent]:
        return {agent.name.text: agent for agent in self.agents}

    @cached_property
    def state_by_name(self) -> dict[str, State]:
        return {state.name.text: state for state in self.states}

    @cached_property
    def input_names(self) -> tuple[str, ...]:
        """The fields given when a run starts: no default, required nowhere, target of no action."""
        bound = {req.field.text for state in self.states for req in state.requires}
        for state in self.states:
            lists = [state.entry, state.exit, *(transition.actions for transition in state.transitions)]
            bound.update(write.field.text for actions in lists for action in actions for write in action.writes)
        return tuple(field.name.text for field in self.fields if field.default is None and field.name.text not in bound)

    @cached_property
    def template_fields(self) -> dict[str, frozenset[str]]:
        """For each state, the fields that its description mentions."""
        from fsmcheck.cel.ast import mentioned_fields

        found: dict[str, frozenset[str]] = {}
        for state in self.states:
            names: set[str] = set()
            for part in state.description.parts if state.description else ():
                if isinstance(part, Expression) and part.ast is not None:
                    names |= mentioned_fields(part.ast)
            found[state.name.text] = frozenset(names)
        return found
