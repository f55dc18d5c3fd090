"""From the probes that a reducer fails to the clauses that it breaks."""

from __future__ import annotations

from collections.abc import Iterable

from fsmcheck.conformance.clauses import CLAUSES
from fsmcheck.conformance.examine import Miss
from fsmcheck.records import dataclass

_ENDS = ("not-waiting",)
_CAPS = ("cap-iterations", "cap-stage", "cap-agent")
_REJECTIONS = ("unknown-agent", "unknown-field", "type-mismatch", "not-in-values", "empty-value")

_LEANS: dict[str, tuple[str, ...]] = {
    "inputs": ("type-mismatch", "not-in-values", "empty-value", "integer-bound"),
    "start-anew": ("cap-iterations",),
    "re-entry": ("actions-in-sequence", "advance", "document-order", "no-progress", "start-entry", "action-order"),
    "actions-in-sequence": ("start-entry",),
    "assign-simultaneous": ("start-entry", "emptying"),
    "append": ("start-entry",),
    "put": ("start-entry",),
    "emptying": ("start-entry", "no-progress", "document-order"),
    "set-and-empty": ("start-entry",),
    "staging": ("overwriting",),
    "text-parts": ("start-entry",),
    "enum-check": ("start-entry", "emptying"),
    "null-element": ("start-entry", "append", "put"),
    "failed-store": ("start-entry", "action-order", "advance", "actions-in-sequence", *_ENDS),
    "guard-errors": ("document-order", "guards"),
    "gating": ("document-order", *_ENDS),
    "no-progress": ("advance", "document-order"),
    "runaway": ("advance", "document-order", "no-progress"),
    "integer-bound": ("type-mismatch",),
    "who-may-act": ("overwriting",),
    "first-bad-write": _REJECTIONS,
    "rejection-atomic": (*_REJECTIONS, "first-bad-write"),
    "cap-iterations": ("emptying", "document-order", *_ENDS),
    "cap-stage": ("cap-iterations", "overwriting", "who-may-act", "staging", *_ENDS),
    "cap-agent": ("cap-stage", "overwriting", "who-may-act", *_ENDS),
    "visit-counters": (*_CAPS, "re-entry", "emptying", "no-progress"),
    "counting": (*_CAPS, "unknown-agent", "unknown-field", *_ENDS),
    "cap-name": ("cap-iterations", "cap-stage"),
    "arithmetic": ("start-entry", "actions-in-sequence"),
    "absorption": ("guard-errors", "document-order"),
    "access": ("guard-errors", "document-order"),
    "text-size": ("document-order",),
    "functions": ("absorption", "guard-errors", "document-order", "start-entry"),
}
"""For each clause those that its probes cannot do without, so that a break of these shows in them, too."""

_UNPROBED = ("loading", "protocol")
_ALWAYS = ("loading", "protocol", "defaults")
_ACTING = ("staging", "gating")


@dataclass(frozen=True, slots=True)
class Break:
    """A clause that is broken: the misses that speak of it, and clauses whose probes may fail only because of it."""

    clause: str
    misses: tuple[Miss, ...]
    may_follow: tuple[str, ...]

    @property
    def says(self) -> str:
        return CLAUSES[self.clause]


def broken_clauses(misses: Iterable[Miss]) -> tuple[Break, ...]:
    """The clauses that a reducer breaks, in the order of the catalogue.

    A miss of a probe speaks of the probe's clause, unless the difference is about another one, which then has to
    have failed a probe of its own in that very way. Misses of suites speak of what their differences are about.
    What may follow from another broken clause is listed with it.
    """
    misses = list(misses)
    probed = [miss for miss in misses if miss.job.clause is not None]
    confirmed = {miss.deviation.clause for miss in probed if miss.deviation.clause in (miss.job.clause, *_UNPROBED)}
    found: dict[str, list[Miss]] = {}
    for miss in probed:
        about = miss.deviation.clause
        found.setdefault(about if about in confirmed else miss.job.clause or about, []).append(miss)
    if not probed:
        for miss in misses:
            found.setdefault(miss.deviation.clause, []).append(miss)
    roots = [clause for clause in CLAUSES if clause in found and not _needs(clause, found)]
    roots = roots or [clause for clause in CLAUSES if clause in found]
    return tuple(
        Break(
            root, tuple(found[root]), tuple(c for c in CLAUSES if c in found and c not in roots and root in _below(c))
        )
        for root in roots
    )


def _needs(clause: str, broken: Iterable[str]) -> bool:
    below = _below(clause)
    return any(other in below for other in broken if other != clause)


def _below(clause: str) -> set[str]:
    """Everything that the probes of a clause lean on, directly or by way of others."""
    found: set[str] = set()
    pending = [clause]
    while pending:
        for other in _directly(pending.pop()):
            if other not in found and other != clause:
                found.add(other)
                pending.append(other)
    return found


def _directly(clause: str) -> tuple[str, ...]:
    if clause in _ALWAYS:
        return tuple(other for other in _ALWAYS if _ALWAYS.index(other) < _ALWAYS.index(clause))
    basis = _LEANS.get(clause, ())
    if clause in ("set-and-empty", "start-entry"):
        return (*basis, *_ALWAYS)
    return (*basis, *_ALWAYS, "set-and-empty", *(_ACTING if clause in _EXCHANGES else ()))


_EXCHANGES = frozenset(
    (
        "start-anew",
        "awaits",
        "who-may-act",
        "first-bad-write",
        "rejection-atomic",
        "integer-bound",
        "visit-counters",
        "counting",
        "cap-name",
        *_ENDS,
        *_CAPS,
        *_REJECTIONS,
        "not-authorised",
        "not-writable",
    )
)
