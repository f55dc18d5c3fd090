"""Terms evaluated in the plainest way: what the engines and the simplifier are held against."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from itertools import product

from fsmcheck.system.system import Input, Step
from fsmcheck.system.terms import BOOL, INT, Op, Term

Values = Mapping[str, bool | int]


class DividedByZeroError(Exception):
    """The value of a division by zero is left open by the language of terms."""


def truncated(left: int, right: int) -> int:
    """The quotient rounded towards zero, by counting."""
    if right == 0:
        raise DividedByZeroError
    quotient = 0
    while (quotient + 1) * abs(right) <= abs(left):
        quotient += 1
    return quotient if (left >= 0) == (right >= 0) else -quotient


OPERATIONS: Mapping[Op, Callable[..., bool | int]] = {
    Op.NOT: lambda a: not a,
    Op.AND: lambda *args: all(args),
    Op.OR: lambda *args: any(args),
    Op.ITE: lambda a, b, c: b if a else c,
    Op.EQ: lambda a, b: a == b,
    Op.LT: lambda a, b: a < b,
    Op.LE: lambda a, b: a <= b,
    Op.ADD: lambda a, b: a + b,
    Op.SUB: lambda a, b: a - b,
    Op.MUL: lambda a, b: a * b,
    Op.DIV: truncated,
    Op.MOD: lambda a, b: a - b * truncated(a, b),
}


def value(term: Term, values: Values) -> bool | int:
    """The value of a term; booleans as ``bool``, finite values as their index."""
    if term.op is Op.CONST:
        return term.value  # type: ignore[return-value]
    if term.op is Op.VAR:
        return values[str(term.value)]
    return OPERATIONS[term.op](*(value(arg, values) for arg in term.args))


def domain(choice: Input, integers: tuple[int, ...]) -> list[bool | int]:
    """The values of an input, integers from a sample."""
    if choice.sort == BOOL:
        return [False, True]
    if choice.sort == INT:
        low = min(integers) if choice.lower is None else choice.lower
        high = max(integers) if choice.upper is None else choice.upper
        return [number for number in integers if low <= number <= high]
    return list(choice.domain or range(choice.sort.size))


def chosen(choices: tuple[Input, ...], integers: tuple[int, ...]) -> Iterator[dict[str, bool | int]]:
    """Every choice of inputs, integers from a sample."""
    names = [choice.name for choice in choices]
    for values in product(*(domain(choice, integers) for choice in choices)):
        yield dict(zip(names, values, strict=True))


def successors(step: Step, before: Values, integers: tuple[int, ...]) -> Iterator[tuple[dict[str, bool | int], Values]]:
    """What a step may lead to, each with the inputs that do it."""
    for inputs in chosen(step.inputs, integers):
        values = {**before, **inputs}
        if value(step.guard, values):
            yield {**before, **{name: value(term, values) for name, term in step.updates.items()}}, inputs
