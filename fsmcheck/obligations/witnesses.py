"""What can happen, shown by few runs: one that goes far shows all that happens on its way."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from fsmcheck.diagnostics import Subject
from fsmcheck.engines.explicit import Graph, Hit
from fsmcheck.obligations.concretise import READABLE
from fsmcheck.obligations.confirm import Run
from fsmcheck.obligations.obligation import QUESTIONS, Question
from fsmcheck.reducer.monitors import witnesses

if TYPE_CHECKING:
    from fsmcheck.obligations.case import Case

About = tuple[str, Subject]


def witnessed(case: Case, graph: Graph) -> frozenset[About]:
    """What performed runs show to be possible, of all that happens in a search: rules and subjects.

    The runs are those to the first hit of each, the longest first, and none for what an earlier run has shown. What
    is missing may be possible all the same.
    """
    found: set[About] = set()
    for about, hit in _farthest_first(graph):
        if about not in found:

            def find(run: Run, about: About = about) -> tuple[int, Mapping[str, Any]] | None:
                met = [(each.rule, each.subject) for each in witnesses(case.spec, run)]
                found.update(met)
                return (len(run) - 1, {}) if about in met else None

            case.show(graph, [*graph.path(hit.source), (hit.source, hit.step, hit.inputs)], find, READABLE)
    return frozenset(found)


def _farthest_first(graph: Graph) -> list[tuple[About, Hit]]:
    lengths: dict[int, int] = {}
    first = [
        ((rule, subject), hits[0])
        for (rule, subject, which), hits in graph.hits.items()
        if which == "" and QUESTIONS.get(rule) is Question.POSSIBLE
    ]
    return sorted(first, key=lambda pair: -_length(graph, pair[1].source, lengths))


def _length(graph: Graph, number: int, known: dict[int, int]) -> int:
    """The number of steps on the way to a configuration; ``known`` are those worked out before."""
    way = []
    while number not in known:
        way.append(number)
        parent = graph.parents[number]
        if parent is None:
            known[number] = 0
        else:
            number = parent[0]
    for each in reversed(way):
        parent = graph.parents[each]
        known[each] = 0 if parent is None else known[parent[0]] + 1
    return known[way[0]] if way else known[number]
