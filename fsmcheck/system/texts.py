"""Symbolic texts: equality, conversion into a class, functions on them."""

from __future__ import annotations

from collections.abc import Callable

from fsmcheck.system import terms as t
from fsmcheck.system.choices import Choices
from fsmcheck.system.domains import TextClass
from fsmcheck.system.symbolic import InClass, SomeText, Sym, TextLeaf
from fsmcheck.system.terms import FALSE, TRUE, Term


def is_empty(leaf: TextLeaf) -> Term:
    """Whether a text is ``""``."""
    match leaf:
        case str():
            return t.boolean(leaf == "")
        case InClass(term=term):
            return t.eq(term, t.label(term.sort, 0))
        case SomeText(nonempty=nonempty):
            return t.not_(nonempty)


def _is_other(leaf: InClass) -> Term:
    other = leaf.text_class.other
    return FALSE if other is None else t.eq(leaf.term, t.label(leaf.term.sort, other))


def leaves_equal(left: TextLeaf, right: TextLeaf, choices: Choices, key: object) -> Term:
    """Whether two texts are equal; unknown where neither is a listed literal."""
    match left, right:
        case str(), str():
            return t.boolean(left == right)
        case str(), InClass(text_class=text_class, term=term):
            index = text_class.literals.get(left)
            if index is not None:
                return t.eq(term, t.label(term.sort, index))
            return t.and_(_is_other(right), choices.boolean(key))
        case InClass(), str():
            return leaves_equal(right, left, choices, key)
        case InClass(text_class=c1, term=t1), InClass(text_class=c2, term=t2) if c1.sort == c2.sort:
            if t.same(t1, t2) and not (t.is_const(t1) and t1.value == c1.other):
                return TRUE
            both_other = t.and_(_is_other(left), _is_other(right))
            return t.and_(t.eq(t1, t2), t.or_(t.not_(both_other), choices.boolean(key)))
        case _:
            empty_left, empty_right = is_empty(left), is_empty(right)
            both_set = t.and_(t.not_(empty_left), t.not_(empty_right), choices.boolean(key))
            return t.or_(t.and_(empty_left, empty_right), both_set)


def equal(left: Sym, right: Sym, choices: Choices, key: object) -> Term:
    """Whether two symbolic texts are equal (where both evaluate)."""
    return t.or_(
        *(
            t.and_(c1, c2, leaves_equal(l1, l2, choices, (key, i, j)))
            for i, (c1, l1) in enumerate(left.cases())
            for j, (c2, l2) in enumerate(right.cases())
        )
    )


def into_class(sym: Sym, target: TextClass, choices: Choices, key: object) -> Term:
    """The value of the class's sort that a symbolic text becomes when it is written to a field of the class."""
    result = t.label(target.sort, 0)
    for number, (condition, leaf) in enumerate(reversed(sym.cases())):
        value = _leaf_into(leaf, target, choices, (key, "into", number))
        result = value if number == 0 else t.ite(condition, value, result)
    return result


def _leaf_into(leaf: TextLeaf, target: TextClass, choices: Choices, key: object) -> Term:
    outside = 0 if target.other is None else target.other
    match leaf:
        case str():
            return t.label(target.sort, target.literals.get(leaf, outside))
        case InClass(text_class=text_class, term=term) if text_class.sort == target.sort:
            return term
        case _:
            anything = choices.finite(key, target.sort, tuple(range(1, target.sort.size)))
            return t.ite(is_empty(leaf), t.label(target.sort, 0), anything)


def tabulate(leaf: TextLeaf, of_text: Callable[[str], Term], unknown: Callable[[], Term]) -> Term:
    """A function of a text: computed for each listed literal, ``unknown`` for every other text."""
    match leaf:
        case str():
            return of_text(leaf)
        case InClass(text_class=text_class, term=term):
            result = of_text("") if text_class.other is None else unknown()
            for literal, index in text_class.literals.items():
                result = t.ite(t.eq(term, t.label(term.sort, index)), of_text(literal), result)
            return result
        case SomeText(nonempty=nonempty):
            return t.ite(nonempty, unknown(), of_text(""))


def within(sym: Sym, texts: tuple[str, ...], choices: Choices, key: object) -> Term:
    """Whether a symbolic text is one of these literals."""
    return t.or_(
        *(
            t.and_(condition, leaves_equal(leaf, literal, choices, (key, i, literal)))
            for i, (condition, leaf) in enumerate(sym.cases())
            for literal in texts
        )
    )
