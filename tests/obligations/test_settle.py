"""Where Spacer gives up, k-induction is asked; what neither excludes stays open."""

from __future__ import annotations

from functools import partial
from typing import NoReturn

import pytest
import z3

from fsmcheck.diagnostics import Subject
from fsmcheck.engines import horn
from fsmcheck.engines.diagram.budget import DiagramLimits
from fsmcheck.engines.explicit import Limits
from fsmcheck.engines.horn import Answer
from fsmcheck.obligations import case as cases
from fsmcheck.obligations import diagrams, layers
from fsmcheck.obligations import run as running
from fsmcheck.obligations.settle import settle
from fsmcheck.source import SourceFile
from fsmcheck.spec.load import load
from fsmcheck.system.slice import slice_system
from fsmcheck.system.system import System
from fsmcheck.system.translate import translate
from tests.oracle.generate import load_valid

# At "count" one of the two guards is true for every n and for none, so the machine is never stuck there, and that
# needs no history: it is 1-inductive. That n never gets above 9 at "late" needs the history of n, which no k short of
# it has.
SPEC = """
fsm:
  name: counting
  initialState: count
  context:
    n: { type: integer, default: 0 }
    go: { type: boolean }
  agents: { a: { canTransition: [count] } }
  states:
    count:
      requires: [{ name: go, from: { agent: a } }]
      transitions:
        - toState: late
          guards: [{ backend: cel, expression: "context.n == null || context.n >= 3" }]
        - toState: count
          guards: [{ backend: cel, expression: "context.n != null && context.n < 3" }]
          onTransition: [{ assign: { n: "${ context.n + 1 }", go: null } }]
    late:
      transitions:
        - toState: done
          guards: [{ backend: cel, expression: "context.n < 10" }]
    done: { terminal: true }
"""


def asked(state: str) -> tuple[System, tuple[str, Subject, str]]:
    (document,) = load(SourceFile("counting.yaml", SPEC))
    assert document.spec is not None
    key = ("FSM301", Subject(state=state), "")
    whole = translate(document.spec, "gated")
    return slice_system(whole, lambda event: (event.rule, event.subject, event.case) == key), key


@pytest.fixture
def no_spacer(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(horn, "solve", lambda *_, **_more: Answer(None, None, "told to"))


def test_spacer_first() -> None:
    for state in ("count", "late"):
        assert settle(*asked(state), lambda _moves: None).method == "spacer+induction"


@pytest.mark.usefixtures("no_spacer")
def test_k_induction_where_spacer_gives_up() -> None:
    settled = settle(*asked("count"), lambda _moves: None)
    assert (settled.excluded, settled.method, settled.proof) == (True, "k-induction", None)


@pytest.mark.usefixtures("no_spacer")
def test_what_neither_excludes_stays_open() -> None:
    settled = settle(*asked("late"), lambda _moves: None)
    assert not settled.excluded
    assert settled.reason == "the solver gave up: told to"
    assert settled.depth > 0


@pytest.mark.parametrize("said", [b"canceled", "canceled"])
def test_what_the_library_says_is_told_as_text(said: object, monkeypatch: pytest.MonkeyPatch) -> None:
    def query(*_: object) -> NoReturn:
        raise z3.Z3Exception(said)

    monkeypatch.setattr(z3.Fixedpoint, "query", query)
    question, key = asked("count")
    assert horn.solve(question, [key]).reason == "Spacer: canceled"


TOGETHER = """
fsm:
  initialState: ask
  context: { p: { type: integer }, q: { type: integer } }
  agents: { AGENT: { canTransition: [ask] } }
  states:
    ask:
      requires: [ { name: p, from: { agent: AGENT } }, { name: q, from: { agent: AGENT } } ]
      transitions:
        - toState: odd
          guards: [ { backend: cel, expression: "context.q != null && context.p != null && context.p < context.q" } ]
        - { toState: fine, guards: [ { backend: cel, expression: "context.p != null || context.q != null" } ] }
    odd: { description: "Nobody acts here" }
    fine: { terminal: true }
"""


@pytest.mark.parametrize("agent", ["ann", '"an\\0n"'])
def test_answers_of_an_agent_are_told_apart_whatever_its_name(agent: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Two answers that differ, given at once, lead where nobody acts; all is left to Z3."""
    monkeypatch.setattr(cases, "WHOLE", 1)
    monkeypatch.setattr(diagrams, "DiagramLimits", partial(DiagramLimits, nodes=10))
    monkeypatch.setattr(layers, "MEGABYTES", 0)
    monkeypatch.setattr(running, "Limits", partial(Limits, configurations=2))
    spec = load_valid(TOGETHER.replace("AGENT", agent))
    assert spec is not None
    verdicts = running.run(spec, "eager", ("FSM203", "FSM301").__contains__, 60.0).verdicts
    found = {verdict.obligation.id: verdict.verdict for verdict in verdicts}
    assert (found["FSM203:odd:eager"], found["FSM301:odd:eager"]) == ("proved", "violated")
