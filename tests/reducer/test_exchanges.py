"""Exchanges: what is rejected with which code, what counts, where caps end a run."""

from __future__ import annotations

import pytest

from fsmcheck.reducer.reducer import exchange, start
from fsmcheck.reducer.trace import advance_json
from tests.reducer.machines import Exchange, run_of, spec_of, statuses

KINDS = spec_of("""
    initialState: ask
    context:
      s: { type: string }
      e: { type: enum, values: [a, b] }
      i: { type: integer }
      n: { type: number }
      b: { type: boolean }
      l: { type: list, of: integer }
      m: { type: map, of: boolean }
      other: { type: string }
      last: { type: string }
    agents:
      hand: { canTransition: [ask] }
      rival: { canTransition: [ask, rest] }
      guest: { canTransition: [ask] }
      outsider: { canTransition: [] }
    states:
      ask:
        requires:
          - { name: s, from: { agent: hand } }
          - { name: e, from: { agent: hand } }
          - { name: i, from: { agent: hand } }
          - { name: n, from: { agent: hand } }
          - { name: b, from: { agent: hand } }
          - { name: l, from: { agent: hand } }
          - { name: m, from: { agent: hand } }
          - { name: other, from: { agent: rival } }
          - { name: last, from: { agent: outsider } }
        transitions: [{ toState: rest }]
      rest: { terminal: true }
""")


@pytest.mark.parametrize(
    ("agent", "writes", "code"),
    [
        ("nobody", {"s": "x"}, "unknown-agent"),
        ("outsider", {"last": "x"}, "not-authorised"),
        ("outsider", {}, "not-authorised"),
        ("guest", {"s": "x"}, "not-writable"),
        ("guest", {"nowhere": "x"}, "unknown-field"),
        ("guest", {}, "not-authorised"),
        ("hand", {"nowhere": "x"}, "unknown-field"),
        ("hand", {"other": "x"}, "not-writable"),
        ("rival", {"s": "x"}, "not-writable"),
        ("hand", {"s": 1}, "type-mismatch"),
        ("hand", {"s": ["x"]}, "type-mismatch"),
        ("hand", {"s": []}, "type-mismatch"),
        ("hand", {"s": "a\ud800"}, "type-mismatch"),
        ("hand", {"e": 1}, "type-mismatch"),
        ("hand", {"e": "c"}, "not-in-values"),
        ("hand", {"i": 1.0}, "type-mismatch"),
        ("hand", {"i": True}, "type-mismatch"),
        ("hand", {"i": "1"}, "type-mismatch"),
        ("hand", {"i": 2**53 + 1}, "type-mismatch"),
        ("hand", {"i": -(2**53) - 1}, "type-mismatch"),
        ("hand", {"n": False}, "type-mismatch"),
        ("hand", {"n": float("nan")}, "type-mismatch"),
        ("hand", {"n": float("-inf")}, "type-mismatch"),
        ("hand", {"n": 10**400}, "type-mismatch"),
        ("hand", {"b": 1}, "type-mismatch"),
        ("hand", {"l": "x"}, "type-mismatch"),
        ("hand", {"l": [1, True]}, "type-mismatch"),
        ("hand", {"l": [1, None]}, "type-mismatch"),
        ("hand", {"l": {"k": 1}}, "type-mismatch"),
        ("hand", {"m": {"k": 1}}, "type-mismatch"),
        ("hand", {"m": [True]}, "type-mismatch"),
        ("hand", {"s": ""}, "empty-value"),
        ("hand", {"s": None}, "empty-value"),
        ("hand", {"e": ""}, "empty-value"),
        ("hand", {"i": None}, "empty-value"),
        ("hand", {"l": []}, "empty-value"),
        ("hand", {"m": {}}, "empty-value"),
        ("hand", {"s": "fine", "e": "c", "i": 1.5}, "not-in-values"),
        ("hand", {"s": "fine", "i": 1.5, "e": "c"}, "type-mismatch"),
    ],
)
def test_rejection_codes(agent: str, writes: dict[str, object], code: str) -> None:
    first, second = run_of(KINDS, (agent, writes))
    assert second.rejected == code
    before, after = first.configuration, second.configuration
    assert (after.state, after.store, after.status) == (before.state, before.store, before.status)
    assert (after.counters.total, after.counters.visit, after.counters.by_agent) == (1, 1, {agent: 1})
    assert second.advance.microsteps == ()
    assert advance_json(second)["awaits"] == advance_json(first)["awaits"]


def test_what_is_accepted() -> None:
    values = {"s": " ", "e": "b", "i": -(2**53), "n": 3, "b": False, "l": [0], "m": {"k": False}}
    step = run_of(KINDS, ("hand", values), ("hand", {"s": "again", "i": 0}))[-1]
    assert step.rejected is None
    store = step.configuration.store
    assert (store["s"], store["i"], store["b"], store["l"]) == ("again", 0, False, (0,))
    assert store["n"] == 3
    assert isinstance(store["n"], float)


def test_an_agent_whose_requirements_are_met_may_exchange_still() -> None:
    run = run_of(KINDS, ("rival", {"other": "x"}), ("rival", {"other": "y"}), ("rival", {}))
    assert [step.rejected for step in run[1:]] == [None, None, None]
    assert run[-1].configuration.store["other"] == "y"


def test_not_waiting_comes_before_every_other_code() -> None:
    spec = spec_of("initialState: rest\nstates: { rest: { terminal: true } }")
    run = run_of(spec, ("nobody", {"nowhere": 1}))
    assert run[1].rejected == "not-waiting"
    assert statuses(run) == ["rest done", "rest done"]
    assert run[1].configuration.counters.total == 1


def capped(policy: str) -> str:
    """Two states that two agents each have to answer, again and again."""
    asks = "[{ name: a, from: { agent: ann } }, { name: b, from: { agent: ben } }]"
    empty = '[{ assign: { a: "", b: "" } }]'
    return f"""
        initialState: one
        context: {{ a: {{ type: string }}, b: {{ type: string }} }}
        agents: {{ ann: {{ canTransition: [one, two] }}, ben: {{ canTransition: [one, two] }} }}
        states:
          one: {{ requires: {asks}, transitions: [{{ toState: two, onTransition: {empty} }}] }}
          two: {{ requires: {asks}, transitions: [{{ toState: one, onTransition: {empty} }}] }}
        policy: {{ {policy} }}
    """


ANN: Exchange = ("ann", {"a": "x"})
BEN: Exchange = ("ben", {"b": "x"})


def caps_of(policy: str, *exchanges: Exchange, caps: bool = True) -> list[tuple[str, str | None, str | None]]:
    run = run_of(spec_of(capped(policy)), *exchanges, caps=caps)
    return [(step.configuration.status, step.configuration.cap, step.rejected) for step in run]


def test_max_iterations_counts_all_exchanges_of_the_run() -> None:
    assert caps_of("maxIterations: 3", ANN, BEN, ("ben", {"b": 1}), ANN) == [
        ("waiting", None, None),
        ("waiting", None, None),
        ("waiting", None, None),
        ("capped", "maxIterations", "type-mismatch"),
        ("capped", "maxIterations", "not-waiting"),
    ]


def test_max_exchanges_per_stage_counts_one_visit() -> None:
    assert caps_of("maxExchangesPerStage: 2", ANN, BEN, ANN, ("ann", {})) == [
        ("waiting", None, None),
        ("waiting", None, None),
        ("waiting", None, None),  # entering "two" began a new visit
        ("waiting", None, None),
        ("capped", "maxExchangesPerStage", None),
    ]


def test_the_cap_per_agent_ends_a_run_at_the_exchange_that_would_exceed_it() -> None:
    told = caps_of("maxExchangesPerAgentPerStage: 1", ANN, ANN, BEN)
    assert told == [
        ("waiting", None, None),
        ("waiting", None, None),  # ben may still act
        ("capped", "maxExchangesPerAgentPerStage", "not-waiting"),
        ("capped", "maxExchangesPerAgentPerStage", "not-waiting"),
    ]
    assert caps_of("maxExchangesPerAgentPerStage: 1", ANN, BEN)[-1] == ("waiting", None, None)


def test_the_cap_per_agent_ends_a_run_once_all_who_may_act_have_used_it_up() -> None:
    told = caps_of("maxExchangesPerAgentPerStage: 1", ANN, ("ben", {}))
    assert told[-1] == ("capped", "maxExchangesPerAgentPerStage", None)


def test_a_run_that_ends_on_its_last_exchange_is_not_capped() -> None:
    spec = spec_of("""
        initialState: one
        context: { a: { type: string } }
        agents: { ann: { canTransition: [one] } }
        states:
          one: { requires: [{ name: a, from: { agent: ann } }], transitions: [{ toState: rest }] }
          rest: { terminal: true }
        policy: { maxIterations: 1, maxExchangesPerStage: 1, maxExchangesPerAgentPerStage: 1 }
    """)
    assert statuses(run_of(spec, ANN)) == ["one waiting", "rest done"]


def test_caps_can_be_ignored() -> None:
    policy = "maxIterations: 1, maxExchangesPerStage: 1, maxExchangesPerAgentPerStage: 1"
    assert caps_of(policy, ANN, ANN, BEN, ANN, caps=False) == [("waiting", None, None)] * 5


def test_a_self_transition_begins_a_new_visit() -> None:
    spec = spec_of("""
        initialState: one
        context: { a: { type: string } }
        agents: { ann: { canTransition: [one] } }
        states:
          one:
            requires: [{ name: a, from: { agent: ann } }]
            transitions: [{ toState: one, onTransition: [{ assign: { a: "" } }] }]
        policy: { maxExchangesPerStage: 2 }
    """)
    run = run_of(spec, ("ann", {}), ANN, ("ann", {}), ("ann", {}))
    assert [step.configuration.counters.visit for step in run] == [0, 1, 0, 1, 2]
    assert [step.configuration.status for step in run] == ["waiting"] * 4 + ["capped"]


def test_awaits_are_told_while_waiting_only() -> None:
    spec = spec_of(capped("maxIterations: 1"))
    begun = start(spec, {}, "gated")
    assert advance_json(begun)["awaits"] == [{"field": "a", "agent": "ann"}, {"field": "b", "agent": "ben"}]
    ended = exchange(spec, begun.configuration, "ann", {"a": "x"}, "gated")
    data = advance_json(ended)
    assert (data["status"], data["cap"], data["awaits"]) == ("capped", "maxIterations", [])
