"""Compiled steps against plain evaluation: the same successors and events, or more where integers are cut."""

from __future__ import annotations

import pytest

from fsmcheck.engines import compile as compiling
from fsmcheck.engines.compile import Packing, Successor, compile_steps
from fsmcheck.engines.explicit import Limits, explore
from fsmcheck.obligations.run import run
from fsmcheck.system import terms as t
from fsmcheck.system.system import Event, Step, StepKind, System
from fsmcheck.system.terms import BOOL, INT
from fsmcheck.system.translate import translate
from tests.engines.systems import BAD, Drawing, is_finite, packed, sample, system_of
from tests.oracle.generate import load_valid
from tests.system.naive import Values, chosen, successors, value

SEEDS = range(3100, 3124)
INTEGERS = (0, 1, 2, 3, 4)


def happens(event: Event, step: Step, values: Values) -> bool:
    return any(value(event.condition, {**values, **own}) for own in chosen(event.inputs, INTEGERS))


def plain(system: System, number: int, before: Values, packing: Packing) -> dict[tuple[int, ...], int]:
    """The packed successors, each with the events of some way to it."""
    step = system.steps[number]
    found: dict[tuple[int, ...], int] = {}
    for after, inputs in successors(step, before, INTEGERS):
        bits = sum(happens(event, step, {**before, **inputs}) << bit for bit, event in enumerate(step.events))
        key = packed(after, packing)
        found[key] = found.get(key, 0) | bits
    return found


def compiled(function: object, values: tuple[int, ...]) -> dict[tuple[int, ...], int]:
    out: list[Successor] = []
    function(values, out)  # type: ignore[operator]
    found: dict[tuple[int, ...], int] = {}
    for new, _, bits in out:
        found[new] = found.get(new, 0) | bits
    return found


@pytest.mark.parametrize("seed", SEEDS)
def test_steps(seed: int) -> None:
    system = system_of(seed)
    packing = Packing(system)
    functions = compile_steps(packing)
    exact = is_finite(system)
    for number, before in sample(system, 12, seed):
        expected = plain(system, number, before, packing)
        found = compiled(functions[number], packed(before, packing))
        if exact:
            assert found == expected
        for key, bits in expected.items():
            assert key in found, system.steps[number].name
            assert bits & ~found[key] == 0, system.steps[number].name


def test_there_are_systems_of_both_kinds() -> None:
    assert {is_finite(system_of(seed)) for seed in SEEDS} == {True, False}


def test_an_integer_beyond_what_it_is_compared_with_is_one_of_many() -> None:
    n = t.var("n", INT)
    drawing = Drawing("a", {"n": (INT, 0)})
    drawing.edge("a", "a", t.lt(n, t.integer(3)), {"n": t.add(n, t.integer(2))})
    drawing.edge("a", "b", t.le(t.integer(3), n), bad=t.eq(n, t.integer(4)))
    drawing.edge("b", "b", kind=StepKind.FINISH)
    graph = explore(drawing.system(), Limits())
    points = {graph.packing.intervals["n"][packed_[0]] for packed_ in graph.values}
    assert {(0, 0), (2, 2)} <= points
    assert all(low <= 4 <= high or low in (0, 2) for low, high in points)
    assert BAD in graph.hits


def test_a_choice_of_the_abstraction_gives_both() -> None:
    drawing = Drawing("a", {"p": (BOOL, False), "n": (INT, 0)})
    n, p = t.var("n", INT), t.var("p", BOOL)
    drawing.edge("a", "a", t.not_(p), {"n": t.add(n, t.integer(1)), "p": t.lt(t.arithmetic(t.Op.MUL, n, n), n)})
    graph = explore(drawing.system(), Limits())
    assert {values[0] for values in graph.values} == {0, 1}
    assert graph.complete


def test_limits_are_said() -> None:
    graph = explore(system_of(3100), Limits(configurations=3))
    assert not graph.complete
    assert "3 configurations" in graph.reason


@pytest.mark.parametrize("limit", [1, 2, 5])
def test_what_integers_are_compared_with_is_told_apart(limit: int) -> None:
    """Below, at and above: a size that saturates one too low would mix them up."""
    n = t.var("n", INT)
    drawing = Drawing("a", {"n": (INT, 0)})
    drawing.edge("a", "a", updates={"n": t.add(n, t.integer(1))}).edge("a", "b", t.lt(n, t.integer(limit)))
    spans = explore(drawing.system()).packing.intervals["n"]
    assert {(number, number) for number in range(limit + 1)} <= set(spans)
    assert (limit + 1, float("inf")) in spans


def test_depths_are_the_fewest_exchanges() -> None:
    """b is two microsteps away, or one exchange, which takes fewer steps of the system."""
    drawing = Drawing("a", {}).edge("a", "a", kind=StepKind.PARK).edge("a", "b", kind=StepKind.STAGE)
    drawing.edge("a", "c").edge("c", "d").edge("d", "b").edge("b", "b", kind=StepKind.PARK)
    graph = explore(drawing.system())
    depths = {graph.location(n): graph.depths[n] for n in range(len(graph.values))}
    assert set(depths.values()) == {0}
    assert graph.depth_covered == 0
    further = Drawing("a", {}).edge("a", "a", kind=StepKind.PARK).edge("a", "b", kind=StepKind.STAGE)
    graph = explore(further.edge("b", "c").system())
    assert sorted(graph.depths) == [0, 0, 0, 1, 1]


def test_text_is_compiled_piece_by_piece(monkeypatch: pytest.MonkeyPatch) -> None:
    """The whole of it at once takes Python's compiler a gigabyte in a spec of 5,000 states."""
    pieces: list[int] = []
    define = compiling._define

    def counted(texts: list[str], namespace: dict[str, object]) -> None:
        pieces.append(sum(map(len, texts)))
        define(texts, namespace)

    monkeypatch.setattr(compiling, "_define", counted)
    system = next(system for system in map(system_of, SEEDS) if len(system.steps) > 8 and is_finite(system))
    whole = explore(system, Limits(2_000, 60.0))
    assert len(pieces) == 1
    whole_text = pieces[0]
    monkeypatch.setattr(compiling, "TEXT_AT_ONCE", whole_text // 4)
    pieces.clear()
    assert explore(system, Limits(2_000, 60.0)).digest() == whole.digest()
    assert 1 < len(pieces) <= 5
    assert max(pieces) < whole_text


def test_steps_that_do_the_same_share_a_function() -> None:
    """The two ways to b and c do the same; the one to d is guarded, and the one from c puts another value in x."""
    x = t.var("x", BOOL)
    drawing = Drawing("a", {"x": (BOOL, False)}).edge("a", "b").edge("a", "c")
    drawing.edge("a", "d", guard=x)
    drawing.edge("c", "d", updates={"x": t.TRUE})
    functions = compile_steps(Packing(drawing.system()))
    assert functions[0] is functions[1]
    assert len(set(functions)) == 3


@pytest.mark.parametrize("grown", ["context.n + 1", "context.n + context.m * 0"])
def test_what_is_too_deep_for_python_is_left_to_others(grown: str) -> None:
    """Four hundred assignments, each of what the one before came to: nobody writes it, but nothing may break on it. The
    machine leaves ``a`` once ``m`` is given."""
    again = "\n".join([f'        - assign: {{ n: "${{ {grown} }}" }}'] * 400)
    text = f"""fsm:
  name: deep
  version: 1
  initialState: a
  context:
    n: {{ type: integer, default: 0 }}
    m: {{ type: integer }}
  agents: {{ w: {{ canTransition: [a] }} }}
  states:
    a:
      requires: [{{ name: m, from: {{ agent: w }} }}]
      exit:
{again}
      transitions:
        - {{ toState: b, guards: [{{ backend: cel, expression: "context.m > 3" }}] }}
        - {{ toState: b }}
    b: {{ terminal: true }}
"""
    spec = load_valid(text)
    assert spec is not None
    graph = explore(translate(spec, "gated"))
    assert not graph.complete
    assert "nested too deeply" in graph.reason
    found = {(v.obligation.rule, v.obligation.subject.state): v for v in run(spec, "gated", bool, None).verdicts}
    assert found["FSM203", "b"].verdict == "proved"
    assert found["FSM301", "a"].verdict == "proved"
