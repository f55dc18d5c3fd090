"""Who hands out the parts of the work on one spec: what is the same however far its search came."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterable, Iterator, Sequence

from fsmcheck.obligations.answers import Answers
from fsmcheck.obligations.conditions import Conditions
from fsmcheck.obligations.course import Course, Crew, Decided, Lost
from fsmcheck.obligations.loops import MOST_CYCLES, MOST_FIGURES, figures_at, room_for, within_policy
from fsmcheck.obligations.obligation import QUESTIONS, Obligation, Question, Verdict
from fsmcheck.obligations.shares import Asked, Ends, Parts, Turns, batches
from fsmcheck.results import Bounds, LoopBound

_LOOPS_A_TASK = 2


class Foreman(ABC):
    """Hands out the parts to a crew, and takes in the answers."""

    twice: tuple[type, ...] = (Ends, Turns)
    """Parts that are tried twice: no verdict hangs on them, and one process that is killed should not cost so much."""

    def __init__(self, parts: Parts, crew: Crew, todo: Sequence[Obligation], course: Course, known: Conditions) -> None:
        self.case = parts.case
        self.parts = parts
        self.crew = crew
        self.todo = todo
        self.course = course
        self.known = known
        self.places = {each: place for place, each in enumerate(parts.plan)}
        self.answers = Answers()
        self._turns: dict[str, tuple[tuple[LoopBound, bool], ...]] = {}
        self._ends: tuple[dict[str, int], int | None] | None = None
        self.tried: set[object] = set()

    @abstractmethod
    def run(self, *, figures: bool) -> Answers:
        """Have all done, and put the answers together."""

    def asked(self, todo: Iterable[Obligation]) -> tuple[Asked, ...]:
        """The parts that decide some obligations."""
        return tuple(Asked(self.places[each]) for each in todo)

    def by_question(self, todo: Iterable[Obligation]) -> dict[Question, list[Obligation]]:
        """Obligations, by what they ask."""
        found: dict[Question, list[Obligation]] = {}
        for each in todo:
            found.setdefault(QUESTIONS[each.rule], []).append(each)
        return found

    def loops(self, bounded: Iterable[Obligation], *, figures: bool) -> Iterator[tuple[object, ...]]:
        """Tasks about loops: those that begin at the same state go together, since a verdict and figures need the
        same."""
        heads: dict[str, list[object]] = {each.subject.state or "": list(self.asked([each])) for each in bounded}
        count, room = 0, room_for(self.case)
        for head in self.case.transitions.loop_heads() if figures else ():
            heads.setdefault(head, []).append(Turns(head, room - count))
            count += len(self.case.transitions.cycles_from(head, MOST_CYCLES) or ())
            if count >= MOST_FIGURES:
                break
        for some in batches(tuple(heads.values()), _LOOPS_A_TASK):
            yield tuple(part for parts in some for part in parts)

    def take(self, part: object, answer: object) -> None:
        """Take in the answer to a part."""
        if isinstance(answer, Lost) and isinstance(part, self.twice) and part not in self.tried:
            self.tried.add(part)
            self.crew.add((part,))
        elif isinstance(answer, Lost):
            self.answers.unfigured = answer.reason
        elif isinstance(part, Turns) and isinstance(answer, tuple):
            self._turns[part.head] = answer
        elif isinstance(part, Ends) and isinstance(answer, tuple):
            self._ends = answer

    def decided(self, verdict: Verdict) -> None:
        """Take in a verdict."""
        self.answers.verdicts[verdict.obligation.rule, verdict.obligation.subject] = verdict
        self.course.tell(Decided(verdict))

    def lost(self, place: int, lost: Lost) -> None:
        """Take in that there is no verdict at a place of the plan."""
        self.decided(Verdict(self.parts.plan[place], "unknown", "none", reason=lost.reason))

    def bounds(self) -> Bounds | None:
        """The figures; None where a process was lost over them."""
        if self._ends is None or self.answers.unfigured:
            return None
        heads = self.case.transitions.loop_heads()
        figures = (each for head in heads for each in self._turns.get(head, ()) or self._figures_at(head))
        return Bounds(tuple(sorted(self._ends[0].items())), self._ends[1], within_policy(self.case, figures))

    def _figures_at(self, head: str) -> Iterable[tuple[LoopBound, bool]]:
        return () if head in self._turns else figures_at(self.case, head)
