"""Certificates of what was proved: which proof each verdict rests on, as ``fsmcheck.certificate/1`` documents."""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Mapping, Sequence

from fsmcheck import __version__
from fsmcheck.diagnostics import Subject
from fsmcheck.engines.certificate import script
from fsmcheck.engines.explicit import Graph
from fsmcheck.engines.induction import Induction
from fsmcheck.obligations.case import Case
from fsmcheck.obligations.diagram_proofs import METHODS, Written, diagram_proofs, is_about_events
from fsmcheck.obligations.obligation import QUESTIONS, Question, Verdict
from fsmcheck.results import Certificate

SCHEMA = "fsmcheck.certificate/1"
_UNSAFE = re.compile(r"[^A-Za-z0-9_-]+")
_LONGEST = 60

_SAYS: Mapping[Question, str] = {
    Question.NEVER: "it happens in no reachable configuration",
    Question.POSSIBLE: "it happens in no reachable configuration",
    Question.OVERLAP: "of the stores that show an overlap (both, only the one, only the other) one is not reachable",
    Question.ENDS: "from every reachable configuration at rest there some continuation reaches a terminal state",
    Question.COOL: "no advance goes round there or takes more microsteps than the limit",
    Question.BOUNDED: "no run turns these loops without end",
    Question.CAP: "no run gets by with what the cap allows",
}
_OF_THE_MACHINE = frozenset({Question.ENDS, Question.COOL, Question.BOUNDED, Question.CAP})
"""Questions that are answered on the search without bookkeeping."""


def certificates(case: Case, verdicts: Sequence[Verdict]) -> tuple[Certificate, ...]:
    """Certificates of all verdicts that rest on induction or on a complete search, not of those that a run shows.

    Raises ``DisagreementError`` where Z3 refutes one that rests on diagrams.
    """
    found = []
    for proof in case.proofs:
        claimed = [verdict for verdict in verdicts if verdict.method not in METHODS and _rests_on(verdict, proof)]
        if claimed:
            found.append(_induction(case, proof, claimed))
    by_diagram = diagram_proofs(case, verdicts)
    found += [_induction(case, proof, claimed) for proof, claimed in by_diagram.proofs]
    found += _stated(case, by_diagram)
    groups: dict[int, tuple[Graph, list[Verdict]]] = {}
    for verdict in verdicts:
        if _is_explicit(verdict):
            graph = _searched(case, verdict)
            groups.setdefault(id(graph), (graph, []))[1].append(verdict)
    return (*found, *(_explicit(case, graph, claimed) for graph, claimed in groups.values() if graph.complete))


def _rests_on(verdict: Verdict, proof: Induction) -> bool:
    obligation = verdict.obligation
    return verdict.method == proof.method and any(
        key[:2] == (obligation.rule, obligation.subject) for key in proof.keys
    )


def _is_explicit(verdict: Verdict) -> bool:
    decided = verdict.verdict in ("proved", "violated") and verdict.trace is None
    return decided and verdict.method in ("explicit", "explicit+measure")


def _is_of_the_machine(verdict: Verdict) -> bool:
    return QUESTIONS[verdict.obligation.rule] in _OF_THE_MACHINE


def _searched(case: Case, verdict: Verdict) -> Graph:
    if _is_of_the_machine(verdict):
        ended = case.standstill.base if verdict.obligation in case.ended_at_a_standstill else None
        return case.base if ended is None else ended.graph
    return case.graph_for(verdict.obligation.rule, verdict.obligation.subject)


def _induction(case: Case, proof: Induction, claimed: Sequence[Verdict]) -> Certificate:
    claims = [(verdict.obligation.rule, verdict.obligation.subject) for verdict in claimed]
    keys = tuple(next(key for key in proof.keys if key[:2] == claim) for claim in claims)
    identity = _identity(case)
    heading = (
        f"{SCHEMA}: every check below has to be answered with unsat.",
        f"spec {json.dumps(identity['name'])}, version {json.dumps(identity['version'])}, {case.profile}",
        f"sha256 {identity['sha256']}",
    )
    written = script(proof.system, proof.invariant, keys, heading)
    manifest = {
        **_shared(case, "induction"),
        "method": proof.method,
        "script": {"sha256": hashlib.sha256(written.text.encode()).hexdigest()},
        "claims": [{**_claim(verdict), "bad": f"bad_{number}"} for number, verdict in enumerate(claimed)],
        "checks": [{"check": check, "expected": "unsat"} for check in written.checks],
    }
    return Certificate(_name(case, manifest), _claims(claimed), manifest, written.text)


def _explicit(case: Case, graph: Graph, claimed: Sequence[Verdict]) -> Certificate:
    manifest = {
        **_shared(case, "explicit"),
        "configurations": len(graph.values),
        "digest": graph.digest(),
        "claims": [{**_claim(verdict), "method": verdict.method, "says": _says(verdict)} for verdict in claimed],
    }
    return Certificate(_name(case, manifest), _claims(claimed), manifest)


def _stated(case: Case, written: Written) -> list[Certificate]:
    """What is only said of searches by diagrams: one certificate for each search."""
    from fsmcheck.engines.diagram.invariant import DiagramSet

    found = []
    for searched, about_machine in ((case.diagrams.whole, False), (case.diagrams.base, True)):
        claimed = [each for each in written.others if _is_of_the_machine(each) == about_machine]
        search = searched() if claimed else None
        if search is None:
            continue
        manifest = {
            **_shared(case, "diagram"),
            "configurations": search.diagram.count,
            "nodes": search.diagram.nodes,
            "digest": DiagramSet(search.diagram).digest(),
            "claims": [
                {**_claim(verdict), "method": verdict.method, "says": _says(verdict) + _unwritten(verdict, written)}
                for verdict in claimed
            ],
        }
        found.append(Certificate(_name(case, manifest), _claims(claimed), manifest))
    return found


def _unwritten(verdict: Verdict, written: Written) -> str:
    return f"; not for solvers: {written.reason}" if written.reason and is_about_events(verdict) else ""


def _claims(claimed: Sequence[Verdict]) -> tuple[tuple[str, Subject], ...]:
    return tuple((verdict.obligation.rule, verdict.obligation.subject) for verdict in claimed)


def _identity(case: Case) -> dict[str, object]:
    name = case.spec.name.text if case.spec.name else None
    return {"name": name, "version": case.spec.version, "sha256": case.spec.sha256}


def _shared(case: Case, kind: str) -> dict[str, object]:
    return {
        "schema": SCHEMA,
        "kind": kind,
        "spec": _identity(case),
        "profile": case.profile,
        "tool": {"name": "fsmcheck", "version": __version__},
    }


def _claim(verdict: Verdict) -> dict[str, object]:
    obligation = verdict.obligation
    return {"rule": obligation.rule, "subject": obligation.subject.as_dict(), "verdict": verdict.verdict}


def _says(verdict: Verdict) -> str:
    if verdict.vacuous and verdict.reason:
        return verdict.reason
    measured = ", by a progress measure that is not part of this" if verdict.method == "explicit+measure" else ""
    return _SAYS[QUESTIONS[verdict.obligation.rule]] + measured


def _name(case: Case, manifest: Mapping[str, object]) -> str:
    """A file name, safe whatever the spec is called, that is another for other contents."""
    digest = hashlib.sha256(json.dumps(manifest, sort_keys=True).encode()).hexdigest()
    called = _UNSAFE.sub("_", case.spec.name.text if case.spec.name else "spec")[:_LONGEST].lstrip("-")
    return f"{called or 'spec'}-{case.profile}-{digest[:16]}"
