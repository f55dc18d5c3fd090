"""A spec with a way out wherever a goal of a suite would be met: the goal can be met where a run can take it.

A way out is a transition to a terminal state of its own, put before or behind the transition that the goal is about.
Up to the first goal that it meets, a run of the spec and one of the instrumented spec are the same. So where no way out
can be taken, no run meets any of the goals.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from dataclasses import replace
from typing import Any

from fsmcheck.conformance.goals import Goal, conditions
from fsmcheck.records import dataclass
from fsmcheck.source import SourceFile
from fsmcheck.spec.load import load
from fsmcheck.spec.model import Spec, State, Transition

_ALWAYS = "true"


@dataclass(frozen=True, slots=True)
class WayOut:
    """For a goal: taken where ``guards`` hold, tried just before the transition or, with ``behind``, just after it.

    Where ``first_false`` is a number, the goal is that this guard is the first that is not true, and the way
    out is also taken where a later one is.
    """

    goal: Goal
    state: str
    transition: int
    guards: tuple[str, ...]
    behind: bool
    first_false: int | None = None


def ways_out(spec: Spec) -> Iterator[WayOut]:
    """One for each goal that is about a transition, its guards and their conditions."""
    for state in spec.states:
        if not state.terminal:
            for transition in state.transitions:
                yield from _of_transition(state, transition)


def _of_transition(state: State, transition: Transition) -> Iterator[WayOut]:
    name, place = state.name.text, f"{state.name.text} → {transition.target.text} ({transition.index})"
    guards = tuple(guard.expression.text for guard in transition.guards if guard.expression is not None)
    if len(guards) != len(transition.guards):
        return

    def way(kind: str, what: str, held: tuple[str, ...], *, behind: bool) -> WayOut:
        needed = held or ((_ALWAYS,) if transition.guards else ())
        return WayOut(Goal(kind, f"{place}{what}"), name, transition.index, needed, behind)

    yield way("transition", "", guards, behind=False)
    for number in range(len(guards)):
        yield way("guard", f" guards[{number}] true", guards[: number + 1], behind=False)
        wide = way("guard", f" guards[{number}] false", guards[:number], behind=True)
        yield wide if number == len(guards) - 1 else replace(wide, first_false=number)
    parts = conditions(transition)
    if len(parts) > 1:
        for number, part in enumerate(parts):
            others = tuple(other.text for at, other in enumerate(parts) if at != number)
            yield way("condition", f" only {part.text} false", others, behind=True)


def instrumented(spec: Spec, ways: Iterable[WayOut]) -> tuple[Spec, dict[Goal, str]] | None:
    """The spec with ways out, and the state that each leads to; None where the result would be no spec."""
    document: dict[str, Any] = json.loads(json.dumps(spec.document))
    ends: dict[Goal, str] = {}
    placed: dict[tuple[str, int, bool], list[dict[str, Any]]] = {}
    for way in ways:
        end = ends[way.goal] = _free(spec, len(ends))
        guards = [{"backend": "cel", "expression": guard} for guard in way.guards]
        out = {"toState": end, "guards": guards} if guards else {"toState": end}
        placed.setdefault((way.state, way.transition, way.behind), []).append(out)
    for state in spec.states:
        name = state.name.text
        if any(key[0] == name for key in placed):
            own = document["states"][name]["transitions"]
            document["states"][name]["transitions"] = [
                each
                for number, transition in enumerate(own)
                for each in (
                    *placed.get((name, number, False), ()),
                    transition,
                    *placed.get((name, number, True), ()),
                )
            ]
    for end in ends.values():
        document["states"][end] = {"terminal": True}
    read = _read(document)
    return None if read is None else (read, ends)


def instrumented_for_one(spec: Spec, way: WayOut) -> tuple[Spec, str] | None:
    """The same for one goal with ``first_false``, under ``gated``: exactly where it is met, the way out is taken.

    Where the guards up to that one hold, the transitions behind are tried as ever, and if none is enabled the run is at
    its end, since under ``gated`` no guard is tried unless all requirements are met.
    """
    document: dict[str, Any] = json.loads(json.dumps(spec.document))
    own = document["states"][way.state]["transitions"]
    mine, behind = own[way.transition], own[way.transition + 1 :]
    held = mine["guards"][: (way.first_false or 0) + 1]
    end, lost = _free(spec, 0), _free(spec, 1)
    document["states"][way.state]["transitions"] = [
        *own[: way.transition + 1],
        *({**other, "guards": [*held, *other.get("guards", [])]} for other in behind),
        {"toState": lost, "guards": held},
        {"toState": end, "guards": [{"backend": "cel", "expression": guard} for guard in way.guards]},
    ]
    # Behind the way out nothing is left to try: where it is not taken, a guard before was the first that is not true.
    document["states"][way.state]["transitions"].extend(behind)
    document["states"] |= {end: {"terminal": True}, lost: {"terminal": True}}
    read = _read(document)
    return None if read is None else (read, end)


def _read(document: dict[str, Any]) -> Spec | None:
    (loaded, *more) = load(SourceFile("<instrumented>", json.dumps({"fsm": document})))
    return None if more or loaded.faults else loaded.spec


def _free(spec: Spec, number: int) -> str:
    name = f"way_out_{number}"
    while name in spec.state_by_name:
        name += "_"
    return name
