"""The type checker.

It follows the standard CEL checker: no implicit conversion, ``==`` and ``<`` want one type on both sides (so
``1 == 1.0`` is an error although it is true at run time), list and map literals of mixed types are allowed.
Stricter in one place: arithmetic and ordering on a literal null is an error here, and there only when evaluated.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from fsmcheck.cel.ast import (
    Binary,
    Call,
    Comprehension,
    Conditional,
    Expr,
    FieldRef,
    Has,
    Index,
    ListLiteral,
    Literal,
    Macro,
    MapLiteral,
    Scalar,
    Select,
    Unary,
    UnaryOp,
    Variable,
)
from fsmcheck.cel.check_operators import binary_type
from fsmcheck.cel.enums import EnumMismatch, enum_literal_mismatches
from fsmcheck.cel.errors import CelError, quoted
from fsmcheck.cel.functions import SIGNATURES
from fsmcheck.cel.types import BOOLEAN, DYN, INTEGER, NULL, NUMBER, STRING, Kind, Type
from fsmcheck.cel.unify import as_condition, element_of, is_boolean, noun, unify, value_kind
from fsmcheck.source import Span
from fsmcheck.spelling import nearest, suggestion

__all__ = ["EnumMismatch", "check", "enum_literal_mismatches"]


def check(
    expr: Expr, fields: Mapping[str, Type], variables: Mapping[str, Type] | None = None
) -> tuple[Expr, tuple[CelError, ...]]:
    """The same tree with a type at every node, and every error in it, in text order.

    ``fields`` are the declared context fields, ``variables`` the free variables that ``parse`` was told of.
    What has an error gets the type ``DYN``, so one mistake is reported once. Kinds of error: ``unknown-field``
    (rule FSM102 reports these; its span is the name alone) and ``type``.
    """
    checker = _Checker(fields, dict(variables or {}))
    try:
        typed = checker.visit(expr)
    except RecursionError:
        return expr, (CelError("the expression is nested too deeply", expr.span, kind="type"),)
    return typed, tuple(sorted(checker.errors, key=lambda error: (error.span, error.message)))


class _Checker:
    def __init__(self, fields: Mapping[str, Type], scope: dict[str, Type]) -> None:
        self.errors: list[CelError] = []
        self._fields = fields
        self._scope = scope

    def visit(self, node: Expr) -> Expr:
        match node:
            case Literal(value=value):
                return replace(node, type=_literal_type(value))
            case FieldRef():
                return replace(node, type=self._field(node))
            case Variable(name=name):
                return replace(node, type=self._scope.get(name, DYN))
            case Unary():
                return self._unary(node)
            case Binary(op=op):
                left, right = self.visit(node.left), self.visit(node.right)
                type_, errors = binary_type(op, left, right, node.span)
                self.errors.extend(errors)
                return replace(node, left=left, right=right, type=type_)
            case Conditional():
                return self._conditional(node)
            case Call():
                return self._call(node)
            case _:
                return self._collection(node)

    def _collection(self, node: Select | Index | Has | ListLiteral | MapLiteral | Comprehension) -> Expr:
        match node:
            case Select():
                return self._select(node)
            case Index():
                return self._index(node)
            case Has(operand=operand):
                if isinstance(operand, FieldRef):
                    return replace(node, operand=replace(operand, type=self._field(operand)), type=BOOLEAN)
                return replace(node, operand=self._select(operand), type=BOOLEAN)
            case ListLiteral(elements=elements):
                parts = tuple(self.visit(element) for element in elements)
                return replace(node, elements=parts, type=Type(Kind.LIST, element=_common(parts)))
            case MapLiteral(entries=entries):
                keys = tuple(self._key(key) for key, _ in entries)
                values = tuple(self.visit(value) for _, value in entries)
                type_ = Type(Kind.MAP, element=_common(values), key=_common(keys))
                return replace(node, entries=tuple(zip(keys, values, strict=True)), type=type_)
            case Comprehension():
                return self._comprehension(node)

    def _error(self, message: str, span: Span, advice: str | None = None) -> Type:
        self.errors.append(CelError(message, span, advice, kind="type"))
        return DYN

    def _field(self, node: FieldRef) -> Type:
        found = self._fields.get(node.name)
        if found is not None:
            return found
        message = f'unknown field {quoted(node.name)}: expected a field of "context"'
        advice, meant = suggestion(node.name, self._fields, "fields"), nearest(node.name, self._fields)
        self.errors.append(CelError(message, node.name_span, advice, "unknown-field", meant))
        return DYN

    def _unary(self, node: Unary) -> Expr:
        operand = self.visit(node.operand)
        if node.op is UnaryOp.NOT:
            self._want_boolean(operand, '"!"')
            return replace(node, operand=operand, type=BOOLEAN)
        type_ = operand.type
        if type_.kind in {Kind.INTEGER, Kind.NUMBER}:
            type_ = replace(type_, nullable=False)
        elif type_.kind is not Kind.DYN:
            type_ = self._error(f'"-" has {noun(type_)}: expected an integer or a number', operand.span)
        return replace(node, operand=operand, type=type_)

    def _want_boolean(self, operand: Expr, place: str) -> None:
        if not is_boolean(operand.type):
            self._error(
                f"{place} has {noun(operand.type)}: expected a boolean", operand.span, as_condition(operand.type)
            )

    def _conditional(self, node: Conditional) -> Expr:
        condition, then, otherwise = self.visit(node.condition), self.visit(node.then), self.visit(node.otherwise)
        self._want_boolean(condition, 'the condition of "?:"')
        type_ = unify(then.type, otherwise.type)
        if type_ is None:
            type_ = self._error(
                f'the branches of "?:" are {noun(then.type)} and {noun(otherwise.type)}: expected one type',
                Span(then.span.start, otherwise.span.end),
            )
        return replace(node, condition=condition, then=then, otherwise=otherwise, type=type_)

    def _call(self, node: Call) -> Expr:
        args = tuple(self.visit(arg) for arg in node.args)
        signature = SIGNATURES[node.function]
        for arg, kinds in zip(args, signature.params, strict=True):
            if arg.type.kind is not Kind.DYN and value_kind(arg.type) not in kinds:
                wanted = " or ".join(noun(Type(kind)) for kind in Kind if kind in kinds)
                self._error(f'"{node.function}" has {noun(arg.type)}: expected {wanted}', arg.span)
        if node.function == "matches" and isinstance(args[1], Literal) and isinstance(args[1].value, str):
            from fsmcheck.cel.patterns import pattern_error

            problem = pattern_error(args[1].value)
            if problem is not None:
                self._error(f"invalid regular expression: {problem}", args[1].span)
        return replace(node, args=args, type=signature.result)

    def _select(self, node: Select) -> Select:
        operand = self.visit(node.operand)
        match operand.type:
            case Type(kind=Kind.MAP, key=key) if key is None or unify(key, STRING) is not None:
                type_ = element_of(operand.type)
            case Type(kind=Kind.DYN):
                type_ = DYN
            case _:
                type_ = self._error(
                    f"{noun(operand.type)} has no {quoted(node.name)}: expected a map with string keys", node.span
                )
        return replace(node, operand=operand, type=type_)

    def _index(self, node: Index) -> Expr:
        operand, index = self.visit(node.operand), self.visit(node.index)
        type_ = element_of(operand.type)
        match operand.type:
            case Type(kind=Kind.LIST):
                if index.type.kind not in {Kind.INTEGER, Kind.DYN}:
                    self._error(f"a list is indexed with {noun(index.type)}: expected an integer", index.span)
            case Type(kind=Kind.MAP, key=key):
                if key is not None and unify(key, index.type) is None:
                    self._error(f"a map key is {noun(index.type)}: expected {noun(key)}", index.span)
            case Type(kind=Kind.DYN):
                pass
            case _:
                self._error(f"{noun(operand.type)} cannot be indexed: expected a list or a map", operand.span)
        return replace(node, operand=operand, index=index, type=type_)

    def _key(self, key: Expr) -> Expr:
        checked = self.visit(key)
        if value_kind(checked.type) not in {Kind.STRING, Kind.INTEGER, Kind.BOOLEAN, Kind.DYN}:
            self._error(f"a map key is {noun(checked.type)}: expected a string, an integer or a boolean", checked.span)
        return checked

    def _comprehension(self, node: Comprehension) -> Expr:
        macro = node.macro
        range_ = self.visit(node.range)
        match range_.type:
            case Type(kind=Kind.LIST):
                item = element_of(range_.type)
            case Type(kind=Kind.MAP, key=key):
                item = key or DYN
            case Type(kind=Kind.DYN):
                item = DYN
            case _:
                item = self._error(f'"{macro.value}" has {noun(range_.type)}: expected a list or a map', range_.span)
        hidden = self._scope.get(node.variable)
        self._scope[node.variable] = item
        condition = None if node.condition is None else self.visit(node.condition)
        body = self.visit(node.body)
        if hidden is None:
            del self._scope[node.variable]
        else:
            self._scope[node.variable] = hidden
        if condition is not None:
            self._want_boolean(condition, f'the condition of "{macro.value}"')
        if macro is not Macro.MAP:
            self._want_boolean(body, f'the condition of "{macro.value}"')
        type_ = {
            Macro.MAP: Type(Kind.LIST, element=body.type),
            Macro.FILTER: Type(Kind.LIST, element=item),
        }.get(macro, BOOLEAN)
        return replace(node, range=range_, condition=condition, body=body, type=type_)


def _literal_type(value: Scalar) -> Type:
    match value:
        case None:
            return NULL
        case bool():
            return BOOLEAN
        case int():
            return INTEGER
        case float():
            return NUMBER
        case str():
            return STRING


def _common(parts: tuple[Expr, ...]) -> Type | None:
    """The type of a literal's elements: None without any, ``DYN`` where they differ."""
    if not parts:
        return None
    common: Type | None = parts[0].type
    for part in parts[1:]:
        common = unify(common, part.type) if common is not None else None
    return common or DYN
