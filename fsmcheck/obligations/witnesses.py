"""What can happen, shown by few runs: one that goes far shows all that happens on its way."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import TYPE_CHECKING, Any

from fsmcheck.diagnostics import Subject
from fsmcheck.engines.explicit import Graph, Hit
from fsmcheck.obligations.concretise import READABLE
from fsmcheck.obligations.confirm import Run
from fsmcheck.obligations.obligation import QUESTIONS, Question
from fsmcheck.obligations.visits import left_within_caps
from fsmcheck.reducer.monitors.ledger import opening_ledger
from fsmcheck.reducer.monitors.moments import step_moments
from fsmcheck.reducer.monitors.witness import shown_at
from fsmcheck.spec.model import Spec

if TYPE_CHECKING:
    from fsmcheck.obligations.case import Case

About = tuple[str, Subject]
Path = list[tuple[int, int, tuple[int, ...]]]


def witnessed(case: Case, graph: Graph) -> frozenset[About]:
    """What performed runs show to be possible, of all that happens in a search: rules and subjects, FSM504 among them
    for the states of which some visit is left within the caps.

    The runs are those to the first hit of each, but for hits on the way to another; and where such a run turns out to
    go elsewhere, its own for each hit that was not shown. What is missing may be possible all the same.
    """
    return frozenset(_Runs(case, graph).possible)


class _Runs:
    def __init__(self, case: Case, graph: Graph) -> None:
        self.possible: set[About] = set()
        self._case = case
        self._graph = graph
        self._watch = _Watch(case.spec)
        wanted = {
            (rule, subject): hits[0]
            for (rule, subject, which), hits in graph.hits.items()
            if which == "" and QUESTIONS.get(rule) is Question.POSSIBLE
        }
        self._follow((about, wanted[about]) for about in _farthest(graph, wanted))
        self._follow(wanted.items())

    def _follow(self, wanted: Iterable[tuple[About, Hit]]) -> None:
        for about, hit in wanted:
            if about not in self.possible:
                self._show(about, [*self._graph.path(hit.source), (hit.source, hit.step, hit.inputs)])

    def _show(self, about: About, path: Path) -> None:
        def find(run: Run) -> tuple[int, Mapping[str, Any]] | None:
            met = self._watch.see(run)
            self.possible |= met
            self.possible |= {("FSM504", Subject(state=state)) for state in left_within_caps(self._case.spec, run)}
            return (len(run) - 1, {}) if about in met else None

        self._case.show(self._graph, path, find, READABLE)


def _farthest(graph: Graph, wanted: Mapping[About, Hit]) -> list[About]:
    """Hits that are not on the way to others, as a walk through the tree of ways meets them, so that one run shares
    its beginning with the next."""
    order: dict[int, int] = {}
    on_the_way: set[tuple[int, int]] = set()
    for number in _walk(graph):
        order[number] = len(order)
    for hit in wanted.values():
        on_the_way.update((source, step) for source, step, _ in graph.path(hit.source))
    last = [about for about, hit in wanted.items() if (hit.source, hit.step) not in on_the_way]
    return sorted(last, key=lambda about: (order[wanted[about].source], wanted[about].step))


def _walk(graph: Graph) -> Iterator[int]:
    """All configurations, each after the one it was first reached from, one branch after the other."""
    children: dict[int, list[int]] = {}
    for number, parent in enumerate(graph.parents):
        if parent is not None:
            children.setdefault(parent[0], []).append(number)
    waiting = [0]
    while waiting:
        number = waiting.pop()
        yield number
        waiting += reversed(children.get(number, ()))


class _Watch:
    """The monitor of what a run shows, which goes on from where a run begins to differ from the one before."""

    def __init__(self, spec: Spec) -> None:
        self._spec = spec
        self._run: Run = ()
        self._after = [(opening_ledger(spec), frozenset[About]())]

    def see(self, run: Run) -> frozenset[About]:
        """What a run shows to be possible."""
        same = 0
        for before, now in zip(self._run, run, strict=False):
            if before is not now:
                break
            same += 1
        del self._after[same + 1 :]
        for number in range(same, len(run)):
            ledger, met = self._after[-1]
            moments, ledger = step_moments(self._spec, number, run[number], ledger)
            more = {(each.rule, each.subject) for moment in moments for each in shown_at(self._spec, moment)}
            self._after.append((ledger, met | more if more - met else met))
        self._run = run
        return self._after[-1][1]
