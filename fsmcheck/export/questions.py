"""Which obligations of a spec a model can put, and how each is told."""

from __future__ import annotations

from collections.abc import Sequence
from enum import Enum

from fsmcheck.diagnostics import Subject
from fsmcheck.export.refusal import ExportError
from fsmcheck.obligations.obligation import QUESTIONS, Obligation, Question
from fsmcheck.obligations.plan import plan
from fsmcheck.records import dataclass
from fsmcheck.spec.model import Spec
from fsmcheck.spelling import nearest
from fsmcheck.system.events import BOTH, ONLY_EARLIER, ONLY_LATER
from fsmcheck.system.system import Event, System

_MOST_LISTED = 40

Key = tuple[str, Subject, str]
"""Rule, subject and case of an event."""


def key_of(event: Event) -> Key:
    """What an event is about."""
    return event.rule, event.subject, event.case


class Language(Enum):
    PROMELA = "promela"
    SMV = "smv"
    TLA = "tla"


@dataclass(frozen=True, slots=True)
class Asked:
    """One question of a model: whether a step can be taken on which an event happens, or (FSM204) whether from
    every configuration at rest in a state a run can still end. ``case`` is the event's, for the three of FSM302."""

    place: str
    obligation: Obligation
    question: Question
    case: str = ""

    @property
    def key(self) -> Key | None:
        """What the events that it asks about have in common; none happens where it is no question of events."""
        if self.question is Question.ENDS:
            return None
        return self.obligation.rule, self.obligation.subject, self.case

    @property
    def told(self) -> str:
        """What it means when a tool finds the event."""
        match self.question:
            case Question.POSSIBLE:
                return "can happen: the tool's error is a run that shows it"
            case Question.OVERLAP:
                return f"overlap, {self.case}: a violation if each of the three cases is found"
            case Question.ENDS:
                return "from rest here every run can still end (an advance without end is not looked at)"
            case _:
                return "never happens: the tool's error is a violation"


def place_of(obligation: Obligation) -> str:
    """How a user names an obligation: ``FSM403@execute/1/outcome``."""
    place = obligation.id.removesuffix(f":{obligation.profile}")
    return place.replace(":", "@", 1)


_INEXPRESSIBLE = {
    Question.BOUNDED: "asks for a bound on how often a loop turns",
    Question.CAP: "asks for the fewest exchanges that a cap has to allow",
    Question.COOL: "asks whether one advance meets a configuration again, which needs the values themselves",
}


def why_not(question: Question, language: Language) -> str | None:
    """Why a language cannot put a question; None where it can."""
    if question is Question.ENDS and language is not Language.SMV:
        name = "Promela" if language is Language.PROMELA else "TLA+"
        return f"asks whether every run can still end, a question of branching time that {name} cannot put; SMV can"
    if question in _INEXPRESSIBLE:
        return f"{_INEXPRESSIBLE[question]}: no question about the transition system alone"
    return None


def asked(spec: Spec, system: System, language: Language, places: Sequence[str]) -> tuple[Asked, ...]:
    """The questions at some places, or all that the language can put where none is named.

    A place may leave out its end: ``FSM403@execute`` is about every transition and field there.

    Raises:
        ExportError: there is nothing to ask at a place, or the language cannot put it.
    """
    known = {place_of(obligation): obligation for obligation in plan(spec, system, system.profile)}
    chosen: dict[str, Obligation] = {}
    for place in places:
        found = [name for name in known if name == place or name.startswith((f"{place}/", f"{place}@"))]
        if not found:
            raise ExportError(_nothing_at(place, list(known)))
        for name in found:
            reason = why_not(QUESTIONS[known[name].rule], language)
            if reason is not None:
                raise ExportError(f'"{name}" {reason}')
            chosen[name] = known[name]
    if not places:
        chosen = {name: each for name, each in known.items() if why_not(QUESTIONS[each.rule], language) is None}
    return tuple(question for name, obligation in chosen.items() for question in _cases(name, obligation))


def _cases(place: str, obligation: Obligation) -> tuple[Asked, ...]:
    question = QUESTIONS[obligation.rule]
    cases = (BOTH, ONLY_EARLIER, ONLY_LATER) if question is Question.OVERLAP else ("",)
    return tuple(Asked(place, obligation, question, case) for case in cases)


def _nothing_at(place: str, known: list[str]) -> str:
    rule = place.partition("@")[0]
    of_rule = [name for name in known if name.startswith(f"{rule}@")]
    listed = of_rule or known
    near = nearest(place, listed)
    hint = f'did you mean "{near}"? ' if near is not None else ""
    more = f" and {len(listed) - _MOST_LISTED} more" if len(listed) > _MOST_LISTED else ""
    there_is = f"there are {', '.join(sorted(listed)[:_MOST_LISTED])}{more}" if listed else "nothing is asked of it"
    return f'nothing is asked at "{place}" of this spec; {hint}{there_is}'
