"""Expressions as symbolic values: CEL on terms.

Exact where the abstraction allows it; what it cannot express is an unconstrained value (an input of the
abstraction), never a guess. Two evaluations of one expression in one store share their inputs.
"""

from __future__ import annotations

from fsmcheck.cel import ast
from fsmcheck.cel.ast import BinaryOp, Expr, UnaryOp
from fsmcheck.cel.evaluate import EvaluationError, evaluate
from fsmcheck.cel.literals import INT_MIN
from fsmcheck.cel.types import Kind, Type
from fsmcheck.system import arithmetic
from fsmcheck.system import terms as t
from fsmcheck.system.choices import Choices
from fsmcheck.system.comparing import equality, ordering
from fsmcheck.system.domains import Domains
from fsmcheck.system.keys import key_of
from fsmcheck.system.ranges import leaves_int64, range_of, result_range
from fsmcheck.system.scope import Scope
from fsmcheck.system.symbolic import Sized, Store, Sym, TextLeaf, is_set, of_slot, shape, truth, whole
from fsmcheck.system.terms import FALSE, Term
from fsmcheck.system.text_functions import as_text, concatenate, text_size, text_test
from fsmcheck.system.totality import cannot_fail, membership


class Evaluator:
    """Evaluates expressions in one symbolic store."""

    def __init__(self, store: Store, types: dict[str, Type], domains: Domains, choices: Choices, snapshot: object):
        self.store = store
        self.types = types
        self.scope = Scope(domains, choices, snapshot)
        self._memo: dict[object, Sym] = {}

    def holds(self, sym: Sym) -> Term:
        """Whether a value is the boolean true."""
        if sym.type.kind is not Kind.BOOLEAN:
            return t.and_(sym.ok, self.scope.choices.boolean((self.scope.snapshot, "holds", id(sym))))
        return t.and_(sym.ok, sym.term())

    def evaluate(self, expr: Expr) -> Sym:
        """The symbolic value of an expression."""
        key = key_of(expr)
        known = self._memo.get(key)
        if known is None:
            known = self._memo[key] = self._evaluate(expr, key)
        return known

    def _evaluate(self, expr: Expr, key: object) -> Sym:  # noqa: C901, PLR0912 - one case a kind of node
        match expr:
            case ast.Literal(value=value):
                return self.scope.constant(value, key)
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
                return self._lookup(self.evaluate(operand), self.scope.constant(name, key), expr.type, key)
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
                return self.scope.unknown(expr.type, key)

    def _three(self, sym: Sym) -> tuple[Term, Term]:
        """When a value is true, when it is false; otherwise it is an error (or no boolean)."""
        if sym.type.kind is not Kind.BOOLEAN:
            value = self.scope.choices.boolean((self.scope.snapshot, "operand", id(sym)))
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
            value, error = arithmetic.integers(
                BinaryOp.SUB, t.integer(0), operand.term(), may_overflow=self._may_overflow(expr)
            )
            return whole(value, t.or_(t.not_(operand.ok), error))
        if isinstance(expr, ast.Unary) and isinstance(expr.operand, ast.Literal):
            folded = self._folded(expr, key)
            if folded is not None:
                return folded
        return self.scope.unknown(expr.type, key, t.not_(operand.ok))

    def _folded(self, expr: Expr, key: object) -> Sym | None:
        try:
            return self.scope.constant(evaluate(expr, {}), key)
        except EvaluationError:
            return None

    def _binary(self, expr: ast.Binary, key: object) -> Sym:
        left, right = self.evaluate(expr.left), self.evaluate(expr.right)
        match expr.op:
            case BinaryOp.EQ:
                return equality(self.scope, expr.left, expr.right, left, right)
            case BinaryOp.NE:
                same = equality(self.scope, expr.left, expr.right, left, right)
                return truth(t.not_(same.term()), same.error)
            case BinaryOp.LT | BinaryOp.LE | BinaryOp.GT | BinaryOp.GE:
                return ordering(self.scope, expr, left, right)
            case _:
                return self._arithmetic(expr, left, right, key)

    def _may_overflow(self, expr: Expr) -> bool:
        known = self.scope.domains.integers
        match expr:
            case ast.Unary(operand=operand):
                return range_of(operand, known)[0] <= INT_MIN
            case ast.Binary(op=op, left=left, right=right):
                return leaves_int64(result_range(op, range_of(left, known), range_of(right, known)))
            case _:
                return True

    def _arithmetic(self, expr: ast.Binary, left: Sym, right: Sym, key: object) -> Sym:
        failed = t.or_(t.not_(left.ok), t.not_(right.ok))
        kinds = (shape(left.type), shape(right.type))
        if kinds == ("integer", "integer"):
            value, error = arithmetic.integers(
                expr.op, left.term(), right.term(), may_overflow=self._may_overflow(expr)
            )
            return whole(value, t.or_(failed, error))
        if kinds == ("text", "text") and expr.op is BinaryOp.ADD:
            return concatenate((left, right))
        if kinds == ("sized", "sized") and expr.op is BinaryOp.ADD:
            size = t.add(left.sized().size, right.sized().size)
            return Sym(expr.type, failed, FALSE, Sized(size))
        if isinstance(expr.left, ast.Literal) and isinstance(expr.right, ast.Literal):
            folded = self._folded(expr, key)
            if folded is not None:
                return folded
        known = "number" in kinds and set(kinds) <= {"number"} and expr.op is not BinaryOp.MOD
        return self.scope.unknown(expr.type, key, failed if known else None)

    def _conditional(self, condition: Sym, then: Sym, otherwise: Sym, kind: Type, key: object) -> Sym:
        true, false = self._three(condition)
        error = t.or_(t.and_(true, then.error), t.and_(false, otherwise.error), t.not_(t.or_(true, false)))
        null = t.ite(true, then.null, otherwise.null)
        if then.payload is None and otherwise.payload is not None:
            then = Sym(otherwise.type, then.error, then.null, otherwise.payload)
        if otherwise.payload is None and then.payload is not None:
            otherwise = Sym(then.type, otherwise.error, otherwise.null, then.payload)
        if then.payload is None or shape(then.type) != shape(otherwise.type):
            return self.scope.unknown(kind, key)
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
            return self.scope.unknown(expr.type, key)
        parts = container.sized().elements
        if parts is not None and isinstance(expr.right, ast.ListLiteral):
            found = [
                equality(self.scope, expr.left, element, item, part).term()
                for element, part in zip(expr.right.elements, parts, strict=True)
            ]
            return truth(t.or_(*found), error)
        known = expr.left.value if isinstance(expr.left, ast.Literal) else None
        return truth(self._member(container, known, key), error)

    def _member(self, container: Sym, item: object, key: object) -> Term:
        if not isinstance(container.payload, Sized):
            return self.scope.choices.boolean((self.scope.snapshot, key, "member"))
        sized = container.payload
        fact = (sized.facts or {}).get(item) if item is not None and not isinstance(item, bool) else None
        if fact is not None:
            return fact
        return t.and_(t.lt(t.integer(0), sized.size), self.scope.choices.boolean((self.scope.snapshot, key, "member")))

    def _lookup(self, container: Sym, index: Sym, kind: Type, key: object) -> Sym:
        failed = t.or_(container.error, t.not_(index.ok))
        if not isinstance(container.payload, Sized):
            return self.scope.unknown(kind, key)
        size = container.payload.size
        if container.type.kind is Kind.LIST and index.type.kind is Kind.INTEGER:
            inside = t.and_(t.le(t.integer(0), index.term()), t.lt(index.term(), size))
            return self.scope.unknown(kind, key, t.or_(failed, t.not_(inside)))
        if shape(index.type) == "text" and len(index.cases()) == 1 and isinstance(index.cases()[0][1], str):
            present = self._member(container, index.cases()[0][1], (key, "key"))
            return self.scope.unknown(kind, key, t.or_(failed, t.not_(present)))
        return self.scope.unknown(kind, key)

    def _comprehension(self, expr: ast.Comprehension, key: object) -> Sym:
        source = self.evaluate(expr.range)
        asked = membership(expr)
        if asked is not None and not isinstance(asked[1], bool | float):
            return truth(self._member(source, asked[1], key), source.error)
        result = self.scope.unknown(expr.type, key, FALSE if cannot_fail(expr) else None)
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
                return whole(text_size(self.scope, first, key), failed)
            return self.scope.unknown(kind, key)
        if function in ("startsWith", "endsWith", "contains", "matches") and len(args) == 2:
            needle = args[1].cases()[0][1] if shape(args[1].type) == "text" and len(args[1].cases()) == 1 else None
            if isinstance(needle, str) and shape(first.type) == "text":
                return text_test(self.scope, function, first, needle, failed, key)
        if function == "string" and len(args) == 1:
            return as_text(self.scope, first, key)
        return self.scope.unknown(kind, key)
