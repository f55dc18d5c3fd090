"""The one place where the oracle's harness touches the product: adapt here when its API changes."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from fsmcheck.cel.types import Kind
from fsmcheck.check import verdicts
from fsmcheck.diagnostics import Subject
from fsmcheck.engines.diagram.search import explore_symbolically
from fsmcheck.engines.explicit import Graph, Limits, explore
from fsmcheck.engines.horn import solve
from fsmcheck.engines.induction import check_induction
from fsmcheck.engines.symbolic import bounded_search, k_induction
from fsmcheck.obligations.case import Case, make_case
from fsmcheck.obligations.decide import profile_named
from fsmcheck.obligations.obligation import QUESTIONS, Question
from fsmcheck.spec.model import Spec
from fsmcheck.system.slice import slice_system
from fsmcheck.system.translate import translate
from tests.engines.systems import happening, is_finite
from tests.oracle.compare import ANY, Decisions, Outside, Reach

ASKED = 3
DEPTH = 10


def verdicts_of(spec: Spec, profile: str) -> Decisions:
    """The product's verdict on every behaviour obligation of a spec."""
    return verdicts(spec, profile)


def reachable_of(spec: Spec, profile: str) -> Reach | None:
    """The product's reachable set by explicit search of the whole system."""
    case = make_case(spec, profile_named(profile), Limits())
    graph = case.whole
    depths: dict[tuple[str, tuple[object, ...]], int | None] = {}
    for number in range(1, len(graph.values)):
        key = (graph.location(number).state, _store(case, graph, number))
        depth = graph.depths[number]
        known = depths.get(key)
        depths[key] = depth if known is None else min(known, depth)
    return Reach(depths, graph.complete)


def _store(case: Case, graph: Graph, number: int) -> tuple[object, ...]:
    packed = dict(zip(graph.packing.index, graph.values[number], strict=True))
    return tuple(_component(case, graph, name, packed) for name in case.layout.store)


def _component(case: Case, graph: Graph, name: str, packed: dict[str, int]) -> object:
    layout = case.layout
    match layout.types[name].kind:
        case Kind.STRING | Kind.ENUM:
            text_class = layout.domains.text[name]
            texts = {index: text for text, index in text_class.literals.items()}
            if packed[name] not in texts and layout.types[name].kind is Kind.ENUM:
                return ANY
            return texts.get(packed[name], Outside(frozenset(text_class.literals)))
        case Kind.BOOLEAN:
            return None if packed[f"{name}.null"] else bool(packed[name])
        case Kind.INTEGER:
            if packed[f"{name}.null"]:
                return None
            return _point(graph, name, packed[name])
        case Kind.NUMBER:
            region = packed[name]
            if region == 0:
                return None
            return layout.domains.cuts[(region - 3) // 2] if region % 2 == 1 and region > 1 else ANY
        case _:
            return _point(graph, f"{name}.size", packed[f"{name}.size"])


def _point(graph: Graph, variable: str, index: int) -> object:
    low, high = graph.packing.intervals[variable][index]
    return int(low) if low == high else ANY


def complaints_of(
    spec: Spec, profile: str, failing: Sequence[tuple[str, Subject]]
) -> Iterator[tuple[str, Subject, str]]:
    """Where an engine denies something that brute force has seen happen, or sees it at another depth."""
    system = translate(spec, profile)
    posed = {(event.rule, event.subject) for step in system.steps for event in step.events if not event.case}
    asked = [key for key in failing if QUESTIONS.get(key[0]) is Question.NEVER and key in posed]
    for rule, subject in asked[:: max(1, len(asked) // ASKED)][:ASKED]:
        key = (rule, subject, "")
        sliced = slice_system(system, lambda event, key=key: (event.rule, event.subject, event.case) == key)  # type: ignore[misc]
        graph = explore(sliced, Limits(configurations=4_000))
        if not graph.complete:
            continue
        diagram = explore_symbolically(sliced)
        if not diagram.complete or diagram.count != len(graph.values):
            yield rule, subject, f"diagrams: {diagram.count} configurations, explicit search: {len(graph.values)}"
        elif not diagram.happens(key):
            yield rule, subject, "a search by diagrams does not see it"
        depth = happening(graph).get(key)
        if depth is None:
            yield rule, subject, "explicit search does not see it"
            continue
        if depth < DEPTH:
            answer = bounded_search(sliced, [key], DEPTH)
            wrong = answer.depth != depth if is_finite(sliced) else answer.depth < depth
            if wrong or (is_finite(sliced) and answer.moves is None):
                yield rule, subject, f"bounded search: {answer.depth} steps, explicit search: {depth}"
        if k_induction(sliced, [key], 3) is not None:
            yield rule, subject, "k-induction excludes it"
        found = solve(sliced, [key])
        if found.safe and found.invariant is not None:
            holds = check_induction(sliced, found.invariant, [key]).holds
            yield rule, subject, f"Spacer excludes it, with an invariant of which induction says {holds}"
