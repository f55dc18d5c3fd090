"""Which values of a field the spec can tell apart.

Text fields between which values flow or that are compared with each other form a *class*; the class knows
the literals worth distinguishing. A class in which nothing is compared needs only empty and set.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from math import isfinite, isnan

from fsmcheck.cel.ast import (
    Binary,
    BinaryOp,
    Call,
    Conditional,
    Expr,
    FieldRef,
    Has,
    Index,
    ListLiteral,
    Literal,
    Select,
    walk,
)
from fsmcheck.cel.types import Kind
from fsmcheck.records import dataclass
from fsmcheck.spec.model import Action, Concatenation, Constant, Expression, Field, Operator, Spec, Write
from fsmcheck.system.ranges import Range, integer_ranges
from fsmcheck.system.terms import Sort, SortKind
from fsmcheck.system.totality import membership

OTHER = "*"
TEXT_KINDS = (Kind.STRING, Kind.ENUM)
UNSET = 0


@dataclass(frozen=True, slots=True)
class TextClass:
    """The sort shared by the text fields of one class; label 0 is the empty text.

    ``other`` is the index of "some other non-empty text", None where every value is listed. ``literals`` maps
    each distinguished text to its index.
    """

    sort: Sort
    literals: dict[str, int]
    other: int | None


@dataclass(frozen=True)
class Domains:
    """What the translation distinguishes: text classes by field, constants that numbers are cut at, for each list
    or map the elements (or keys) whose membership is asked, and how far the integers of a field reach."""

    text: dict[str, TextClass]
    cuts: tuple[float, ...]
    members: dict[str, tuple[object, ...]]
    integers: dict[str, Range]

    def number_sort(self) -> Sort:
        """Null, NaN, then open intervals and cut points in ascending order."""
        labels = ["null", "nan"]
        previous = "-inf"
        for cut in self.cuts:
            labels += [f"({previous},{cut})", str(cut)]
            previous = str(cut)
        labels.append(f"({previous},inf)")
        return Sort(SortKind.FINITE, "number", tuple(labels))

    def region(self, value: float) -> int:
        """The index in the number sort of a double."""
        if isnan(value):
            return 1
        index = 2
        for cut in self.cuts:
            if value < cut:
                return index
            if value == cut:
                return index + 1
            index += 2
        return index


class _Classes:
    """Union-find over text fields, with the literals each class meets."""

    def __init__(self, fields: Iterable[str]) -> None:
        self.parent = {name: name for name in fields}
        self.texts: dict[str, set[str]] = {name: set() for name in self.parent}
        self.compared: set[str] = set()

    def find(self, name: str) -> str:
        while self.parent[name] != name:
            self.parent[name] = self.parent[self.parent[name]]
            name = self.parent[name]
        return name

    def relate(self, names: Sequence[str], texts: Iterable[str], compared: bool) -> None:
        if not names:
            return
        head = self.find(names[0])
        for name in names[1:]:
            root = self.find(name)
            if root != head:
                self.parent[root] = head
                self.texts[head] |= self.texts.pop(root)
                if root in self.compared:
                    self.compared.add(head)
        self.texts[head] |= set(texts)
        if compared:
            self.compared.add(head)


def _sources(expr: Expr) -> tuple[set[str], set[str]]:
    """The text fields and literals that the value of an expression may come from unchanged."""
    names: set[str] = set()
    texts: set[str] = set()
    stack = [expr]
    while stack:
        node = stack.pop()
        match node:
            case FieldRef(name=name, type=kind) if kind.kind in TEXT_KINDS:
                names.add(name)
            case Literal(value=str() as text):
                texts.add(text)
            case Conditional(then=then, otherwise=otherwise):
                stack += [then, otherwise]
            case ListLiteral(elements=elements):
                stack += elements
            case _:
                pass
    return names, texts


def expressions(spec: Spec) -> Iterator[Expr]:
    """Every typed expression of a spec that influences behaviour: guards and values of actions."""
    for write in writes(spec):
        match write.value:
            case Expression(ast=ast) if ast is not None:
                yield ast
            case Concatenation(parts=parts):
                yield from (part.ast for part in parts if isinstance(part, Expression) and part.ast is not None)
            case _:
                pass
    for state in spec.states:
        for transition in state.transitions:
            for guard in transition.guards:
                if guard.expression is not None and guard.expression.ast is not None:
                    yield guard.expression.ast


def actions(spec: Spec) -> Iterator[Action]:
    """Every action of a spec."""
    for state in spec.states:
        yield from (*state.entry, *state.exit)
        for transition in state.transitions:
            yield from transition.actions


def writes(spec: Spec) -> Iterator[Write]:
    """Every write of every action of a spec."""
    for action in actions(spec):
        yield from action.writes


def _text_classes(spec: Spec) -> dict[str, TextClass]:
    fields = {field.name.text: field for field in spec.fields if field.type.kind in TEXT_KINDS}
    classes = _Classes(fields)
    for expr in expressions(spec):
        for node in walk(expr):
            _relate_operands(classes, fields, node)
    for name, field in fields.items():
        if field.default is not None and isinstance(field.default.value, str):
            classes.relate([name], [field.default.value], compared=False)
        if field.type.kind is Kind.ENUM:
            classes.relate([name], field.type.values, compared=False)
    for action in actions(spec):
        for write in action.writes if action.operator is Operator.ASSIGN else ():
            _relate_write(classes, fields, write)
    by_root: dict[str, list[str]] = {}
    for name in fields:
        by_root.setdefault(classes.find(name), []).append(name)
    result: dict[str, TextClass] = {}
    for number, (root, members) in enumerate(by_root.items()):
        listed = sorted(classes.texts[root] - {""}) if root in classes.compared else []
        shared = _text_class(number, listed, any(fields[name].type.kind is Kind.STRING for name in members))
        result.update((name, shared) for name in members)
    return result


def _text_class(number: int, listed: list[str], has_strings: bool) -> TextClass:
    open_ended = has_strings or not listed
    labels = ("", *listed, *((OTHER,) if open_ended else ()))
    literals = {"": 0} | {text: index for index, text in enumerate(listed, 1)}
    sort = Sort(SortKind.FINITE, f"text{number}", labels)
    return TextClass(sort, literals, len(labels) - 1 if open_ended else None)


def _relate_operands(classes: _Classes, fields: dict[str, Field], node: Expr) -> None:
    """Texts that an expression compares belong together; so do an enum's and those it is tested against."""
    match node:
        case Binary(op=BinaryOp.EQ | BinaryOp.NE | BinaryOp.IN, left=left, right=right):
            names, texts = _sources(left)
            more_names, more_texts = _sources(right)
            classes.relate(sorted(names | more_names), texts | more_texts, compared=True)
        case Call(function=function, args=args) if function != "size":
            for arg in args:
                names, texts = _sources(arg)
                named = [name for name in sorted(names) if fields[name].type.kind is Kind.ENUM]
                classes.relate(named, texts, compared=True)
        case _:
            pass


def _relate_write(classes: _Classes, fields: dict[str, Field], write: Write) -> None:
    target = write.field.text
    if target not in fields:
        return
    kind = fields[target].type
    match write.value:
        case Constant(value=str() as text):
            classes.relate([target], [text], compared=False)
        case Expression(ast=ast) if ast is not None:
            names, texts = _sources(ast)
            classes.relate([target, *sorted(names)], texts, compared=kind.kind is Kind.ENUM)
        case Concatenation():
            classes.relate([target], [], compared=kind.kind is Kind.ENUM)
        case _:
            pass


def _cuts(spec: Spec) -> tuple[float, ...]:
    if not any(field.type.kind is Kind.NUMBER for field in spec.fields):
        return ()
    found: set[float] = {0.0}
    for expr in expressions(spec):
        for node in walk(expr):
            if isinstance(node, Literal) and isinstance(node.value, int | float) and not isinstance(node.value, bool):
                found |= {float(node.value), -float(node.value)}
    for field in spec.fields:
        if field.type.kind is Kind.NUMBER and field.default is not None and field.default.value is not None:
            found.add(float(field.default.value))  # type: ignore[arg-type]
    for write in writes(spec):
        if isinstance(write.value, Constant) and isinstance(write.value.value, float):
            found.add(write.value.value)
    return tuple(sorted(cut + 0.0 for cut in found if isfinite(cut)))


def _members(spec: Spec) -> dict[str, tuple[object, ...]]:
    """The constants whose membership in a list or map field is asked; booleans are left unconstrained."""
    found: dict[str, dict[object, None]] = {}
    for expr in expressions(spec):
        for node in walk(expr):
            asked = membership(node)
            if asked is not None and not isinstance(asked[1], bool | float | None):
                found.setdefault(asked[0].name, {})[asked[1]] = None
                continue
            match node:
                case Index(operand=FieldRef(name=name, type=kind), index=Literal(value=value)) if kind.kind is Kind.MAP:
                    pass
                case Has(operand=Select(operand=FieldRef(name=name), name=value)):
                    pass
                case Select(operand=FieldRef(name=name), name=value):
                    pass
                case _:
                    continue
            if value is not None and not isinstance(value, bool | float):
                found.setdefault(name, {})[value] = None
    return {name: tuple(values) for name, values in found.items()}


def domains(spec: Spec) -> Domains:
    """Derive the distinctions that a spec's guards and actions make."""
    return Domains(_text_classes(spec), _cuts(spec), _members(spec), integer_ranges(spec))
