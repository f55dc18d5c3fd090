"""The work on one spec, handed out to others; here where the whole graph was searched."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence

from fsmcheck.diagnostics import Subject
from fsmcheck.obligations.answers import About, Answers
from fsmcheck.obligations.case import Case
from fsmcheck.obligations.conditions import Conditions as Known
from fsmcheck.obligations.course import AllDecided, Course, Crew, Lost
from fsmcheck.obligations.foreman import Foreman
from fsmcheck.obligations.obligation import Obligation, Question, Verdict
from fsmcheck.obligations.recheck import is_rechecked_whole
from fsmcheck.obligations.shares import (
    Asked,
    Conditions,
    Digests,
    Ends,
    Left,
    Parts,
    Turns,
    Witnesses,
    batches,
    is_plain,
    is_witnessed,
)
from fsmcheck.obligations.sharing_cut_off import ForemanOfMany, is_sharable, look_up_searches

_LOCATIONS_A_TASK = 160
_PLAIN_AT_A_TIME = 200


def shared(
    parts: Parts, todo: Sequence[Obligation], course: Course, patience: float, known: Known, *, figures: bool
) -> Answers:
    """The answers of a crew to the obligations in ``todo``, those of the plan that are open; none where there is no
    crew, or no work for one. Conditions that are ``known`` to hold are not looked at again."""
    case = parts.case
    if course.share is None or not (case.base.complete if case.whole.complete else is_sharable(case)):
        return Answers()
    _look_up(case)
    if not case.whole.complete:
        look_up_searches(case, todo)
    foreman = _ForemanOfOne if case.whole.complete else ForemanOfMany
    with course.share(parts, patience) as crew:
        return Answers() if crew is None else foreman(parts, crew, todo, course, known).run(figures=figures)


def _look_up(case: Case) -> None:
    """Work out what all ask for, before there are many of them."""
    survey = case.survey
    _ = survey.numbers_at, survey.entered, survey.left, survey.done, case.transitions.loop_heads(), case.literals
    _ = case.whole.system.locations, case.whole.system.steps_from
    if case.whole.complete:
        _ = case.whole.members


class _ForemanOfOne(Foreman):
    """That of a spec with one search, which has all the answers."""

    twice = (Ends, Turns, Digests, Conditions)

    def __init__(self, parts: Parts, crew: Crew, todo: Sequence[Obligation], course: Course, known: Known) -> None:
        super().__init__(parts, crew, todo, course, known)
        graph = self.case.whole
        self._plain = [each for each in todo if is_plain(graph, each)]
        self._witnessed = [each for each in todo if is_witnessed(each) and not is_plain(graph, each)]
        self._digests: dict[int, str] = {}
        self._open: set[int] | None = None
        """Places of locations from which on it is not known that the conditions hold; None where nobody asked."""

    def run(self, *, figures: bool) -> Answers:
        """Hand out what takes long first, and meanwhile decide here what takes no time."""
        known = {*self._plain, *self._witnessed}
        by = self.by_question(each for each in self.todo if each not in known)
        if self.parts.keys and is_rechecked_whole(self.case):
            self.crew.add((Digests(),))
        # What is learnt of the graph as a whole for one of these serves the others.
        self.crew.add(self.asked(by.get(Question.ENDS, ())))
        if self._witnessed:
            self.crew.add((Witnesses(),))
        for each in (*by.get(Question.NEVER, ()), *by.get(Question.OVERLAP, ())):
            self.crew.add(self.asked([each]))
        if figures:
            self.crew.add((Ends(),))
        for task in self.loops(by.get(Question.BOUNDED, ()), figures=figures):
            self.crew.add(task)
        self.crew.add(self.asked(by.get(Question.COOL, ())))
        self.crew.add(self.asked(by.get(Question.CAP, ())))
        for part, answer in self.crew.answers(self._decide_plain()):
            self._take(part, answer)
        if figures:
            self.answers.bounds = self.bounds()
        if self._open is not None and not self._open:
            self.answers.excluded = frozenset(self.parts.keys)
        return self.answers

    def _decide_plain(self) -> Iterator[int]:
        """Decide what takes no time, some at a time."""
        for some in batches(self._plain, _PLAIN_AT_A_TIME):
            self._decide(some)
            yield len(some)

    def _add_conditions(self, digests: Mapping[int, str]) -> None:
        known = self.known.known(digests.values())
        self._digests = {place: name for place, name in digests.items() if name not in known}
        self._open = set(self._digests)
        for task in batches(tuple(self._digests), _LOCATIONS_A_TASK):
            self.crew.add((Conditions(task),))

    def _take(self, part: object, answer: object) -> None:
        if isinstance(part, Asked | Left):
            if isinstance(answer, Verdict):
                self.decided(answer)
            elif isinstance(answer, Lost):
                self.lost(part.place, answer)
        elif isinstance(part, Witnesses):
            self._add_possible(answer if isinstance(answer, frozenset) else frozenset())
        elif isinstance(part, Digests) and isinstance(answer, dict):
            self._add_conditions(answer)
        elif isinstance(part, Conditions) and not isinstance(answer, Lost):
            if answer is True:
                self._open = (self._open or set()) - set(part.places)
                self.known.keep(self._digests[place] for place in part.places)
        elif isinstance(answer, Lost) and isinstance(part, Conditions | Digests) and part in self.tried:
            self.answers.unconfirmed = answer.reason
        else:
            self.take(part, answer)

    def _add_possible(self, met: frozenset[About]) -> None:
        """What witnesses were met of is decided here; the rest is handed out, state by state."""
        self.case.witnessed = met
        self._decide(each for each in self._witnessed if (each.rule, each.subject) in met)
        rest: dict[str, list[object]] = {}
        for each in self._witnessed:
            if (each.rule, each.subject) not in met:
                state = each.subject.state or ""
                entered = ("FSM203", Subject(state=state)) in met
                rest.setdefault(state, []).append(Left(self.places[each], entered))
        for task in rest.values():
            self.crew.add(task)

    def _decide(self, obligations: Iterable[Obligation]) -> None:
        """Decide here what takes no time."""
        verdicts = tuple(map(self.parts.verdict, obligations))
        self.answers.verdicts.update({(each.obligation.rule, each.obligation.subject): each for each in verdicts})
        self.course.tell(AllDecided(verdicts))
