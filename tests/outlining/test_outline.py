from __future__ import annotations

from pathlib import Path

import pytest

from fsmcheck.check import Options, check
from fsmcheck.diagnostics import Finding
from fsmcheck.outline import Outline
from fsmcheck.results import SpecReport
from fsmcheck.source import SourceFile
from fsmcheck.spec.files import read_source

ROOT = Path(__file__).parents[2]
WORKED = """fsm:
  name: worked
  initialState: a
  context:
    x: { type: string, description: the answer }
    n: { type: integer, default: 0 }
    kind: { type: enum, values: [good, bad], default: "" }
    log: { type: list, of: string }
    seen: { type: map, of: boolean }
  agents: { w: { canTransition: [a] }, v: { canTransition: [a] } }
  states:
    a:
      description: "Answer, after {{ context.log }}."
      requires: [{ name: x, from: { agent: w } }, { name: kind, from: { agent: v } }]
      entry: [{ assign: { n: "${ context.n + 1 }" } }]
      exit: [{ append: { log: "got ${ context.x }" } }, { put: { seen: { first: true } } }]
      transitions:
        - { toState: b, guards: [{ backend: cel, expression: context.kind == 'good' }] }
        - { toState: a, onTransition: [{ assign: { x: "", kind: null } }] }
    b: { terminal: true }
    c: { transitions: [{ toState: b }] }
  policy: { maxIterations: 9 }
"""


def report_of(
    source: SourceFile, *, outline: bool = True, profile: str = "gated", timeout: float | None = None
) -> SpecReport:
    (spec,) = check([source], Options(profile=profile, outline=outline, timeout=timeout)).specs
    return spec


@pytest.fixture(scope="module")
def worked() -> Outline:
    outline = report_of(SourceFile("worked.yaml", WORKED)).outline
    assert outline is not None
    return outline


def test_states_and_transitions_are_those_of_the_text(worked: Outline) -> None:
    a, b, c = worked.states
    assert (a.name, a.initial, a.terminal, a.reachable) == ("a", True, False, True)
    assert a.requires == (("x", "w"), ("kind", "v"))
    assert a.description == "Answer, after {{ context.log }}."
    assert a.entry == ("n = context.n + 1",)
    assert a.exit == ('log += "got ${ context.x }"', 'seen["first"] = true')
    assert (b.terminal, b.reachable, c.reachable) == (True, True, False)
    told = [
        (each.source, each.target, each.index, each.guards, each.actions, each.reachable) for each in worked.transitions
    ]
    assert told == [
        ("a", "b", 0, ("context.kind == 'good'",), (), True),
        ("a", "a", 1, (), ('x = ""', 'kind = ""'), True),
        ("c", "b", 0, (), (), False),
    ]
    assert worked.policy == {"maxIterations": 9}


def test_fields_know_who_writes_and_who_reads_them(worked: Outline) -> None:
    x, n, kind, log, seen = worked.fields
    assert (x.type, x.description, x.writers, x.assigners) == ("string", "the answer", ("w",), ())
    assert (x.readers, x.emptiers) == (("a",), ("a → a",))
    assert (n.readers, n.assigners, n.writers) == (("a",), ("a",), ())
    assert (kind.type, kind.writers, kind.readers) == ("enum(good, bad)", ("v",), ("a → b",))
    assert kind.emptiers == ("a → a",)
    assert (log.type, log.assigners, log.readers) == ("list of string", ("a",), ("a",))
    assert (seen.type, seen.assigners) == ("map of boolean", ("a",))


def test_there_is_an_outline_only_where_it_is_asked_for_and_the_spec_has_a_meaning() -> None:
    source = SourceFile("worked.yaml", WORKED)
    assert report_of(source, outline=False).outline is None
    assert report_of(SourceFile("x.yaml", WORKED.replace("toState: b }", "toState: nowhere }"))).outline is None
    assert report_of(SourceFile("x.yaml", "fsm: [")).outline is None


def test_a_transition_that_cannot_fire_is_out_of_reach() -> None:
    text = WORKED.replace("context.kind == 'good'", "context.n > 1000 && context.n < 5")
    outline = report_of(SourceFile("worked.yaml", text), timeout=1).outline
    assert outline is not None
    assert [each.reachable for each in outline.transitions] == [False, True, False]
    assert [each.reachable for each in outline.states] == [True, False, False]


def finding(name: str, rule: str, profile: str = "gated") -> Finding:
    report = report_of(read_source(str(ROOT / "specs" / "faulty" / f"{name}.yaml")), profile=profile)
    return next(each for each in report.findings if each.rule == rule)


def rests(found: Finding) -> list[str]:
    assert found.trace is not None
    return [found.trace["start"]["state"], *(step["advance"]["state"] for step in found.trace["steps"])]


def test_an_answer_is_stale_once_the_state_that_asked_is_entered_again() -> None:
    # Nothing empties outcome: the executor's first verdict is fresh while the planner revises (replan asks for plan,
    # which is the first round's), and is that of an earlier visit from the second round on.
    found = finding("outcome_not_consumed", "FSM403")
    assert rests(found) == ["plan", "execute", "replan", "execute", "replan"]
    assert found.stale == ((), (), ("plan",), ("plan", "outcome"), ("plan", "outcome"))


def test_an_answer_carried_through_a_state_that_asks_for_it_is_stale() -> None:
    # The machine falls through replan with the directive of the round before.
    found = finding("directive_not_consumed", "FSM402")
    assert rests(found) == ["plan", "execute", "execute"]
    assert found.stale == ((), (), ("plan", "directive"))
    # It is in replan, which it leaves at once, that both are old.
    assert found.stale_passing == ((), ((),), (("plan", "directive"), ("plan", "directive")))


def test_a_new_answer_ends_it() -> None:
    found = finding("result_not_consumed", "FSM404")
    assert rests(found) == ["plan", "execute", "replan", "execute", "abort"]
    # plan is revised by nobody, directive is given anew in replan, outcome in execute.
    assert found.stale == ((), (), ("plan",), ("plan", "result"), ("plan", "result"))


def test_nothing_is_said_of_staleness_unless_asked_for() -> None:
    source = read_source(str(ROOT / "specs" / "faulty" / "outcome_not_consumed.yaml"))
    assert all(each.stale == () for each in report_of(source, outline=False).findings)
    for each in report_of(source).findings:
        assert (each.trace is None) == (each.stale == ())


def test_what_is_assigned_on_the_way_is_fresh() -> None:
    text = WORKED.replace('x: "", kind: null', 'x: again, kind: ""').replace("{ toState: b }", "{ toState: a }")
    for each in report_of(SourceFile("x.yaml", text)).findings:
        assert all("x" not in names for names in each.stale)
