"""What a search admits only because it lets an advance go on for ever that makes no progress.

Asked where an event of a complete search is shown by no run: a second search knows the sure ends of such advances, see
``system.standstill``. What does not happen there is checked again by induction in Z3, as for any search; what does is
performed again, along another way.
"""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING

from fsmcheck.engines.explicit import Graph, Key, Limits, explore
from fsmcheck.engines.induction import Induction, ReachableSet
from fsmcheck.engines.survey import Survey
from fsmcheck.obligations.recheck import SEARCHED_TWICE, SMALL, holds
from fsmcheck.obligations.settle import Settled
from fsmcheck.records import dataclass
from fsmcheck.system.slice import slice_system
from fsmcheck.system.standstill import with_standstill
from fsmcheck.system.system import System

if TYPE_CHECKING:
    from fsmcheck.obligations.case import Case, Finder


@dataclass(frozen=True)
class Standstill:
    """The searches of a case that know where an advance surely ends; there are none where it cannot come back to where
    it was without a change, or where they are too large."""

    case: Case

    @cached_property
    def _system(self) -> System | None:
        """What no question depends on is part of the store all the same: where that changes, the machine goes on."""
        if self.case.is_wide and not self.case.whole.complete:
            return None
        ended = with_standstill(self.case.entire, self.case.layout)
        if ended is None or self.case.is_entire:
            return ended
        asked = {(event.rule, event.subject, event.case) for step in self.case.system.steps for event in step.events}
        return slice_system(ended, lambda event: (event.rule, event.subject, event.case) in asked)

    @cached_property
    def _whole(self) -> Graph | None:
        return self._searched(self._system)

    @cached_property
    def base(self) -> Survey | None:
        """What there is to know of the machine alone."""
        if self._system is None:
            return None
        graph = self._searched(slice_system(self._system, lambda _event: False))
        return None if graph is None else Survey(graph)

    def _searched(self, system: System | None) -> Graph | None:
        if system is None:
            return None
        graph = explore(system, Limits(SMALL * self.case.scale, self.case.seconds_left))
        return graph if graph.complete else None

    def settled(self, key: Key, find: Finder) -> Settled | None:
        """Whether an event can happen, where that is known here."""
        graph = self._whole
        if graph is None:
            return None
        hits = graph.hits.get(key, [])
        if hits:
            shown = self.case.show_hit(graph, hits, find)
            return None if shown is None else Settled(found=shown, method="explicit")
        return None if self._proof is None else Settled(excluded=True, method=self._proof.method, proof=self._proof)

    @cached_property
    def _proof(self) -> Induction | None:
        """That nothing happens of what the other search admits, or was cut off before, and this one does not; None
        where Z3 gave up."""
        graph, other = self._whole, self.case.whole
        if graph is None:
            return None
        admitted = other.hits if other.complete else {(rule, subject, ""): None for rule, subject in graph.asked}
        gone = [key for key in admitted if key not in graph.hits and not key[2]]
        gone.sort(key=lambda key: (key[0], key[1].sort_key()))
        proof = Induction(graph.system, ReachableSet(graph), tuple(gone), SEARCHED_TWICE)
        if not holds(proof):
            return None
        self.case.proofs.append(proof)
        return proof
