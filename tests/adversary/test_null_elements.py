"""A list that is assigned must not hold null: the action fails to evaluate, as appending null does."""

from __future__ import annotations

import pytest

from tests.adversary.judged import END, go, judged, state


def assigning(value: str, default: int | None) -> dict[tuple[str, tuple[object, ...]], str]:
    """The verdicts where ``value`` is assigned to a list and ``n`` holds ``default``."""
    found = judged(
        {
            "y": {"type": "list", "of": "integer"},
            "n": {"type": "integer", "default": default},
            "l": {"type": "list", "of": "integer"},
        },
        {"a": state(go("d", on=[{"assign": {"l": value}}]), ask=("y",)), "d": END},
    )
    return dict(found)


# n is null and y set (so never empty): every run fails in a.
@pytest.mark.parametrize(
    "value",
    [
        "${[context.n]}",
        "${[1, context.n]}",
        "${context.y + [context.n]}",
        "${[context.n] + context.y}",
        "${context.y.map(e, context.n)}",
        "${size(context.y) > 0 ? [context.n] : [1]}",
        "${[context.n].filter(e, e == null)}",
    ],
)
def test_a_null_element_fails(value: str) -> None:
    found = assigning(value, None)
    assert found["FSM204", ("a",)] != "proved"
    assert found["FSM304", ("a", 0, "l")] == "violated"
    assert found["FSM203", ("d",)] != "proved"


@pytest.mark.parametrize("value", ["${[1]}", "${context.y + [2]}", "${context.y.filter(e, e > 0)}", "${context.y}"])
def test_lists_that_cannot_hold_null_are_proved_to_be_assigned(value: str) -> None:
    found = assigning(value, None)
    assert found["FSM204", ("a",)] == "proved"
    assert found["FSM203", ("d",)] == "proved"
    assert found.get(("FSM304", ("a", 0, "l")), "proved") == "proved"


def test_an_element_that_is_not_null_where_it_is_read() -> None:
    found = assigning("${[context.n]}", 1)
    assert found["FSM204", ("a",)] == "proved"
    assert found["FSM304", ("a", 0, "l")] == "proved"
