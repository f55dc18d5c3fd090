"""What is settled beyond an explicit search, where that met something that no run confirms, or was cut off: by a search
that knows where the machine makes no progress, and by Z3."""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import replace

from fsmcheck.engines.explicit import Graph, Hit, Key
from fsmcheck.obligations.case import Case, Finder
from fsmcheck.obligations.obligation import Obligation, Verdict
from fsmcheck.obligations.searched import coarse, gave_up, undecided
from fsmcheck.obligations.settle import Settled, has_integers, settle
from fsmcheck.system.slice import slice_system
from fsmcheck.system.system import System


def beyond_search(
    case: Case, obligation: Obligation, graph: Graph, hits: Sequence[Hit], find: Finder
) -> Settled | Verdict:
    """What is settled where explicit search met hits that no run confirms, or was cut off; else the open verdict.

    Without integers Z3 could tell no more than a complete search did.
    """
    sources = [hit.source for hit in hits]
    open_verdict = undecided(obligation, graph, coarse(case), sources) if hits else gave_up(obligation, graph)
    key = (obligation.rule, obligation.subject, "")
    if graph.complete and not case.exhausted:
        ended = case.standstill.settled(key, find)
        if ended is not None:
            return ended
    system = asking(case, key)
    if case.exhausted or (graph.complete and not has_integers(system)):
        return open_verdict
    known = case.recall(obligation) if graph.complete else None
    if known is not None:
        return known
    settled = asked_z3(case, system, key, find)
    if settled.found is None and not settled.excluded:
        return replace(open_verdict, reason=settled.reason)
    return settled


def asking(case: Case, key: Key) -> System:
    """The slice that one question depends on."""
    return slice_system(case.system, lambda event: (event.rule, event.subject, event.case) == key)


def asked_z3(case: Case, system: System, key: Key, find: Finder) -> Settled:
    """What Z3 says of one question, to the slice that it depends on; ``find`` looks for what is asked in a run."""
    began = time.process_time()
    settled = settle(system, key, lambda moves: case.show_moves(system, moves, find), case.seconds_left)
    if settled.found is None and not settled.excluded:
        case.wasted += time.process_time() - began
    if settled.proof is not None:
        case.proofs.append(settled.proof)
    return settled
