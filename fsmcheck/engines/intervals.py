"""Integers in the explicit engine: a finite partition into intervals, and arithmetic on intervals.

An interval is a pair of bounds, ``-inf`` and ``inf`` included; the partition of a class of integer variables
has the constants they meet as points of their own.
"""

from __future__ import annotations

from collections.abc import Iterable
from math import inf

from fsmcheck.system import terms as t
from fsmcheck.system.system import System
from fsmcheck.system.terms import INT, Op, Term

_COMPARED = (Op.EQ, Op.LT, Op.LE)

Interval = tuple[float, float]
ANY: Interval = (-inf, inf)
WINDOW = 256

FAR = 2**256
"""Products beyond this are told no better: float knows no integer beyond 2^1024, and infinities are floats."""


def partition(constants: Iterable[int], lower: int | None) -> tuple[Interval, ...]:
    """Intervals that cover the integers from ``lower``: points where constants lie close, gaps elsewhere."""
    points = sorted({0, *constants})
    floor = -inf if lower is None else lower
    found: list[Interval] = [(floor, points[0] - 1)]
    if points[-1] - points[0] <= WINDOW:
        found += [(value, value) for value in range(points[0], points[-1] + 1)]
    else:
        for value, following in zip(points, [*points[1:], None], strict=True):
            found.append((value, value))
            if following is not None:
                found.append((value + 1, following - 1))
    found.append((points[-1] + 1, inf))
    clipped = [(max(low, floor), high) for low, high in found]
    return tuple((low, high) for low, high in clipped if low <= high)


def covering(intervals: tuple[Interval, ...], wanted: Interval) -> tuple[int, ...]:
    """The indices of the intervals that a given one meets."""
    low, high = wanted
    return tuple(i for i, (start, end) in enumerate(intervals) if start <= high and low <= end)


def add(a: Interval, b: Interval) -> Interval:
    return (a[0] + b[0], a[1] + b[1])


def sub(a: Interval, b: Interval) -> Interval:
    return (a[0] - b[1], a[1] - b[0])


def mul(a: Interval, b: Interval) -> Interval:
    products = [0 if 0 in (x, y) else x * y for x in a for y in b]
    low, high = min(products), max(products)
    if low >= -FAR and high <= FAR:
        return (low, high)
    return (-inf if low < -FAR else min(low, FAR), inf if high > FAR else max(high, -FAR))


def _finite(*intervals: Interval) -> bool:
    return all(abs(bound) != inf for interval in intervals for bound in interval)


def div(a: Interval, b: Interval) -> Interval:
    if _finite(a, b) and a[0] == a[1] and b[0] == b[1] != 0:
        value = t.truncated_div(int(a[0]), int(b[0]))
        return (value, value)
    bound = max(abs(a[0]), abs(a[1]))
    return (-bound, bound)


def mod(a: Interval, b: Interval) -> Interval:
    if _finite(a, b) and a[0] == a[1] and b[0] == b[1] != 0:
        value = int(a[0]) - int(b[0]) * t.truncated_div(int(a[0]), int(b[0]))
        return (value, value)
    bound = max(0, min(max(abs(a[0]), abs(a[1])), max(abs(b[0]), abs(b[1])) - 1))
    return (-bound if a[0] < 0 else 0, bound if a[1] > 0 else 0)


def join(a: Interval, b: Interval) -> Interval:
    return (min(a[0], b[0]), max(a[1], b[1]))


def may_equal(a: Interval, b: Interval) -> bool:
    return a[0] <= b[1] and b[0] <= a[1]


def may_differ(a: Interval, b: Interval) -> bool:
    return not (a[0] == a[1] == b[0] == b[1])


class IntegerClasses:
    """Which integer variables and inputs meet in comparisons, sums or updates, and the constants they meet."""

    def __init__(self, system: System) -> None:
        self._parent: dict[str, str] = {}
        self._constants: dict[str, set[int]] = {}
        self._lower = {variable.name: variable.lower for variable in system.variables if variable.sort is INT}
        seen: set[int] = set()
        for variable in system.variables:
            if variable.sort is INT:
                self._relate([variable.name], [int(system.initial[variable.name])])
        for step in system.steps:
            for name, term in step.updates.items():
                if term.sort is INT:
                    names, constants = _parts([term])
                    self._relate([name, *names], constants)
            for root in (step.guard, *step.updates.values(), *(event.condition for event in step.events)):
                for node in _fresh_nodes(root, seen):
                    if node.op in _COMPARED and node.args[0].sort is INT:
                        names, constants = _parts(node.args)
                        self._relate(names, constants)

    def _find(self, name: str) -> str:
        self._parent.setdefault(name, name)
        self._constants.setdefault(name, set())
        while self._parent[name] != name:
            name = self._parent[name]
        return name

    def _relate(self, names: Iterable[str], constants: Iterable[int]) -> None:
        roots = list(dict.fromkeys(self._find(name) for name in names))
        if not roots:
            return
        head = roots[0]
        for root in roots[1:]:
            self._parent[root] = head
            self._constants[head] |= self._constants.pop(root)
        self._constants[head] |= {value for value in constants if abs(value) <= 2**53}

    def intervals(self, name: str, lower: int | None) -> tuple[Interval, ...]:
        """The partition for a variable or an input."""
        return partition(self._constants[self._find(name)], lower)


def _fresh_nodes(root: Term, seen: set[int]) -> Iterable[Term]:
    stack = [root]
    while stack:
        node = stack.pop()
        if id(node) not in seen:
            seen.add(id(node))
            yield node
            stack.extend(node.args)


def _parts(roots: Iterable[Term]) -> tuple[list[str], list[int]]:
    """The integer variables and the constants to distinguish of integer terms; step widths are left out."""
    names: list[str] = []
    constants: list[int] = []
    stack = [(root, False) for root in roots]
    seen: set[tuple[int, bool]] = set()
    while stack:
        node, summand = stack.pop()
        if node.sort is not INT or (id(node), summand) in seen:
            continue
        seen.add((id(node), summand))
        if node.op is Op.VAR:
            names.append(str(node.value))
        elif node.op is Op.CONST:
            if not summand:
                constants.append(int(node.value))
        else:
            inside = summand or node.op in (Op.ADD, Op.SUB)
            stack.extend((arg, inside) for arg in node.args)
    return names, constants
