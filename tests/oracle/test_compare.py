"""The harness itself: each kind of disagreement is seen, and agreement is not one."""

from __future__ import annotations

from fsmcheck.diagnostics import Subject
from fsmcheck.spec.model import Spec
from tests.oracle.brute import explore
from tests.oracle.compare import ANY, Reach, Tally, compare
from tests.oracle.generate import load_valid
from tests.oracle.machine import Profile
from tests.oracle.test_oracle import ENDLESS

STUCK = ("FSM301", Subject(state="a"))
HOT = ("FSM502", Subject(state="a"))
REST = [("FSM204", Subject(state="a")), ("FSM303", Subject(state="b", transition=1)), ("FSM203", Subject(state="done"))]


def loaded() -> Spec:
    spec = load_valid(ENDLESS)
    assert spec is not None
    return spec


def kinds(stuck: str, hot: str | None) -> list[str]:
    decisions = {STUCK: (stuck, ""), **dict.fromkeys(REST, ("violated", ""))}
    if hot is not None:
        decisions[HOT] = (hot, "")
    tally = Tally()
    compare(loaded(), Profile.GATED, tally, lambda spec, profile: decisions)
    return [failure.kind for failure in tally.failures]


def test_verdicts() -> None:
    assert kinds("proved", "violated") == []
    assert kinds("unknown", "unknown") == []
    assert kinds("proved", "proved") == ["unsound"]
    assert kinds("violated", "violated") == ["wrong"]
    assert kinds("proved", None) == ["missing"]


def test_a_crash_is_a_failure_and_not_the_end() -> None:
    def broken(spec: Spec, profile: str) -> dict[tuple[str, Subject], tuple[str, str]]:
        raise RuntimeError("boom")

    tally = Tally()
    compare(loaded(), Profile.GATED, tally, broken)
    assert [failure.kind for failure in tally.failures] == ["crash"]


def test_reachable_sets() -> None:
    known = dict(explore(loaded(), Profile.GATED).reachable)

    def kinds_of(depths: dict[tuple[str, tuple[object, ...]], int | None]) -> list[str]:
        tally = Tally()
        compare(loaded(), Profile.GATED, tally, None, lambda spec, profile: Reach(depths))
        return [failure.kind for failure in tally.failures]

    assert kinds_of(dict(known)) == []
    assert kinds_of({(state, (ANY,)): depth for (state, _), depth in known.items()}) == []
    assert kinds_of({key: depth for key, depth in known.items() if key[0] != "b"}) == ["unreached"]
    assert kinds_of({key: depth + (key[0] == "b") for key, depth in known.items()}) == ["deeper"]
