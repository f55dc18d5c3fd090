"""Actions on a symbolic store, with a record of what each write read, wrote and lost."""

from __future__ import annotations

from collections.abc import Mapping

from fsmcheck.cel import ast
from fsmcheck.cel.ast import BinaryOp, Expr, mentioned_fields
from fsmcheck.cel.types import Kind, Type
from fsmcheck.diagnostics import Subject
from fsmcheck.records import dataclass
from fsmcheck.spec.model import Action, ActionValue, Concatenation, Constant, Expression, Operator, Write
from fsmcheck.system import terms as t
from fsmcheck.system import texts
from fsmcheck.system.choices import Choices
from fsmcheck.system.comparing import equal
from fsmcheck.system.expressions import Evaluator
from fsmcheck.system.layout import Layout
from fsmcheck.system.symbolic import (
    BoolSlot,
    InClass,
    IntSlot,
    NumberSlot,
    Sized,
    SizedSlot,
    Slot,
    Sym,
    choose,
    emptied,
    is_set,
    map_cases,
    shape,
)
from fsmcheck.system.terms import FALSE, TRUE, Term
from fsmcheck.system.text_functions import as_text, concatenate
from fsmcheck.system.totality import elements_never_null


def mentions(value: ActionValue) -> frozenset[str]:
    """The fields that a value names."""
    match value:
        case Expression(ast=expr) if expr is not None:
            return mentioned_fields(expr)
        case Concatenation(parts=parts):
            return frozenset().union(
                *(mentioned_fields(part.ast) for part in parts if isinstance(part, Expression) and part.ast)
            )
        case _:
            return frozenset()


@dataclass(frozen=True, slots=True)
class WriteRecord:
    """One write as it happens: ``place`` is the subject without its field.

    ``failed`` says that this write fails and none before it did; ``uses_empty`` when a text field that the
    value uses is empty; ``set_before`` and ``set_after`` whether the target is set around the action.
    """

    place: Subject
    action: int
    operator: Operator
    field: str
    mentions: frozenset[str]
    failed: Term
    uses_empty: Mapping[str, Term]
    set_before: Term
    set_after: Term


class SymbolicRun:
    """Runs action lists one after the other from a store; ``error`` says that some write failed."""

    def __init__(self, layout: Layout, store: Mapping[str, Slot], choices: Choices, snapshot: object) -> None:
        self.layout = layout
        self.store: dict[str, Slot] = dict(store)
        self.choices = choices
        self.snapshot = snapshot
        self.error: Term = FALSE
        self.records: list[WriteRecord] = []
        self._actions = 0

    def run(self, actions: tuple[Action, ...], place: Subject) -> list[WriteRecord]:
        """Run one action list and return its records."""
        first = len(self.records)
        for action in actions:
            self._run_action(action, place)
        return self.records[first:]

    def _run_action(self, action: Action, place: Subject) -> None:
        self._actions += 1
        snapshot = (self.snapshot, self._actions)
        before = dict(self.store)
        evaluator = Evaluator(before, self.layout.types, self.layout.domains, self.choices, snapshot)
        pending: list[tuple[Write, Term, Mapping[str, Term]]] = []
        for number, write in enumerate(action.writes):
            value, uses = self._value(write, evaluator, (snapshot, "value", number))
            name = write.field.text
            slot, error = self._written(action.operator, write, value, evaluator, (snapshot, "write", number))
            failed = t.and_(t.not_(self.error), error)
            self.error = t.or_(self.error, error)
            pending.append((write, failed, uses))
            self.store[name] = slot
        for write, failed, uses in pending:
            name = write.field.text
            self.records.append(
                WriteRecord(
                    place,
                    self._actions,
                    action.operator,
                    name,
                    mentions(write.value),
                    failed,
                    uses,
                    is_set(before[name]),
                    is_set(self.store[name]),
                )
            )

    def _value(self, write: Write, evaluator: Evaluator, key: object) -> tuple[Sym | Constant, Mapping[str, Term]]:
        match write.value:
            case Constant() as constant:
                return constant, {}
            case Expression(ast=expr) if expr is not None:
                return evaluator.evaluate(expr), empty_uses(expr, evaluator)
            case Concatenation(parts=parts):
                syms: list[Sym] = []
                uses: dict[str, Term] = {}
                for number, part in enumerate(parts):
                    if isinstance(part, str):
                        syms.append(evaluator.scope.constant(part, (key, number)))
                    elif part.ast is not None:
                        syms.append(as_text(evaluator.scope, evaluator.evaluate(part.ast), (key, number)))
                        for name, term in empty_uses(part.ast, evaluator).items():
                            uses[name] = t.or_(uses.get(name, FALSE), term)
                return concatenate(tuple(syms)), uses
            case _:
                raise ValueError("a value whose expression did not check")

    def _written(
        self, operator: Operator, write: Write, value: Sym | Constant, evaluator: Evaluator, key: object
    ) -> tuple[Slot, Term]:
        name = write.field.text
        slot = self.store[name]
        kind = self.layout.types[name]
        if operator is Operator.ASSIGN:
            slot, error = self._assigned(name, kind, value, evaluator, key)
            return slot, t.or_(error, self._null_element(write, value, key))
        if not isinstance(slot, SizedSlot):
            raise ValueError(f"{operator.value} to a {kind}")
        if isinstance(value, Constant):
            value = evaluator.scope.constant(value.value, key)
        error = t.or_(value.error, value.null)
        scope = evaluator.scope
        if operator is Operator.APPEND:
            facts = {
                item: t.or_(fact, equal(scope, value, scope.constant(item, key), (key, "fact", item)))
                for item, fact in slot.facts.items()
            }
            return SizedSlot(t.add(slot.size, t.integer(1)), facts), error
        return self._put(write, slot, key), error

    def _put(self, write: Write, slot: SizedSlot, key: object) -> SizedSlot:
        name = write.key.text if write.key is not None else ""
        present = slot.facts.get(name)
        if present is None:
            empty = t.eq(slot.size, t.integer(0))
            present = t.and_(t.not_(empty), self.choices.boolean((key, "present")))
        grown = t.ite(present, slot.size, t.add(slot.size, t.integer(1)))
        return SizedSlot(grown, {item: TRUE if item == name else fact for item, fact in slot.facts.items()})

    def _assigned(
        self, name: str, kind: Type, value: Sym | Constant, evaluator: Evaluator, key: object
    ) -> tuple[Slot, Term]:
        if isinstance(value, Constant):
            return self.layout.of_value(name, value.value), FALSE
        slot = self.store[name]
        if value.payload is None:
            if value.null is TRUE:
                return emptied(slot), value.error
            return self._anything(name, slot, key), t.or_(value.error, self.choices.boolean((key, "misfit")))
        written: Slot
        error = value.error
        match slot:
            case InClass(text_class=text_class) if shape(value.type) == "text":
                written = InClass(text_class, texts.into_class(value, text_class, self.choices, key))
                if kind.kind is Kind.ENUM:
                    legal = texts.within(value, ("", *kind.values), self.choices, (key, "legal"))
                    error = t.or_(error, t.and_(t.not_(value.null), t.not_(legal)))
            case BoolSlot() if shape(value.type) == "boolean":
                written = BoolSlot(FALSE, value.term())
            case IntSlot() if shape(value.type) == "integer":
                written = IntSlot(FALSE, value.term())
            case NumberSlot() if shape(value.type) == "number":
                written = NumberSlot(value.term())
            case NumberSlot(region=region) if shape(value.type) == "integer":
                written = NumberSlot(self.choices.finite((key, name), region.sort, tuple(range(2, region.sort.size))))
            case SizedSlot() if shape(value.type) == "sized":
                written = self._copied(slot, value, evaluator, key)
            case _ if shape(value.type) == "text":
                empty = map_cases(value, texts.is_empty)
                written = choose(empty, emptied(slot), self._anything(name, slot, key))
            case _:
                written = self._anything(name, slot, key)
        return choose(value.null, emptied(slot), written), error

    def _null_element(self, write: Write, value: Sym | Constant, key: object) -> Term:
        """When the assignment of a list fails because one of its elements is null."""
        if isinstance(value, Constant) or not isinstance(write.value, Expression) or write.value.ast is None:
            return FALSE
        if not isinstance(value.payload, Sized) or elements_never_null(write.value.ast):
            return FALSE
        if value.payload.elements is None:
            return self.choices.boolean((key, "null element"))
        return t.and_(t.not_(value.null), t.or_(*(part.null for part in value.payload.elements)))

    def _copied(self, slot: SizedSlot, value: Sym, evaluator: Evaluator, key: object) -> SizedSlot:
        sized = value.sized()
        facts: dict[object, Term] = {}
        for item in slot.facts:
            known = (sized.facts or {}).get(item)
            if known is None and sized.elements is not None and value.type.kind is Kind.LIST:
                constant = evaluator.scope.constant(item, key)
                known = t.or_(
                    *(equal(evaluator.scope, part, constant, (key, item, n)) for n, part in enumerate(sized.elements))
                )
            if known is None:
                known = t.and_(t.lt(t.integer(0), sized.size), self.choices.boolean((key, "member", repr(item))))
            facts[item] = known
        return SizedSlot(sized.size, facts)

    def _anything(self, name: str, slot: Slot, key: object) -> Slot:
        """Any value of the field, the empty one included."""
        match slot:
            case InClass(text_class=text_class, term=term):
                return InClass(text_class, self.choices.finite((key, name), term.sort))
            case BoolSlot():
                return BoolSlot(self.choices.boolean((key, name, "null")), self.choices.boolean((key, name)))
            case IntSlot():
                return IntSlot(self.choices.boolean((key, name, "null")), self.choices.integer((key, name)))
            case NumberSlot(region=region):
                return NumberSlot(self.choices.finite((key, name), region.sort))
            case SizedSlot(facts=facts):
                size = self.choices.integer((key, name, "size"), 0)
                member = {
                    item: t.and_(t.lt(t.integer(0), size), self.choices.boolean((key, name, repr(item))))
                    for item in facts
                }
                return SizedSlot(size, member)


def empty_uses(expr: Expr, evaluator: Evaluator) -> dict[str, Term]:
    """For each text field that a value uses other than to compare or test it: when it is empty as it is used."""
    found: dict[str, Term] = {}
    stack: list[tuple[Expr, Term]] = [(expr, TRUE)]
    while stack:
        node, reached = stack.pop()
        match node:
            case ast.FieldRef(name=name, type=kind):
                if kind.kind in (Kind.STRING, Kind.ENUM):
                    empty = t.and_(reached, t.not_(is_set(evaluator.store[name])))
                    found[name] = t.or_(found.get(name, FALSE), empty)
            case ast.Binary(op=BinaryOp.EQ | BinaryOp.NE) | ast.Has() | ast.Call(function="size"):
                continue
            case ast.Conditional(condition=condition, then=then, otherwise=otherwise):
                chosen = evaluator.evaluate(condition)
                true = evaluator.holds(chosen)
                stack.append((then, t.and_(reached, true)))
                stack.append((otherwise, t.and_(reached, chosen.ok, t.not_(true))))
            case _:
                stack.extend((child, reached) for child in ast.children(node))
    return found
