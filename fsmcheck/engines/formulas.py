"""Terms as formulas of a solver, whatever these are: what is the same for both ways to make them."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from typing import Generic, Protocol, TypeVar

from fsmcheck.system.system import Input, System
from fsmcheck.system.terms import INT, Op, Sort, Term

F = TypeVar("F")
Asked_contra = TypeVar("Asked_contra", contravariant=True)


class Decider(Protocol[Asked_contra]):
    """Says of one formula after the other whether it can be true."""

    def decide(self, formula: Asked_contra) -> bool | None:
        """Whether a formula is satisfiable; None when the solver does not know."""


def as_c_text(name: str) -> str:
    """A name without zeros, at the first of which Z3 takes a text to end; no two names become the same."""
    return name.replace("\\", "\\\\").replace("\0", "\\0")


class Formulas(ABC, Generic[F]):
    """Makes expressions over the state of a system at some depths, all in one context of the solver."""

    def __init__(self, system: System) -> None:
        self.system = system
        self._states: dict[int | str, dict[str, F]] = {}

    @abstractmethod
    def value(self, sort: Sort, value: bool | int) -> F:
        """A constant of a sort: of a finite one, the value with this number."""

    @abstractmethod
    def named(self, name: str, sort: Sort) -> F:
        """Any value of a sort, the same wherever it has this name."""

    @abstractmethod
    def equal(self, left: F, right: F) -> F:
        """Equality of two expressions of one sort."""

    @abstractmethod
    def any(self, parts: Sequence[F]) -> F:
        """A disjunction, false where there are no parts."""

    @abstractmethod
    def all(self, parts: Sequence[F]) -> F:
        """A conjunction, true where there are no parts."""

    @abstractmethod
    def negation(self, part: F) -> F:
        """What is true where the part is not."""

    @abstractmethod
    def choice(self, condition: F, then: F, otherwise: F) -> F:
        """One of two expressions of one sort."""

    @abstractmethod
    def compared(self, op: Op, left: F, right: F) -> F:
        """Two integers compared by ``Op.LT`` or ``Op.LE``."""

    @abstractmethod
    def computed(self, op: Op, left: F, right: F) -> F:
        """Two integers joined by ``Op.ADD``, ``Op.SUB``, ``Op.MUL``, or by ``Op.DIV`` as the solver divides: so that
        the remainder is not negative."""

    @abstractmethod
    def moved(self, formula: F, pairs: Sequence[tuple[F, F]]) -> F:
        """A formula with constants replaced, all at once."""

    @abstractmethod
    def solver(self, seed: int, rlimit: int) -> Decider[F]:
        """A solver for formulas made here, which gives up on one after so much work."""

    @abstractmethod
    def close(self) -> None:
        """Give back what the solver's library holds; nothing that was made here is used any more."""

    def at_least(self, number: F, least: int) -> F:
        return self.compared(Op.LE, self.value(INT, least), number)

    def at_most(self, number: F, most: int) -> F:
        return self.compared(Op.LE, number, self.value(INT, most))

    def one_of(self, value: F, sort: Sort, indices: Sequence[int]) -> F:
        """Whether a value of a sort is one of these."""
        return self.any([self.equal(value, self.value(sort, index)) for index in indices])

    def state(self, depth: int | str) -> dict[str, F]:
        """A constant for each variable at a depth."""
        known = self._states.get(depth)
        if known is None:
            known = self._states[depth] = {
                variable.name: self.named(f"{variable.name}@{depth}", variable.sort)
                for variable in self.system.variables
            }
        return known

    def inputs(self, choices: Sequence[Input], depth: int | str) -> dict[str, F]:
        """A constant for each input at a depth."""
        return {choice.name: self.named(f"{choice.name}@{depth}", choice.sort) for choice in choices}

    @staticmethod
    def own_depth(number: int, depth: int) -> str:
        """The depth under which the own inputs of an event on step ``number`` are named."""
        return f"{depth}.{number}"

    def input_bounds(self, choices: Sequence[Input], values: Mapping[str, F]) -> list[F]:
        """The domains of inputs."""
        found: list[F] = []
        for choice in choices:
            value = values[choice.name]
            if choice.domain and len(choice.domain) < choice.sort.size:
                found.append(self.one_of(value, choice.sort, choice.domain))
            if choice.lower is not None:
                found.append(self.at_least(value, choice.lower))
            if choice.upper is not None:
                found.append(self.at_most(value, choice.upper))
        return found

    def term(self, term: Term, values: Mapping[str, F], memo: dict[int, F] | None = None) -> F:
        """A term with its variables replaced by expressions."""
        memo = {} if memo is None else memo
        stack = [term]
        while stack:
            node = stack[-1]
            if id(node) in memo:
                stack.pop()
                continue
            waiting = [arg for arg in node.args if id(arg) not in memo]
            if waiting:
                stack.extend(waiting)
                continue
            stack.pop()
            memo[id(node)] = self._node(node, [memo[id(arg)] for arg in node.args], values)
        return memo[id(term)]

    def _node(self, node: Term, args: list[F], values: Mapping[str, F]) -> F:
        op = node.op
        match op:
            case Op.CONST:
                return self.value(node.sort, node.value)  # type: ignore[arg-type]
            case Op.VAR:
                return values[str(node.value)]
            case Op.NOT:
                return self.negation(args[0])
            case Op.AND:
                return self.all(args)
            case Op.OR:
                return self.any(args)
            case Op.ITE:
                return self.choice(*args)
            case Op.EQ:
                return self.equal(*args)
            case Op.LT | Op.LE:
                return self.compared(op, *args)
            case Op.ADD | Op.SUB | Op.MUL:
                return self.computed(op, *args)
            case Op.DIV:
                return self._truncated(*args)
            case Op.MOD:
                return self.computed(Op.SUB, args[0], self.computed(Op.MUL, args[1], self._truncated(*args)))

    def _truncated(self, left: F, right: F) -> F:
        """Division rounded towards zero."""
        zero = self.value(INT, 0)
        falls, backs = self.compared(Op.LT, left, zero), self.compared(Op.LT, right, zero)
        upright = self.choice(falls, self.computed(Op.SUB, zero, left), left)
        magnitude = self.computed(Op.DIV, upright, self.choice(backs, self.computed(Op.SUB, zero, right), right))
        return self.choice(self.equal(falls, backs), magnitude, self.computed(Op.SUB, zero, magnitude))
