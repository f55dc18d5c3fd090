"""The oracle's own evaluator on the points where CEL surprises."""

from __future__ import annotations

import pytest

from tests.oracle.expressions import EvaluationError
from tests.oracle.generate import load_valid
from tests.oracle.program import Program, truth

CONTEXT = """
    i: { type: integer }
    j: { type: integer, default: -7 }
    b: { type: boolean }
    s: { type: string, default: ab }
    l: { type: list, of: string, default: [x, y] }
    m: { type: map, of: integer, default: { k: 1 } }
"""
GUARDS = {
    "context.i == null": True,
    "context.i != 1": True,
    "has(context.i)": False,
    "context.i < 1": None,
    "context.i + 1 == 1": None,
    "context.b": None,
    "!context.b": None,
    "context.b || true": True,
    "context.b && false": False,
    "false || context.b": None,
    "context.b ? true : true": None,
    "context.i < 1 || true": True,
    "context.i < 1 && true": None,
    "context.j / 2 == -3": True,
    "context.j % 2 == -1": True,
    "context.j / (context.j + 7) == 1": None,
    "context.j - 9223372036854775807 < 0": None,
    "size(context.s) == 2": True,
    "context.s + 'c' == 'abc'": True,
    "'x' in context.l": True,
    "context.l[1] == 'y'": True,
    "context.l[2] == 'y'": None,
    "context.l[context.j] == 'y'": None,
    "context.l.all(e, e != 'z')": True,
    "context.l.exists(e, e == 'z')": False,
    "context.l.exists(e, context.i < 1 || e == 'y')": True,
    "context.l == ['x', 'y']": True,
    "context.m['k'] == 1": True,
    "context.m['q'] == 1": None,
    "'q' in context.m": False,
    "has(context.m.k)": True,
}


@pytest.mark.parametrize("expression", GUARDS)
def test_guards(expression: str) -> None:
    spec = load_valid(
        f"fsm:\n  initialState: a\n  context:{CONTEXT}  states:\n    a: {{ transitions: [{{ toState: z, guards: "
        f'[{{ backend: cel, expression: "{expression}" }}] }}] }}\n    z: {{ terminal: true }}\n'
    )
    assert spec is not None
    program = Program(spec)
    store = tuple(program.initial_values())
    assert truth(program.places[0].moves[0].guards[0], store) is GUARDS[expression]


def test_embedded_null_fails() -> None:
    spec = load_valid(
        f"fsm:\n  initialState: a\n  context:{CONTEXT}  states:\n    a: {{ transitions: [{{ toState: z, onTransition: "
        '[{ assign: { s: "n=${context.j} ${context.i}" } }] }] }\n    z: { terminal: true }\n'
    )
    assert spec is not None
    program = Program(spec)
    write = program.places[0].moves[0].actions[0].writes[0]
    store = list(program.initial_values())
    with pytest.raises(EvaluationError):
        write.value(tuple(store))
    store[program.slots["i"]] = 2
    assert write.value(tuple(store)) == "n=-7 2"
