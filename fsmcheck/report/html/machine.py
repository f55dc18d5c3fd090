"""The outline of a spec as data for the page: states and transitions by index, each with its mark."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import field

from fsmcheck.outline import Coverage, GuardMatrix, MatrixColumn, Outline, StateOutline, TransitionOutline
from fsmcheck.records import dataclass
from fsmcheck.report.html import text
from fsmcheck.report.html.marks import Marks, marks
from fsmcheck.report.html.places import place
from fsmcheck.results import SpecReport

Json = dict[str, object]


@dataclass(frozen=True, slots=True)
class Machine:
    """The indices that the rest of the page's data refers to, and the data; without an outline all is empty."""

    states: Mapping[str, int] = field(default_factory=dict)
    transitions: Mapping[tuple[str, int], int] = field(default_factory=dict)
    json: Json | None = None


def machine(spec: SpecReport) -> Machine:
    """The machine of a spec."""
    outline = spec.outline
    if outline is None:
        return Machine()
    states = {state.name: number for number, state in enumerate(outline.states)}
    drawn = [each for each in outline.transitions if each.source in states and each.target in states]
    transitions = {(each.source, each.index): number for number, each in enumerate(drawn)}
    known = marks(spec)
    content: Json = {
        "states": [_state(state, known, spec) for state in outline.states],
        "transitions": [_transition(each, states, known) for each in drawn],
        "fields": [
            {
                "name": text.line(each.name),
                "type": text.line(each.type),
                "description": text.block(each.description),
                **{
                    key: [text.line(name) for name in getattr(each, key)]
                    for key in ("writers", "readers", "assigners", "emptiers")
                },
            }
            for each in outline.fields
        ],
        "policy": [[text.line(key), text.value(value)] for key, value in outline.policy.items()],
        "matrices": [_matrix(each, states) for each in outline.matrices if each.state in states],
        "coverage": _coverage(outline.coverage, outline, drawn),
    }
    return Machine(states, transitions, content)


def _state(state: StateOutline, known: Marks, spec: SpecReport) -> Json:
    span = spec.places.get((state.name, None))
    return {
        "name": text.line(state.name),
        "initial": state.initial,
        "terminal": state.terminal,
        "declared": state.declared,
        "reachable": state.reachable,
        "mark": known.at((state.name, None), reachable=state.reachable),
        "description": text.block(state.description),
        "requires": [[text.line(name), text.line(agent)] for name, agent in state.requires],
        "entry": [text.line(action) for action in state.entry],
        "exit": [text.line(action) for action in state.exit],
        "place": place(spec.source, span) if span is not None else None,
    }


def _transition(each: TransitionOutline, states: Mapping[str, int], known: Marks) -> Json:
    return {
        "source": states[each.source],
        "target": states[each.target],
        "index": each.index,
        "guards": [text.line(guard) for guard in each.guards],
        "actions": [text.line(action) for action in each.actions],
        "reachable": each.reachable,
        "mark": known.at((each.source, each.index), reachable=each.reachable),
    }


def _matrix(matrix: GuardMatrix, states: Mapping[str, int]) -> Json:
    return {
        "state": states[matrix.state],
        "fields": [text.line(name) for name in matrix.fields],
        "columns": [_column(column) for column in matrix.columns],
        "omitted": matrix.omitted,
        "complete": matrix.complete,
    }


def _column(column: MatrixColumn) -> Json:
    return {
        "context": [[text.line(name), text.value(given)] for name, given in column.context.items()],
        "outcomes": list(column.outcomes),
        "taken": column.taken,
        "overlap": column.overlap,
        "reachable": column.reachable,
    }


def _coverage(coverage: Coverage | None, outline: Outline, drawn: list[TransitionOutline]) -> Json | None:
    if coverage is None:
        return None
    return {
        "events": coverage.events,
        "states": [coverage.states.get(state.name, 0) for state in outline.states],
        "transitions": [coverage.transitions.get((each.source, each.index), 0) for each in drawn],
        "guards": [[list(outcomes) for outcomes in _guards(coverage, each)] for each in drawn],
    }


def _guards(coverage: Coverage, each: TransitionOutline) -> list[tuple[int, int, int]]:
    return [coverage.guards.get((each.source, each.index, guard), (0, 0, 0)) for guard in range(len(each.guards))]
