"""A machine as a Mermaid state diagram."""

from __future__ import annotations

import re
from collections.abc import Iterator

from fsmcheck.pictures.machine import Edge, Machine, Mark, Node
from fsmcheck.report import sanitise

_UNSAFE = re.compile(r"[^\w .,=!()'→-]|(?<=-)-")
_LONGEST = 120
_STYLES = {
    Mark.VIOLATED: "fill:#fde2e1,stroke:#b42318,color:#7a271a",
    Mark.DEAD: "fill:#f2f4f7,stroke:#98a2b3,color:#667085,stroke-dasharray:4",
}


def render(machine: Machine) -> str:
    """The diagram, with a final line break."""
    return "\n".join(_lines(machine)) + "\n"


def _lines(machine: Machine) -> Iterator[str]:
    ids = {node.name: f"s{number}" for number, node in enumerate(machine.nodes, 1)}
    yield "stateDiagram-v2"
    for node in machine.nodes:
        yield f'    state "{_node_label(node)}" as {ids[node.name]}'
    for node in machine.nodes:
        if node.initial:
            yield f"    [*] --> {ids[node.name]}"
    for edge in machine.edges:
        label = _edge_label(edge)
        yield f"    {ids[edge.source]} --> {ids[edge.target]}" + (f" : {label}" if label else "")
    for node in machine.nodes:
        if node.terminal:
            yield f"    {ids[node.name]} --> [*]"
    for mark, style in _STYLES.items():
        marked = [ids[node.name] for node in machine.nodes if node.mark is mark]
        if marked:
            yield f"    classDef {mark.value} {style}"
            yield f"    class {','.join(marked)} {mark.value}"


def _node_label(node: Node) -> str:
    notes = [*node.rules, *([] if node.declared else ["not declared"])]
    return escape(node.name + (f" ({', '.join(notes)})" if notes else ""))


def _edge_label(edge: Edge) -> str:
    guards = " && ".join(edge.guards) if len(edge.guards) < 2 else " && ".join(f"({guard})" for guard in edge.guards)
    mark = "" if edge.mark is Mark.REACHABLE else f"{edge.mark.value}{'' if edge.rules else ' '}"
    notes = " ".join(part for part in (mark.strip(), ", ".join(edge.rules)) if part)
    return escape(f"{guards} ({notes})".strip() if notes else guards)


def escape(text: str) -> str:
    """Text for a label: whatever Mermaid reads as syntax is written as ``#number;``."""
    line = sanitise.line(text)
    cut = line if len(line) <= _LONGEST else f"{line[: _LONGEST - 1]}…"
    return _UNSAFE.sub(lambda match: f"#{ord(match.group())};", cut)
