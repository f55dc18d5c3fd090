"""Terms as Python expressions over a packed configuration ``v`` and inputs ``i0``, ``i1``, …

A term without integers is computed exactly; one with integers is *fuzzy*: a boolean gets two expressions (may it be
true, may it be false), an integer an interval, a finite value a set.
"""

from __future__ import annotations

from collections.abc import Sequence

from fsmcheck.engines import intervals as iv
from fsmcheck.engines.packing import Packing
from fsmcheck.records import dataclass
from fsmcheck.system.system import Input
from fsmcheck.system.terms import BOOL, INT, Op, Term


@dataclass(frozen=True, slots=True)
class Exact:
    code: str


@dataclass(frozen=True, slots=True)
class FuzzyBool:
    may_true: str
    may_false: str


@dataclass(frozen=True, slots=True)
class FuzzyInt:
    code: str


@dataclass(frozen=True, slots=True)
class FuzzySet:
    code: str


Code = Exact | FuzzyBool | FuzzyInt | FuzzySet

_INTERVAL_OPS = {Op.ADD: "_add", Op.SUB: "_sub", Op.MUL: "_mul", Op.DIV: "_div", Op.MOD: "_mod"}


class Constants:
    """Values that generated code names, each once."""

    def __init__(self) -> None:
        self.by_name: dict[str, object] = {}
        self._names: dict[str, str] = {}

    def name_of(self, value: object) -> str:
        """The name of a value that its ``repr`` tells all about."""
        name = self._names.setdefault(repr(value), f"K{len(self._names)}")
        self.by_name[name] = value
        return name


class TermWriter:
    """Generates the code of one step."""

    def __init__(self, packing: Packing, inputs: Sequence[Input], constants: Constants) -> None:
        self.packing = packing
        self.level = {choice.name: number + 1 for number, choice in enumerate(inputs)}
        self.by_name = {choice.name: choice for choice in inputs}
        self.names = {choice.name: f"i{number}" for number, choice in enumerate(inputs)}
        self.constants = constants
        self.shared: dict[int, int] = {}
        self.code: dict[int, Code] = {}
        self.levels: dict[int, int] = {}
        self.temps: list[list[str]] = [[] for _ in range(len(inputs) + 1)]
        self.keep: list[Term] = []

    def count(self, roots: Sequence[Term]) -> None:
        """Note which nodes are used more than once: they are computed once."""
        seen: set[int] = set()
        stack = list(roots)
        for root in roots:
            self.shared[id(root)] = self.shared.get(id(root), 0) + 1
        while stack:
            node = stack.pop()
            if id(node) in seen:
                continue
            seen.add(id(node))
            self.keep.append(node)
            for arg in node.args:
                self.shared[id(arg)] = self.shared.get(id(arg), 0) + 1
                stack.append(arg)

    def level_of(self, term: Term) -> int:
        """After how many inputs are chosen a term can be computed."""
        known = self.levels.get(id(term))
        if known is None:
            if term.op is Op.VAR:
                known = self.level.get(str(term.value), 0)
            else:
                known = max((self.level_of(arg) for arg in term.args), default=0)
            self.levels[id(term)] = known
        return known

    def of(self, term: Term) -> Code:
        """The code of a term, through a temporary where it is shared."""
        known = self.code.get(id(term))
        if known is not None:
            return known
        code = self._generate(term)
        if term.args and self.shared.get(id(term), 0) > 1:
            code = self._temporary(code, self.level_of(term))
        self.code[id(term)] = code
        return code

    def _temporary(self, code: Code, level: int) -> Code:
        def save(text: str) -> str:
            name = f"t{sum(map(len, self.temps))}"
            self.temps[level].append(f"{name} = {text}")
            return name

        match code:
            case FuzzyBool(may_true=true, may_false=false):
                return FuzzyBool(save(true), save(false))
            case Exact(code=text):
                return Exact(save(text))
            case FuzzyInt(code=text):
                return FuzzyInt(save(text))
            case FuzzySet(code=text):
                return FuzzySet(save(text))

    def _variable(self, term: Term) -> Code:
        name = str(term.value)
        if name in self.names:
            if term.sort is INT:
                choice = self.by_name[name]
                spans = {
                    value: self.packing.input_interval(choice, value) for value in self.packing.input_domain(choice)
                }
                return FuzzyInt(f"{self.constants.name_of(spans)}[{self.names[name]}]")
            return Exact(self.names[name])
        place = f"v[{self.packing.index[name]}]"
        if term.sort is INT:
            return FuzzyInt(f"{self.constants.name_of(self.packing.intervals[name])}[{place}]")
        return Exact(place)

    def _generate(self, term: Term) -> Code:
        match term.op:
            case Op.CONST:
                if term.sort is INT:
                    return FuzzyInt(f"({int(term.value)}, {int(term.value)})")
                return Exact(str(int(term.value)))
            case Op.VAR:
                return self._variable(term)
            case Op.NOT:
                inner = self.of(term.args[0])
                if isinstance(inner, Exact):
                    return Exact(f"(not {inner.code})")
                true, false = self.modes(term.args[0])
                return FuzzyBool(false, true)
            case Op.AND | Op.OR:
                return self._junction(term)
            case Op.ITE:
                return self._ite(term)
            case Op.EQ if term.args[0].sort is not INT:
                return self._equal(term)
            case Op.EQ | Op.LT | Op.LE:
                return self._compare(term)
            case _:
                left, right = (self.interval(arg) for arg in term.args)
                return FuzzyInt(f"{_INTERVAL_OPS[term.op]}({left}, {right})")

    def modes(self, term: Term) -> tuple[str, str]:
        """Two expressions: may a boolean term be true, may it be false."""
        code = self.of(term)
        match code:
            case Exact(code=text):
                return text, f"(not {text})"
            case FuzzyBool(may_true=true, may_false=false):
                return true, false
            case _:
                raise TypeError("not a boolean term")

    def interval(self, term: Term) -> str:
        code = self.of(term)
        if not isinstance(code, FuzzyInt):
            raise TypeError("not an integer term")
        return code.code

    def value_set(self, term: Term) -> str:
        code = self.of(term)
        return f"({code.code},)" if isinstance(code, Exact) else code.code if isinstance(code, FuzzySet) else ""

    def _junction(self, term: Term) -> Code:
        word, dual = (" and ", " or ") if term.op is Op.AND else (" or ", " and ")
        codes = [self.of(arg) for arg in term.args]
        if all(isinstance(code, Exact) for code in codes):
            return Exact("(" + word.join(self.modes(arg)[0] for arg in term.args) + ")")
        modes = [self.modes(arg) for arg in term.args]
        return FuzzyBool(
            "(" + word.join(true for true, _ in modes) + ")", "(" + dual.join(false for _, false in modes) + ")"
        )

    def _ite(self, term: Term) -> Code:
        condition, then, otherwise = term.args
        true, false = self.modes(condition)
        exact = isinstance(self.of(condition), Exact)
        if term.sort is INT:
            a, b = self.interval(then), self.interval(otherwise)
            if exact:
                return FuzzyInt(f"({a} if {true} else {b})")
            return FuzzyInt(f"(({a} if not {false} else _join({a}, {b})) if {true} else {b})")
        if term.sort is BOOL:
            (t1, f1), (t2, f2) = self.modes(then), self.modes(otherwise)
            if exact and isinstance(self.of(then), Exact) and isinstance(self.of(otherwise), Exact):
                return Exact(f"({t1} if {true} else {t2})")
            return FuzzyBool(f"(({true} and {t1}) or ({false} and {t2}))", f"(({true} and {f1}) or ({false} and {f2}))")
        first, second = self.of(then), self.of(otherwise)
        if exact and isinstance(first, Exact) and isinstance(second, Exact):
            return Exact(f"({first.code} if {true} else {second.code})")
        a, b = self.value_set(then), self.value_set(otherwise)
        return FuzzySet(f"(({a} if {true} else ()) + ({b} if {false} else ()))")

    def _equal(self, term: Term) -> Code:
        left, right = (self.of(arg) for arg in term.args)
        if isinstance(left, Exact) and isinstance(right, Exact):
            return Exact(f"({left.code} == {right.code})")
        a, b = (self.value_set(arg) for arg in term.args)
        return FuzzyBool(f"_meet({a}, {b})", f"_apart({a}, {b})")

    def _compare(self, term: Term) -> Code:
        a, b = (self.interval(arg) for arg in term.args)
        match term.op:
            case Op.EQ:
                return FuzzyBool(f"_may_equal({a}, {b})", f"_may_differ({a}, {b})")
            case Op.LT:
                return FuzzyBool(f"({a}[0] < {b}[1])", f"({a}[1] >= {b}[0])")
            case _:
                return FuzzyBool(f"({a}[0] <= {b}[1])", f"({a}[1] > {b}[0])")


def _meet(left: tuple[int, ...], right: tuple[int, ...]) -> bool:
    return not set(left).isdisjoint(right)


def _apart(left: tuple[int, ...], right: tuple[int, ...]) -> bool:
    return len(set(left) | set(right)) > 1


SUPPORT: dict[str, object] = {
    "_add": iv.add,
    "_sub": iv.sub,
    "_mul": iv.mul,
    "_div": iv.div,
    "_mod": iv.mod,
    "_join": iv.join,
    "_may_equal": iv.may_equal,
    "_may_differ": iv.may_differ,
    "_meet": _meet,
    "_apart": _apart,
    "_covering": iv.covering,
}
"""What the generated code calls."""
