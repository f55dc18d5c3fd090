"""As much of TLA+ as exported modules use, read and evaluated: what TLC would count, where TLC is not to be had.

A definition is read into a tree of tuples; an action is solved from left to right, as TLC does: ``x' = e`` gives a
variable its next value, everything else is a condition.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field

Value = bool | int | str
Tree = tuple[object, ...]
Scope = dict[str, Value]

_TOKEN = re.compile(
    r'\s*(?:(\\\*[^\n]*)|("[^"\\]*")|(\d+)|([A-Za-z_]\w*)|(\\[A-Za-z]+|/\\|\\/|==|<=|<<|>>|\.\.|[-+*=#<>~(){},:\'\[\]]))'
)
_DEFINITION = re.compile(r"^([A-Za-z_]\w*)(\([\w, ]+\))? ==", re.MULTILINE)
_KEYWORDS = frozenset({"IF", "THEN", "ELSE", "TRUE", "FALSE", "UNCHANGED", "BOOLEAN"})


def tokens(text: str) -> list[str]:
    """The tokens of a text without its comments."""
    found: list[str] = []
    place = 0
    text = text.rstrip()
    while place < len(text):
        match = _TOKEN.match(text, place)
        assert match is not None, f"not TLA+ as far as this reader knows it: {text[place : place + 40]!r}"
        if not match[1]:
            found.append(match[match.lastindex or 0])
        place = match.end()
    return found


class _Reader:
    """Precedence from loose to tight: or, and, not, comparison, sum, product, minus."""

    def __init__(self, text: str) -> None:
        self.tokens = tokens(text)
        self.place = 0

    def peek(self) -> str:
        return self.tokens[self.place] if self.place < len(self.tokens) else ""

    def take(self, expected: str = "") -> str:
        token = self.peek()
        assert not expected or token == expected, f"{expected} instead of {token}"
        self.place += 1
        return token

    def whole(self) -> Tree:
        tree = self.disjunction()
        assert not self.peek(), f"{self.peek()} is left over"
        return tree

    def disjunction(self) -> Tree:
        return self._list("\\/", "or", self.conjunction)

    def conjunction(self) -> Tree:
        return self._list("/\\", "and", self.negation)

    def _list(self, mark: str, name: str, part: object) -> Tree:
        if self.peek() == mark:
            self.take()
        parts = [part()]  # type: ignore[operator]
        while self.peek() == mark:
            self.take()
            parts.append(part())  # type: ignore[operator]
        return parts[0] if len(parts) == 1 else (name, *parts)

    def negation(self) -> Tree:
        if self.peek() == "~":
            self.take()
            return ("not", self.negation())
        if self.peek() == "\\E":
            self.take()
            name = self.take()
            self.take("\\in")
            values = self.set()
            self.take(":")
            return ("exists", name, values, self.disjunction())
        return self.comparison()

    def comparison(self) -> Tree:
        left = self.sum()
        if self.peek() in ("=", "#", "<", "<="):
            return (self.take(), left, self.sum())
        if self.peek() == "\\in":
            self.take()
            return ("in", left, self.set())
        return left

    def sum(self) -> Tree:
        left = self.product()
        while self.peek() in ("+", "-"):
            left = (self.take(), left, self.product())
        return left

    def product(self) -> Tree:
        left = self.unary()
        while self.peek() in ("*", "\\div"):
            left = (self.take(), left, self.unary())
        return left

    def unary(self) -> Tree:
        if self.peek() == "-":
            self.take()
            return ("minus", self.unary())
        return self.primary()

    def primary(self) -> Tree:
        token = self.take()
        if token == "(":
            tree = self.disjunction()
            self.take(")")
            return tree
        if token == "IF":
            condition = self.disjunction()
            self.take("THEN")
            then = self.disjunction()
            self.take("ELSE")
            return ("if", condition, then, self.disjunction())
        if token in ("TRUE", "FALSE"):
            return ("constant", token == "TRUE")
        if token.startswith('"'):
            return ("constant", token[1:-1])
        if token.isdigit():
            return ("constant", int(token))
        if token == "UNCHANGED":
            return ("unchanged", *self._names())
        assert re.fullmatch(r"[A-Za-z_]\w*", token), f"no operand: {token}"
        assert token not in _KEYWORDS, token
        if self.peek() == "'":
            self.take()
            return ("next", token)
        if self.peek() == "(":
            self.take()
            arguments = [self.disjunction()]
            while self.peek() == ",":
                self.take()
                arguments.append(self.disjunction())
            self.take(")")
            return ("call", token, *arguments)
        return ("name", token)

    def _names(self) -> list[str]:
        self.take("<<")
        names = [self.take()]
        while self.peek() == ",":
            self.take()
            names.append(self.take())
        self.take(">>")
        return names

    def set(self) -> Tree:
        if self.peek() == "BOOLEAN":
            self.take()
            return ("set", ("constant", False), ("constant", True))
        if self.peek() == "{":
            self.take()
            parts = [self.disjunction()]
            while self.peek() == ",":
                self.take()
                parts.append(self.disjunction())
            self.take("}")
            return ("set", *parts)
        low = self.sum()
        self.take("..")
        return ("range", low, self.sum())


@dataclass
class Module:
    """A module as it was read."""

    variables: list[str]
    definitions: dict[str, tuple[list[str], Tree]]
    _seen: list[Scope] = field(default_factory=list)

    def evaluate(self, tree: Tree, scope: Scope) -> Value:  # noqa: C901 - one case an operator
        match tree:
            case ("constant", value):
                return value  # type: ignore[return-value]
            case ("name", str(name)):
                return scope[name] if name in scope else self.evaluate(self.definitions[name][1], scope)
            case ("call", str(name), *arguments):
                parameters, body = self.definitions[name]
                values = [self.evaluate(argument, scope) for argument in arguments]  # type: ignore[arg-type]
                return self.evaluate(body, {**scope, **dict(zip(parameters, values, strict=True))})
            case ("and", *parts):
                return all(self.evaluate(part, scope) is True for part in parts)  # type: ignore[arg-type]
            case ("or", *parts):
                return any(self.evaluate(part, scope) is True for part in parts)  # type: ignore[arg-type]
            case ("not", part):
                return not self.evaluate(part, scope)  # type: ignore[arg-type]
            case ("if", condition, then, otherwise):
                return self.evaluate(then if self.evaluate(condition, scope) else otherwise, scope)  # type: ignore[arg-type]
            case ("exists", str(name), values, body):
                return any(
                    self.evaluate(body, {**scope, name: value}) is True  # type: ignore[arg-type]
                    for value in self.values(values, scope)  # type: ignore[arg-type]
                )
            case ("in", left, values):
                return self.evaluate(left, scope) in self.values(values, scope)  # type: ignore[arg-type]
            case ("minus", part):
                return -int(self.evaluate(part, scope))  # type: ignore[arg-type]
            case (str(operator), left, right):
                a, b = self.evaluate(left, scope), self.evaluate(right, scope)  # type: ignore[arg-type]
                assert type(a) is type(b), f"TLC does not compare {a!r} with {b!r}"
                if operator in ("=", "#"):
                    return (a == b) is (operator == "=")
                return self._calculated(operator, int(a), int(b))
            case _:
                raise AssertionError(tree)

    @staticmethod
    def _calculated(operator: str, a: int, b: int) -> Value:
        match operator:
            case "<":
                return a < b
            case "<=":
                return a <= b
            case "+":
                return a + b
            case "-":
                return a - b
            case "*":
                return a * b
            case _:
                assert operator == "\\div"
                return a // b

    def values(self, tree: Tree, scope: Scope) -> list[Value]:
        """The elements of a set."""
        kind, *parts = tree
        if kind == "range":
            low, high = (int(self.evaluate(part, scope)) for part in parts)  # type: ignore[arg-type]
            return list(range(low, high + 1))
        return [self.evaluate(part, scope) for part in parts]  # type: ignore[arg-type]

    def solve(self, tree: Tree, scope: Scope, after: Scope) -> Iterator[Scope]:
        """The ways to make an action true, each with the next values it gives."""
        match tree:
            case ("name", str(name)) if name in self.definitions:
                yield from self.solve(self.definitions[name][1], scope, after)
            case ("and", first, *rest):
                for found in self.solve(first, scope, after):  # type: ignore[arg-type]
                    yield from self.solve(("and", *rest), scope, found) if rest else [found]
            case ("or", *parts):
                for part in parts:
                    yield from self.solve(part, scope, after)  # type: ignore[arg-type]
            case ("exists", str(name), values, body):
                for value in self.values(values, scope):  # type: ignore[arg-type]
                    yield from self.solve(body, {**scope, name: value}, after)  # type: ignore[arg-type]
            case ("=", ("next", str(name)), value):
                assert name not in after
                yield {**after, name: self.evaluate(value, scope)}  # type: ignore[arg-type]
            case ("unchanged", *names):
                yield {**after, **{str(name): scope[str(name)] for name in names}}
            case _:
                if self.evaluate(tree, scope) is True:
                    yield after

    def reachable(self) -> list[Scope]:
        """Every state that a behaviour of the module reaches."""
        (start,) = self._initial()
        seen = {tuple(start.items()): start}
        queue = [start]
        while queue:
            before = queue.pop()
            for found in self.solve(("name", "Next"), before, {}):
                assert found.keys() == set(self.variables), "an action leaves a variable open"
                after = {name: found[name] for name in self.variables}
                if tuple(after.items()) not in seen:
                    seen[tuple(after.items())] = after
                    queue.append(after)
        return list(seen.values())

    def _initial(self) -> list[Scope]:
        parts = self.definitions["Init"][1]
        assert parts[0] in ("and", "=")
        equations = parts[1:] if parts[0] == "and" else (parts,)
        return [{str(name): self.evaluate(value, {}) for _, (_, name), value in equations}]  # type: ignore[misc, attr-defined]

    def breaks(self, name: str, states: list[Scope]) -> bool:
        """Whether an invariant does not hold in some state."""
        return not all(self.evaluate(("name", name), state) is True for state in states)


def read(text: str) -> Module:
    """Read an exported module."""
    first, *_ = text.splitlines()
    assert re.fullmatch(r"-{4,} MODULE \w+ -{4,}", first)
    body = re.sub(r"\\\*[^\n]*", "", text)
    assert body.rstrip().endswith("====")
    body = body.rstrip().rstrip("=")
    declared = re.search(r"^VARIABLES (.*)$", body, re.MULTILINE)
    assert declared is not None
    marks = list(_DEFINITION.finditer(body))
    definitions: dict[str, tuple[list[str], Tree]] = {}
    for mark, following in zip(marks, [*marks[1:], None], strict=True):
        name = mark[1]
        assert name not in definitions, f"{name} is defined twice"
        if name in ("vars", "Spec"):
            continue
        parameters = [each.strip() for each in (mark[2] or "()")[1:-1].split(",") if each.strip()]
        text_of = body[mark.end() : following.start() if following else len(body)]
        definitions[name] = (parameters, _Reader(text_of).whole())
    return Module([name.strip() for name in declared[1].split(",")], definitions)
