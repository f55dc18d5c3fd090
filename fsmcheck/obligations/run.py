"""Decide all obligations of a spec under a profile: explicit search first, then Z3 on what it proved or left open."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import partial

from fsmcheck.diagnostics import Subject
from fsmcheck.engines.disagreement import DisagreementError
from fsmcheck.engines.explicit import Limits
from fsmcheck.obligations.answers import CUT_OFF, LEAST, Answers
from fsmcheck.obligations.bounds import bounds
from fsmcheck.obligations.cache import Memory, Recall
from fsmcheck.obligations.case import Case, make_case, obligations_of
from fsmcheck.obligations.course import Begun, Course, Decided, Planned
from fsmcheck.obligations.decide import decide, profile_named
from fsmcheck.obligations.obligation import QUESTIONS, Obligation, Question, Verdict
from fsmcheck.obligations.recheck import rechecked
from fsmcheck.obligations.shortfall import after_giving_up, shortfall
from fsmcheck.obligations.telling import told
from fsmcheck.records import dataclass
from fsmcheck.results import Bounds, Certificate
from fsmcheck.spec.model import Spec
from fsmcheck.system.slice import slice_system
from fsmcheck.system.system import System

PATIENCE = 12
"""How many times as long as its limits an obligation may take before it is said to hang: the soft limits bound each of
several attempts, and the first one pays for what all share."""


@dataclass(frozen=True, slots=True)
class Outcome:
    """The verdicts in the order of the plan, the spec's figures, and certificates if they were asked for; which
    verdicts were ``recalled`` from an earlier run; what else was lost, see ``shortfall``; and what the spec was
    translated into, if it was."""

    verdicts: tuple[Verdict, ...]
    bounds: Bounds | None
    certificates: tuple[Certificate, ...] = ()
    recalled: frozenset[tuple[str, Subject]] = frozenset()
    losses: tuple[str, ...] = ()
    system: System | None = None


def run(
    spec: Spec,
    profile: str,
    wants: Callable[[str], bool],
    timeout: float | None,
    *,
    certify: bool = False,
    memory: Memory | None = None,
    course: Course | None = None,
) -> Outcome:
    """Decide the obligations of the wanted rules, or recall from ``memory`` what still holds; ``course`` is that of a
    run which may be cut off.

    Raises ``DisagreementError`` where engines contradict.
    """
    course = course or Course()
    if course.final is not None:
        verdicts = told(spec, course.final)
        return Outcome(verdicts, None, losses=after_giving_up(verdicts, course.reason))
    limits = Limits() if timeout is None else Limits(seconds=timeout)
    recall = Recall(None if certify else memory, spec, profile_named(profile), limits, wants)
    known = recall.whole()
    if known is not None:
        return Outcome(*known, recalled=recall.used)
    try:
        case = make_case(spec, profile_named(profile), limits)
        case.memory = course.memory
        if not certify and not case.is_wide:
            case.system = _asked(case.entire, wants)
        return replace(_run(case, wants, recall, course, certify=certify), system=case.entire)
    except DisagreementError:
        if not recall.used and not course.given:
            raise
        return run(spec, profile, wants, timeout, certify=certify, course=Course(tell=course.tell))


def _asked(system: System, wants: Callable[[str], bool]) -> System:
    """The system with what the wanted rules depend on, where these only ask whether something ever happens, and
    whether anything gets there; the others may ask more of it. Not for wide systems, which diagrams are better at."""
    asked = {rule for rule in QUESTIONS if wants(rule)}
    if not asked or any(QUESTIONS[rule] is not Question.NEVER for rule in asked):
        return system
    return slice_system(system, lambda event: event.rule in asked or event.rule == "FSM303")


def _run(
    case: Case,
    wants: Callable[[str], bool],
    recall: Recall,
    course: Course,
    *,
    certify: bool,
) -> Outcome:
    todo = [obligation for obligation in obligations_of(case) if wants(obligation.rule)]
    patience = PATIENCE * case.scale * case.limits.seconds
    course.tell(Planned(tuple(todo), patience))
    answers = Answers() if certify else _shared(case, todo, recall, course, patience)
    case.recall = partial(recall.proof, case)
    verdicts: list[Verdict] = []
    unentered: set[str] = set()
    for obligation in todo:
        key = (obligation.rule, obligation.subject)
        verdict = course.given.get(key)
        if key in answers.verdicts:
            verdict = _unentered(obligation, unentered) or answers.verdicts[key]
        elif verdict is None:
            course.tell(Begun(obligation.id))
            verdict = recall.verdict(case, obligation) or _decide(case, obligation, unentered)
            course.tell(Decided(verdict))
        if obligation.rule == "FSM203" and verdict.verdict == "violated":
            unentered.add(obligation.subject.state or "")
        verdicts.append(verdict)
    course.tell(Begun("proofs checked again"))
    checked = tuple(verdicts if answers.unconfirmed else rechecked(case, verdicts, recall, answers.excluded))
    course.tell(Begun("figures"))
    figures = recall.bounds
    if figures is None:
        figures = answers.bounds if answers.verdicts else bounds(case)
    checked = told(case.spec, checked)
    losses = shortfall(case, answers)
    if not losses:
        recall.keep_verdicts(case, verdicts, checked, figures)
    return Outcome(checked, figures, _certificates(case, checked) if certify else (), recall.used, losses)


def _shared(case: Case, plan: list[Obligation], recall: Recall, course: Course, patience: float) -> Answers:
    """What others find out, where there are any, of what is neither given nor known from an earlier run."""
    if course.share is None or len(plan) < LEAST // CUT_OFF:
        return Answers()
    todo = [
        each for each in plan if (each.rule, each.subject) not in course.given and recall.verdict(case, each) is None
    ]
    if len(todo) < (LEAST if case.whole.complete else LEAST // CUT_OFF):
        return Answers()
    from fsmcheck.obligations.shares import Parts
    from fsmcheck.obligations.sharing import shared

    parts = Parts(case, plan, lambda obligation: _decide(case, obligation, set()))
    return shared(parts, todo, course, patience, recall, figures=recall.bounds is None)


def _certificates(case: Case, verdicts: Sequence[Verdict]) -> tuple[Certificate, ...]:
    from fsmcheck.obligations.certificates import certificates

    return certificates(case, verdicts)


def _decide(case: Case, obligation: Obligation, unentered: set[str]) -> Verdict:
    skipped = _unentered(obligation, unentered)
    if skipped is None and obligation.rule == "FSM303" and not case.may_enter(obligation.subject.state or ""):
        skipped = _never_entered(obligation)
    return skipped or decide(case, obligation)


def _unentered(obligation: Obligation, unentered: set[str]) -> Verdict | None:
    """The verdict on a transition of a state that is not entered; None for all else."""
    return _never_entered(obligation) if obligation.rule == "FSM303" and obligation.subject.state in unentered else None


def _never_entered(obligation: Obligation) -> Verdict:
    return Verdict(obligation, "skipped", "none", reason="the state is never entered (FSM203)")
