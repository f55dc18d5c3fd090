"""What a search of layers found, told in the words of explicit search."""

from __future__ import annotations

from collections import Counter
from typing import Any

from fsmcheck.engines.explicit import Graph
from fsmcheck.engines.frontier.search import Frontier
from fsmcheck.system.system import Location


def lengths(frontier: Frontier, sets: list[Any]) -> dict[Location, int]:
    """How many configurations sets have, by location, the empty ones left out."""
    pairs = zip(frontier.system.locations, sets, strict=True)
    return {location: len(members) for location, members in pairs if len(members)}


def members(frontier: Frontier) -> set[tuple[int, tuple[int, ...]]]:
    """All configurations, each with the number of its location."""
    decode = frontier.setting.codes.decode
    return {
        (place, decode(int(code))) for place in range(len(frontier.reached)) for code in frontier.at(place).tolist()
    }


def differences(frontier: Frontier, graph: Graph) -> list[str]:
    """Where a search of layers and an explicit one do not agree; both complete."""
    found = []
    if members(frontier) != set(zip(graph.locations, graph.values, strict=True)):
        found.append("configurations")
    if frontier.counts != dict(Counter(map(graph.location, range(len(graph.values))))):
        found.append("counts")
    if frontier.count != len(graph.values):
        found.append("count")
    if frontier.hits.keys() != graph.hits.keys():
        found.append(f"events {frontier.hits.keys() ^ graph.hits.keys()}")
    if frontier.depths != dict(Counter(graph.depths)):
        found.append("depths")
    first: dict[int, int] = {}
    for place, depth in zip(graph.locations, graph.depths, strict=True):
        first[place] = min(depth, first.get(place, depth))
    if frontier.first != first:
        found.append("fewest exchanges")
    return found
