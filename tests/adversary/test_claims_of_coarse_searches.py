"""What a search sees in a too coarse abstraction is neither a figure nor a violation, even where a run comes near it.

A text with something appended is never the text itself, but to the abstraction both are just some text.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import Any
from unittest.mock import patch

import pytest

from fsmcheck.diagnostics import Subject
from fsmcheck.engines.explicit import Limits
from fsmcheck.obligations import case
from fsmcheck.obligations.case import make_case
from fsmcheck.obligations.decide import decide
from fsmcheck.obligations.diagrams import Diagrams
from fsmcheck.obligations.obligation import Obligation
from fsmcheck.obligations.run import Outcome, run
from fsmcheck.spec.model import Spec
from tests.adversary.judged import END, go
from tests.oracle.generate import load_valid

NEVER = "context.p + '!' == context.p"
TEXT = {"type": "string", "default": ""}


@contextmanager
def _by(engine: str) -> Iterator[None]:
    with patch.object(case, "WHOLE", 1 if engine == "diagrams" else case.WHOLE):
        yield


def _spec(context: Mapping[str, Any], states: Mapping[str, Any], **more: Any) -> Spec:
    agents = {"ann": {"canTransition": list(states)}, "bob": {"canTransition": list(states)}}
    document = {"initialState": next(iter(states)), "context": context, "agents": agents, "states": states, **more}
    spec = load_valid(json.dumps({"fsm": document}))
    assert spec is not None
    return spec


def _outcome(context: Mapping[str, Any], states: Mapping[str, Any], **more: Any) -> Outcome:
    return run(_spec(context, states, **more), "gated", lambda _rule: True, None)


def _verdict(outcome: Outcome, rule: str, name: str | None = None) -> str:
    subject = Subject(state=name)
    (found,) = (
        each.verdict for each in outcome.verdicts if (each.obligation.rule, each.obligation.subject) == (rule, subject)
    )
    return found


def _asking(*fields: tuple[str, str], to: list[dict[str, Any]]) -> dict[str, Any]:
    return {"requires": [{"name": name, "from": {"agent": agent}} for name, agent in fields], "transitions": to}


@pytest.mark.parametrize("engine", ["search", "diagrams"])
def test_an_end_that_is_nearer_in_the_abstraction_is_no_figure(engine: str) -> None:
    # With x = p + p + "!" it takes one exchange; that no script comes upon it must not make it two.
    near = go("end", "context.x == context.p + context.p + '!'")
    states = {
        "a": _asking(("x", "ann"), to=[near, go("b")]),
        "b": _asking(("y", "ann"), to=[go("end")]),
        "end": END,
    }
    with _by(engine):
        outcome = _outcome({"p": {"type": "string"}, "x": TEXT, "y": TEXT}, states, policy={"maxIterations": 2})
    assert outcome.bounds is not None
    assert dict(outcome.bounds.fewest_exchanges).get("end", 1) == 1
    assert _verdict(outcome, "FSM503") == "proved"


def test_a_turn_that_is_cheaper_in_the_abstraction_is_no_figure() -> None:
    # Each turn takes two exchanges; with one it would have to come by transition 1 of "b".
    once = go("a", "context.flag == ''", on=[{"assign": {"x": "", "y": "", "flag": "on"}}])
    never = go("a", "context.q == context.x", on=[{"assign": {"y": ""}}])
    states = {
        "a": _asking(("x", "ann"), ("y", "bob"), to=[go("b", on=[{"assign": {"q": "${context.x + '!'}"}}])]),
        "b": {"transitions": [once, never, go("end")]},
        "end": END,
    }
    flag = {"type": "enum", "values": ["on"], "default": ""}
    bounds = _outcome({"x": TEXT, "y": TEXT, "q": TEXT, "flag": flag}, states).bounds
    assert bounds is not None
    (loop,) = bounds.loops
    assert loop.states == ("a", "b")
    assert loop.exchanges_per_turn in (None, 2)


def test_a_visit_is_told_from_the_midst_of_another() -> None:
    # "a" is first left after two exchanges; later x is kept and one is enough, in the very configuration in which the
    # first visit was after "ann" had answered.
    states = {
        "a": _asking(("x", "ann"), ("y", "bob"), to=[go("b")]),
        "b": {"transitions": [go("end", "context.y == 'stop'"), go("a", on=[{"assign": {"y": ""}}])]},
        "end": END,
    }
    outcome = _outcome({"x": TEXT, "y": TEXT}, states, policy={"maxExchangesPerStage": 1})
    assert _verdict(outcome, "FSM504", "a") == "proved"
    assert outcome.bounds is not None
    assert [(loop.states, loop.exchanges_per_turn) for loop in outcome.bounds.loops] == [(("a", "b"), 1)]


@pytest.mark.parametrize("engine", ["search", "diagrams"])
def test_caps_are_not_too_low_where_no_run_gets_there(engine: str) -> None:
    # No run leaves "a": there is nothing that the caps could cut off.
    states = {
        "a": _asking(("x", "ann"), ("p", "bob"), to=[go("end", NEVER)]),
        "end": END,
    }
    with _by(engine):
        outcome = _outcome({"x": TEXT, "p": TEXT}, states, policy={"maxIterations": 1, "maxExchangesPerStage": 1})
    assert _verdict(outcome, "FSM503") != "violated"
    assert _verdict(outcome, "FSM504", "a") != "violated"


@pytest.mark.parametrize("engine", ["search", "diagrams"])
def test_caps_are_too_low_where_a_run_gets_there(engine: str) -> None:
    states = {
        "a": _asking(
            ("x", "ann"), ("p", "bob"), to=[go("end", "context.x == 'yes'"), go("a", on=[{"assign": {"x": ""}}])]
        ),
        "end": END,
    }
    with _by(engine):
        outcome = _outcome({"x": TEXT, "p": TEXT}, states, policy={"maxIterations": 1, "maxExchangesPerStage": 1})
    assert _verdict(outcome, "FSM503") == "violated"


@pytest.mark.parametrize(("guard", "verdict"), [(NEVER, "unknown"), ("context.p == 'free'", "violated")])
def test_a_loop_is_endless_only_where_a_run_is_on_it(guard: str, verdict: str) -> None:
    # Where flag is never set, "b" goes back five times; the run that turns twice does not tell.
    back = [go("a", "context.flag == 'free'", on=[{"assign": {"x": ""}}])]
    back += [go("a", "context.n < 5", on=[{"assign": {"x": "", "n": "${context.n + 1}"}}]), go("end")]
    states = {
        "s": {"transitions": [go("a", guard, on=[{"assign": {"flag": "free"}}]), go("a")]},
        "a": _asking(("x", "ann"), to=[go("b")]),
        "b": {"transitions": back},
        "end": END,
    }
    flag = {"type": "enum", "values": ["free"], "default": ""}
    context = {"p": {"type": "string"}, "x": TEXT, "n": {"type": "integer", "default": 0}, "flag": flag}
    outcome = _outcome(context, states)
    assert _verdict(outcome, "FSM501", "a") == verdict
    assert outcome.bounds is not None
    (loop,) = outcome.bounds.loops
    assert loop.bounded is (False if verdict == "violated" else None)


def test_a_search_that_is_cut_off_knows_no_end_of_what_it_has_not_seen() -> None:
    # After one exchange the run is in "trap", from where it never ends; the search is cut off before it can tell.
    tick = go("trap", "context.n < 40", on=[{"assign": {"y": "", "n": "${context.n + 1}"}}])
    states = {
        "a": _asking(("x", "ann"), to=[go("trap", "context.x == 'in'"), go("end")]),
        "trap": _asking(("y", "ann"), to=[tick, go("trap", on=[{"assign": {"y": ""}}])]),
        "end": END,
    }
    spec = _spec({"x": TEXT, "y": TEXT, "n": {"type": "integer", "default": 0}}, states)
    cut_off = make_case(spec, "gated", Limits(configurations=30))
    with patch.object(case, "WHOLE", 1), patch.object(Diagrams, "_search", lambda *_: None):
        depths = {name: decide(cut_off, Obligation("FSM204", Subject(state=name), "gated")).depth for name in states}
    assert depths["trap"] == 0
    assert depths["a"] is not None
    assert depths["a"] > 0


def test_nothing_shadows_a_first_transition() -> None:
    # 2^53 + 1 is more than agents stage, which the search does not tell from what they do stage.
    states = {
        "a": _asking(("n", "ann"), to=[go("end", f"context.n == {2**53 + 1}"), go("a", on=[{"assign": {"n": None}}])]),
        "end": END,
    }
    outcome = _outcome({"n": {"type": "integer"}}, states)
    dead = Subject(state="a", transition=0)
    (found,) = (each for each in outcome.verdicts if each.obligation == Obligation("FSM303", dead, "gated"))
    assert found.verdict == "violated"
    assert found.reason is not None
    assert "shadowed" not in found.reason
