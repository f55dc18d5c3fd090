"""Guards with one truth value in every store that there can be (FSM305): worked out by hand."""

from __future__ import annotations

import pytest

from fsmcheck.obligations.constants import constant_guards
from tests.oracle.generate import load_valid

SPEC = """
fsm:
  initialState: ask
  context:
    tags: {{ type: list, of: string }}
    note: {{ type: string }}
    count: {{ type: integer }}
  agents: {{ ann: {{ canTransition: [ask] }} }}
  states:
    ask:
      requires: [{{ name: note, from: {{ agent: ann }} }}]
      transitions:
        - {{ toState: end, guards: [{{ backend: cel, expression: "{guard}" }}] }}
        - {{ toState: end }}
    end: {{ terminal: true }}
"""


def value(guard: str) -> bool | None:
    spec = load_valid(SPEC.format(guard=guard))
    assert spec is not None
    found = constant_guards(spec)
    return found[0].value if found else None


@pytest.mark.parametrize(
    ("guard", "expected"),
    [
        ("'yes' in context.tags && !has(context.tags)", False),
        ("'yes' in context.tags && has(context.tags)", None),
        ("'yes' in context.tags && 'no' in context.tags && size(context.tags) < 2", False),
        ("'yes' in context.tags && 'no' in context.tags && size(context.tags) < 3", None),
        ("!('yes' in context.tags) || size(context.tags) > 0", True),
        ("!('yes' in context.tags) || size(context.tags) > 1", None),
        ("context.note == 'a' && context.note == 'b'", False),
        ("context.note == 'a' || context.note == 'b'", None),
        ("context.count < 3 && context.count > 2", False),
        ("context.count < 4 && context.count > 2", None),
    ],
)
def test_constant(guard: str, expected: bool | None) -> None:
    assert value(guard) is expected
