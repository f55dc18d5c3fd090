"""A machine as a drawing in SVG, laid out here: no other program is needed to see it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from math import hypot

from fsmcheck.pictures.layered.graph import Box, Link, Point, Route
from fsmcheck.pictures.layered.place import place
from fsmcheck.pictures.lettering import CODE, NAME, NOTE, Face, wrapped
from fsmcheck.pictures.machine import Edge, Machine, Mark, Node
from fsmcheck.pictures.markup import attributes, element, text_of
from fsmcheck.pictures.svg_style import mark_class, style
from fsmcheck.records import dataclass

_MARGIN = 24.0
_HEADING = 30.0
_LEGEND = 34.0
_DOT = 7.0
_BADGE = 13.0
_WORDS = {Mark.VIOLATED: "violated", Mark.DEAD: "dead"}


@dataclass(frozen=True, slots=True)
class _Lines:
    """Some text in one face, marked or not; ``badge`` draws a warning sign in front of its first line."""

    face: Face
    lines: tuple[str, ...]
    mark: Mark = Mark.REACHABLE
    badge: bool = False

    @property
    def width(self) -> float:
        return self.face.width(self.lines) + (2 * (_BADGE + 6) if self.badge else 0.0)

    @property
    def height(self) -> float:
        return self.face.height(self.lines)


def render(machine: Machine) -> str:
    """The drawing, with a final line break: well-formed XML, whatever the names are."""
    return "\n".join(_lines(machine)) + "\n"


def _lines(machine: Machine) -> Iterator[str]:
    siblings = {node.name: sum(edge.source == node.name for edge in machine.edges) for node in machine.nodes}
    written = [_on_node(node) for node in machine.nodes]
    labels = [_on_edge(edge, siblings[edge.source] > 1) for edge in machine.edges]
    number = {node.name: place + 1 for place, node in enumerate(machine.nodes)}
    boxes = [Box(2 * _DOT, 2 * _DOT), *(_box(node, text) for node, text in zip(machine.nodes, written, strict=True))]
    links = [Link(0, number[node.name]) for node in machine.nodes if node.initial]
    first = len(links)
    for edge, label in zip(machine.edges, labels, strict=True):
        width, height = _size(label)
        links.append(Link(number[edge.source], number[edge.target], width + 8, height + 6 if label else 0.0))
    placed = place(boxes, links)
    used = {node.mark for node in machine.nodes} | {edge.mark for edge in machine.edges}
    legend = [mark for mark in (Mark.VIOLATED, Mark.DEAD) if mark in used]
    width = max(placed.width, NAME.width((text_of(machine.name),)), 260.0 if legend else 0.0) + 2 * _MARGIN
    height = _HEADING + placed.height + 2 * _MARGIN + (_LEGEND if legend else 0.0)
    yield _opening(machine, width, height)
    yield element("style", style())
    yield element("rect", width=width, height=height, **{"class": "paper"})
    yield element("text", text_of(machine.name), x=_MARGIN, y=_MARGIN + 8, **{"class": "name heading left"})
    shift = (width - placed.width) / 2
    yield f"<g{attributes({'transform': f'translate({shift:g},{_MARGIN + _HEADING:g})'})}>"
    for route in placed.routes[:first]:
        yield element("g", *_arrow(route, ""))
    for edge, label, route in zip(machine.edges, labels, placed.routes[first:], strict=True):
        yield element(
            "g", element("title", _told_edge(edge)), *_arrow(route, mark_class(edge.mark)), *_label(label, route)
        )
    if first:
        yield element("circle", cx=placed.nodes[0][0], cy=placed.nodes[0][1], r=_DOT, **{"class": "dot"})
    for node, text, box, middle in zip(machine.nodes, written, boxes[1:], placed.nodes[1:], strict=True):
        yield element("g", element("title", _told_node(node)), *_drawn(node, text, box, middle))
    yield "</g>"
    yield from _legend(legend, height - _MARGIN - 8)
    yield "</svg>"


def _opening(machine: Machine, width: float, height: float) -> str:
    called = f"State machine {text_of(machine.name)}".strip()
    given: dict[str, str | float] = {
        "xmlns": "http://www.w3.org/2000/svg",
        "role": "img",
        "aria-label": called,
        "width": width,
        "height": height,
        "viewBox": f"0 0 {width:g} {height:g}",
    }
    return f"<svg{attributes(given)}>\n{element('title', called)}"


def _on_node(node: Node) -> list[_Lines]:
    found = [_Lines(NAME, wrapped(node.name, 24, 3) or (" ",), node.mark)]
    notes = [*(() if node.declared else ("not declared",)), *_note(node.mark, node.rules)]
    if notes:
        found.append(_Lines(NOTE, wrapped(", ".join(notes), 30, 3), node.mark))
    return found


def _on_edge(edge: Edge, numbered: bool) -> list[_Lines]:
    shown = edge.guards or (("always",) if numbered else ())
    guards = [f"and {guard}" if place else guard for place, guard in enumerate(shown)]
    lines = [line for guard in guards for line in wrapped(guard, 36, 3)][:6]
    if numbered and lines:
        lines[0] = f"{edge.index}: {lines[0]}"
    found = [_Lines(CODE, tuple(lines), edge.mark)] if lines else []
    notes = _note(edge.mark, edge.rules)
    if notes:
        found.append(_Lines(NOTE, wrapped(", ".join(notes), 40, 2), edge.mark, badge=edge.mark is Mark.VIOLATED))
    return found


def _note(mark: Mark, rules: Sequence[str]) -> tuple[str, ...]:
    return (*((_WORDS[mark],) if mark is Mark.DEAD else ()), *rules)


def _size(text: Sequence[_Lines]) -> tuple[float, float]:
    return max((each.width for each in text), default=0.0), sum(each.height for each in text)


def _box(node: Node, text: Sequence[_Lines]) -> Box:
    width, height = _size(text)
    frame = 8.0 if node.terminal else 0.0
    return Box(max(width + 28, 72.0) + frame, height + 18 + frame)


def _drawn(node: Node, text: Sequence[_Lines], box: Box, middle: Point) -> Iterator[str]:
    kind = f"{mark_class(node.mark)}{'' if node.declared else ' undeclared'}"
    x, y = middle[0] - box.width / 2, middle[1] - box.height / 2
    yield _rectangle("box" + kind, x, y, box.width, box.height)
    if node.terminal:
        yield _rectangle("inner" + kind, x + 4, y + 4, box.width - 8, box.height - 8)
    yield from _text(text, middle)
    if node.mark is Mark.VIOLATED:
        yield from _badge((x + box.width - 2, y + 1))


def _rectangle(kind: str, x: float, y: float, width: float, height: float) -> str:
    return element("rect", x=x, y=y, width=width, height=height, rx=7, **{"class": kind})


def _text(text: Sequence[_Lines], middle: Point) -> Iterator[str]:
    """Lines below each other around a middle."""
    top = middle[1] - sum(each.height for each in text) / 2
    for each in text:
        for number, line in enumerate(each.lines):
            y = top + each.face.line * (number + 0.76)
            shift = (_BADGE + 6) / 2 if each.badge and number == 0 else 0.0
            yield element("text", line, x=middle[0] + shift, y=y, **{"class": each.face.name + mark_class(each.mark)})
            if shift:
                yield from _badge((middle[0] + shift - each.face.width((line,)) / 2 - _BADGE / 2 - 5, y - 4))
        top += each.height


def _badge(middle: Point) -> Iterator[str]:
    """A warning sign: a triangle with a stroke and a dot."""
    x, y, half = middle[0], middle[1], _BADGE / 2
    yield element(
        "path", d=f"M{x:.4g} {y - half:.4g}l{half + 1:.4g} {_BADGE - 1:.4g}h-{_BADGE + 2:.4g}z", **{"class": "badge"}
    )
    yield element(
        "path", d=f"M{x - 0.8:.4g} {y - 1.5:.4g}h1.6v3.6h-1.6zm0 4.4h1.6v1.4h-1.6z", **{"class": "badge-mark"}
    )


def _label(text: Sequence[_Lines], route: Route) -> Iterator[str]:
    if route.label is None or not text:
        return
    width, height = _size(text)
    x, y = route.label
    yield element(
        "rect",
        x=x - width / 2 - 3,
        y=y - height / 2 - 2,
        width=width + 6,
        height=height + 4,
        rx=3,
        **{"class": "label"},
    )
    yield from _text(text, route.label)


def _arrow(route: Route, kind: str) -> Iterator[str]:
    points = route.points
    tip, before = points[-1], next(point for point in reversed(points) if point != points[-1])
    length = hypot(tip[0] - before[0], tip[1] - before[1])
    across = ((tip[0] - before[0]) / length, (tip[1] - before[1]) / length)
    drawn = _path(points)
    yield element("path", d=drawn, **{"class": "reach"})
    yield element("path", d=drawn, **{"class": f"edge{kind}"})
    back = (tip[0] - across[0] * 9, tip[1] - across[1] * 9)
    wings = [(back[0] - across[1] * side, back[1] + across[0] * side) for side in (4.2, -4.2)]
    yield element("path", d=f"M{_at(tip)}L{_at(wings[0])}L{_at(wings[1])}z", **{"class": f"tip{kind}"})


def _path(points: Sequence[Point]) -> str:
    curves = (points[place : place + 3] for place in range(1, len(points), 3))
    return f"M{_at(points[0])}" + "".join(f"C{' '.join(map(_at, curve))}" for curve in curves)


def _at(point: Point) -> str:
    return f"{round(point[0], 1):g} {round(point[1], 1):g}"


def _told_node(node: Node) -> str:
    kinds = (("start",) if node.initial else ()) + (("terminal",) if node.terminal else ())
    kinds += () if node.declared else ("not declared",)
    return "\n".join([node.name, ", ".join((*kinds, _told_mark(node.mark, node.rules)))])


def _told_edge(edge: Edge) -> str:
    told = [f"{edge.source} → {edge.target} (transition {edge.index})", *edge.guards]
    return "\n".join([*told, _told_mark(edge.mark, edge.rules)])


def _told_mark(mark: Mark, rules: Sequence[str]) -> str:
    word = "no finding" if mark is Mark.REACHABLE and not rules else mark.value
    return f"{word}: {', '.join(rules)}" if rules else word


def _legend(marks: Sequence[Mark], y: float) -> Iterator[str]:
    x = _MARGIN
    for mark in marks:
        kind = mark_class(mark)
        yield _rectangle("box" + kind, x, y - 11, 24, 16)
        if mark is Mark.VIOLATED:
            yield from _badge((x + 23, y - 10))
        word = {Mark.VIOLATED: "has a finding", Mark.DEAD: "no run comes here"}[mark]
        yield element("text", word, x=x + 34, y=y + 1, **{"class": "note left"})
        x += 34 + NOTE.width((word,)) + 20
