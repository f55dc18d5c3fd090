"""Is a concrete store one of those that an abstract configuration stands for?"""

from __future__ import annotations

from collections.abc import Mapping

from fsmcheck.cel.values import Value
from fsmcheck.engines.explicit import Graph
from fsmcheck.system.layout import Layout


def abstract_store(layout: Layout, graph: Graph, store: Mapping[str, Value]) -> dict[str, int]:
    """The packed value of every variable of the store that the graph's system kept."""
    found: dict[str, int] = {}
    for name in layout.store:
        for variable, term in layout.assignments(name, layout.of_value(name, store[name])).items():
            if variable in graph.packing.index:
                found[variable] = graph.packing.pack(variable, term.value)  # type: ignore[arg-type]
    return found


def agrees(layout: Layout, graph: Graph, number: int, store: Mapping[str, Value]) -> bool:
    """Whether a configuration of the graph stands for a concrete store."""
    packed = graph.values[number]
    return all(
        packed[graph.packing.index[variable]] == value
        for variable, value in abstract_store(layout, graph, store).items()
    )
