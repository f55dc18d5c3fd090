"""The protocol server, scripts and sessions."""

from __future__ import annotations

import io
import json
from collections.abc import Iterator
from typing import Any

import pytest

from fsmcheck.reducer.protocol import serve
from fsmcheck.reducer.script import ScriptedExchange, ScriptError, parse_script
from fsmcheck.reducer.simulate import run_script, run_session
from tests.reducer.machines import loop, spec_of


def answers(*requests: object) -> list[Any]:
    lines = [line if isinstance(line, bytes) else json.dumps(line).encode() for line in requests]
    out = io.BytesIO()
    assert serve(io.BytesIO(b"\n".join(lines) + b"\n"), out) == 0
    return [json.loads(line) for line in out.getvalue().splitlines()]


LOAD = {"op": "load", "spec": loop().document, "profile": "gated"}


def test_a_conversation() -> None:
    load, begun, refused, moved = answers(
        LOAD,
        {"op": "start", "inputs": {}},
        {"op": "exchange", "agent": "executor", "writes": {}},
        {"op": "exchange", "agent": "planner", "writes": {"plan": "p", "directive": "d"}},
        {"op": "close"},
        {"op": "start"},
    )
    assert load == {"ok": True}
    assert (begun["state"], begun["status"], begun["microsteps"]) == ("plan", "waiting", [])
    assert (refused["rejected"], refused["state"], refused["store"]) == ("not-authorised", "plan", begun["store"])
    assert (moved["state"], [step["to"] for step in moved["microsteps"]]) == ("execute", ["execute"])
    assert "rejected" not in moved


@pytest.mark.parametrize(
    "request_",
    [
        b"{",
        b"\xff\xfe",
        b"[]",
        b"17",
        b'{"op": "load", "op": "load"}',
        b'{"op": "start", "inputs": NaN}',
        b"[" * 100_000,
        {},
        {"op": "dance"},
        {"op": ["load"]},
        {"op": "load"},
        {"op": "load", "spec": LOAD["spec"], "profile": "lazy"},
        {"op": "load", "spec": {}},
        {"op": "load", "spec": {"initialState": "a", "states": {"a": {"transitions": [{"toState": "b"}]}}}},
        {"op": "start", "inputs": []},
        {"op": "start", "inputs": {"plan": "p"}},
        {"op": "exchange", "agent": "planner", "writes": {}},
        {"op": "exchange", "agent": 3, "writes": {}},
    ],
)
def test_every_wrong_request_is_an_error_and_the_conversation_goes_on(request_: object) -> None:
    told = answers(LOAD, request_, LOAD)
    assert [answer["ok"] for answer in told] == [True, False, True]
    assert isinstance(told[1]["error"], str)
    assert "Traceback" not in told[1]["error"]


def test_any_text_of_a_json_document_survives_loading() -> None:
    odd = 'tab\t nul\u0000 del\x7f nel\x85 line\u2028 bom\ufeff nonchar\uffff smile\U0001f600 "quote" \\'
    document = {
        "initialState": "one",
        "context": {"out": {"type": "string", "default": odd}},
        "states": {"one": {"terminal": True}},
    }
    load, begun = answers({"op": "load", "spec": document}, {"op": "start"})
    assert load == {"ok": True}
    assert begun["store"] == {"out": odd}


def test_text_streams_serve_too() -> None:
    requests = io.TextIOWrapper(io.BytesIO(b'{"op": "close"}\n'))
    out = io.TextIOWrapper(io.BytesIO())
    assert serve(requests, out) == 0


SCRIPT = """
# first the inputs
goal="ship it" size=3
planner plan=p directive="two words" # why
executor
executor result={"a": [1, null]} outcome=true-ish
"""


def test_a_script() -> None:
    script = parse_script(SCRIPT)
    assert script.inputs == {"goal": "ship it", "size": 3}
    assert script.exchanges == (
        ScriptedExchange(4, "planner", {"plan": "p", "directive": "two words"}),
        ScriptedExchange(5, "executor", {}),
        ScriptedExchange(6, "executor", {"result": {"a": [1, None]}, "outcome": "true-ish"}),
    )


@pytest.mark.parametrize(
    ("text", "line"),
    [
        ("a b", 1),
        ("a=1\na=2", 2),
        ("hand a=1\nb=2", 2),
        ("hand a=1 a=2", 1),
        ("hand =1", 1),
        ('hand a="open', 1),
        ("hand a=[1, 2", 1),
        ('hand a={"k": 1, "k": 2}', 1),
        ("\n\nhand a=1 b", 3),
    ],
)
def test_wrong_scripts(text: str, line: int) -> None:
    with pytest.raises(ScriptError) as caught:
        parse_script(text)
    assert caught.value.line == line


def test_running_a_script_tells_every_microstep() -> None:
    lines: list[str] = []
    script = parse_script("planner plan=p directive=d\nexecutor result=3\nexecutor result=r outcome=done")
    run = run_script(loop(), script, "gated", lines.append)
    assert run[-1].configuration.status == "done"
    assert lines == [
        "start",
        '  waiting in "plan" for plan and directive from "planner"',
        '"planner" stages plan = "p" and directive = "d"',
        '  "plan" → "execute" by transition 0',
        '  waiting in "execute" for result and outcome from "executor"',
        '"executor" stages result = 3: rejected, type-mismatch',
        '  waiting in "execute" for result and outcome from "executor"',
        '"executor" stages result = "r" and outcome = "done"',
        '  "execute" → "done" by transition 0: history = ["d: r"]',
        '  in "done", the run is done',
    ]


def session(*lines: str) -> tuple[list[str], list[str]]:
    """The states of a session with an input and one agent, and what it said."""
    spec = spec_of("""
        initialState: ask
        context: { goal: { type: string }, a: { type: string } }
        agents: { hand: { canTransition: [ask] } }
        states:
          ask: { requires: [{ name: a, from: { agent: hand } }], transitions: [{ toState: rest }] }
          rest: { terminal: true }
    """)
    pending: Iterator[str] = iter(lines)

    def ask(_prompt: str) -> str:
        try:
            return next(pending)
        except StopIteration:
            raise EOFError from None

    said: list[str] = []
    run = run_session(spec, "gated", ask, said.append)
    return [step.configuration.state for step in run], said


def test_a_session() -> None:
    assert session("", "do it x=1", "", "b c", "a=", "hand a=x", "never read")[0] == ["ask", "ask", "rest"]
    assert session("g", "a=x")[0] == ["ask", "rest"]
    assert session("g", "quit")[0] == ["ask"]
    assert session()[0] == []


def test_a_session_says_what_it_expects() -> None:
    assert 'the input "goal" is empty, expected a set value of type string' in session("", "g")[1]
    assert "say who stages what, as agent field=value …, or quit" in session("g")[1]
    assert "expected an agent (hand) and field=value …, or quit" in session("g", "")[1]
    assert session("g", "help")[0] == ["ask"], "no exchange is spent on a word"
