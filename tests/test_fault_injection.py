"""Engines that give up, die or lie: nothing is ever called proved on their word alone, and nobody is blamed falsely."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import Any, NoReturn

import pytest
import z3

from fsmcheck.cli import exits
from fsmcheck.cli.main import main
from fsmcheck.diagnostics import Subject
from fsmcheck.engines import horn, induction, symbolic
from fsmcheck.engines.disagreement import DisagreementError
from fsmcheck.engines.explicit import Graph, Hit, Limits, explore
from fsmcheck.engines.horn import Answer, SpacerInvariant
from fsmcheck.engines.moves import Move
from fsmcheck.engines.smt import Encoding
from fsmcheck.engines.symbolic import Bounded
from fsmcheck.obligations import case as case_module
from fsmcheck.obligations import settle
from fsmcheck.obligations.obligation import Verdict
from fsmcheck.obligations.run import run
from fsmcheck.spec.model import Spec
from fsmcheck.system.system import System
from tests.answers import Ask, intercept
from tests.oracle.generate import load_valid

EQUAL = """
fsm:
  initialState: ask
  context:
    verdict: { type: enum, values: [go, back] }
    n: { type: integer, default: 0 }
    m: { type: integer, default: 0 }
    limit: { type: integer }
  agents: { ann: { canTransition: [ask] } }
  states:
    ask:
      requires: [{ name: verdict, from: { agent: ann } }]
      transitions:
        - { toState: last, guards: [{ backend: cel, expression: "context.verdict == 'go'" }] }
        - toState: ask
          guards: [{ backend: cel, expression: "context.n < context.limit" }]
          onTransition: [{ assign: { verdict: "", n: "${context.n + 1}", m: "${context.m + STEP}" } }]
        - { toState: last }
    last:
      transitions:
        - { toState: done, guards: [{ backend: cel, expression: "context.n == context.m" }] }
    done: { terminal: true }
"""
# Whether the two counters stay equal is beyond intervals: Z3 has to say.
SPECS = {
    "equal": EQUAL.replace("STEP", "1"),
    "unequal": EQUAL.replace("STEP", "2"),
    "planner": (Path(__file__).parents[1] / "specs/planner_executor.yaml").read_text(encoding="utf-8"),
    "outcome kept": (Path(__file__).parents[1] / "specs/faulty/outcome_not_consumed.yaml").read_text(encoding="utf-8"),
}
STUCK = ("FSM301", Subject(state="last"))
BY_Z3 = ("spacer", "induction", "measure", "bounded", "k-induction")

Key = tuple[str, Subject]


def spec_of(name: str) -> Spec:
    spec = load_valid(SPECS[name])
    assert spec is not None
    return spec


def verdicts(name: str) -> dict[Key, Verdict]:
    found = run(spec_of(name), "gated", lambda _rule: True, None).verdicts
    return {(verdict.obligation.rule, verdict.obligation.subject): verdict for verdict in found}


@cache
def honest(name: str) -> dict[Key, str]:
    return {key: verdict.verdict for key, verdict in verdicts(name).items()}


def assert_nothing_false(name: str, found: dict[Key, Verdict]) -> None:
    """Every word that is given is the true one; fewer may be given."""
    truth = honest(name)
    assert found.keys() == truth.keys()
    for key, verdict in found.items():
        if verdict.verdict in ("proved", "violated"):
            assert verdict.verdict == truth[key], key


def rests_on_z3(verdict: Verdict) -> bool:
    return any(name in verdict.method for name in BY_Z3)


def test_honest_engines_decide() -> None:
    assert honest("equal")[STUCK] == "proved"
    assert honest("unequal")[STUCK] == "violated"
    assert verdicts("equal")[STUCK].method == "spacer+induction"
    assert any(rests_on_z3(verdict) for verdict in verdicts("planner").values())
    assert "unknown" not in honest("planner").values()


# -- a solver that does not know, or dies


def always(answer: Any) -> Callable[..., Any]:
    return lambda *_args, **_more: answer


@pytest.mark.parametrize("name", SPECS)
def test_a_solver_that_never_knows_proves_nothing(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    honest(name)
    intercept(monkeypatch, always(z3.unknown))
    monkeypatch.setattr(z3.Fixedpoint, "query", always(z3.unknown))
    monkeypatch.setattr(z3.Fixedpoint, "reason_unknown", always("told to"))
    found = verdicts(name)
    assert_nothing_false(name, found)
    assert not any(rests_on_z3(verdict) for verdict in found.values() if verdict.verdict == "proved")
    if name == "equal":
        assert found[STUCK].verdict == "unknown"
        assert found[STUCK].reason


@pytest.mark.parametrize("part", ["Solver.check", "Fixedpoint.query"])
@pytest.mark.parametrize("error", [z3.Z3Exception("out of memory"), MemoryError(), OSError("gone")])
def test_a_solver_that_dies_proves_nothing(part: str, error: Exception, monkeypatch: pytest.MonkeyPatch) -> None:
    honest("equal")

    def dies(*_args: object, **_more: object) -> NoReturn:
        raise error

    if part == "Fixedpoint.query":
        monkeypatch.setattr(z3.Fixedpoint, "query", dies)
    else:
        intercept(monkeypatch, dies)
    try:
        found = verdicts("equal")
    except type(error):
        return
    assert_nothing_false("equal", found)
    assert found[STUCK].verdict == "unknown"


def test_a_solver_that_dies_ends_the_command_without_a_word_on_the_spec(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    def dies(*_args: object, **_more: object) -> NoReturn:
        raise z3.Z3Exception("out of memory")

    path = tmp_path / "equal.yaml"
    path.write_text(SPECS["equal"], encoding="utf-8")
    intercept(monkeypatch, dies)
    code = main(["check", str(path)])
    out = capsys.readouterr().out
    assert code == exits.FAILED or "FSM901" in out


@pytest.mark.parametrize("engine", ["solver", "spacer"])
def test_one_unknown_among_answers_is_not_an_answer(engine: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Every other answer is withheld: a proof needs all of its checks."""
    honest("equal")
    calls = iter(range(1_000_000))
    if engine == "solver":
        intercept(monkeypatch, lambda ask: z3.unknown if next(calls) % 2 else ask())
    else:
        original = z3.Fixedpoint.query

        def flaky(self: Any, *args: Any) -> Any:
            return z3.unknown if next(calls) % 2 else original(self, *args)

        monkeypatch.setattr(z3.Fixedpoint, "query", flaky)
    found = verdicts("equal")
    assert_nothing_false("equal", found)


# -- single engines that do not know


def drawn(name: str) -> System:
    return case_module.make_case(spec_of(name), "gated", Limits()).system


def test_bounded_search_that_gives_up_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    system = drawn("equal")
    monkeypatch.setattr(z3.Solver, "check", always(z3.unknown))
    assert symbolic.bounded_search(system, [(*STUCK, "")], 5) == Bounded(None, 0, exhausted=True)


def test_k_induction_that_gives_up_excludes_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    system = drawn("equal")
    nothing = ("FSM999", Subject(), "")
    assert symbolic.k_induction(system, [nothing], 3) == 1
    monkeypatch.setattr(z3.Solver, "check", always(z3.unknown))
    assert symbolic.k_induction(system, [nothing], 3) is None


def test_k_induction_whose_step_gives_up_excludes_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    """The base case is answered, the step is not."""
    system = drawn("equal")
    original = z3.Solver.check
    calls = iter(range(1_000_000))
    monkeypatch.setattr(
        z3.Solver, "check", lambda self, *args: z3.unknown if next(calls) % 2 else original(self, *args)
    )
    assert symbolic.k_induction(system, [("FSM999", Subject(), "")], 3) is None


def test_spacer_that_gives_up_is_not_safe(monkeypatch: pytest.MonkeyPatch) -> None:
    system = drawn("equal")
    monkeypatch.setattr(z3.Fixedpoint, "query", always(z3.unknown))
    monkeypatch.setattr(z3.Fixedpoint, "reason_unknown", always("told to"))
    answer = horn.solve(system, [(*STUCK, "")])
    assert answer.safe is None
    assert "told to" in answer.reason


@pytest.mark.parametrize("given_up", range(8))
def test_an_induction_with_a_check_that_gives_up_does_not_hold(given_up: int, monkeypatch: pytest.MonkeyPatch) -> None:
    graph = explore(drawn("planner"))
    keys = [("FSM301", Subject(state="execute"), "")]
    calls: Iterator[int] = iter(range(1_000_000))
    total = 0

    def flaky(ask: Ask) -> z3.CheckSatResult:
        nonlocal total
        total = next(calls)
        return z3.unknown if total in chosen else ask()

    chosen: set[int] = set()
    intercept(monkeypatch, flaky)
    assert induction.check_induction(graph.system, induction.ReachableSet(graph), keys).holds is True
    # Withhold the answers on one step at different places: to all that it must not do at once, and one by one.
    withheld = total + 1 + given_up * total // 8
    chosen.update((withheld, withheld + 1))
    assert induction.check_induction(graph.system, induction.ReachableSet(graph), keys).holds is None


# -- engines that lie


def true_everywhere(system: System, *, value: bool) -> SpacerInvariant:
    encoding = Encoding(system)
    formula = z3.BoolVal(value, ctx=encoding.context)
    return SpacerInvariant(encoding, dict.fromkeys(system.locations, formula), [v.name for v in system.variables])


@pytest.mark.parametrize("value", [True, False])
@pytest.mark.parametrize("name", ["equal", "unequal"])
def test_spacer_that_calls_everything_safe_is_not_believed(
    name: str, value: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    honest(name)
    monkeypatch.setattr(
        horn, "solve", lambda system, _keys, *_, **_more: Answer(True, true_everywhere(system, value=value))
    )
    found = verdicts(name)
    assert_nothing_false(name, found)
    if name == "equal":
        assert found[STUCK].verdict == "unknown"


def test_spacer_that_calls_everything_unsafe_is_not_believed(monkeypatch: pytest.MonkeyPatch) -> None:
    honest("equal")
    monkeypatch.setattr(horn, "solve", lambda *_, **_more: Answer(False))
    monkeypatch.setattr(settle, "DEEP", settle.SHALLOW)
    found = verdicts("equal")
    assert_nothing_false("equal", found)
    assert found[STUCK].verdict == "unknown"


def test_bounded_search_that_finds_runs_that_are_none_is_not_believed(monkeypatch: pytest.MonkeyPatch) -> None:
    honest("equal")

    def invents(system: System, _keys: object, _depth: int, *_more: object, **_named: object) -> Bounded:
        start = next(n for n, step in enumerate(system.steps) if step.name == "start")
        inputs = {choice.name: 1 for choice in system.steps[start].inputs}
        return Bounded((Move(start, inputs, dict.fromkeys(inputs, (1, 1))),), 0)

    monkeypatch.setattr(symbolic, "bounded_search", invents)
    found = verdicts("equal")
    assert_nothing_false("equal", found)
    assert found[STUCK].verdict == "unknown"


def test_bounded_search_that_overlooks_runs_does_no_harm(monkeypatch: pytest.MonkeyPatch) -> None:
    honest("unequal")
    monkeypatch.setattr(symbolic, "bounded_search", lambda _s, _k, depth, *_, **_more: Bounded(None, depth))
    assert_nothing_false("unequal", verdicts("unequal"))


def test_a_solver_that_is_always_satisfied_refutes_and_that_is_said(monkeypatch: pytest.MonkeyPatch) -> None:
    intercept(monkeypatch, always(z3.sat))
    monkeypatch.setattr(z3.Solver, "model", lambda self: z3.Model(ctx=self.ctx))
    with pytest.raises(DisagreementError):
        verdicts("planner")


def overlooking(change: Callable[[Graph], None]) -> Callable[..., Graph]:
    """Explicit search that leaves something out."""

    def search(system: System, limits: Limits | None = None) -> Graph:
        graph = explore(system, limits)
        change(graph)
        return graph

    return search


def forget_hits(graph: Graph) -> None:
    graph.hits = {key: hits for key, hits in graph.hits.items() if key[0] not in ("FSM403", "FSM301")}


def forget_configurations(graph: Graph) -> None:
    """Leave out the last third, as a search would that loses its way."""
    kept = 2 * len(graph.values) // 3
    for part in (graph.values, graph.locations, graph.parents, graph.depths, graph.edges):
        del part[kept:]
    graph.edges = [tuple(edge for edge in edges if edge[1] < kept) for edges in graph.edges]
    graph.hits = {
        key: kept_hits
        for key, hits in graph.hits.items()
        if (kept_hits := [hit for hit in hits if hit.source < kept and key[0] != "FSM403"])
    }


@pytest.mark.parametrize("change", [forget_hits, forget_configurations])
def test_explicit_search_that_overlooks_is_found_out(
    change: Callable[[Graph], None], monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(case_module, "explore", overlooking(change))
    with pytest.raises(DisagreementError):
        verdicts("outcome kept")
    path = Path(__file__).parents[1] / "specs/faulty/outcome_not_consumed.yaml"
    assert main(["check", str(path)]) == exits.FAILED
    captured = capsys.readouterr()
    assert "refutes" in captured.err
    assert captured.out == ""


@pytest.mark.parametrize("name", ["planner", "outcome kept", "equal"])
def test_explicit_search_that_invents_events_blames_nobody_falsely(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Every event is said to happen in some configurations: what does not replay is not reported."""
    honest(name)

    def invent(graph: Graph) -> None:
        for number, step in enumerate(graph.system.steps):
            places = [n for n in range(len(graph.values)) if graph.location(n) == step.source and graph.edges[n]]
            for event in step.events:
                hits = graph.hits.setdefault((event.rule, event.subject, event.case), [])
                for place in places[:2]:
                    if any(taken == number for taken, _ in graph.edges[place]):
                        target = next(target for taken, target in graph.edges[place] if taken == number)
                        hits.append(Hit(place, number, graph.choice_between(place, number, target)))

    monkeypatch.setattr(case_module, "explore", overlooking(invent))
    found = verdicts(name)
    truth = honest(name)
    for key, verdict in found.items():
        if verdict.verdict == "violated":
            assert truth[key] == "violated", key


def test_a_run_that_shows_something_else_is_no_counterexample(monkeypatch: pytest.MonkeyPatch) -> None:
    """The monitor is asked about the very subject of the obligation."""
    from fsmcheck.obligations.confirm import violation_finder
    from fsmcheck.reducer.monitors import violations

    spec = spec_of("outcome kept")
    case = case_module.make_case(spec, "gated", Limits())
    key = ("FSM403", Subject(state="execute", transition=1, field="outcome"))
    assert honest("outcome kept")[key] == "violated"
    hit = case.whole.hits[*key, ""][0]
    path = [*case.whole.path(hit.source), (hit.source, hit.step, hit.inputs)]
    shown = case.show(case.whole, path, violation_finder(spec, "gated", *key))
    assert shown is not None
    assert any((v.rule, v.subject) == key for v in violations(spec, "gated", shown.run, "FSM403"))
    for other in (replace(key[1], transition=0), replace(key[1], field="result"), replace(key[1], state="plan")):
        assert case.show(case.whole, path, violation_finder(spec, "gated", key[0], other)) is None
