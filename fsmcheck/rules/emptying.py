"""Where a loop can empty an answer, so that it is asked for anew on the next round."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from fsmcheck.cel.types import Kind
from fsmcheck.diagnostics import Edit, Fix
from fsmcheck.engines.graph import TransitionGraph
from fsmcheck.records import dataclass
from fsmcheck.rules.mentions import expressions_in, guard_expressions, mentioned
from fsmcheck.rules.naming import heading_for, in_full, listed, names
from fsmcheck.spec.model import Action, Expression, Operator, Spec, State, Transition
from fsmcheck.spec.splice import after_entry, after_item, into_map, scalar
from fsmcheck.spec.wording import shown

_MOST_NAMED = 3


@dataclass(frozen=True, slots=True)
class Edge:
    """A transition and the state that it belongs to."""

    state: State
    transition: Transition


def way_back(spec: Spec, state: State, field: str) -> tuple[Edge, ...]:
    """The transitions on the way from a state back to itself that should empty a field and do not.

    They are those that leave the state, unless a state on the way still reads the field: then those that enter
    the state again. Empty where no such transition is found.
    """
    home = state.name.text
    around = TransitionGraph(spec).around(home)
    loop = [other for other in spec.states if other.name.text in around]
    leaving = _edges([state], {other.name.text for other in loop})
    entering = _edges(loop, {home})
    between = [other for other in loop if other is not state]
    candidates = entering if any(field in _read_in(other) for other in between) else leaving
    return tuple(edge for edge in candidates if not _empties(spec, edge, field))


def ways_in(spec: Spec, state: State, field: str) -> tuple[Edge, ...]:
    """All transitions that enter a state and do not assign a field."""
    return tuple(edge for edge in _edges(spec.states, {state.name.text}) if not _empties(spec, edge, field))


def instruction(spec: Spec, field: str, edges: tuple[Edge, ...], here: State, this: Transition | None = None) -> str:
    """What to write where: ``add outcome: "" to the assign of …``.

    ``here`` is the state that the finding is about, ``this`` its transition where the finding is about one.
    """
    return _told(spec, (field,), edges, here, this)


def instructions(spec: Spec, ways: Sequence[tuple[str, tuple[Edge, ...]]], here: State) -> str:
    """``instruction`` for several fields, each with its edges; those with the same edges are told together."""
    together: dict[tuple[Edge, ...], list[str]] = {}
    for field, edges in ways:
        together.setdefault(edges, []).append(field)
    return "; ".join(_told(spec, fields, edges, here) for edges, fields in together.items())


def _told(
    spec: Spec, fields: Sequence[str], edges: tuple[Edge, ...], here: State, this: Transition | None = None
) -> str:
    literal = ", ".join(_literal(spec, field) for field in fields)
    if not edges:
        return f"empty {names(fields)} before {shown(here.name.text)} is entered again"
    if len(edges) > _MOST_NAMED:
        them = "it" if len(fields) == 1 else "them"
        return f"empty {them} ({literal}) in an assign on every transition on the way back"
    places = listed(_name(edge, here, this) for edge in edges)
    if all(_assigns(edge.transition.actions) for edge in edges):
        each = f"{places}'s assign" if places == "this transition" else f"the assign of {places}"
        return f"add {literal} to {each}"
    if all(edge.transition.actions for edge in edges):
        return f"add assign: {{ {literal} }} to the onTransition of {places}"
    return f"add an onTransition with assign: {{ {literal} }} to {places}"


def remedy(spec: Spec, field: str, edges: tuple[Edge, ...]) -> Fix | None:
    """What ``instruction`` says as edits: the field is emptied on each of the edges, in the last assign there is."""
    return remedies(spec, ((field, edges),))


def remedies(spec: Spec, ways: Sequence[tuple[str, tuple[Edge, ...]]]) -> Fix | None:
    """``remedy`` for several fields, each with its edges: one edit an edge, and none for a field without a remedy."""
    ways = [(field, edges) for field, edges in ways if 0 < len(edges) <= _MOST_NAMED]
    if not ways:
        return None
    literals = {field: _literal(spec, field) for field, _ in ways}
    at_edge: dict[Edge, list[str]] = {}
    for field, edges in ways:
        for edge in edges:
            at_edge.setdefault(edge, []).append(literals[field])
    title = f"empty {names(literals)} with {', '.join(literals.values())}"
    return Fix(title, tuple(_emptied(spec, edge, added) for edge, added in at_edge.items()))


def _emptied(spec: Spec, edge: Edge, literals: Sequence[str]) -> Edit:
    text, actions = spec.source.text, edge.transition.actions
    assigns = [action for action in actions if _is_assign(action) and action.writes]
    if assigns:
        writes = assigns[-1].writes
        edits = [after_entry(text, writes[0].span, writes[-1].span, literal) for literal in literals]
        return Edit(edits[0].span, "".join(edit.text for edit in edits))
    literal = ", ".join(literals)
    if actions:
        return after_item(text, actions[0].span, actions[-1].span, f"assign: {{ {literal} }}")
    return into_map(text, edge.transition.span, f"onTransition: [{{ assign: {{ {literal} }} }}]")


def _literal(spec: Spec, field: str) -> str:
    declared = spec.field_by_name[field]
    empty = '""' if declared.type.kind in (Kind.STRING, Kind.ENUM) else "null"
    return f"{scalar(field, spec.source.text, declared.name.span)}: {empty}"


def _name(edge: Edge, here: State, this: Transition | None) -> str:
    if edge.transition is this:
        return "this transition"
    if edge.state is here:
        return heading_for(edge.state, edge.transition)
    return in_full(edge.state, edge.transition)


def _edges(states: Iterable[State], targets: set[str]) -> tuple[Edge, ...]:
    return tuple(
        Edge(state, transition)
        for state in states
        if not state.terminal
        for transition in state.transitions
        if transition.target.text in targets
    )


def _empties(spec: Spec, edge: Edge, field: str) -> bool:
    entered = spec.state_by_name[edge.transition.target.text]
    actions = (*edge.state.exit, *edge.transition.actions, *entered.entry)
    return any(write.field.text == field for action in actions if _is_assign(action) for write in action.writes)


def _assigns(actions: Iterable[Action]) -> bool:
    return any(_is_assign(action) for action in actions)


def _is_assign(action: Action) -> bool:
    return action.operator is Operator.ASSIGN


def _read_in(state: State) -> frozenset[str]:
    return mentioned(_expressions(state))


def _expressions(state: State) -> Iterator[Expression]:
    yield from expressions_in(state.description)
    lists = [state.entry, state.exit]
    for transition in state.transitions:
        yield from guard_expressions(transition)
        lists.append(transition.actions)
    for actions in lists:
        for action in actions:
            for write in action.writes:
                yield from expressions_in(write.value)
