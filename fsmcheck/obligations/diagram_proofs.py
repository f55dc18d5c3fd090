"""What proofs by decision diagrams rest on: the sets as an invariant, where solvers can be asked about them.

A claim that some event never happens is proved by the reachable sets alone, whatever found them. They are checked here
by induction in Z3 before they are written out, so that no certificate is made that solvers would not get through.
"""

from __future__ import annotations

import time
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING

from fsmcheck.engines.diagram.budget import BudgetError
from fsmcheck.engines.disagreement import DisagreementError
from fsmcheck.engines.explicit import Key
from fsmcheck.obligations.case import Case
from fsmcheck.obligations.diagrams import Searched
from fsmcheck.obligations.obligation import QUESTIONS, Question, Verdict
from fsmcheck.records import dataclass
from fsmcheck.system.events import BOTH, ONLY_EARLIER, ONLY_LATER, PARKS

if TYPE_CHECKING:
    from fsmcheck.engines.induction import Induction

METHODS = ("diagram", "diagram+induction")
CONFIRMED = "diagram+induction"

MOST_NODES = 1_000
"""Nodes of the reachable sets above which solvers are not asked: they take seconds for some hundreds, and minutes for
twice as many."""

MOST_CLAIMS = 500
"""Claims of one certificate; with them grows how long a solver takes for it."""

SECONDS = 30.0
"""Wall time for the induction in Z3."""


@dataclass(frozen=True, slots=True)
class Written:
    """Verdicts of ``proofs``, each with those that it is about; of the ``others`` it is only said what was found,
    ``reason`` being why solvers cannot be asked about those that need no more than the sets."""

    proofs: tuple[tuple[Induction, tuple[Verdict, ...]], ...]
    others: tuple[Verdict, ...]
    reason: str = ""


def diagram_proofs(case: Case, verdicts: Sequence[Verdict]) -> Written:
    """What the verdicts by diagrams rest on. Raises ``DisagreementError`` where Z3 refutes one."""
    asked = [verdict for verdict in verdicts if verdict.method in METHODS and verdict.trace is None]
    asked = [verdict for verdict in asked if verdict.verdict in ("proved", "violated")]
    searched = case.diagrams.whole() if asked else None
    keys = {} if searched is None else {place: _excluded(searched, found) for place, found in enumerate(asked)}
    claims = [(asked[place], key) for place, key in keys.items() if key is not None]
    others = tuple(found for place, found in enumerate(asked) if keys.get(place) is None)
    if searched is None or not claims:
        return Written((), others)
    reason = _unconfirmed(case, searched, [key for _, key in claims])
    if reason:
        return Written((), tuple(asked), reason)
    parts = (claims[start : start + MOST_CLAIMS] for start in range(0, len(claims), MOST_CLAIMS))
    return Written(tuple(_proof(case, searched, part) for part in parts), others)


def is_about_events(verdict: Verdict) -> bool:
    """Whether a claim is that some event never happens."""
    question = QUESTIONS[verdict.obligation.rule]
    return question in (Question.NEVER, Question.POSSIBLE, Question.OVERLAP)


def _excluded(searched: Searched, verdict: Verdict) -> Key | None:
    """The event of which a verdict says that it never happens."""
    obligation = verdict.obligation
    try:
        for which in cases_of(obligation.rule, verdict.verdict):
            key = (obligation.rule, obligation.subject, which)
            if not searched.happens(key):
                return key
    except BudgetError:
        pass
    return None


def cases_of(rule: str, verdict: str) -> tuple[str, ...]:
    """The cases of the event of a rule any one of which makes for a verdict if it never happens."""
    return {
        (Question.NEVER, "proved"): ("",),
        (Question.POSSIBLE, "proved"): (PARKS,) if rule == "FSM111" else (),
        (Question.POSSIBLE, "violated"): ("",),
        (Question.OVERLAP, "proved"): (BOTH, ONLY_EARLIER, ONLY_LATER),
    }.get((QUESTIONS[rule], verdict), ())


def _unconfirmed(case: Case, searched: Searched, keys: Iterable[Key]) -> str:
    """Why Z3 does not confirm that events never happen; nothing where it does."""
    nodes = searched.diagram.nodes
    if nodes > MOST_NODES:
        return f"{nodes} nodes are more than the {MOST_NODES} up to which solvers are asked"
    known = {key for proof in case.proofs if proof.method == CONFIRMED for key in proof.keys}
    rest = [key for key in keys if key not in known]
    if not rest:
        return ""
    from fsmcheck.engines.diagram.invariant import DiagramSet
    from fsmcheck.engines.induction import check_induction

    deadline = time.monotonic() + SECONDS
    checked = check_induction(case.system, DiagramSet(searched.diagram), rest, lambda: time.monotonic() > deadline)
    if checked.holds is False:
        raise DisagreementError(f"Z3 refutes what a search by diagrams proved: {checked.reason}")
    return "" if checked.holds else f"Z3 gives up on it ({checked.reason})"


def _proof(
    case: Case, searched: Searched, claims: Sequence[tuple[Verdict, Key]]
) -> tuple[Induction, tuple[Verdict, ...]]:
    from fsmcheck.engines.diagram.invariant import DiagramSet
    from fsmcheck.engines.induction import Induction

    keys = tuple(key for _, key in claims)
    proof = Induction(case.system, DiagramSet(searched.diagram), keys, CONFIRMED)
    return proof, tuple(verdict for verdict, _ in claims)
