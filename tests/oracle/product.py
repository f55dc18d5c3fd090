"""The one place where the oracle's harness touches the product: adapt here when its API changes."""

from __future__ import annotations

from fsmcheck.cel.types import Kind
from fsmcheck.check import verdicts
from fsmcheck.engines.explicit import Graph, Limits
from fsmcheck.obligations.case import Case, make_case
from fsmcheck.obligations.decide import profile_named
from fsmcheck.spec.model import Spec
from tests.oracle.compare import ANY, Decisions, Outside, Reach


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
