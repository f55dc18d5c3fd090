"""That an agent may choose any value is no promise that there is one: guards that only a value which cannot be staged
meets are never true, so such an end is never reached."""

from __future__ import annotations

from typing import Any

import pytest

from tests.adversary.judged import END, go, judged, state

INTEGERS = {"type": "list", "of": "integer"}


def _ending(kind: Any, guard: str, empty: object) -> dict[str, str]:
    found = judged(
        {"x": kind},
        {"a": state(go("end", guard), go("a", on=[{"assign": {"x": empty}}]), ask=("x",)), "end": END},
    )
    return {rule: found[rule, place] for rule, place in (("FSM204", ("a",)), ("FSM303", ("a", 0)))}


@pytest.mark.parametrize(
    ("kind", "guard", "empty"),
    [
        ("number", "context.x > 0.1 && context.x < 0.10000000000000002", None),  # two doubles next to each other
        ("number", "context.x > 0.0 && context.x < 5e-324", None),
        ("number", "context.x > 1.7976931348623157e308", None),  # infinity is no JSON
        ("number", "context.x < -1.7976931348623157e308", None),
        ("number", "context.x != context.x", None),
        ("integer", "context.x > 9007199254740992", None),
        (INTEGERS, "9007199254740993 in context.x", []),
        (INTEGERS, "context.x.exists(each, each == -9007199254740993)", []),
    ],
)
def test_no_agent_can_bring_the_run_to_an_end(kind: Any, guard: str, empty: object) -> None:
    assert _ending(kind, guard, empty) == {"FSM204": "violated", "FSM303": "violated"}


@pytest.mark.parametrize(
    ("kind", "guard", "empty"),
    [
        ("number", "context.x > 0.1 && context.x < 0.10000000000000003", None),  # 0.10000000000000002 is between
        ("number", "context.x >= 1.7976931348623157e308", None),
        ("number", "context.x < -1.7976931348623155e308", None),
        ("number", "context.x > 0.0 && context.x < 1e-323", None),
        ("integer", "context.x > 9007199254740991", None),
        (INTEGERS, "9007199254740992 in context.x", []),
        (INTEGERS, "context.x.exists(each, each == -9007199254740992)", []),
    ],
)
def test_an_agent_can_where_there_is_such_a_value(kind: Any, guard: str, empty: object) -> None:
    found = _ending(kind, guard, empty)
    assert found["FSM204"] == "proved"
    assert found["FSM303"] in ("proved", "unknown")
