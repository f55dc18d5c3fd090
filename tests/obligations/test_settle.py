"""Where Spacer gives up, k-induction is asked; what neither excludes stays open."""

from __future__ import annotations

from typing import NoReturn

import pytest
import z3

from fsmcheck.diagnostics import Subject
from fsmcheck.engines import horn
from fsmcheck.engines.horn import Answer
from fsmcheck.obligations.settle import settle
from fsmcheck.source import SourceFile
from fsmcheck.spec.load import load
from fsmcheck.system.slice import slice_system
from fsmcheck.system.system import System
from fsmcheck.system.translate import translate

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
