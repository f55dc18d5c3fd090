"""What is checked and reported of hostile texts grows as they do: four times as much of something is about four times
the work, counted in lines of our own code that are executed, or characters that are looked at."""

from __future__ import annotations

import sys
from collections.abc import Callable
from types import FrameType
from typing import Any

import pytest

from fsmcheck import spelling
from fsmcheck.check import Options, check
from fsmcheck.report import formats, sanitise
from fsmcheck.source import SourceFile

SPEC = """\
fsm:
  name: h
  initialState: a
{top}  agents:
    p: {{ canTransition: [a] }}
  context:
    x: {{ type: string }}
{context}  states:
    a:
      requires:
        - {{ name: x, from: {{ agent: p }} }}
      exit: [{{ assign: {{ x: "" }} }}{actions}]
      transitions:
{transitions}        - toState: z
    z:
      terminal: true
"""
TEXT_RULES = ("FSM00", "FSM10", "FSM110", "FSM201", "FSM202")


def spec(context: str = "", transitions: str = "", end: str = "", actions: str = "", top: str = "") -> SourceFile:
    text = SPEC.format(context=context, transitions=transitions, actions=actions, top=top)
    return SourceFile("h.yaml", text + end)


def guarded(number: int) -> str:
    return f"        - {{ toState: z, guards: [ {{ backend: cel, expression: \"context.e == 'v{number}'\" }} ] }}\n"


KINDS: dict[str, Callable[[int], SourceFile]] = {
    "comments that allow nothing": lambda n: spec(end="# fsmcheck: allow FSM405 - reason\n" * n),
    "comments that allow something": lambda n: spec(
        "".join(f"    f{i}: {{ type: string }}  # fsmcheck: allow FSM109 - r\n" for i in range(n))
    ),
    "comments between other lines": lambda n: spec(
        "".join(f"    # fsmcheck: allow FSM109 - r\n    f{i}: {{ type: string }}\n" for i in range(n))
    ),
    "values of an enum, each compared": lambda n: spec(
        f"    e: {{ type: enum, values: [{', '.join(f'v{i}' for i in range(n))}] }}\n", "".join(map(guarded, range(n)))
    ),
    "keys that do not exist": lambda n: spec(top="".join(f"  k{i}: 1\n" for i in range(n))),
    "fields that do not exist": lambda n: spec(actions="".join(f", {{ assign: {{ y{i}: a }} }}" for i in range(n))),
}


def executed(work: Callable[[], object]) -> int:
    """How many lines of the package some work executes."""
    count = 0

    def trace(frame: FrameType, event: str, _: Any) -> Any:
        nonlocal count
        if "fsmcheck" not in frame.f_code.co_filename:
            return None
        count += event == "line"
        return trace

    before = sys.gettrace()
    sys.settrace(trace)
    try:
        work()
    finally:
        sys.settrace(before)
    return count


@pytest.mark.parametrize("kind", KINDS)
def test_work_grows_as_the_text_does(kind: str) -> None:
    def checked(n: int) -> int:
        source = KINDS[kind](n)
        return executed(lambda: check([source], Options(select=TEXT_RULES)))

    checked(2)
    few, many = checked(60), checked(240)
    assert many < 5 * few


def test_of_a_long_line_with_many_findings_no_more_is_looked_at_than_is_shown(monkeypatch: pytest.MonkeyPatch) -> None:
    looked: list[int] = []
    line = sanitise.line
    monkeypatch.setattr(sanitise, "line", lambda text: (looked.append(len(text)), line(text))[1])

    def written(n: int, name: str) -> int:
        unknown = ", ".join(f"unknown{i}: a" for i in range(n))
        report = check([spec(actions=f", {{ assign: {{ {unknown} }} }}")], Options(select=TEXT_RULES))
        assert len(report.specs[0].findings) == n
        looked.clear()
        formats.render(name, report)
        return sum(looked)

    for name in ("text", "html", "markdown"):
        assert written(400, name) < 5 * written(100, name)


def test_words_that_have_nothing_in_common_are_not_compared(monkeypatch: pytest.MonkeyPatch) -> None:
    compared: list[str] = []
    distance = spelling._distance
    monkeypatch.setattr(spelling, "_distance", lambda *pair: (compared.append(pair[1]), distance(*pair))[1])
    names = ["initialState", "context", "agents", "states"]
    assert spelling.nearest("xyxyxyxy", names) is None
    assert compared == []
    assert spelling.nearest("contxet", names) == "context"
    assert compared == ["context"]


def test_long_words_are_compared_near_the_diagonal_only() -> None:
    begin, end = "abcdefgh" * 7, "stuvwxyz"
    short = executed(lambda: spelling._distance(f"x{begin[:8]}y", f"z{begin[:8]}w", 3))
    long = executed(lambda: spelling._distance(f"x{begin}y", f"z{begin}w", 3))
    assert long < 7 * short
    assert executed(lambda: spelling._distance(begin + "a" + end, begin + "b" + end, 3)) < 300
