"""The caps of a policy."""

from __future__ import annotations

from collections.abc import Mapping

from fsmcheck.conformance.probes.probe import Probe
from fsmcheck.reducer.json_values import JsonValue

_ROUNDS = """
initialState: ping
agents: {{ hand: {{ canTransition: [ping, pong] }}, eye: {{ canTransition: [ping] }} }}
policy: {{ {policy} }}
context: {{ a: {{ type: string }}, b: {{ type: string }}, k: {{ type: string, default: k }} }}
states:
  ping:
    requires: [{{ name: a, from: {{ agent: hand }} }}, {{ name: k, from: {{ agent: eye }} }}]
    transitions: [{{ toState: pong, onTransition: [{{ assign: {{ a: "" }} }}] }}]
  pong:
    requires: [{{ name: b, from: {{ agent: hand }} }}]
    transitions:
      - toState: rest
        guards: [{{ backend: cel, expression: "context.b == 'stop'" }}]
      - toState: ping
        onTransition: [{{ assign: {{ b: "" }} }}]
  rest: {{ terminal: true }}
"""
_SELF = """
initialState: turn
agents: { hand: { canTransition: [turn] } }
policy: { maxExchangesPerStage: 2, maxExchangesPerAgentPerStage: 2 }
context: { a: { type: string } }
states:
  turn:
    requires: [{ name: a, from: { agent: hand } }]
    transitions:
      - { toState: rest, guards: [{ backend: cel, expression: "context.a == 'stop'" }] }
      - { toState: turn, onTransition: [{ assign: { a: "" } }] }
  rest: { terminal: true }
"""

_STAYING = """
initialState: stay
agents: {{ hand: {{ canTransition: [stay] }}, eye: {{ canTransition: [stay] }} }}
policy: {{ {policy} }}
context: {{ a: {{ type: string }}, b: {{ type: string }}, c: {{ type: string }}, k: {{ type: string }} }}
states:
  stay:
    requires:
      - {{ name: a, from: {{ agent: hand }} }}
      - {{ name: b, from: {{ agent: hand }} }}
      - {{ name: c, from: {{ agent: hand }} }}
      - {{ name: k, from: {{ agent: eye }} }}
    transitions: [{{ toState: rest }}]
  rest: {{ terminal: true }}
"""

_MUTE = """
initialState: stay
agents: { hand: { canTransition: [stay] }, mute: { canTransition: [rest] } }
policy: { maxExchangesPerAgentPerStage: 1 }
context: { a: { type: string }, m: { type: string } }
states:
  stay:
    requires: [{ name: a, from: { agent: hand } }, { name: m, from: { agent: mute } }]
    transitions: [{ toState: rest }]
  rest: { terminal: true }
"""

_ROUND_TRIP = """
initialState: turn
agents: { hand: { canTransition: [turn] } }
policy: { maxExchangesPerStage: 2, maxExchangesPerAgentPerStage: 2 }
context: { a: { type: string } }
states:
  turn:
    requires: [{ name: a, from: { agent: hand } }]
    transitions: [{ toState: elsewhere, onTransition: [{ assign: { a: "" } }] }]
  elsewhere: { transitions: [{ toState: turn }] }
"""

Exchange = tuple[str, Mapping[str, JsonValue]]
_IDLE: Exchange = ("hand", {})
_A: Exchange = ("hand", {"a": "x"})
_B: Exchange = ("hand", {"b": "x"})
_C: Exchange = ("hand", {"c": "x"})
_K: Exchange = ("eye", {"k": "x"})
_ALL: Exchange = ("hand", {"a": "x", "b": "x", "c": "x"})
_PING: Exchange = ("hand", {"a": "x"})
_PONG: Exchange = ("hand", {"b": "x"})
_STOP: Exchange = ("hand", {"b": "stop"})
_BAD: Exchange = ("hand", {"ghost": 1})
_GHOST: Exchange = ("ghost", {})


def _capped(clause: str, name: str, policy: str, *exchanges: Exchange) -> Probe:
    return Probe(clause, name, _ROUNDS.format(policy=policy), exchanges)


def _staying(clause: str, name: str, policy: str, *exchanges: Exchange) -> Probe:
    return Probe(clause, name, _STAYING.format(policy=policy), exchanges)


PROBES = (
    _capped("cap-iterations", "exchanges that move on", "maxIterations: 3", _PING, _PONG, _PING, _PONG),
    _capped("cap-iterations", "the last one ends the run", "maxIterations: 2", _PING, _STOP, _IDLE),
    _staying("cap-iterations", "one visit", "maxIterations: 2", _A, _B, _K),
    _staying("cap-stage", "two agents", "maxExchangesPerStage: 2", _A, _K, _B),
    _staying("cap-stage", "one agent", "maxExchangesPerStage: 2", _A, _B, _C),
    _staying("cap-stage", "the last one moves on", "maxExchangesPerStage: 2", _ALL, _K, _A),
    _staying("cap-agent", "one has reached it, the other goes on", "maxExchangesPerAgentPerStage: 2", _A, _B, _K),
    _staying("cap-agent", "both have reached it", "maxExchangesPerAgentPerStage: 1", _A, _K, _B),
    _staying("cap-agent", "one more by the one that has", "maxExchangesPerAgentPerStage: 1", _A, _B, _K),
    Probe("cap-agent", "one who may not act does not hold it off", _MUTE, (_A, _IDLE)),
    _capped("visit-counters", "per stage", "maxExchangesPerStage: 2", _PING, _PONG, _PING, _PONG, _PING, _STOP),
    _capped(
        "visit-counters",
        "per agent",
        "maxExchangesPerAgentPerStage: 2",
        ("hand", {}),
        _PING,
        ("hand", {}),
        _PONG,
        ("hand", {}),
        _PING,
        _STOP,
    ),
    Probe("visit-counters", "a transition to the same state", _SELF, (_PING, _PING, _PING, ("hand", {"a": "stop"}))),
    Probe("visit-counters", "a way back to the same state", _ROUND_TRIP, (_IDLE, _PING, _IDLE, _PING)),
    _capped("counting", "rejected ones, in all", "maxIterations: 2", _BAD, _BAD, _PING),
    _capped("counting", "those of unknown agents, in all", "maxIterations: 2", _GHOST, _GHOST, _PING),
    _capped("counting", "empty ones, in all", "maxIterations: 2", _IDLE, _IDLE, _PING),
    _capped("counting", "rejected ones, per stage", "maxExchangesPerStage: 2", _BAD, _BAD, _PING),
    _capped("counting", "those of unknown agents, per stage", "maxExchangesPerStage: 2", _GHOST, _GHOST, _PING),
    _staying("counting", "rejected ones, per agent", "maxExchangesPerAgentPerStage: 2", _BAD, _BAD, _A),
    _capped("counting", "empty ones, per stage", "maxExchangesPerStage: 2", _IDLE, _IDLE, _PING),
    _staying("cap-name", "of two, the one that is reached", "maxIterations: 5, maxExchangesPerStage: 1", _A),
    _staying("awaits", "when capped", "maxIterations: 1", _A),
)
