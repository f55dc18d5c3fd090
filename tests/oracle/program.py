"""A spec prepared for fast concrete execution: names become numbers, sets of fields become bit masks."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass

from fsmcheck.cel import ast
from fsmcheck.cel.types import Kind, Type
from fsmcheck.cel.values import MapValue
from fsmcheck.spec import model
from tests.oracle.expressions import (
    NO_VARIABLES,
    EvaluationError,
    NotCoveredError,
    Store,
    Uses,
    compiled,
    is_set,
    text,
    used_fields,
)

TEXTUAL = (Kind.STRING, Kind.ENUM)

Valuation = Callable[[Store], object]
Site = tuple[int, int | None]
"""Where an action or guard stands: the state, and the transition if it belongs to one."""


def bits(mask: int) -> Iterator[int]:
    """The positions of the ones."""
    while mask:
        low = mask & -mask
        yield low.bit_length() - 1
        mask ^= low


def plain(value: object) -> object:
    """A loaded constant in the oracle's own form of values."""
    if isinstance(value, MapValue):
        return frozenset((key, plain(item)) for key, item in value.items())
    if isinstance(value, tuple):
        return tuple(plain(item) for item in value)
    return value


EMPTY: dict[Kind, object] = {Kind.STRING: "", Kind.ENUM: "", Kind.LIST: (), Kind.MAP: frozenset()}


@dataclass(slots=True)
class Write:
    """One target of an action."""

    target: int
    key: str | None
    value: Valuation
    mentions: int
    uses: Uses


@dataclass(slots=True)
class Action:
    operator: model.Operator
    writes: list[Write]
    mentions: int
    assigned: int
    site: Site


@dataclass(slots=True)
class Move:
    """A transition. ``tried`` is what the guards of it and of all before it mention."""

    target: int
    guards: list[Valuation]
    mentions: int
    tried: int
    actions: list[Action]
    action_mentions: int
    shape: object


@dataclass(slots=True)
class Place:
    """A state. ``requires`` are distinct fields as a mask; ``owed`` the fields it requires from each agent."""

    name: str
    terminal: bool
    requires: int
    owed: dict[str, int]
    template: int
    entry: list[Action]
    exit: list[Action]
    exit_mentions: int
    moves: list[Move]


class Program:
    """The whole spec, compiled."""

    def __init__(self, spec: model.Spec) -> None:
        self.spec = spec
        self.names = [field.name.text for field in spec.fields]
        self.slots = {name: slot for slot, name in enumerate(self.names)}
        self.types: list[Type] = [field.type for field in spec.fields]
        self.empties = [EMPTY.get(kind.kind) for kind in self.types]
        self.state_names = [state.name.text for state in spec.states]
        self.state_numbers = {name: number for number, name in enumerate(self.state_names)}
        self.initial = self.state_numbers[spec.initial.text]
        self.authority = {agent.name.text: {name.text for name in agent.can_transition} for agent in spec.agents}
        self.textual = self.mask_of_kinds(TEXTUAL)
        self.chosen = self.mask_of_kinds((Kind.BOOLEAN, Kind.ENUM))
        self.places = [self._place(number, state) for number, state in enumerate(spec.states)]

    def mask_of_kinds(self, kinds: tuple[Kind, ...]) -> int:
        return self.mask(slot for slot, kind in enumerate(self.types) if kind.kind in kinds)

    @staticmethod
    def mask(slots: Iterable[int]) -> int:
        total = 0
        for slot in slots:
            total |= 1 << slot
        return total

    def mentioned(self, node: ast.Expr | None) -> int:
        if node is None:
            raise NotCoveredError("an expression that did not check")
        return self.mask(self.slots[name] for name in ast.mentioned_fields(node))

    def fitted(self, slot: int, value: object) -> object:
        """A value as the field stores it: any empty value becomes the field's own, an int in a number a double."""
        if not is_set(value):
            return self.empties[slot]
        kind = self.types[slot]
        if kind.kind is Kind.NUMBER and isinstance(value, int) and not isinstance(value, bool):
            return float(value)
        if kind.kind is Kind.LIST and kind.element is not None and kind.element.kind is Kind.NUMBER:
            return tuple(float(item) for item in value)  # type: ignore[attr-defined]
        return value

    def initial_values(self) -> list[object]:
        """The store before inputs are given."""
        return [
            self.fitted(slot, plain(field.default.value)) if field.default is not None else self.empties[slot]
            for slot, field in enumerate(self.spec.fields)
        ]

    def set_fields(self, store: Store) -> int:
        mask = 0
        for slot, value in enumerate(store):
            if is_set(value):
                mask |= 1 << slot
        return mask

    def _place(self, number: int, state: model.State) -> Place:
        owed: dict[str, int] = {}
        for requirement in state.requires:
            bit = 1 << self.slots[requirement.field.text]
            owed[requirement.agent.text] = owed.get(requirement.agent.text, 0) | bit
        requires = 0
        for mask in owed.values():
            requires |= mask
        template = 0
        for part in state.description.parts if state.description else ():
            if isinstance(part, model.Expression):
                template |= self.mentioned(part.ast)
        moves: list[Move] = []
        tried = 0
        for transition in state.transitions:
            moves.append(move := self._move(number, transition, tried))
            tried = move.tried
        exit_actions = [self._action(action, (number, None)) for action in state.exit]
        return Place(
            name=state.name.text,
            terminal=state.terminal,
            requires=requires,
            owed=owed,
            template=template,
            entry=[self._action(action, (number, None)) for action in state.entry],
            exit=exit_actions,
            exit_mentions=_union(action.mentions for action in exit_actions),
            moves=moves,
        )

    def _move(self, number: int, transition: model.Transition, tried: int) -> Move:
        guards, mentions = [], 0
        for guard in transition.guards:
            if guard.expression is None or guard.expression.ast is None:
                raise NotCoveredError("an opaque guard")
            guards.append(self._valuation(guard.expression.ast))
            mentions |= self.mentioned(guard.expression.ast)
        actions = [self._action(action, (number, transition.index)) for action in transition.actions]
        return Move(
            target=self.state_numbers[transition.target.text],
            guards=guards,
            mentions=mentions,
            tried=tried | mentions,
            actions=actions,
            action_mentions=_union(action.mentions for action in actions),
            shape=(transition.target.text, tuple(_shape(action) for action in transition.actions)),
        )

    def _valuation(self, node: ast.Expr) -> Valuation:
        function = compiled(node, self.slots)
        return lambda store: function(store, NO_VARIABLES)

    def _action(self, action: model.Action, site: Site) -> Action:
        writes = [self._write(write) for write in action.writes]
        assigned = self.mask(write.target for write in writes) if action.operator is model.Operator.ASSIGN else 0
        return Action(action.operator, writes, _union(write.mentions for write in writes), assigned, site)

    def _write(self, write: model.Write) -> Write:
        target = self.slots[write.field.text]
        key = write.key.text if write.key is not None else None
        value = write.value
        match value:
            case model.Constant(value=constant):
                fixed = plain(constant)
                return Write(target, key, lambda store: fixed, 0, lambda store: 0)
            case model.Expression(ast=node):
                if node is None:
                    raise NotCoveredError("an expression that did not check")
                return Write(target, key, self._valuation(node), self.mentioned(node), used_fields(node, self.slots))
            case model.Concatenation(parts=parts):
                return self._concatenation(target, key, parts)

    def _concatenation(self, target: int, key: str | None, parts: tuple[str | model.Expression, ...]) -> Write:
        pieces: list[str | Valuation] = []
        mentions = 0
        uses: list[Uses] = []
        for part in parts:
            if isinstance(part, str):
                pieces.append(part)
                continue
            mentions |= self.mentioned(part.ast)
            assert part.ast is not None
            pieces.append(self._valuation(part.ast))
            uses.append(used_fields(part.ast, self.slots))

        def joined(store: Store) -> object:
            return "".join(piece if isinstance(piece, str) else text(piece(store)) for piece in pieces)

        return Write(target, key, joined, mentions, lambda store: _union(use(store) for use in uses))


def _union(masks: Iterable[int]) -> int:
    total = 0
    for mask in masks:
        total |= mask
    return total


def _shape(action: model.Action) -> object:
    """An action without its places, to tell whether two transitions do the same."""

    def value(item: model.ActionValue) -> object:
        match item:
            case model.Constant(value=constant):
                return type(constant).__name__, plain(constant)
            case model.Expression(text=source):
                return "cel", source.strip()
            case model.Concatenation(parts=parts):
                return tuple(part if isinstance(part, str) else ("cel", part.text.strip()) for part in parts)

    writes = [(w.field.text, w.key.text if w.key else None, value(w.value)) for w in action.writes]
    return action.operator, tuple(writes)


def truth(guard: Valuation, store: Store) -> bool | None:
    """Whether a guard holds; None where it fails to evaluate or is not a boolean (which counts as false)."""
    try:
        value = guard(store)
    except EvaluationError:
        return None
    return value if isinstance(value, bool) else None


def all_hold(move: Move, store: Store) -> bool:
    """Whether all guards of a transition are true."""
    return all(truth(guard, store) is True for guard in move.guards)
