"""What is known of a state or transition, in a word: the colour and shape it gets in the picture."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping
from typing import Literal

from fsmcheck.diagnostics import Severity, Subject
from fsmcheck.records import dataclass
from fsmcheck.results import SpecReport

Mark = Literal["dead", "violated", "warned", "unknown", "proved", "plain"]
Place = tuple[str, int | None]
"""A state, or with an index a transition of it."""


@dataclass(frozen=True, slots=True)
class Marks:
    """The marks of a spec's places; the gravest counts, so a warning hides a proof of something else."""

    known: Mapping[Place, Mark]

    def at(self, place: Place, *, reachable: bool) -> Mark:
        """The mark of a place; one that no run comes to is dead, whatever is proved of it."""
        return self.known.get(place, "plain") if reachable else "dead"


def marks(spec: SpecReport) -> Marks:
    """What findings and verdicts say of each place. Notes and suppressed findings leave no mark."""
    said: dict[Place, set[Mark]] = defaultdict(set)
    answered = set()
    for finding in spec.findings:
        answered.add((finding.rule, finding.subject))
        if finding.suppressed is not None or finding.severity is Severity.INFO:
            continue
        mark: Mark = "violated" if finding.severity is Severity.ERROR else "warned"
        for place in about(finding.subject):
            said[place].add(mark)
    for obligation in spec.obligations:
        for place in about(obligation.subject):
            if obligation.verdict == "unknown":
                said[place].add("unknown")
            elif obligation.verdict == "proved":
                said[place].add("proved")
            elif obligation.verdict == "violated" and (obligation.rule, obligation.subject) not in answered:
                said[place].add("violated")
    return Marks({place: _gravest(each) for place, each in said.items()})


def about(subject: Subject) -> Iterable[Place]:
    """The places that a subject names: a transition and the later one of a pair, or a state."""
    if subject.state is None:
        return ()
    if subject.transition is None:
        return ((subject.state, None),)
    places = [(subject.state, subject.transition)]
    if subject.other is not None:
        places.append((subject.state, subject.other))
    return places


def _gravest(said: Iterable[Mark]) -> Mark:
    order: tuple[Mark, ...] = ("violated", "unknown", "warned", "proved")
    return next(mark for mark in order if mark in said)
