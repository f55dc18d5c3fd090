"""Is a concrete store one of those that an abstract configuration stands for?"""

from __future__ import annotations

from collections.abc import Mapping

from fsmcheck.cel.values import Value
from fsmcheck.engines.explicit import Graph
from fsmcheck.engines.packing import Packed, Packing
from fsmcheck.system.layout import Layout


def abstract_store(layout: Layout, packing: Packing, store: Mapping[str, Value]) -> dict[str, int]:
    """The packed value of every variable of the store that the system kept."""
    found: dict[str, int] = {}
    for name in layout.store:
        for variable, term in layout.assignments(name, layout.of_value(name, store[name])).items():
            if variable in packing.index:
                found[variable] = packing.pack(variable, term.value)  # type: ignore[arg-type]
    return found


def stands_for(layout: Layout, packing: Packing, values: Packed, store: Mapping[str, Value]) -> bool:
    """Whether packed values stand for a concrete store."""
    return all(
        values[packing.index[variable]] == value for variable, value in abstract_store(layout, packing, store).items()
    )


def agrees(layout: Layout, graph: Graph, number: int, store: Mapping[str, Value]) -> bool:
    """Whether a configuration of the graph stands for a concrete store."""
    return stands_for(layout, graph.packing, graph.values[number], store)
