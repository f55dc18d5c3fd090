"""Whether two transitions of a state can both be enabled, and each without the other."""

from __future__ import annotations

from dataclasses import replace

from fsmcheck.obligations.beyond import asked_z3, asking
from fsmcheck.obligations.case import Case
from fsmcheck.obligations.confirm import Shown, overlap_finder
from fsmcheck.obligations.obligation import Obligation, Verdict
from fsmcheck.obligations.searched import coarse, gave_up, undecided, violated
from fsmcheck.obligations.settle import has_integers
from fsmcheck.system.events import BOTH, ONLY_EARLIER, ONLY_LATER


def decide_overlap(case: Case, obligation: Obligation) -> Verdict:
    """The verdict by explicit search, with Z3 where that leaves one of three kinds of store open."""
    graph = case.graph_for(obligation.rule, obligation.subject)
    found: dict[str, Shown] = {}
    key = (obligation.rule, obligation.subject)
    for which in (BOTH, ONLY_EARLIER, ONLY_LATER):
        hits = graph.hits.get((*key, which), [])
        if not hits and graph.complete:
            vacuous = all((*key, other) not in graph.hits for other in (BOTH, ONLY_EARLIER, ONLY_LATER))
            reason = "vacuous: neither is true where the requirements are met" if vacuous else None
            return Verdict(obligation, "proved", "explicit", reason=reason, vacuous=vacuous)
        find = overlap_finder(case.spec, obligation.subject, which)
        shown = case.show_hit(graph, hits, find)
        if shown is None:
            system = asking(case, (*key, which))
            if has_integers(system) or not graph.complete:
                known = case.recall(obligation) if graph.complete else None
                if known is not None:
                    return known
                settled = asked_z3(case, system, (*key, which), find)
                if settled.excluded:
                    return Verdict(obligation, "proved", settled.method)
                shown = settled.found
        if shown is not None:
            found[which] = shown
    if len(found) == len((BOTH, ONLY_EARLIER, ONLY_LATER)):
        stores = {which: shown.detail["store"] for which, shown in found.items()}
        both = found[BOTH]
        return violated(case, obligation, replace(both, detail={**both.detail, "stores": stores}))
    return undecided(obligation, graph, coarse(case)) if graph.complete else gave_up(obligation, graph)
