"""Integers are int64: a sum, a difference, a negation or a quotient that does not fit fails to evaluate.

Agents stage integers within 2^53, so it takes a large literal, a large default or growth by a factor to get there.
"""

from __future__ import annotations

import pytest

from tests.adversary.judged import END, go, judged, state

MAX = 2**63 - 1
MIN = -(2**63)
LARGE_STEP = [{"assign": {"n": f"${{context.n + {2**56}}}", "k": "${context.k + 1}"}}]


@pytest.mark.parametrize("profile", ["gated", "eager"])
def test_a_guard_whose_sum_overflows_counts_as_false(profile: str) -> None:
    # n = 1: the first guard fails, the second is false, so the machine is stuck. n = 0 or less: MAX + n > 0.
    # n <= 0 is therefore always taken by the first transition (-2^53 + MAX > 0): the second is dead.
    found = judged(
        {"n": "integer"},
        {"a": state(go("d", f"context.n + {MAX} > 0"), go("d", "context.n <= 0"), ask=("n",)), "d": END},
        profile,
    )
    assert found["FSM304", ("a", 0)] == "violated"
    assert found["FSM301", ("a",)] == "violated"
    assert found["FSM204", ("a",)] == "violated"
    assert found["FSM303", ("a", 1)] == "violated"


def test_an_action_whose_difference_overflows_fails() -> None:
    # MIN + 1 - n needs more than 64 bits for n >= 2: the run rests failed in a.
    found = judged(
        {"n": "integer", "x": {"type": "integer", "default": 0}},
        {"a": state(go("d", on=[{"assign": {"x": f"${{{MIN + 1} - context.n}}"}}]), ask=("n",)), "d": END},
    )
    assert found["FSM304", ("a", 0, "x")] == "violated"
    assert found["FSM204", ("a",)] == "violated"


@pytest.mark.parametrize(
    ("start", "value"), [(MAX, "context.n + 1"), (MIN, "-context.n"), (MIN, "context.n / -1"), (MIN, "context.n % -1")]
)
def test_a_default_at_the_end_of_int64_takes_one_step_to_overflow(start: int, value: str) -> None:
    # Every run fails in a. The operand is beyond 2^53, which FSM304 does not judge; it must not be called proved.
    found = judged(
        {"n": {"type": "integer", "default": start}, "y": "string"},
        {"a": state(go("d", on=[{"assign": {"n": f"${{{value}}}"}}]), ask=("y",)), "d": END},
    )
    assert found["FSM204", ("a",)] == "violated"
    assert found["FSM203", ("d",)] == "violated"
    assert found["FSM303", ("a", 0)] == "violated"
    assert found["FSM304", ("a", 0, "n")] != "proved"


def test_doubling_leaves_int64_within_one_advance() -> None:
    # k is 1, 2, 4 … 2^62, then k + k fails: d is never entered, and the run rests failed in a.
    found = judged(
        {"n": "integer", "k": {"type": "integer", "default": 1}},
        {
            "a": state(
                go("d", "context.k < 0"),
                go("a", "context.k > 0", on=[{"assign": {"k": "${context.k + context.k}"}}]),
                ask=("n",),
            ),
            "d": END,
        },
    )
    assert found["FSM204", ("a",)] == "violated"
    assert found["FSM203", ("d",)] == "violated"
    assert found["FSM304", ("a", 1, "k")] != "proved"


def test_counting_and_summing_up_what_agents_stage_cannot_overflow() -> None:
    # By one a turn, or by 2^53 at most: no run is long enough, and FSM304 is proved as before.
    found = judged(
        {
            "n": "integer",
            "total": {"type": "integer", "default": 0},
            "turns": {"type": "integer", "default": 0},
        },
        {
            "a": state(
                go("d", "context.n > context.turns"),
                go(
                    "a",
                    on=[
                        {"assign": {"turns": "${context.turns + 1}", "total": "${context.total + context.n}", "n": ""}}
                    ],
                ),
                ask=("n",),
            ),
            "d": END,
        },
    )
    assert found["FSM304", ("a", 1, "turns")] == "proved"
    assert found["FSM304", ("a", 1, "total")] == "proved"


def test_large_steps_leave_int64_within_one_advance() -> None:
    # Once y is there, b goes round without an exchange. The 128th time n is 127 * 2^56, and 2^56 more do not fit: every
    # run rests failed in b.
    found = judged(
        {"y": "string", "n": {"type": "integer", "default": 0}, "k": {"type": "integer", "default": 0}},
        {
            "a": state(go("b"), ask=("y",)),
            "b": state(
                go("b", "context.k < 130", on=LARGE_STEP),
                go("d"),
            ),
            "d": END,
        },
        timeout=0.3,
    )
    assert found["FSM204", ("b",)] != "proved"
    assert found["FSM203", ("d",)] != "proved"
    assert found["FSM304", ("b", 0, "n")] != "proved"


ADDING = {"assign": {"n": "${context.n + context.y}"}}
EMPTYING = {"assign": {"y": ""}}


@pytest.mark.parametrize(
    ("exit_", "on", "entry"),
    [([], [ADDING] * 4, []), ([ADDING], [ADDING, ADDING], [ADDING]), ([ADDING, ADDING], [], [ADDING, ADDING])],
)
def test_actions_that_add_one_after_the_other_leave_int64_together(
    exit_: list[dict[str, object]], on: list[dict[str, object]], entry: list[dict[str, object]]
) -> None:
    # 4 * 2^53 more with each exchange, at most: the 256th time n is 255 * 2^55, and 2^55 more do not fit. That run
    # rests failed in a. (Nothing is added before y is there: no entry is run on starting but that of s.)
    found = judged(
        {"y": "integer", "n": {"type": "integer", "default": 0}, "go": "string"},
        {
            "s": state(go("a", on=[EMPTYING]), ask=("go",)),
            "a": state(go("d", "context.y == 0"), go("b", on=on), ask=("y",), exit=exit_),
            "b": state(go("a", on=[EMPTYING]), entry=entry),
            "d": END,
        },
        timeout=0.3,
    )
    assert found["FSM204", ("a",)] != "proved"


def test_what_grows_where_nobody_is_asked_leaves_int64_in_a_few_exchanges() -> None:
    # b and c go round a hundred times with each exchange: 100 * 2^53 more at most. With the 11th, n gets to
    # 1023 * 2^53, and 2^53 more do not fit: that run rests failed in c. k, which only counts, stays small.
    found = judged(
        {"y": "integer", "n": {"type": "integer", "default": 0}, "k": {"type": "integer", "default": 0}},
        {
            "a": state(go("d", "context.y == 0"), go("b"), ask=("y",)),
            "b": state(
                go("c", "context.k < 100", on=[{"assign": {"k": "${context.k + 1}"}}]),
                go("a", on=[{"assign": {"y": "", "k": 0}}]),
            ),
            "c": state(go("b", on=[ADDING])),
            "d": END,
        },
        timeout=0.3,
    )
    assert found["FSM204", ("c",)] != "proved"
    assert found["FSM304", ("b", 0, "k")] == "proved"


def test_nor_is_anybody_asked_where_what_a_state_requires_stays_set() -> None:
    # As before, but for b, which requires y itself: it is there, and stays there while b goes round.
    turning = [ADDING, {"assign": {"k": "${context.k + 1}"}}]
    found = judged(
        {"y": "integer", "n": {"type": "integer", "default": 0}, "k": {"type": "integer", "default": 0}},
        {
            "a": state(go("d", "context.y == 0"), go("b"), ask=("y",)),
            "b": state(go("b", "context.k < 100", on=turning), go("a", on=[{"assign": {"y": "", "k": 0}}]), ask=("y",)),
            "d": END,
        },
        timeout=0.3,
    )
    assert found["FSM204", ("b",)] != "proved"


@pytest.mark.parametrize("state_asks", [(), ("y",)])
def test_counters_that_change_places_are_followed_in_little_time(state_asks: tuple[str, ...]) -> None:
    # Each grows in every other round, so that no two rounds are alike. By one: no run is long enough.
    swapping = [{"assign": {"n": "${context.k + 1}", "k": "${context.n}"}}]
    found = judged(
        {"y": "string", "n": {"type": "integer", "default": 0}, "k": {"type": "integer", "default": 0}},
        {"a": state(go("d", "context.n >= 3"), go("a", on=swapping), ask=state_asks), "d": END},
    )
    assert found["FSM304", ("a", 1, "n")] == "proved"


def test_a_guard_that_fails_after_many_large_steps_is_false() -> None:
    # n is 120 * 2^56 when b stops going round, so n + 2^61 does not fit: every run is stuck there.
    found = judged(
        {"y": "string", "n": {"type": "integer", "default": 0}, "k": {"type": "integer", "default": 0}},
        {
            "a": state(go("b"), ask=("y",)),
            "b": state(
                go("b", "context.k < 120", on=LARGE_STEP),
                go("d", f"context.n + {2**61} >= 0"),
            ),
            "d": END,
        },
        timeout=0.3,
    )
    assert found["FSM301", ("b",)] != "proved"
    assert found["FSM204", ("b",)] != "proved"


def test_sums_that_share_their_parts_are_read_once() -> None:
    # n is doubled sixty times in one transition: 2^60 paths through the sum, were each part read for each.
    doubling = [{"assign": {"n": "${context.n + context.n}"}}]
    found = judged(
        {"n": "integer"},
        {"a": state(go("d", "context.n == 1", on=60 * doubling), go("d"), ask=("n",)), "d": END},
    )
    assert found["FSM203", ("d",)] == "proved"
    assert found["FSM303", ("a", 0)] == "proved"
