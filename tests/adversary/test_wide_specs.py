"""Steps with more inputs or events than can be enumerated: open questions or proofs by other means, never a crash."""

from __future__ import annotations

from fsmcheck.engines.compile import MOST_EVENTS
from fsmcheck.engines.explicit import Limits, explore
from fsmcheck.source import SourceFile
from fsmcheck.spec.load import load
from fsmcheck.system.translate import translate
from tests.adversary.judged import END, go, judged, state


def test_thirty_fields_required_at_once() -> None:
    # 2^30 exchanges, and more values to choose than Python nests loops. What is asked all holds: staging every
    # field leads to d.
    names = tuple(f"f{number}" for number in range(30))
    found = judged(dict.fromkeys(names, "string"), {"a": state(go("d"), ask=names), "d": END})
    assert found["FSM301", ("a",)] != "violated"
    assert found["FSM203", ("d",)] != "violated"
    assert found["FSM303", ("a", 0)] != "violated"
    assert found["FSM204", ("a",)] != "violated"


def test_many_pairs_of_guards_are_more_events_than_a_number_has_bits() -> None:
    # 60 guarded transitions make 1,770 pairs, each three events of FSM302: the search says so and stops.
    guards = "\n".join(
        f'        - {{ toState: d, guards: [{{ backend: cel, expression: "context.n == {number}" }}],'
        f" onTransition: [{{ assign: {{ m: {number} }} }}] }}"
        for number in range(60)
    )
    text = f"""
fsm:
  initialState: a
  context: {{ n: {{ type: integer }}, m: {{ type: integer, default: 0 }} }}
  agents: {{ worker: {{ canTransition: [a] }} }}
  states:
    a:
      requires: [{{ name: n, from: {{ agent: worker }} }}]
      transitions:
{guards}
    d: {{ terminal: true }}
"""
    (document,) = load(SourceFile("spec.yaml", text))
    assert document.spec is not None
    assert document.faults == ()
    graph = explore(translate(document.spec, "gated"), Limits(seconds=5))
    assert not graph.complete
    assert f"more than {MOST_EVENTS} events" in graph.reason
