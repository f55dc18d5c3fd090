"""Generated terms, written down as they are: nothing is simplified."""

from __future__ import annotations

from hypothesis import strategies as st

from fsmcheck.system import terms as t
from fsmcheck.system.terms import BOOL, INT, Op, Sort, SortKind, Term

COLOUR = Sort(SortKind.FINITE, "colour", ("red", "green", "blue"))
VARIABLES = {
    BOOL: tuple(t.var(name, BOOL) for name in ("p", "q")),
    INT: tuple(t.var(name, INT) for name in ("m", "n")),
    COLOUR: tuple(t.var(name, COLOUR) for name in ("c", "d")),
}
VALUES = st.fixed_dictionaries(
    {
        **{str(term.value): st.booleans() for term in VARIABLES[BOOL]},
        **{str(term.value): st.integers(-9, 9) for term in VARIABLES[INT]},
        **{str(term.value): st.integers(0, 2) for term in VARIABLES[COLOUR]},
    }
)
ARITHMETIC = (Op.ADD, Op.SUB, Op.MUL, Op.DIV, Op.MOD)


def constants(sort: Sort) -> st.SearchStrategy[Term]:
    if sort == BOOL:
        return st.booleans().map(lambda value: Term(Op.CONST, BOOL, (), value))
    numbers = st.integers(-7, 7) if sort == INT else st.integers(0, 2)
    return numbers.map(lambda value: Term(Op.CONST, sort, (), value))


@st.composite
def terms(draw: st.DrawFn, sort: Sort, depth: int = 4) -> Term:
    """A raw term of a sort; some parts occur twice."""
    if depth == 0 or draw(st.integers(0, 4)) == 0:
        return draw(st.one_of(st.sampled_from(VARIABLES[sort]), constants(sort)))

    def part(of: Sort) -> Term:
        return draw(terms(of, depth - 1))

    if draw(st.integers(0, 3)) == 0:
        return Term(Op.ITE, sort, (part(BOOL), part(sort), part(sort)))
    if sort == INT:
        return Term(draw(st.sampled_from(ARITHMETIC)), INT, (part(INT), part(INT)))
    if sort == COLOUR:
        return draw(st.sampled_from(VARIABLES[sort]))
    match draw(st.sampled_from(("not", "junction", "junction", "eq", "order"))):
        case "not":
            return Term(Op.NOT, BOOL, (part(BOOL),))
        case "junction":
            parts = [part(BOOL) for _ in range(draw(st.integers(1, 3)))]
            if draw(st.booleans()):
                parts.append(draw(st.sampled_from(parts)))
            if draw(st.booleans()):
                parts.append(Term(Op.NOT, BOOL, (draw(st.sampled_from(parts)),)))
            return Term(draw(st.sampled_from((Op.AND, Op.OR))), BOOL, tuple(parts))
        case "eq":
            of = draw(st.sampled_from((BOOL, INT, COLOUR)))
            return Term(Op.EQ, BOOL, (part(of), part(of)))
    return Term(draw(st.sampled_from((Op.LT, Op.LE))), BOOL, (part(INT), part(INT)))


def any_term() -> st.SearchStrategy[Term]:
    return st.sampled_from((BOOL, INT, COLOUR)).flatmap(terms)
