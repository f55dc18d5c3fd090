"""Decide all obligations of a spec under a profile: explicit search first, then Z3 on what it proved or left open."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from fsmcheck.diagnostics import Subject
from fsmcheck.engines.disagreement import DisagreementError
from fsmcheck.engines.explicit import Graph, Key, Limits
from fsmcheck.obligations.bounds import bounds
from fsmcheck.obligations.cache import Memory, Recall
from fsmcheck.obligations.case import Case, make_case, obligations_of
from fsmcheck.obligations.course import Begun, Course, Decided, Planned
from fsmcheck.obligations.decide import decide, profile_named
from fsmcheck.obligations.obligation import QUESTIONS, Obligation, Question, Verdict
from fsmcheck.results import Bounds, Certificate
from fsmcheck.spec.model import Spec

if TYPE_CHECKING:
    from fsmcheck.engines.induction import Induction

PATIENCE = 12
"""How many times as long as its limits an obligation may take before it is said to hang: the soft limits bound each of
several attempts, and the first one pays for what all share."""

SMALL = 4_000
"""Searches of up to this many configurations are re-checked whole by induction in Z3."""

SMALL_DIAGRAM = 250
"""Reachable sets of up to this many nodes are re-checked by induction in Z3."""

MOST_RECHECKED = 100_000
"""Configurations of the slices in which proofs are re-checked."""

BY_INDUCTION = ("FSM301", "FSM403")
"""Rules whose proofs are always re-checked in Z3, in a slice of their own where the whole is too large."""


@dataclass(frozen=True, slots=True)
class Outcome:
    """The verdicts in the order of the plan, the spec's figures, and certificates if they were asked for; which
    verdicts were ``recalled`` from an earlier run."""

    verdicts: tuple[Verdict, ...]
    bounds: Bounds | None
    certificates: tuple[Certificate, ...] = ()
    recalled: frozenset[tuple[str, Subject]] = frozenset()


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
        return Outcome(course.final, None)
    limits = Limits() if timeout is None else Limits(seconds=timeout)
    recall = Recall(None if certify else memory, spec, profile_named(profile), limits, wants)
    known = recall.whole()
    if known is not None:
        return Outcome(*known, recalled=recall.used)
    try:
        case = make_case(spec, profile_named(profile), limits)
        return _run(case, wants, recall, course, certify=certify)
    except DisagreementError:
        if not recall.used and not course.given:
            raise
        return run(spec, profile, wants, timeout, certify=certify, course=Course(tell=course.tell))


def _run(
    case: Case,
    wants: Callable[[str], bool],
    recall: Recall,
    course: Course,
    *,
    certify: bool,
) -> Outcome:
    todo = [obligation for obligation in obligations_of(case) if wants(obligation.rule)]
    course.tell(Planned(tuple(todo), PATIENCE * case.scale * case.limits.seconds))
    verdicts: list[Verdict] = []
    unentered: set[str] = set()
    for obligation in todo:
        verdict = course.given.get((obligation.rule, obligation.subject))
        if verdict is None:
            course.tell(Begun(obligation.id))
            verdict = recall.verdict(case, obligation) or _decide(case, obligation, unentered)
            course.tell(Decided(verdict))
        if obligation.rule == "FSM203" and verdict.verdict == "violated":
            unentered.add(obligation.subject.state or "")
        verdicts.append(verdict)
    course.tell(Begun("proofs checked again"))
    rechecked = tuple(_rechecked(case, verdicts))
    course.tell(Begun("figures"))
    figures = recall.bounds if recall.bounds is not None else bounds(case)
    recall.keep(case, verdicts, rechecked, figures)
    return Outcome(rechecked, figures, _certificates(case, rechecked) if certify else (), recall.used)


def _certificates(case: Case, verdicts: Sequence[Verdict]) -> tuple[Certificate, ...]:
    from fsmcheck.obligations.certificates import certificates

    return certificates(case, verdicts)


def _decide(case: Case, obligation: Obligation, unentered: set[str]) -> Verdict:
    if obligation.rule == "FSM303" and (
        obligation.subject.state in unentered or not case.may_enter(obligation.subject.state or "")
    ):
        return Verdict(obligation, "skipped", "none", reason="the state is never entered (FSM203)")
    return decide(case, obligation)


def _rechecked(case: Case, verdicts: list[Verdict]) -> list[Verdict]:
    """Re-check proofs of the explicit engine and of the diagrams by induction in Z3, in a fresh context."""
    verdicts = _rechecked_diagrams(case, verdicts)
    claims = [verdict for verdict in verdicts if _is_claim(verdict, "explicit")]
    if not claims:
        return verdicts
    graph = case.whole
    if graph.complete and len(graph.values) <= SMALL * case.scale:
        return _confirmed(case, verdicts, _by_search(graph, claims))
    room = MOST_RECHECKED
    for group in _by_cone(case, claims):
        if room <= 0:
            break
        first = group[0].obligation
        sliced = case.slice_for(first.rule, first.subject)
        room -= len(sliced.values)
        if sliced.complete and len(sliced.values) <= SMALL * case.scale:
            verdicts = _confirmed(case, verdicts, _by_search(sliced, group))
    return verdicts


def _by_cone(case: Case, claims: Sequence[Verdict]) -> list[list[Verdict]]:
    """The claims of the rules that are always re-checked, those that depend on the same together."""
    cones = case.cones
    groups: dict[frozenset[str], list[Verdict]] = {}
    for verdict in claims:
        about = (verdict.obligation.rule, verdict.obligation.subject)
        if about[0] in BY_INDUCTION and about in cones.by_subject:
            groups.setdefault(cones.by_subject[about], []).append(verdict)
    return list(groups.values())


def _rechecked_diagrams(case: Case, verdicts: list[Verdict]) -> list[Verdict]:
    claims = [verdict for verdict in verdicts if _is_claim(verdict, "diagram")]
    searched = case.diagrams.whole() if claims else None
    if searched is None or searched.diagram.nodes > SMALL_DIAGRAM:
        return verdicts
    from fsmcheck.engines.diagram.invariant import DiagramSet
    from fsmcheck.engines.induction import Induction

    proof = Induction(case.system, DiagramSet(searched.diagram), _keys(claims), "diagram+induction")
    return _confirmed(case, verdicts, proof)


def _is_claim(verdict: Verdict, method: str) -> bool:
    """Whether a verdict says that some event never happens, on the word of an engine."""
    if verdict.method != method:
        return False
    question = QUESTIONS[verdict.obligation.rule]
    never = question is Question.NEVER and verdict.verdict == "proved"
    return never or (question is Question.POSSIBLE and verdict.verdict == "violated")


def _keys(claims: Sequence[Verdict]) -> tuple[Key, ...]:
    return tuple((claim.obligation.rule, claim.obligation.subject, "") for claim in claims)


def _by_search(graph: Graph, claims: Sequence[Verdict]) -> Induction:
    from fsmcheck.engines.induction import Induction, ReachableSet

    return Induction(graph.system, ReachableSet(graph), _keys(claims), "explicit+induction")


def _confirmed(case: Case, verdicts: list[Verdict], proof: Induction) -> list[Verdict]:
    from fsmcheck.engines.induction import check_induction

    checked = check_induction(proof.system, proof.invariant, proof.keys)
    if checked.holds is False:
        engine = "explicit search" if proof.method.startswith("explicit") else "a search by diagrams"
        raise DisagreementError(f"Z3 refutes what {engine} proved: {checked.reason}")
    if checked.holds is None:
        return verdicts
    case.proofs.append(proof)
    confirmed: set[tuple[str, Subject]] = {(key[0], key[1]) for key in proof.keys}
    return [
        replace(verdict, method=proof.method)
        if (verdict.obligation.rule, verdict.obligation.subject) in confirmed
        else verdict
        for verdict in verdicts
    ]
