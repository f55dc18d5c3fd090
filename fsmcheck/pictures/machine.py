"""What a picture of a machine shows: states and transitions, each with what is known of it."""

from __future__ import annotations

from collections.abc import Collection
from enum import Enum

from fsmcheck.diagnostics import UNDECIDED, Finding, Severity
from fsmcheck.records import dataclass
from fsmcheck.results import SpecReport
from fsmcheck.spec.model import Spec, State, Transition

_DEAD_STATE = frozenset({"FSM201", "FSM203"})
_DEAD_TRANSITION = frozenset({"FSM303"})


class Mark(Enum):
    """What is known of a state or transition: it is found wrong, no run comes to it, or neither.

    That something about it is undecided (FSM901) makes it none of these.
    """

    REACHABLE = "reachable"
    DEAD = "dead"
    VIOLATED = "violated"


@dataclass(frozen=True, slots=True)
class Node:
    """A state; ``rules`` are those with findings about it. ``declared`` is False for a target that is no state."""

    name: str
    mark: Mark
    rules: tuple[str, ...] = ()
    initial: bool = False
    terminal: bool = False
    declared: bool = True


@dataclass(frozen=True, slots=True)
class Edge:
    """A transition; ``guards`` as written, ``index`` that in its state."""

    source: str
    target: str
    index: int
    guards: tuple[str, ...]
    mark: Mark
    rules: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Machine:
    """A spec as nodes and edges, in the order written."""

    name: str
    nodes: tuple[Node, ...]
    edges: tuple[Edge, ...]


def machine(spec: Spec, report: SpecReport | None) -> Machine:
    """The picture of a spec, with the marks of a report where there is one."""
    findings = [finding for finding in report.findings if finding.suppressed is None] if report is not None else []
    unreached = {f.subject.state for f in findings if f.rule in _DEAD_STATE}
    nodes = [_node(spec, state, findings) for state in spec.states]
    targets = [transition.target.text for state in spec.states for transition in state.transitions]
    unknown = [name for name in dict.fromkeys([spec.initial.text, *targets]) if name not in spec.state_by_name]
    nodes.extend(Node(name, Mark.VIOLATED, initial=name == spec.initial.text, declared=False) for name in unknown)
    edges = [
        _edge(state, transition, findings, dead=state.name.text in unreached or state.terminal)
        for state in spec.states
        for transition in state.transitions
    ]
    return Machine(spec.name.text if spec.name else "", tuple(nodes), tuple(edges))


def _node(spec: Spec, state: State, findings: list[Finding]) -> Node:
    name = state.name.text
    mine = [each for each in findings if each.subject.state == name and each.subject.transition is None]
    return Node(name, _mark(mine, _DEAD_STATE), _rules(mine), name == spec.initial.text, state.terminal)


def _edge(state: State, transition: Transition, findings: list[Finding], *, dead: bool) -> Edge:
    name, index = state.name.text, transition.index
    mine = [each for each in findings if (each.subject.state, each.subject.transition) == (name, index)]
    mark = Mark.DEAD if dead else _mark(mine, _DEAD_TRANSITION)
    guards = tuple(guard.text for guard in transition.guards)
    return Edge(name, transition.target.text, index, guards, mark, _rules(mine))


def _mark(findings: list[Finding], dead: Collection[str]) -> Mark:
    if any(finding.rule in dead for finding in findings):
        return Mark.DEAD
    if any(finding.severity is not Severity.INFO and finding.rule != UNDECIDED for finding in findings):
        return Mark.VIOLATED
    return Mark.REACHABLE


def _rules(findings: list[Finding]) -> tuple[str, ...]:
    return tuple(sorted({finding.rule for finding in findings}))
