"""Proofs of the searches, checked again by induction in Z3, in a context of its own."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from fsmcheck.diagnostics import Subject
from fsmcheck.engines.disagreement import DisagreementError
from fsmcheck.engines.explicit import Graph, Key
from fsmcheck.obligations.case import Case
from fsmcheck.obligations.conditions import Conditions, condition_digests
from fsmcheck.obligations.obligation import QUESTIONS, Question, Verdict
from fsmcheck.system.system import Location

if TYPE_CHECKING:
    from fsmcheck.engines.induction import Induction

SMALL = 4_000
"""Searches of up to this many configurations are re-checked whole by induction in Z3."""

SMALL_DIAGRAM = 250
"""Reachable sets of up to this many nodes are re-checked by induction in Z3."""

MOST_RECHECKED = 100_000
"""Configurations of the slices in which proofs are re-checked."""

SEARCHED_TWICE = "explicit+induction"
"""The method of proofs by explicit search that Z3 confirmed."""

BY_INDUCTION = ("FSM301", "FSM403")
"""Rules whose proofs are always re-checked in Z3, in a slice of their own where the whole is too large."""


def is_rechecked_whole(case: Case) -> bool:
    """Whether the whole search is small enough to be checked again."""
    return case.whole.complete and len(case.whole.values) <= SMALL * case.scale


def is_confirmed(verdicts: Sequence[Verdict]) -> bool:
    """Whether Z3 confirmed whatever a complete search says of events that never happen."""
    return not any(is_claim(verdict, "explicit") for verdict in verdicts)


def rechecked(
    case: Case, verdicts: list[Verdict], conditions: Conditions, excluded: frozenset[Key] = frozenset()
) -> list[Verdict]:
    """The verdicts, with the proofs of the explicit engine and of the diagrams re-checked where that is within reach;
    but for ``conditions`` that are known to hold, or where the whole induction was made already: that no event of
    ``excluded`` happens in the whole search.

    Raises ``DisagreementError`` where Z3 refutes one.
    """
    verdicts = _rechecked_diagrams(case, verdicts)
    claims = [verdict for verdict in verdicts if is_claim(verdict, "explicit")]
    if not claims:
        return verdicts
    graph = case.whole
    if is_rechecked_whole(case):
        if excluded.issuperset(_keys(claims)):
            return _named(verdicts, _keys(claims), SEARCHED_TWICE)
        return _confirmed_search(case, verdicts, graph, claims, conditions)
    room = MOST_RECHECKED
    for group in _by_cone(case, claims):
        if room <= 0:
            break
        first = group[0].obligation
        sliced = case.slice_for(first.rule, first.subject)
        room -= len(sliced.values)
        if sliced.complete and len(sliced.values) <= SMALL * case.scale:
            verdicts = _confirmed_search(case, verdicts, sliced, group, conditions)
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
    claims = [verdict for verdict in verdicts if is_claim(verdict, "diagram")]
    searched = case.diagrams.whole() if claims else None
    if searched is None or searched.diagram.nodes > SMALL_DIAGRAM:
        return verdicts
    from fsmcheck.engines.diagram.invariant import DiagramSet
    from fsmcheck.engines.induction import Induction

    proof = Induction(case.system, DiagramSet(searched.diagram), _keys(claims), "diagram+induction")
    return _confirmed_diagram(case, verdicts, proof)


def is_claim(verdict: Verdict, method: str) -> bool:
    """Whether a verdict says that some event never happens, on the word of an engine."""
    if verdict.method != method:
        return False
    question = QUESTIONS[verdict.obligation.rule]
    never = question is Question.NEVER and verdict.verdict == "proved"
    return never or (question is Question.POSSIBLE and verdict.verdict == "violated")


def _keys(claims: Sequence[Verdict]) -> tuple[Key, ...]:
    return tuple((claim.obligation.rule, claim.obligation.subject, "") for claim in claims)


def _confirmed_search(
    case: Case, verdicts: list[Verdict], graph: Graph, claims: Sequence[Verdict], conditions: Conditions
) -> list[Verdict]:
    keys = _keys(claims)
    digests = condition_digests(graph, keys) if conditions.remembers else {}
    known = conditions.known(digests.values())
    open_ = frozenset(location for location in graph.system.locations if digests.get(location) not in known)
    if open_:
        from fsmcheck.engines.induction import Induction, ReachableSet

        proof = Induction(graph.system, ReachableSet(graph), keys, SEARCHED_TWICE)
        if not holds(proof, open_):
            return verdicts
        case.proofs.append(proof)
        conditions.keep(digests[location] for location in open_)
    return _named(verdicts, keys, SEARCHED_TWICE)


def _confirmed_diagram(case: Case, verdicts: list[Verdict], proof: Induction) -> list[Verdict]:
    if not holds(proof):
        return verdicts
    case.proofs.append(proof)
    return _named(verdicts, proof.keys, proof.method)


def holds(proof: Induction, sources: frozenset[Location] | None = None) -> bool:
    """Whether Z3 says so; it may give up. Raises ``DisagreementError`` where it says the contrary."""
    from fsmcheck.engines.induction import check_induction

    checked = check_induction(proof.system, proof.invariant, proof.keys, sources=sources)
    if checked.holds is False:
        engine = "explicit search" if proof.method.startswith("explicit") else "a search by diagrams"
        raise DisagreementError(f"Z3 refutes what {engine} proved: {checked.reason}")
    return checked.holds is True


def _named(verdicts: list[Verdict], keys: Sequence[Key], method: str) -> list[Verdict]:
    """The verdicts, those on ``keys`` by this method."""
    confirmed: set[tuple[str, Subject]] = {(key[0], key[1]) for key in keys}
    return [
        replace(verdict, method=method)
        if (verdict.obligation.rule, verdict.obligation.subject) in confirmed
        else verdict
        for verdict in verdicts
    ]
