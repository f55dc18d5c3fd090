"""A machine in the language of Graphviz."""

from __future__ import annotations

from collections.abc import Iterator

from fsmcheck.pictures.machine import Edge, Machine, Mark, Node
from fsmcheck.report import sanitise

_STYLES = {
    Mark.REACHABLE: {},
    Mark.VIOLATED: {"color": "#b42318", "fontcolor": "#b42318", "penwidth": "2"},
    Mark.DEAD: {"color": "#98a2b3", "fontcolor": "#667085", "style": "dashed"},
}


def render(machine: Machine) -> str:
    """The digraph, with a final line break."""
    return "\n".join(_lines(machine)) + "\n"


def _lines(machine: Machine) -> Iterator[str]:
    ids = {node.name: f"s{number}" for number, node in enumerate(machine.nodes, 1)}
    yield f"digraph {_quoted(machine.name)} {{"
    yield '    node [shape=box, fontname="sans-serif"]'
    yield '    edge [fontname="sans-serif", fontsize=10]'
    yield '    start [shape=point, label=""]'
    for node in machine.nodes:
        yield f"    {ids[node.name]} {_attributes(_of_node(node))}"
    for node in machine.nodes:
        if node.initial:
            yield f"    start -> {ids[node.name]}"
    for edge in machine.edges:
        yield f"    {ids[edge.source]} -> {ids[edge.target]} {_attributes(_of_edge(edge))}"
    yield "}"


def _of_node(node: Node) -> dict[str, str]:
    notes = [", ".join(node.rules), "" if node.declared else "not declared"]
    shape = {"peripheries": "2"} if node.terminal else {}
    return {"label": "\n".join([node.name, *filter(None, notes)]), **shape, **_STYLES[node.mark]}


def _of_edge(edge: Edge) -> dict[str, str]:
    mark = "" if edge.mark is Mark.REACHABLE else edge.mark.value
    notes = " ".join(filter(None, (mark, ", ".join(edge.rules))))
    label = "\n".join(filter(None, [*edge.guards, notes]))
    return {**({"label": label} if label else {}), **_STYLES[edge.mark]}


def _attributes(attributes: dict[str, str]) -> str:
    listed = ", ".join(f"{key}={_quoted(value)}" for key, value in attributes.items())
    return f"[{listed}]"


def _quoted(text: str) -> str:
    """A text in double quotes; its line breaks stay line breaks of a label, everything else is as it is."""
    lines = (sanitise.line(part).replace("\\", "\\\\").replace('"', '\\"') for part in text.split("\n"))
    return '"' + "\\n".join(lines) + '"'
