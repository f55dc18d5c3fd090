"""What a report does without besides verdicts, since processes were lost or memory was short: one clause each.

Verdicts say it themselves. A report that lacks anything else is right as far as it goes, and is not remembered.
"""

from __future__ import annotations

from collections.abc import Sequence

from fsmcheck.obligations.answers import Answers
from fsmcheck.obligations.case import Case
from fsmcheck.obligations.obligation import Verdict
from fsmcheck.obligations.recheck import is_claim


def shortfall(case: Case, answers: Answers) -> tuple[str, ...]:
    """What is missing where a spec was decided to the end, some of it by others, who gave these ``answers``."""
    found = []
    if answers.unfigured:
        found.append(_without_figures(answers.unfigured))
    if answers.unconfirmed:
        found.append(_without_confirmation(answers.unconfirmed))
    if not case.whole.complete and case.layers.short:
        found.append(f"layers were not searched to the end: {case.layers.short}")
    return tuple(found)


def after_giving_up(verdicts: Sequence[Verdict], reason: str) -> tuple[str, ...]:
    """What is missing where a spec was given up for a ``reason`` after it was brought to some verdicts."""
    proofs = any(is_claim(verdict, "explicit") or is_claim(verdict, "diagram") for verdict in verdicts)
    return (_without_figures(reason), *((_without_confirmation(reason),) if proofs else ()))


def _without_figures(reason: str) -> str:
    return f"no figures: {reason}"


def _without_confirmation(reason: str) -> str:
    return f"Z3 was not asked for a second opinion on the proofs of searches: {reason}"
