"""The abstract syntax of expressions.

Every node has a ``span`` of half-open code point offsets in the *expression text* (not in the file) and a
``type``, ``DYN`` until the checker has rebuilt the node with the type it found.
"""

from __future__ import annotations

from collections.abc import Iterator
from enum import Enum

from fsmcheck.cel.types import DYN, Type
from fsmcheck.once import once
from fsmcheck.records import dataclass
from fsmcheck.source import Span

Scalar = None | bool | int | float | str


class UnaryOp(Enum):
    NOT = "!"
    NEGATE = "-"


class BinaryOp(Enum):
    OR = "||"
    AND = "&&"
    EQ = "=="
    NE = "!="
    LT = "<"
    LE = "<="
    GT = ">"
    GE = ">="
    IN = "in"
    ADD = "+"
    SUB = "-"
    MUL = "*"
    DIV = "/"
    MOD = "%"


class Macro(Enum):
    ALL = "all"
    EXISTS = "exists"
    EXISTS_ONE = "exists_one"
    MAP = "map"
    FILTER = "filter"


@dataclass(frozen=True, slots=True)
class Literal:
    """A constant. An int is CEL's int (int64), a float its double."""

    value: Scalar
    span: Span
    type: Type = DYN


@dataclass(frozen=True, slots=True)
class FieldRef:
    """``context.f``: the value of the declared field ``name``; ``name_span`` covers only the name."""

    name: str
    span: Span
    name_span: Span
    type: Type = DYN


@dataclass(frozen=True, slots=True)
class Variable:
    """A name bound by an enclosing macro."""

    name: str
    span: Span
    type: Type = DYN


@dataclass(frozen=True, slots=True)
class Select:
    """``operand.name`` where the operand is a map (never ``context`` itself)."""

    operand: Expr
    name: str
    span: Span
    type: Type = DYN


@dataclass(frozen=True, slots=True)
class Index:
    """``operand[index]`` on a list or a map."""

    operand: Expr
    index: Expr
    span: Span
    type: Type = DYN


@dataclass(frozen=True, slots=True)
class Unary:
    op: UnaryOp
    operand: Expr
    span: Span
    type: Type = DYN


@dataclass(frozen=True, slots=True)
class Binary:
    op: BinaryOp
    left: Expr
    right: Expr
    span: Span
    type: Type = DYN


@dataclass(frozen=True, slots=True)
class Conditional:
    """``condition ? then : otherwise``"""

    condition: Expr
    then: Expr
    otherwise: Expr
    span: Span
    type: Type = DYN


@dataclass(frozen=True, slots=True)
class Call:
    """A function: ``size``, ``startsWith``, ``endsWith``, ``contains``, ``matches``, ``int``, ``double``,
    ``string``, ``bool``. A method's receiver is its first argument."""

    function: str
    args: tuple[Expr, ...]
    span: Span
    type: Type = DYN


@dataclass(frozen=True, slots=True)
class Has:
    """``has(context.f)``: the field is set; ``has(m.k)``: the key is present. ``operand`` is FieldRef or Select."""

    operand: FieldRef | Select
    span: Span
    type: Type = DYN


@dataclass(frozen=True, slots=True)
class ListLiteral:
    elements: tuple[Expr, ...]
    span: Span
    type: Type = DYN


@dataclass(frozen=True, slots=True)
class MapLiteral:
    entries: tuple[tuple[Expr, Expr], ...]
    span: Span
    type: Type = DYN


@dataclass(frozen=True, slots=True)
class Comprehension:
    """``range.macro(variable, body)``; ``condition`` is the filter of the three-argument ``map``."""

    macro: Macro
    variable: str
    range: Expr
    body: Expr
    span: Span
    condition: Expr | None = None
    type: Type = DYN


Expr = (
    Literal
    | FieldRef
    | Variable
    | Select
    | Index
    | Unary
    | Binary
    | Conditional
    | Call
    | Has
    | ListLiteral
    | MapLiteral
    | Comprehension
)


def children(node: Expr) -> tuple[Expr, ...]:
    """The direct sub-expressions in the order they are written."""
    match node:
        case Literal() | FieldRef() | Variable():
            return ()
        case Select(operand=operand) | Unary(operand=operand) | Has(operand=operand):
            return (operand,)
        case Index(operand=operand, index=index):
            return (operand, index)
        case Binary(left=left, right=right):
            return (left, right)
        case Conditional(condition=condition, then=then, otherwise=otherwise):
            return (condition, then, otherwise)
        case Call(args=args):
            return args
        case ListLiteral(elements=elements):
            return elements
        case MapLiteral(entries=entries):
            return tuple(part for entry in entries for part in entry)
        case Comprehension(range=range_, condition=condition, body=body):
            return (range_, body) if condition is None else (range_, condition, body)


def walk(node: Expr) -> Iterator[Expr]:
    """The node and all below it, parents first."""
    stack = [node]
    while stack:
        current = stack.pop()
        yield current
        stack.extend(reversed(children(current)))


@once
def mentioned_fields(node: Expr) -> frozenset[str]:
    """The context fields that an expression names anywhere, whether or not they are evaluated."""
    return frozenset(part.name for part in walk(node) if isinstance(part, FieldRef))
