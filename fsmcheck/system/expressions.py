"""Expressions as symbolic values: CEL on terms.

Exact where the abstraction allows it; what it cannot express is an unconstrained value (an input of the
abstraction), never a guess. Two evaluations of one expression in one store share their inputs.
"""

from __future__ import annotations

from collections.abc import Callable

from fsmcheck.cel import ast
from fsmcheck.cel.ast import BinaryOp, Expr, UnaryOp
from fsmcheck.cel.evaluate import EvaluationError, evaluate
from fsmcheck.cel.types import DYN, STRING, Kind, Type
from fsmcheck.cel.values import Value
from fsmcheck.source import Span
from fsmcheck.system import arithmetic, texts
from fsmcheck.system import terms as t
from fsmcheck.system.choices import Choices
from fsmcheck.system.domains import Domains
from fsmcheck.system.symbolic import (
    Sized,
    SomeText,
    Store,
    Sym,
    TextLeaf,
    is_set,
    map_cases,
    of_slot,
    real,
    shape,
    text,
    truth,
    whole,
)
from fsmcheck.system.terms import FALSE, TRUE, Term
from fsmcheck.system.totality import cannot_fail, membership

_NOWHERE = Span(0, 0)


def key_of(expr: Expr) -> object:
    """A key equal for expressions that differ only in their place."""
    match expr:
        case ast.Literal(value=value):
            return ("literal", type(value).__name__, repr(value))
        case ast.FieldRef(name=name):
            return ("field", name)
        case ast.Variable(name=name):
            return ("variable", name)
        case ast.Select(name=name) | ast.Call(function=name):
            head: object = name
        case ast.Unary(op=op) | ast.Binary(op=op):
            head = op.value
        case ast.Comprehension(macro=macro, variable=variable):
            head = (macro.value, variable)
        case _:
            head = None
    return (type(expr).__name__, head, *(key_of(child) for child in ast.children(expr)))


class Evaluator:
    """Evaluates expressions in one symbolic store."""

    def __init__(self, store: Store, types: dict[str, Type], domains: Domains, choices: Choices, snapshot: object):
        self.store = store
        self.types = types
        self.domains = domains
        self.choices = choices
        self.snapshot = snapshot
        self._memo: dict[object, Sym] = {}

    def holds(self, sym: Sym) -> Term:
        """Whether a value is the boolean true."""
        if sym.type.kind is not Kind.BOOLEAN:
            return t.and_(sym.ok, self.choices.boolean((self.snapshot, "holds", id(sym))))
        return t.and_(sym.ok, sym.term())

    def evaluate(self, expr: Expr) -> Sym:
        """The symbolic value of an expression."""
        key = key_of(expr)
        known = self._memo.get(key)
        if known is None:
            known = self._memo[key] = self._evaluate(expr, key)
        return known

    def unknown(self, kind: Type, key: object, error: Term | None = None) -> Sym:
        """An unconstrained value of a type. ``error`` says when evaluation fails, None that it may or may not."""
        key = (self.snapshot, key)
        failed = self.choices.boolean((key, "error")) if error is None else error
        null = self.choices.boolean((key, "null")) if kind.nullable or kind.kind is Kind.DYN else FALSE
        match kind.kind:
            case Kind.BOOLEAN:
                return Sym(kind, failed, null, self.choices.boolean((key, "value")))
            case Kind.INTEGER:
                return Sym(kind, failed, null, self.choices.integer((key, "value")))
            case Kind.NUMBER:
                sort = self.domains.number_sort()
                return Sym(kind, failed, null, self.choices.finite((key, "value"), sort, tuple(range(1, sort.size))))
            case Kind.STRING | Kind.ENUM:
                leaf = SomeText(self.choices.boolean((key, "nonempty")))
                return Sym(kind, failed, null, ((TRUE, leaf),))
            case Kind.LIST | Kind.MAP:
                return Sym(kind, failed, null, Sized(self.choices.integer((key, "size"), 0)))
            case Kind.NULL:
                return Sym(kind, failed, TRUE, None)
            case Kind.DYN:
                return Sym(kind, failed, null, None)

    def _evaluate(self, expr: Expr, key: object) -> Sym:
        match expr:
            case ast.Literal(value=value):
                return self.constant(value, key)
            case ast.FieldRef(name=name):
                return of_slot(self.store[name], self.types[name])
            case ast.Unary(op=op, operand=operand):
                return self._unary(op, self.evaluate(operand), expr, key)
            case ast.Binary(op=BinaryOp.AND | BinaryOp.OR as op, left=left, right=right):
                return self._junction(op, self.evaluate(left), self.evaluate(right))
            case ast.Binary(op=BinaryOp.IN):
                return self._contains(expr, key)
            case ast.Binary():
                return self._binary(expr, key)
            case ast.Conditional(condition=condition, then=then, otherwise=otherwise):
                return self._conditional(
                    self.evaluate(condition), self.evaluate(then), self.evaluate(otherwise), expr.type, key
                )
            case ast.Has(operand=ast.FieldRef(name=name)):
                return truth(is_set(self.store[name]))
            case ast.Has(operand=ast.Select() as selected):
                container = self.evaluate(selected.operand)
                return truth(self._member(container, selected.name, key), container.error)
            case ast.Select(operand=operand, name=name):
                return self._lookup(self.evaluate(operand), self.constant(name, key), expr.type, key)
            case ast.Index(operand=operand, index=index):
                return self._lookup(self.evaluate(operand), self.evaluate(index), expr.type, key)
            case ast.Call(function=function, args=args):
                return self._call(function, tuple(self.evaluate(arg) for arg in args), expr.type, key)
            case ast.ListLiteral(elements=elements):
                parts = tuple(self.evaluate(element) for element in elements)
                error = t.or_(*(part.error for part in parts))
                return Sym(expr.type, error, FALSE, Sized(t.integer(len(parts)), parts))
            case ast.Comprehension():
                return self._comprehension(expr, key)
            case _:
                return self.unknown(expr.type, key)

    def constant(self, value: object, key: object) -> Sym:
        """A constant of a scalar type."""
        match value:
            case bool():
                return truth(t.boolean(value))
            case int():
                return whole(t.integer(value))
            case float():
                sort = self.domains.number_sort()
                return real(t.label(sort, self.domains.region(value)))
            case str():
                return text(value)
            case None:
                return Sym(DYN, FALSE, TRUE, None)
            case _:
                return self.unknown(DYN, key)

    def _three(self, sym: Sym) -> tuple[Term, Term]:
        """When a value is true, when it is false; otherwise it is an error (or no boolean)."""
        if sym.type.kind is not Kind.BOOLEAN:
            value = self.choices.boolean((self.snapshot, "operand", id(sym)))
            return t.and_(sym.ok, value), FALSE
        return t.and_(sym.ok, sym.term()), t.and_(sym.ok, t.not_(sym.term()))

    def _junction(self, op: BinaryOp, left: Sym, right: Sym) -> Sym:
        (t1, f1), (t2, f2) = self._three(left), self._three(right)
        if op is BinaryOp.AND:
            true, false = t.and_(t1, t2), t.or_(f1, f2)
        else:
            true, false = t.or_(t1, t2), t.and_(f1, f2)
        return truth(true, t.and_(t.not_(true), t.not_(false)))

    def _unary(self, op: UnaryOp, operand: Sym, expr: Expr, key: object) -> Sym:
        if op is UnaryOp.NOT and operand.type.kind is Kind.BOOLEAN:
            return truth(t.not_(operand.term()), t.not_(operand.ok))
        if op is UnaryOp.NEGATE and operand.type.kind is Kind.INTEGER:
            return whole(t.arithmetic(t.Op.SUB, t.integer(0), operand.term()), t.not_(operand.ok))
        if isinstance(expr, ast.Unary) and isinstance(expr.operand, ast.Literal):
            folded = self._folded(expr, key)
            if folded is not None:
                return folded
        return self.unknown(expr.type, key, t.not_(operand.ok))

    def _folded(self, expr: Expr, key: object) -> Sym | None:
        try:
            return self.constant(evaluate(expr, {}), key)
        except EvaluationError:
            return None

    def _binary(self, expr: ast.Binary, key: object) -> Sym:
        left, right = self.evaluate(expr.left), self.evaluate(expr.right)
        match expr.op:
            case BinaryOp.EQ:
                return self._equality(expr.left, expr.right, left, right)
            case BinaryOp.NE:
                same = self._equality(expr.left, expr.right, left, right)
                return truth(t.not_(same.term()), same.error)
            case BinaryOp.LT | BinaryOp.LE | BinaryOp.GT | BinaryOp.GE:
                return self._ordering(expr, left, right)
            case _:
                return self._arithmetic(expr, left, right, key)

    def _equality(self, left_expr: Expr, right_expr: Expr, left: Sym, right: Sym) -> Sym:
        keys = sorted((key_of(left_expr), key_of(right_expr)), key=repr)
        key = (self.snapshot, "equal", *keys)
        return truth(self.equal(left, right, key), t.or_(left.error, right.error))

    def equal(self, left: Sym, right: Sym, key: object) -> Term:
        """CEL's ``==`` of two values that evaluate; null equals only null."""
        both = t.and_(t.not_(left.null), t.not_(right.null))
        return t.or_(t.and_(left.null, right.null), t.and_(both, self._payloads_equal(left, right, key)))

    def _payloads_equal(self, left: Sym, right: Sym, key: object) -> Term:
        if left.payload is None or right.payload is None or shape(left.type) != shape(right.type):
            return self.choices.boolean(key)
        match shape(left.type):
            case "text":
                return texts.equal(left, right, self.choices, key)
            case "boolean" | "integer":
                return t.eq(left.term(), right.term())
            case "number":
                return arithmetic.numbers_equal(left.term(), right.term(), self.choices, key)
            case _:
                size, other = left.sized().size, right.sized().size
                zero = t.eq(size, t.integer(0))
                return t.and_(t.eq(size, other), t.or_(zero, self.choices.boolean(key)))

    def _ordering(self, expr: ast.Binary, left: Sym, right: Sym) -> Sym:
        error = t.or_(t.not_(left.ok), t.not_(right.ok))
        op = expr.op
        first, second, first_expr, second_expr = left, right, expr.left, expr.right
        if op in (BinaryOp.GT, BinaryOp.GE):
            first, second, first_expr, second_expr = right, left, expr.right, expr.left
        strict = op in (BinaryOp.LT, BinaryOp.GT)
        key = (self.snapshot, "less" if strict else "at most", key_of(first_expr), key_of(second_expr))
        kinds = (shape(first.type), shape(second.type))
        if kinds == ("integer", "integer"):
            return truth((t.lt if strict else t.le)(first.term(), second.term()), error)
        if kinds == ("number", "number"):
            return truth(arithmetic.numbers_less(first.term(), second.term(), strict, self.choices, key), error)
        if kinds == ("boolean", "boolean"):
            low, high = first.term(), second.term()
            return truth(t.and_(t.not_(low), high) if strict else t.or_(t.not_(low), high), error)
        if kinds == ("text", "text"):
            return truth(self._text_order(first, second, strict, key), error)
        return truth(self.choices.boolean(key), self.choices.boolean((key, "error")))

    def _text_order(self, first: Sym, second: Sym, strict: bool, key: object) -> Term:
        def against(leaf: TextLeaf, number: int) -> Term:
            if not isinstance(leaf, str):
                return self.choices.boolean((key, number))
            return map_cases(first, lambda low: texts.tabulate(
                low,
                lambda known: t.boolean(known < leaf if strict else known <= leaf),
                lambda: self.choices.boolean((key, number, leaf)),
            ))

        return t.or_(*(t.and_(cond, against(leaf, i)) for i, (cond, leaf) in enumerate(second.cases())))

    def _arithmetic(self, expr: ast.Binary, left: Sym, right: Sym, key: object) -> Sym:
        failed = t.or_(t.not_(left.ok), t.not_(right.ok))
        kinds = (shape(left.type), shape(right.type))
        if kinds == ("integer", "integer"):
            value, error = arithmetic.integers(expr.op, left.term(), right.term())
            return whole(value, t.or_(failed, error))
        if kinds == ("text", "text") and expr.op is BinaryOp.ADD:
            return self.concatenate((left, right))
        if kinds == ("sized", "sized") and expr.op is BinaryOp.ADD:
            size = t.add(left.sized().size, right.sized().size)
            return Sym(expr.type, failed, FALSE, Sized(size))
        if isinstance(expr.left, ast.Literal) and isinstance(expr.right, ast.Literal):
            folded = self._folded(expr, key)
            if folded is not None:
                return folded
        known = "number" in kinds and set(kinds) <= {"number"} and expr.op is not BinaryOp.MOD
        return self.unknown(expr.type, key, failed if known else None)

    def concatenate(self, parts: tuple[Sym, ...]) -> Sym:
        """Texts joined; a null part fails. Exact where every part is a constant."""
        error = t.or_(*(t.not_(part.ok) for part in parts))
        leaves = [part.cases()[0][1] if len(part.cases()) == 1 else None for part in parts]
        if all(isinstance(leaf, str) for leaf in leaves):
            return text("".join(str(leaf) for leaf in leaves), error)
        set_parts = [map_cases(part, lambda leaf: t.not_(texts.is_empty(leaf))) for part in parts]
        visible = [number for number, leaf in enumerate(leaves) if leaf != ""]
        if len(visible) == 1:
            only = parts[visible[0]]
            return Sym(only.type, error, FALSE, only.payload)
        return text(SomeText(t.or_(*set_parts)), error)

    def _conditional(self, condition: Sym, then: Sym, otherwise: Sym, kind: Type, key: object) -> Sym:
        true, false = self._three(condition)
        error = t.or_(t.and_(true, then.error), t.and_(false, otherwise.error), t.not_(t.or_(true, false)))
        null = t.ite(true, then.null, otherwise.null)
        if then.payload is None and otherwise.payload is not None:
            then = Sym(otherwise.type, then.error, then.null, otherwise.payload)
        if otherwise.payload is None and then.payload is not None:
            otherwise = Sym(then.type, otherwise.error, otherwise.null, then.payload)
        if then.payload is None or shape(then.type) != shape(otherwise.type):
            return self.unknown(kind, key)
        payload: Term | tuple[tuple[Term, TextLeaf], ...] | Sized
        match shape(then.type):
            case "text":
                payload = (
                    *((t.and_(true, case), leaf) for case, leaf in then.cases()),
                    *((t.and_(t.not_(true), case), leaf) for case, leaf in otherwise.cases()),
                )
            case "sized":
                payload = Sized(t.ite(true, then.sized().size, otherwise.sized().size))
            case _:
                payload = t.ite(true, then.term(), otherwise.term())
        return Sym(then.type, error, null, payload)

    def _contains(self, expr: ast.Binary, key: object) -> Sym:
        container = self.evaluate(expr.right)
        item = self.evaluate(expr.left)
        error = t.or_(item.error, container.error)
        if container.payload is None:
            return self.unknown(expr.type, key)
        parts = container.sized().elements
        if parts is not None and isinstance(expr.right, ast.ListLiteral):
            found = [
                self._equality(expr.left, element, item, part).term()
                for element, part in zip(expr.right.elements, parts, strict=True)
            ]
            return truth(t.or_(*found), error)
        known = expr.left.value if isinstance(expr.left, ast.Literal) else None
        return truth(self._member(container, known, key), error)

    def _member(self, container: Sym, item: object, key: object) -> Term:
        if not isinstance(container.payload, Sized):
            return self.choices.boolean((self.snapshot, key, "member"))
        sized = container.payload
        fact = (sized.facts or {}).get(item) if item is not None and not isinstance(item, bool) else None
        if fact is not None:
            return fact
        return t.and_(t.lt(t.integer(0), sized.size), self.choices.boolean((self.snapshot, key, "member")))

    def _lookup(self, container: Sym, index: Sym, kind: Type, key: object) -> Sym:
        failed = t.or_(container.error, t.not_(index.ok))
        if not isinstance(container.payload, Sized):
            return self.unknown(kind, key)
        size = container.payload.size
        if container.type.kind is Kind.LIST and index.type.kind is Kind.INTEGER:
            inside = t.and_(t.le(t.integer(0), index.term()), t.lt(index.term(), size))
            return self.unknown(kind, key, t.or_(failed, t.not_(inside)))
        if shape(index.type) == "text" and len(index.cases()) == 1 and isinstance(index.cases()[0][1], str):
            present = self._member(container, index.cases()[0][1], (key, "key"))
            return self.unknown(kind, key, t.or_(failed, t.not_(present)))
        return self.unknown(kind, key)

    def _comprehension(self, expr: ast.Comprehension, key: object) -> Sym:
        source = self.evaluate(expr.range)
        asked = membership(expr)
        if asked is not None and not isinstance(asked[1], bool | float):
            return truth(self._member(source, asked[1], key), source.error)
        result = self.unknown(expr.type, key, FALSE if cannot_fail(expr) else None)
        if not isinstance(source.payload, Sized):
            return result
        empty = t.and_(source.ok, t.eq(source.payload.size, t.integer(0)))
        error = t.or_(source.error, t.and_(t.not_(empty), result.error))
        match expr.macro:
            case ast.Macro.ALL:
                return truth(t.or_(empty, result.term()), error)
            case ast.Macro.EXISTS | ast.Macro.EXISTS_ONE:
                return truth(t.and_(t.not_(empty), result.term()), error)
            case ast.Macro.MAP | ast.Macro.FILTER:
                if not isinstance(result.payload, Sized):
                    return result
                size = t.ite(empty, t.integer(0), result.payload.size)
                return Sym(expr.type, error, FALSE, Sized(size))

    def _call(self, function: str, args: tuple[Sym, ...], kind: Type, key: object) -> Sym:
        failed = t.or_(*(t.not_(arg.ok) for arg in args))
        first = args[0]
        if function == "size":
            if isinstance(first.payload, Sized):
                return whole(first.payload.size, failed)
            if shape(first.type) == "text":
                return whole(self._text_size(first, key), failed)
            return self.unknown(kind, key)
        if function in ("startsWith", "endsWith", "contains", "matches") and len(args) == 2:
            needle = args[1].cases()[0][1] if shape(args[1].type) == "text" and len(args[1].cases()) == 1 else None
            if isinstance(needle, str) and shape(first.type) == "text":
                return self._text_test(function, first, needle, failed, key)
        if function == "string" and len(args) == 1:
            return self.as_text(first, key)
        return self.unknown(kind, key)

    def as_text(self, sym: Sym, key: object) -> Sym:
        """CEL's ``string()``."""
        match shape(sym.type):
            case "text":
                return Sym(sym.type, sym.error, sym.null, sym.payload)
            case "boolean":
                cases: tuple[tuple[Term, TextLeaf], ...] = (
                    (sym.term(), "true"), (t.not_(sym.term()), "false"),
                )
                return Sym(STRING, t.not_(sym.ok), FALSE, cases)
            case "integer" | "number":
                return text(SomeText(TRUE), t.not_(sym.ok))
            case _:
                return self.unknown(STRING, (key, "string"))

    def _text_size(self, sym: Sym, key: object) -> Term:
        result = t.integer(0)
        for number, (condition, leaf) in enumerate(sym.cases()):
            size = texts.tabulate(
                leaf,
                lambda known: t.integer(len(known)),
                lambda n=number: self.choices.integer((self.snapshot, key, "size", n), 1),  # type: ignore[misc]
            )
            result = t.ite(condition, size, result)
        return result

    def _text_test(self, function: str, subject: Sym, needle: str, failed: Term, key: object) -> Sym:
        def decide(known: str) -> Value:
            call = ast.Call(function, (ast.Literal(known, _NOWHERE), ast.Literal(needle, _NOWHERE)), _NOWHERE)
            return evaluate(call, {})

        def result_of(known: str) -> Term:
            try:
                return t.boolean(decide(known) is True)
            except EvaluationError:
                return FALSE

        def fails(known: str) -> Term:
            try:
                decide(known)
            except EvaluationError:
                return TRUE
            return FALSE

        def chosen(purpose: str) -> Callable[[], Term]:
            return lambda: self.choices.boolean((self.snapshot, key, purpose))

        value = map_cases(subject, lambda leaf: texts.tabulate(leaf, result_of, chosen("test")))
        may_fail = function == "matches"
        error = map_cases(
            subject, lambda leaf: texts.tabulate(leaf, fails, chosen("test error") if may_fail else lambda: FALSE)
        )
        return truth(value, t.or_(failed, error))
