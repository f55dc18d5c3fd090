"""How large the integers of a spec can grow, so far as its text says: where a sum may need more than 64 bits.

Counting by small steps until int64 overflows takes more turns than any run, so growth is followed for a number of
rounds only, as many as one advance has microsteps; a round is one microstep, with all the actions that it runs one
after the other. A value that grows by a factor each round, by steps of 2^54 and more, or starts out near the end of
int64, gets there within them. Where the machine may go round without asking anybody, all of that is one exchange, and
growth there is followed for as many rounds as so many advances have together.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping

from fsmcheck.cel import ast
from fsmcheck.cel.ast import BinaryOp, Expr, Macro, UnaryOp
from fsmcheck.cel.literals import INT_MAX, INT_MIN
from fsmcheck.cel.types import Kind, Type
from fsmcheck.cel.values import MapValue, Value
from fsmcheck.spec.model import Action, Constant, Expression, Spec
from fsmcheck.system.unasked import actions_on, going_round_unasked

Range = tuple[int, int]
STAGED_LIMIT = 2**53
"""The magnitude up to which agents and inputs bring integers."""

ANY: Range = (INT_MIN, INT_MAX)
STAGED: Range = (-STAGED_LIMIT, STAGED_LIMIT)
ROUNDS = 1_000
EXACT = 16
"""Rounds after which growth by the same each round is followed all at once; then so many again, since what grew more
slowly at first may have fallen behind."""


def leaves_int64(span: Range) -> bool:
    """Whether a value of this range may need more than 64 bits."""
    return span[0] < INT_MIN or span[1] > INT_MAX


def _join(one: Range, other: Range) -> Range:
    return min(one[0], other[0]), max(one[1], other[1])


def _clip(span: Range) -> Range:
    """What is left of a range where evaluation did not fail."""
    return max(INT_MIN, min(span[0], INT_MAX)), min(INT_MAX, max(span[1], INT_MIN))


def _holds_integers(kind: Type) -> bool:
    return Kind.INTEGER in (kind.kind, kind.element.kind if kind.element is not None else None)


def result_range(op: BinaryOp, left: Range, right: Range) -> Range:
    """Where the result of an operation on integers lies, before it is known to fit."""
    products = [low * high for low in left for high in right]
    match op:
        case BinaryOp.ADD:
            return left[0] + right[0], left[1] + right[1]
        case BinaryOp.SUB:
            return left[0] - right[1], left[1] - right[0]
        case BinaryOp.MUL:
            return min(products), max(products)
        case BinaryOp.DIV:
            largest = max(map(abs, left))
            if left[0] > INT_MIN or right[0] > -1 or right[1] < -1:
                largest = min(largest, INT_MAX)
            return -largest, largest
        case _:
            # MIN % -1 divides first, which fails.
            return result_range(BinaryOp.DIV, left, right) if left[0] == INT_MIN else left


def range_of(expr: Expr, known: Mapping[str, Range]) -> Range:
    """Where an integer expression, or the integers of a list or map, can lie given the ranges of the fields."""
    match expr:
        case ast.Literal(value=int() as value) if not isinstance(value, bool):
            return value, value
        case ast.FieldRef(name=name):
            return known.get(name, ANY)
        case ast.Unary(op=UnaryOp.NEGATE, operand=operand):
            low, high = range_of(operand, known)
            return _clip((-high, -low))
        case ast.Binary(op=BinaryOp.ADD, left=left, right=right) if expr.type.kind is Kind.LIST:
            return _join(range_of(left, known), range_of(right, known))
        case ast.Binary(op=op, left=left, right=right) if expr.type.kind is Kind.INTEGER:
            return _clip(result_range(op, range_of(left, known), range_of(right, known)))
        case ast.Conditional(then=then, otherwise=otherwise):
            return _join(range_of(then, known), range_of(otherwise, known))
        case ast.Select(operand=operand) | ast.Index(operand=operand):
            return range_of(operand, known)
        case ast.Call(function="size"):
            return 0, STAGED_LIMIT
        case ast.ListLiteral(elements=elements) if elements:
            spans = [range_of(element, known) for element in elements]
            return min(low for low, _ in spans), max(high for _, high in spans)
        case ast.Comprehension(macro=Macro.FILTER, range=source):
            return range_of(source, known)
        case _:
            return ANY


def _integers_in(value: Value) -> Iterator[int]:
    match value:
        case bool():
            return
        case int():
            yield value
        case tuple():
            for part in value:
                yield from _integers_in(part)
        case MapValue():
            for part in value.values():
                yield from _integers_in(part)
        case _:
            return


def _with(span: Range, value: Value) -> Range:
    for number in _integers_in(value):
        span = _join(span, (number, number))
    return span


def integer_ranges(spec: Spec) -> dict[str, Range]:
    """For each field that holds integers, where they lie: as staged, as given by defaults, as written by actions."""
    known: dict[str, Range] = {}
    for field in spec.fields:
        if _holds_integers(field.type):
            known[field.name.text] = _with(STAGED, field.default.value if field.default is not None else None)
    runs: dict[tuple[int, ...], tuple[_Computed, ...]] = {}
    unasked: dict[tuple[int, ...], tuple[_Computed, ...]] = {}
    for actions, goes_round in _microsteps(spec):
        computing: dict[int, _Computed] = {}
        for action in actions:
            for write in action.writes:
                if isinstance(write.value, Constant) and write.field.text in known:
                    known[write.field.text] = _with(known[write.field.text], write.value.value)
            computed = tuple(_computed(action, known))
            if computed:
                computing[id(action)] = computed
        if computing:
            runs[tuple(computing)] = tuple(computing.values())
            if goes_round:
                unasked[tuple(computing)] = runs[tuple(computing)]
    known = _grown(known, lambda each: _after(each, runs.values()))
    if not unasked:
        return known
    return _grown(known, lambda each: _grown(each, lambda within: _after(within, unasked.values())))


_Computed = tuple[tuple[str, Expr], ...]
"""What one action writes to fields that hold integers: the field, and what it computes."""


def _microsteps(spec: Spec) -> Iterator[tuple[tuple[Action, ...], bool]]:
    """The actions of each transition in the order in which a microstep runs them, and whether it is part of a way round
    on which perhaps nobody is asked; those of every ``entry`` by themselves, as they run on starting."""
    unasked = going_round_unasked(spec)
    for state in spec.states:
        yield state.entry, False
        for transition in state.transitions:
            yield actions_on(spec, state, transition), (state.name.text, transition.index) in unasked


def _computed(action: Action, known: Mapping[str, Range]) -> Iterator[tuple[str, Expr]]:
    for write in action.writes:
        if isinstance(write.value, Expression) and write.value.ast is not None and write.field.text in known:
            yield write.field.text, write.value.ast


def _grown(known: dict[str, Range], after: Callable[[dict[str, Range]], dict[str, Range]]) -> dict[str, Range]:
    """The ranges after ``ROUNDS`` rounds of growth; ``after`` is one round."""
    before: dict[str, Range] = {}
    left = ROUNDS
    is_ahead = False
    while left > 0:
        grown = after(known)
        if grown == known:
            break
        left -= 1
        steady = bool(before) and _growth(before, known) == _growth(known, grown)
        before, known = known, grown
        if steady and not is_ahead and EXACT < left <= ROUNDS - EXACT:
            known = _ahead(before, known, left - EXACT)
            left, is_ahead = EXACT, True
    return known


def _after(known: dict[str, Range], runs: Iterable[tuple[_Computed, ...]]) -> dict[str, Range]:
    """The ranges after one microstep, whichever it is; the actions of one run one after the other."""
    grown = dict(known)
    for run in runs:
        local = dict(known) if len(run) > 1 else None
        for computed in run:
            written = [(name, range_of(expr, known if local is None else local)) for name, expr in computed]
            for name, span in written:
                grown[name] = _join(grown[name], span)
                if local is not None:
                    local[name] = _join(local[name], span)
    return grown


def _growth(known: Mapping[str, Range], grown: Mapping[str, Range]) -> dict[str, Range]:
    return {name: (grown[name][0] - span[0], grown[name][1] - span[1]) for name, span in known.items()}


def _ahead(known: Mapping[str, Range], grown: Mapping[str, Range], rounds: int) -> dict[str, Range]:
    """The ranges so many rounds later, where each grows by the same as in the last."""
    return {
        name: _clip((grown[name][0] + low * rounds, grown[name][1] + high * rounds))
        for name, (low, high) in _growth(known, grown).items()
    }
