"""Places inside expressions are places in the file, in every layout of a scalar."""

from __future__ import annotations

import pytest

from fsmcheck.source import Span
from fsmcheck.spec.model import Expression
from tests.spec.faults import guarded, spec_of

LAYOUTS = [
    "context.s == 'x' && context.l == []",
    "context.s == 'x' &&\n                context.l == []",
    "\"context.s == 'x' && context.l == []\"",
    '"context.s == \\"x\\" && context.l == []"',
    "\"context.s == '\\u0078' && \\x63ontext.l == []\"",
    "\"context.s\n\n                == 'x' && context.l == []\"",
    "'context.s == ''x'' && context.l == []'",
    "'context.s == ''x'' &&\n                context.l == []'",
    ">\n                context.s == 'x'\n                && context.l == []\n",
    ">-\n                context.s == 'x'\n\n                && context.l == []",
    "|\n                context.s == 'x'\n                  && context.l == []\n",
    "|2-\n                context.s == 'x' && context.l == []",
    "!!str context.s == 'x' && context.l == []",
]


def guard_of(written: str) -> tuple[str, Expression]:
    document = guarded(written)
    assert document.faults == ()
    assert document.spec is not None
    expression = document.spec.states[0].transitions[0].guards[0].expression
    assert expression is not None
    return document.source.text, expression


@pytest.mark.parametrize("written", LAYOUTS[:-1])
def test_every_name_is_found(written: str) -> None:
    text, expression = guard_of(written)
    assert len(expression.offsets) == len(expression.text) + 1
    for name in ("context.s", "context.l", "&&", "== []"):
        start = expression.text.index(name)
        place = expression.place(Span(start, start + len(name)))
        assert text[place.start : place.end].replace("\\x63", "c") == name


def test_a_layout_without_a_map_is_underlined_whole() -> None:
    text, expression = guard_of(LAYOUTS[-1])
    assert expression.offsets == ()
    place = expression.place(Span(0, 9))
    assert text[place.start : place.end] == "!!str context.s == 'x' && context.l == []"


def test_embedded_expressions() -> None:
    spec = spec_of(
        "fsm:\n  initialState: a\n  context: { s: { type: string } }\n  states:\n    a:\n"
        "      terminal: true\n      description: \"a {{ context.s }}, b {{context.s + '}}' }}\"\n"
        "      entry:\n        - assign: { s: \"${ context.s + '}' }\" }\n        - assign: { s: 'x ${context.s} y' }\n"
    )
    description = spec.states[0].description
    assert description is not None
    found = [part for part in description.parts if isinstance(part, Expression)]
    assert [part.text for part in found] == ["context.s", "context.s + '}}'"]
    assert [spec.source.text[part.span.start : part.span.end] for part in found] == [part.text for part in found]
    assert description.parts[0] == "a "
    whole = spec.states[0].entry[0].writes[0].value
    assert isinstance(whole, Expression)
    assert whole.text == "context.s + '}'"
    assert spec.source.position(whole.span.start) == (9, 28)
