"""Terms as text, in the syntax of a language."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from fsmcheck.export.refusal import ExportError
from fsmcheck.records import dataclass
from fsmcheck.system import terms as t
from fsmcheck.system.terms import BOOL, INT, TRUE, Op, Sort, Term

_LONGEST = 200_000
"""Characters of one expression from which on no tool would read it in reasonable time."""


_PLAIN = {Op.LT: "<", Op.ADD: "+", Op.SUB: "-", Op.MUL: "*"}
_IN_PARENTHESES = (Op.AND, Op.OR, Op.EQ, Op.LT, Op.LE, Op.ADD, Op.SUB, Op.MUL)


@dataclass(frozen=True, slots=True)
class Syntax:
    """How a language writes operators. ``choice`` gets condition, then and otherwise; ``quotient`` and ``remainder``
    get the operands and round towards zero."""

    true: str
    false: str
    conjunction: str
    disjunction: str
    negation: str
    equal: str
    differs: str
    at_most: str
    choice: Callable[[str, str, str], str]
    quotient: Callable[[str, str], str]
    remainder: Callable[[str, str], str]


@dataclass(frozen=True)
class Printer:
    """Writes terms; ``names`` has the identifiers of variables and choices, ``labels`` those of finite values."""

    syntax: Syntax
    names: Mapping[str, str]
    labels: Mapping[tuple[str, int], str]

    def with_names(self, names: Mapping[str, str]) -> Printer:
        """The same with more names."""
        return Printer(self.syntax, {**self.names, **names}, self.labels)

    def text(self, term: Term) -> str:
        """A term on its own, without parentheses around it.

        Raises:
            ExportError: it is too long.
        """
        text = self._text(term, {})
        return text[1:-1] if term.op in _IN_PARENTHESES and text.startswith("(") else text

    def operand(self, term: Term) -> str:
        """A term as part of an expression, with parentheses where they may be needed. Raises as ``text`` does."""
        return self._text(term, {})

    def value(self, sort: Sort, value: int) -> str:
        """A constant."""
        if sort == BOOL:
            return self.syntax.true if value else self.syntax.false
        return str(value) if sort is INT else self.labels[sort.name, value]

    def _text(self, term: Term, memo: dict[int, str]) -> str:
        known = memo.get(id(term))
        if known is None:
            known = memo[id(term)] = self._written(term, memo)
            if len(known) > _LONGEST:
                raise ExportError("an expression is too long for the tools")
        return known

    def _written(self, term: Term, memo: dict[int, str]) -> str:
        syntax = self.syntax
        match term.op:
            case Op.CONST:
                text = self.value(term.sort, int(term.value))
                return f"({text})" if text.startswith("-") else text
            case Op.VAR:
                return self.names[str(term.value)]
            case Op.NOT if term.args[0].op is Op.EQ:
                return self._infix(term.args[0], syntax.differs, memo)
            case Op.NOT:
                return f"{syntax.negation}{self._text(term.args[0], memo)}"
            case Op.AND | Op.OR:
                joint = syntax.conjunction if term.op is Op.AND else syntax.disjunction
                return f"({joint.join(self._text(arg, memo) for arg in term.args)})"
            case Op.ITE:
                condition, then, otherwise = (self._text(arg, memo) for arg in term.args)
                return syntax.choice(condition, then, otherwise)
            case Op.DIV | Op.MOD:
                left, right = term.args
                divisor = right if _is_nonzero(right) else t.ite(t.eq(right, t.integer(0)), t.integer(1), right)
                write = syntax.quotient if term.op is Op.DIV else syntax.remainder
                return write(self._text(left, memo), self._text(divisor, {}))
            case _:
                operator = {Op.EQ: syntax.equal, Op.LE: syntax.at_most}.get(term.op) or _PLAIN[term.op]
                return self._infix(term, operator, memo)

    def _infix(self, term: Term, operator: str, memo: dict[int, str]) -> str:
        left, right = (self._text(arg, memo) for arg in term.args)
        return f"({left} {operator} {right})"


def _is_nonzero(term: Term) -> bool:
    return t.is_const(term) and term.value != 0


def conjuncts(term: Term) -> tuple[Term, ...]:
    """The parts of a conjunction; none for what is always true."""
    if term is TRUE:
        return ()
    return term.args if term.op is Op.AND else (term,)


def split(term: Term, names: frozenset[str]) -> tuple[Term, Term]:
    """The part of a conjunction that does without some names, and the rest."""
    before = [part for part in conjuncts(term) if not names & t.variables([part]).keys()]
    after = [part for part in conjuncts(term) if names & t.variables([part]).keys()]
    return t.and_(*before), t.and_(*after)
