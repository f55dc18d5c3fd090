"""Conditions of an induction that hold are not asked again; any that says something else is."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from pathlib import Path

import pytest

from fsmcheck.engines import induction
from fsmcheck.engines.disagreement import DisagreementError
from fsmcheck.engines.explicit import Graph, Key, Limits, explore
from fsmcheck.obligations import recheck
from fsmcheck.obligations.cache import remembering
from fsmcheck.obligations.case import Case, make_case
from fsmcheck.obligations.conditions import condition_digests
from fsmcheck.obligations.run import run
from fsmcheck.system.system import Location, Phase
from tests.oracle.generate import generate, load_valid

SPEC = """
fsm:
  name: two-ways
  version: 1
  initialState: ask
  context:
    go: { type: enum, values: [left, right] }
  agents:
    worker: { canTransition: [ask, left, right] }
  states:
    ask:
      requires: [{ name: go, from: { agent: worker } }]
      transitions:
        - { toState: left, guards: [{ backend: cel, expression: "context.go == 'left'" }] }
        - { toState: right }
    left: { transitions: [{ toState: done, onTransition: [assign: { go: "" }] }] }
    right: { transitions: [{ toState: done }] }
    done: { terminal: true }
"""
"""Whoever goes right is still told so at the end; whoever goes left is not."""

ALL = ("FSM301", "FSM403", "FSM303")


@dataclass
class Known:
    """Conditions in memory, and how often one of them saved a question."""

    held: set[str] = field(default_factory=set)
    spared: int = 0
    remembers: bool = True

    def known(self, digests: Iterable[str]) -> frozenset[str]:
        found = self.held & set(digests)
        self.spared += len(found)
        return frozenset(found)

    def keep(self, digests: Iterable[str]) -> None:
        self.held.update(digests)


def case_of(text: str) -> Case:
    spec = load_valid(text)
    assert spec is not None
    return make_case(spec, "gated", Limits())


def keys_of(graph: Graph) -> tuple[Key, ...]:
    """What never happens in a search."""
    events = {(e.rule, e.subject, e.case) for step in graph.system.steps for e in step.events}
    return tuple(sorted((key for key in events if key not in graph.hits), key=repr))


def changed(one: str, other: str) -> set[Location]:
    """The locations whose conditions are not the same in two specs."""
    before, after = (case_of(text).whole for text in (one, other))
    keys = keys_of(before)
    first, second = condition_digests(before, keys), condition_digests(after, keys)
    return {location for location in {*first, *second} if first.get(location) != second.get(location)}


def running(state: str) -> Location:
    return Location(state, Phase.RUNNING)


def test_the_same_text_has_the_same_conditions() -> None:
    assert changed(SPEC, SPEC) == set()


def test_another_effect_changes_the_conditions_on_both_its_ends() -> None:
    emptied = SPEC.replace("right: { transitions: [{ toState: done }] }", "right: { transitions: [{ toState: done, onTransition: [assign: { go: \"\" }] }] }")  # fmt: skip  # noqa: E501
    assert emptied != SPEC
    found = changed(SPEC, emptied)
    # What leaves "right" does something else; "done" is reached with less, which is said in the conditions of "left".
    assert {running("right"), running("left")} <= found
    assert running("ask") not in found


def test_another_guard_changes_the_conditions_of_its_state_and_of_where_it_leads() -> None:
    other = SPEC.replace("context.go == 'left'", "context.go == 'right'")
    found = changed(SPEC, other)
    assert {running("ask"), running("left"), running("right")} <= found


def test_what_is_excluded_is_part_of_a_condition() -> None:
    graph = case_of(SPEC).whole
    keys = keys_of(graph)
    asked = {(e.rule, e.subject, e.case): step.source for step in graph.system.steps for e in step.events}
    with_all, without = condition_digests(graph, keys), condition_digests(graph, keys[1:])
    assert {each for each in with_all if with_all[each] != without[each]} == {asked[keys[0]]}


def forged(graph: Graph, without: int) -> Graph:
    """A search that claims to be complete and leaves out one configuration."""
    wrong = Graph(graph.system, graph.packing)
    keep = [number for number in range(len(graph.values)) if number != without]
    wrong.locations = [graph.locations[number] for number in keep]
    wrong.values = [graph.values[number] for number in keep]
    return wrong


def test_a_search_that_left_something_out_is_refuted_whatever_is_known() -> None:
    graph = case_of(SPEC).whole
    keys = keys_of(graph)
    known = set(condition_digests(graph, keys).values())
    tried = 0
    for number in range(len(graph.values)):
        wrong = forged(graph, number)
        names = condition_digests(wrong, keys)
        open_ = frozenset(location for location, name in names.items() if name not in known)
        assert open_, number
        answer = induction.check_induction(wrong.system, induction.ReachableSet(wrong), keys, sources=open_)
        assert answer.holds is False, number
        tried += 1
    assert tried > 8


@pytest.mark.parametrize("seed", range(20))
def test_parts_together_are_the_whole(seed: int) -> None:
    spec = load_valid(generate(seed))
    if spec is None:
        pytest.skip("not a valid spec")
    graph = explore(make_case(spec, "gated", Limits()).system)
    keys = keys_of(graph)
    whole = induction.check_induction(graph.system, induction.ReachableSet(graph), keys).holds
    half = len(graph.system.locations) // 2
    parts = [
        induction.check_induction(graph.system, induction.ReachableSet(graph), keys, sources=frozenset(part)).holds
        for part in (graph.system.locations[:half], graph.system.locations[half:])
    ]
    assert whole is all(parts) or None in (whole, *parts)


def asked_of_z3(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """How many locations each induction was asked about."""
    counts: list[int] = []
    original = induction.check_induction

    def counting(system: object, invariant: object, keys: Sequence[Key], **more: object) -> object:
        sources = more["sources"]
        assert isinstance(sources, frozenset)
        counts.append(len(sources))
        return original(system, invariant, keys, **more)  # type: ignore[arg-type]

    monkeypatch.setattr(induction, "check_induction", counting)
    return counts


def test_a_second_check_asks_only_about_what_changed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    counts = asked_of_z3(monkeypatch)
    names = []
    for text in (SPEC, SPEC.replace("{ toState: right }", "{ toState: right, guards: [{ backend: cel, expression: \"context.go != 'left'\" }] }")):  # fmt: skip  # noqa: E501
        spec = load_valid(text)
        assert spec is not None
        with remembering(tmp_path) as memory:
            found = run(spec, "gated", ALL.__contains__, None, memory=memory)
        names.append([(each.obligation.id, each.verdict, each.method) for each in found.verdicts])
    assert len(counts) == 2
    assert 0 < counts[1] < counts[0]
    assert {each for each in names[0] if each[2] == "explicit+induction"} <= set(names[1])


def test_what_z3_refutes_is_not_kept(monkeypatch: pytest.MonkeyPatch) -> None:
    case = case_of(SPEC)
    known = Known()
    monkeypatch.setattr(induction, "check_induction", lambda *_a, **_k: induction.Checked(False, "so it is"))
    with pytest.raises(DisagreementError):
        recheck._confirmed_search(case, [], case.whole, [], known)
    assert known.held == set()


def labelled(text: str) -> str:
    return SPEC.replace("'left'\"", f"'left' && context.note != '{text}'\"").replace(
        "  agents:", "    note: { type: string }\n  agents:"
    )


def test_what_a_value_stands_for_is_no_part_of_a_condition() -> None:
    """Another text in a guard leaves the numbers as they are; one more text does not."""
    found = []
    for text in (labelled("a"), labelled("b"), labelled("b").replace("!= 'b'", "!= 'b' && context.note != 'c'")):
        spec = load_valid(text)
        assert spec is not None
        case = make_case(spec, "gated", Limits())
        found.append(condition_digests(case.whole, ()))
    assert found[0] == found[1]
    assert not set(found[1].values()) & set(found[2].values())
