"""Two values that the abstraction does not tell apart need not be equal, constants included."""

from __future__ import annotations

import pytest

from tests.adversary.judged import END, go, judged, state


@pytest.mark.parametrize(
    ("guard", "dead"),
    [
        ("2.0 * 3.0 == 2.0 * 3.5", 0),  # 6.0 and 7.0, both above every literal
        ("2.0 * 3.0 < 2.0 * 3.5", 1),
        ("2.0 * 3.0 >= 2.0 * 3.5", 0),
    ],
)
@pytest.mark.parametrize("profile", ["gated", "eager"])
def test_numbers_folded_from_literals(guard: str, dead: int, profile: str) -> None:
    found = judged({"y": "string"}, {"a": state(go("d", guard), go("e"), ask=("y",)), "d": END, "e": END}, profile)
    if profile == "gated" or dead == 0:
        assert found["FSM303", ("a", 1 - dead)] == "proved"
    assert found["FSM303", ("a", dead)] != "proved"


@pytest.mark.parametrize(
    ("kind", "first", "second"),
    [("number", "${2.0 * 3.0}", "${2.0 * 3.5}"), ("string", "${'fo' + 'o'}", "${'ba' + 'r'}")],
)
def test_constants_computed_in_the_same_step(kind: str, first: str, second: str) -> None:
    # p and q differ, so same is false: d is entered, e is not.
    compare = [{"assign": {"p": first, "q": second}}, {"assign": {"same": "${context.p == context.q}"}}]
    found = judged(
        {
            "y": "string",
            "p": {"type": kind, "default": None},
            "q": {"type": kind, "default": None},
            "same": {"type": "boolean", "default": False},
        },
        {
            "a": state(go("b", on=compare), ask=("y",)),
            "b": state(go("d", "context.same == false"), go("e", "context.same")),
            "d": END,
            "e": END,
        },
    )
    assert found["FSM203", ("d",)] == "proved"
    assert found["FSM303", ("b", 0)] == "proved"
    assert found["FSM203", ("e",)] != "proved"
