"""Who hands out the parts of the work on one spec, and puts the answers together."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence

from fsmcheck.diagnostics import Subject
from fsmcheck.obligations.answers import About, Answers
from fsmcheck.obligations.case import Case
from fsmcheck.obligations.conditions import Conditions as Known
from fsmcheck.obligations.course import AllDecided, Course, Crew, Decided, Lost
from fsmcheck.obligations.loops import MOST_CYCLES, MOST_FIGURES, figures_at, room_for, within_policy
from fsmcheck.obligations.obligation import QUESTIONS, Obligation, Question, Verdict
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
from fsmcheck.results import Bounds, LoopBound

_AGAIN = (Ends, Turns, Digests, Conditions)
"""Parts that are tried twice: no verdict hangs on them, and one process that is killed should not cost so much."""

_LOOPS_A_TASK = 2
_LOCATIONS_A_TASK = 160
_PLAIN_AT_A_TIME = 200


def shared(
    parts: Parts, todo: Sequence[Obligation], course: Course, patience: float, known: Known, *, figures: bool
) -> Answers:
    """The answers of a crew to the obligations in ``todo``, those of the plan that are open; none where there is no
    crew, or no work for one. Conditions that are ``known`` to hold are not looked at again."""
    case = parts.case
    if course.share is None or not case.whole.complete or not case.base.complete:
        return Answers()
    _look_up(case)
    with course.share(parts, patience) as crew:
        return Answers() if crew is None else _Foreman(parts, crew, todo, course, known).run(figures=figures)


def _look_up(case: Case) -> None:
    """Work out what all ask for, before there are many of them."""
    survey = case.survey
    _ = survey.numbers_at, survey.entered, survey.left, survey.done, case.transitions.loop_heads(), case.literals
    _ = case.whole.members, case.whole.system.locations, case.whole.system.steps_from


class _Foreman:
    """Hands out the parts to a crew, and takes in the answers."""

    def __init__(self, parts: Parts, crew: Crew, todo: Sequence[Obligation], course: Course, known: Known) -> None:
        self._case = parts.case
        self._parts = parts
        self._crew = crew
        self._course = course
        self._known = known
        self._places = {each: place for place, each in enumerate(parts.plan)}
        self._answers = Answers()
        self._plain: list[Obligation] = []
        self._witnessed: list[Obligation] = []
        self._by_question: dict[Question, list[Obligation]] = {}
        for each in todo:
            if is_plain(parts.case.whole, each):
                self._plain.append(each)
            elif is_witnessed(each):
                self._witnessed.append(each)
            else:
                self._by_question.setdefault(QUESTIONS[each.rule], []).append(each)
        self._turns: dict[str, tuple[tuple[LoopBound, bool], ...]] = {}
        self._ends: tuple[dict[str, int], int | None] | None = None
        self._is_short = False
        self._tried: set[object] = set()
        self._digests: dict[int, str] = {}
        self._open: set[int] | None = None
        """Places of locations from which on it is not known that the conditions hold; None where nobody asked."""

    def run(self, *, figures: bool) -> Answers:
        """Hand out what takes long first, and meanwhile decide here what takes no time."""
        by = self._by_question
        if self._parts.keys and is_rechecked_whole(self._case):
            self._crew.add((Digests(),))
        # What is learnt of the graph as a whole for one of these serves the others.
        self._add(by.get(Question.ENDS, ()))
        if self._witnessed:
            self._crew.add((Witnesses(),))
        for each in (*by.get(Question.NEVER, ()), *by.get(Question.OVERLAP, ())):
            self._add((each,))
        if figures:
            self._crew.add((Ends(),))
        for task in self._loops(figures=figures):
            self._crew.add(task)
        self._add(by.get(Question.COOL, ()))
        self._add(by.get(Question.CAP, ()))
        for part, answer in self._crew.answers(self._decide_plain()):
            self._take(part, answer)
        if figures:
            self._answers.bounds = self._bounds()
        if self._open is not None and not self._open:
            self._answers.excluded = frozenset(self._parts.keys)
        return self._answers

    def _add(self, todo: Iterable[Obligation]) -> None:
        task = tuple(Asked(self._places[each]) for each in todo)
        if task:
            self._crew.add(task)

    def _loops(self, *, figures: bool) -> Iterator[tuple[object, ...]]:
        """Loops that begin at the same state go together, since a verdict and figures need the same."""
        bounded = self._by_question.get(Question.BOUNDED, ())
        heads: dict[str, list[object]] = {each.subject.state or "": [Asked(self._places[each])] for each in bounded}
        count, room = 0, room_for(self._case)
        for head in self._case.transitions.loop_heads() if figures else ():
            heads.setdefault(head, []).append(Turns(head, room - count))
            count += len(self._case.transitions.cycles_from(head, MOST_CYCLES) or ())
            if count >= MOST_FIGURES:
                break
        for some in batches(tuple(heads.values()), _LOOPS_A_TASK):
            yield tuple(part for parts in some for part in parts)

    def _decide_plain(self) -> Iterator[int]:
        """Decide what takes no time, some at a time."""
        for some in batches(self._plain, _PLAIN_AT_A_TIME):
            self._decide(some)
            yield len(some)

    def _add_conditions(self, digests: Mapping[int, str]) -> None:
        known = self._known.known(digests.values())
        self._digests = {place: name for place, name in digests.items() if name not in known}
        self._open = set(self._digests)
        for task in batches(tuple(self._digests), _LOCATIONS_A_TASK):
            self._crew.add((Conditions(task),))

    def _take(self, part: object, answer: object) -> None:
        if isinstance(part, Asked | Left):
            if isinstance(answer, Verdict):
                self._decided(answer)
            elif isinstance(answer, Lost):
                self._decided(Verdict(self._parts.plan[part.place], "unknown", "none", reason=answer.reason))
        elif isinstance(answer, Lost) and isinstance(part, _AGAIN) and part not in self._tried:
            self._tried.add(part)
            self._crew.add((part,))
        elif isinstance(part, Witnesses):
            self._add_possible(answer if isinstance(answer, frozenset) else frozenset())
        elif isinstance(part, Digests) and isinstance(answer, dict):
            self._add_conditions(answer)
        elif isinstance(part, Conditions | Digests):
            self._answers.is_lost |= isinstance(answer, Lost)
            if isinstance(part, Conditions) and answer is True:
                self._open = (self._open or set()) - set(part.places)
                self._known.keep(self._digests[place] for place in part.places)
        elif isinstance(part, Turns):
            self._is_short |= not isinstance(answer, tuple)
            self._turns[part.head] = answer if isinstance(answer, tuple) else ()
        elif isinstance(part, Ends) and isinstance(answer, tuple):
            self._ends = answer

    def _add_possible(self, met: frozenset[About]) -> None:
        """What witnesses were met of is decided here; the rest is handed out, state by state."""
        self._case.witnessed = met
        self._decide(each for each in self._witnessed if (each.rule, each.subject) in met)
        rest: dict[str, list[object]] = {}
        for each in self._witnessed:
            if (each.rule, each.subject) not in met:
                state = each.subject.state or ""
                entered = ("FSM203", Subject(state=state)) in met
                rest.setdefault(state, []).append(Left(self._places[each], entered))
        for task in rest.values():
            self._crew.add(task)

    def _decide(self, obligations: Iterable[Obligation]) -> None:
        """Decide here what takes no time."""
        verdicts = tuple(map(self._parts.verdict, obligations))
        self._answers.verdicts.update({(each.obligation.rule, each.obligation.subject): each for each in verdicts})
        self._course.tell(AllDecided(verdicts))

    def _decided(self, verdict: Verdict) -> None:
        self._answers.verdicts[verdict.obligation.rule, verdict.obligation.subject] = verdict
        self._course.tell(Decided(verdict))

    def _bounds(self) -> Bounds | None:
        """The figures; None where a process was lost over them."""
        if self._ends is None or self._is_short:
            return None
        heads = self._case.transitions.loop_heads()
        figures = (each for head in heads for each in self._turns.get(head, ()) or self._figures_at(head))
        return Bounds(tuple(sorted(self._ends[0].items())), self._ends[1], within_policy(self._case, figures))

    def _figures_at(self, head: str) -> Iterable[tuple[LoopBound, bool]]:
        return () if head in self._turns else figures_at(self._case, head)
