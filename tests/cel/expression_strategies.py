"""Generated CEL expressions over a context with a field of every type."""

from __future__ import annotations

from dataclasses import dataclass

from hypothesis import strategies as st

from fsmcheck.cel.types import INTEGER, STRING, Kind, Type
from fsmcheck.cel.values import MapValue

FIELDS = {
    "text": STRING,
    "other": STRING,
    "verdict": Type(Kind.ENUM, values=("done", "again", "stop")),
    "count": Type(Kind.INTEGER, nullable=True),
    "limit": Type(Kind.INTEGER, nullable=True),
    "score": Type(Kind.NUMBER, nullable=True),
    "flag": Type(Kind.BOOLEAN, nullable=True),
    "ready": Type(Kind.BOOLEAN, nullable=True),
    "history": Type(Kind.LIST, element=STRING),
    "numbers": Type(Kind.LIST, element=INTEGER),
    "tallies": Type(Kind.MAP, element=INTEGER, key=STRING),
    "notes": Type(Kind.MAP, element=STRING, key=STRING),
}

_TEXTS = st.sampled_from(["", "a", "b", "ab", "done", "again", "é", "𝄞x", "12", "-7", "1.5", "true", "k"])
_INTS = st.one_of(st.integers(-3, 3), st.sampled_from([2**53, 2**53 + 1, 2**63 - 1, -(2**63)]))
_DOUBLES = st.one_of(
    st.sampled_from([0.0, -0.0, 1.0, 1.5, -2.5, 1e18, 1e300, float("inf"), float("nan")]),
    st.floats(width=64),
)

STORES = st.fixed_dictionaries(
    {
        "text": _TEXTS,
        "other": _TEXTS,
        "verdict": st.sampled_from(["", "done", "again", "stop"]),
        "count": st.none() | _INTS,
        "limit": st.none() | _INTS,
        "score": st.none() | _DOUBLES,
        "flag": st.none() | st.booleans(),
        "ready": st.none() | st.booleans(),
        "history": st.lists(_TEXTS, max_size=3).map(tuple),
        "numbers": st.lists(_INTS, max_size=3).map(tuple),
        "tallies": st.dictionaries(_TEXTS, _INTS, max_size=3).map(MapValue),
        "notes": st.dictionaries(_TEXTS, _TEXTS, max_size=3).map(MapValue),
    }
)


SCALARS = ("string", "int", "double", "bool")


def quoted(text: str) -> str:
    return "'" + text.replace("\\", "\\\\").replace("'", "\\'") + "'"


def literal_double(value: float) -> str:
    text = repr(value)
    return text if "." in text or "e" in text else f"{text}.0"


def leaves(kind: str, scope: tuple[tuple[str, str], ...]) -> st.SearchStrategy[str]:
    """Literals, fields and variables of a kind."""
    variables = [name for name, held in scope if held == kind]
    found: list[st.SearchStrategy[str]] = [st.sampled_from(variables)] if variables else []
    match kind:
        case "string":
            found += [_TEXTS.map(quoted), st.sampled_from(["context.text", "context.other", "context.verdict"])]
        case "int":
            found += [_INTS.map(str), st.sampled_from(["context.count", "context.limit"])]
        case "double":
            finite = st.sampled_from([0.0, 1.0, 1.5, -2.5, 1e18, 1e300, 0.1])
            found += [finite.map(literal_double), st.just("context.score")]
        case "bool":
            found += [
                st.sampled_from(["true", "false", "context.flag", "context.ready"]),
                st.sampled_from(sorted(FIELDS)).map("has(context.{})".format),
                st.sampled_from(["(context.count == null)", "(null != context.flag)", "(context.score == null)"]),
            ]
        case "strings":
            found += [st.just("context.history"), st.just("['a', 'b', 'ab']")]
        case "ints":
            found += [st.just("context.numbers"), st.just("[1, 2, 3]")]
        case "tallies":
            found += [st.just("context.tallies"), st.just("{'a': 1, 'k': 2}")]
        case _:
            found += [st.just("context.notes"), st.just("{'a': 'b'}")]
    return st.one_of(found)


LISTS = {"string": "strings", "int": "ints"}
ELEMENTS = {"strings": "string", "ints": "int"}
MAPS = {"tallies": "int", "notes": "string"}
COLLECTIONS = (*ELEMENTS, *MAPS)
KINDS = (*SCALARS, *COLLECTIONS)

CONVERTED = {
    "string": ("string", "int", "bool"),
    "int": ("string", "int", "double"),
    "double": ("string", "int", "double"),
    "bool": ("string", "bool"),
}
PATTERNS = ("^a", "b$", "[0-9]+", ".", "(?i)DONE|x", "^$", "\\\\d")

Scope = tuple[tuple[str, str], ...]


@dataclass(frozen=True)
class Shape:
    """An operation: its text with a place for each operand, the kinds of the operands, and whether the last
    operands see a new variable (``{x}``) and of which kind."""

    text: str
    operands: tuple[str, ...]
    variable: str | None = None


def shapes(kind: str) -> list[Shape]:
    """Every operation with a result of a kind."""
    found = [Shape("({} ? {} : {})", ("bool", kind, kind))]
    if kind in CONVERTED:
        found += [Shape(f"{kind}({{}})", (source,)) for source in CONVERTED[kind]]
    if kind == "string":
        # The sign of NaN, which Google's implementation prints, depends on the processor.
        found += [Shape("({0} == {0} ? string({0}) : 'nan')", ("double",))]
    if kind in LISTS:
        of_map = "tallies" if kind == "int" else "notes"
        found += [Shape("{}[{}]", (LISTS[kind], "int")), Shape("{}[{}]", (of_map, "string")), Shape("{}.k", (of_map,))]
    match kind:
        case "string":
            found += [Shape("({} + {})", (kind, kind))]
        case "int" | "double":
            operators = "+-*/%" if kind == "int" else "+-*/"
            found += [Shape(f"({{}} {operator} {{}})", (kind, kind)) for operator in operators]
            found += [Shape("(-({}))", (kind,))]
            if kind == "int":
                found += [Shape("size({})", (sized,)) for sized in ("string", *COLLECTIONS)]
                found += [Shape("{}.size()", (sized,)) for sized in ("string", *COLLECTIONS)]
        case "bool":
            found += _conditions()
        case "strings" | "ints":
            element = ELEMENTS[kind]
            found += [Shape("({} + {})", (kind, kind)), Shape("[{}, {}]", (element, element))]
            found += [Shape("{}.filter({x}, {})", (kind, "bool"), element)]
            # Not from maps: CEL leaves the order of their keys open.
            for source, item in ELEMENTS.items():
                found += [Shape("{}.map({x}, {})", (source, element), item)]
                found += [Shape("{}.map({x}, {}, {})", (source, "bool", element), item)]
        case _:
            found += [Shape("{{'a': {}, 'k': {}}}", (MAPS[kind], MAPS[kind])), Shape("{{'é': {}}}", (MAPS[kind],))]
    return found


def _conditions() -> list[Shape]:
    found = [Shape("!({})", ("bool",))]
    found += [Shape(f"({{}} {operator} {{}})", ("bool", "bool")) for operator in ("&&", "||")] * 4
    found += [Shape(f"({{}} {operator} {{}})", (each, each)) for operator in ("==", "!=") for each in KINDS]
    found += [Shape(f"({{}} {operator} {{}})", (each, each)) for operator in ("<", "<=", ">", ">=") for each in SCALARS]
    found += [Shape("({} in {})", (ELEMENTS.get(each, "string"), each)) for each in COLLECTIONS]
    found += [Shape("has({}.k)", (each,)) for each in MAPS]
    found += [
        Shape(f"{{}}.{method}({{}})", ("string", "string"))
        for method in ("startsWith", "endsWith", "contains", "matches")
    ]
    found += [Shape("{}.matches('" + pattern + "')", ("string",)) for pattern in PATTERNS]
    for macro in ("all", "exists", "exists_one"):
        found += [
            Shape(f"{{}}.{macro}({{x}}, {{}})", (each, "bool"), ELEMENTS.get(each, "string")) for each in COLLECTIONS
        ]
    return found


_SHAPES = {kind: shapes(kind) for kind in KINDS}


@st.composite
def of_kind(draw: st.DrawFn, kind: str, depth: int, scope: Scope = ()) -> str:
    """A well-typed expression of a kind, at most ``depth`` operators deep, in parentheses where it needs them."""
    if depth <= 0 or draw(st.integers(0, 5)) == 0:
        return draw(leaves(kind, scope))
    shape = draw(st.sampled_from(_SHAPES[kind]))
    name = f"x{len(scope)}"
    inner = scope if shape.variable is None else (*scope, (name, shape.variable))
    parts = [
        draw(of_kind(operand, depth - 1, inner if position else scope))
        for position, operand in enumerate(shape.operands)
    ]
    return shape.text.format(*parts, x=name)


def expressions() -> st.SearchStrategy[str]:
    """Well-typed expressions of every kind."""
    return st.sampled_from(KINDS).flatmap(lambda kind: of_kind(kind, 4))


@st.composite
def any_expression(draw: st.DrawFn) -> str:
    """One operation on operands of any kinds, most often ill-typed."""
    one, two, three = (draw(st.sampled_from(KINDS).flatmap(lambda kind: of_kind(kind, 1))) for _ in range(3))
    condition = draw(of_kind("bool", 1))
    form = draw(
        st.sampled_from(
            [
                "({0} + {1})",
                "({0} - {1})",
                "({0} % {1})",
                "({0} == {1})",
                "({0} < {1})",
                "({0} in {1})",
                "({0} && {1})",
                "({3} ? {0} : {1})",
                "({0} ? {1} : {2})",
                "({0})[{1}]",
                "({0}).k",
                "has(({0}).k)",
                "size({0})",
                "({0}).contains({1})",
                "({0}).matches({1})",
                "int({0})",
                "double({0})",
                "string({0})",
                "bool({0})",
                "!({0})",
                "-({0})",
                "({0}).all(x, {1})",
                "({0}).all(x, x == {1})",
                "size(({0}).map(x, x + {1}))",
                "size(({0}).filter(x, {1}))",
                "[{0}, {1}]",
                "([{0}, {1}] == [{2}])",
                "({0} in [{1}, {2}])",
                "([{0}, {1}][0] + {2})",
                "{{'k': {0}, 'l': {1}}}",
                "({{'k': {0}}}.k + {1})",
                "({0} == null)",
                "([{0}, null] == [{1}])",
                "([] + {0})",
                "({{}} == {0})",
            ]
        )
    )
    return form.format(one, two, three, condition)
