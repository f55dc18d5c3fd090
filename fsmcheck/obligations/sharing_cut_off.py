"""The work on one spec, handed out to others, where its search was cut off.

What all need is searched before: the machine alone, and the diagrams. Then obligations that depend on the same go to
the same process, which searches their slice. Many depend on the machine alone; they are divided all the same, and each
process searches that slice for itself.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable, Iterator, Sequence
from math import inf

from fsmcheck.obligations.answers import Answers
from fsmcheck.obligations.case import Case
from fsmcheck.obligations.conditions import Conditions
from fsmcheck.obligations.course import AllDecided, Course, Crew, Lost
from fsmcheck.obligations.decide import took_too_long
from fsmcheck.obligations.foreman import Foreman
from fsmcheck.obligations.obligation import QUESTIONS, Obligation, Question
from fsmcheck.obligations.shares import Asked, Ends, Found, Parts, Pursued, batches
from fsmcheck.obligations.spending import Spending

_OF_THE_MACHINE = (Question.ENDS, Question.COOL, Question.BOUNDED, Question.CAP)
_CAPS_A_TASK = 8
_ON_THE_MACHINE_A_TASK = 10
_OF_A_SLICE_A_TASK = 40


def is_sharable(case: Case) -> bool:
    """Whether there is time left for what is not settled yet."""
    if case.diagrams.whole() is None:
        case.layers.whole()
    _ = case.base
    return case.layers.are_searched or not case.exhausted


def look_up_searches(case: Case, todo: Sequence[Obligation]) -> None:
    """Search with diagrams or layers, twice, and work out what each question depends on, before many need it."""
    questions = {QUESTIONS[each.rule] for each in todo}
    machine = not questions.isdisjoint(_OF_THE_MACHINE)
    whole = not questions.issubset(_OF_THE_MACHINE)
    both = (case.diagrams.whole() if whole else None, case.diagrams.base() if machine else None)
    for searched in (case.layers.whole(),) if case.layers.are_searched else both:
        if searched is not None:
            _ = searched.second
    _ = case.cones.by_subject


class ForemanOfMany(Foreman):
    """That of a spec with many searches: few tasks are handed out at a time, so that none is begun in vain once the
    time of the spec as a whole is up."""

    def __init__(self, parts: Parts, crew: Crew, todo: Sequence[Obligation], course: Course, known: Conditions) -> None:
        super().__init__(parts, crew, todo, course, known)
        share = inf if self.case.layers.are_searched else self.case.share
        self._spending = Spending(share, self.case.wasted)
        self._waiting: deque[tuple[object, ...]] = deque()
        self._handed = 0
        self._task_of: dict[object, int] = {}
        self._parts_left: dict[int, int] = {}

    def run(self, *, figures: bool) -> Answers:
        """Hand out one task more than there are processes for."""
        self._waiting.extend(task for task in self._tasks(figures=figures) if task)
        self._feed()
        for part, answer in self.crew.answers(iter(())):
            self._take(part, answer)
            self._feed()
        self._close()
        if figures:
            self.answers.bounds = self.bounds()
        return self.answers

    def _tasks(self, *, figures: bool) -> Iterator[tuple[object, ...]]:
        """All tasks: first those that may take long and cannot be divided, then in the order of the plan."""
        by = self.by_question(self.todo)
        yield self.asked(by.get(Question.ENDS, ()))
        yield from self.loops(by.get(Question.BOUNDED, ()), figures=figures)
        if figures:
            yield (Ends(),)
        for group, most in self._by_cone(each for each in self.todo if QUESTIONS[each.rule] not in _OF_THE_MACHINE):
            for some in batches(group, most):
                yield self.asked(some)
        yield self.asked(by.get(Question.COOL, ()))
        for some in batches(by.get(Question.CAP, ()), _CAPS_A_TASK):
            yield self.asked(some)

    def _by_cone(self, todo: Iterable[Obligation]) -> Iterator[tuple[list[Obligation], int]]:
        """Obligations that depend on the same together, and how many of them make a task."""
        cones = self.case.cones
        groups: dict[frozenset[str], list[Obligation]] = {}
        for each in todo:
            groups.setdefault(cones.by_subject.get((each.rule, each.subject), cones.machine), []).append(each)
        for cone, group in groups.items():
            yield group, _ON_THE_MACHINE_A_TASK if cone == cones.machine else _OF_A_SLICE_A_TASK

    def _feed(self) -> None:
        """Hand out tasks until there is one more than there are processes, leaving out what there is no time for."""
        while self._waiting and len(self._parts_left) <= self.crew.hands:
            task = self._waiting.popleft()
            places = [part.place for part in task if isinstance(part, Asked)]
            first = min(places, default=0)
            wasted = self._spending.known(first)
            over = self._spending.first_over(places)
            parts = tuple(
                Pursued(part.place, first, wasted) if isinstance(part, Asked) else part
                for part in task
                if not isinstance(part, Asked) or over is None or part.place < over
            )
            if parts:
                self._handed += 1
                self._task_of.update(dict.fromkeys(parts, self._handed))
                self._parts_left[self._handed] = len(parts)
                self.crew.add(parts)

    def _take(self, part: object, answer: object) -> None:
        task = self._task_of.pop(part, None)
        if task is not None:
            self._parts_left[task] -= 1
            if not self._parts_left[task]:
                del self._parts_left[task]
        if not isinstance(part, Pursued):
            self.take(part, answer)
        elif isinstance(answer, Found):
            self._spending.note(part.place, answer.wasted, dict(answer.slices))
            self.decided(answer.verdict)
        elif isinstance(answer, Lost):
            self.lost(part.place, answer)

    def _close(self) -> None:
        """Leave open what one who decides alone would have had no time for."""
        over = self._spending.first_over(self.places[each] for each in self.todo)
        late = tuple(took_too_long(each) for each in self.todo if over is not None and self.places[each] >= over)
        self.answers.verdicts.update({(each.obligation.rule, each.obligation.subject): each for each in late})
        self.course.tell(AllDecided(late))
        self.case.wasted = self._spending.known(len(self.places))
