from __future__ import annotations

import re
import xml.etree.ElementTree as ET
from pathlib import Path

import pytest

from fsmcheck.cli.main import main
from fsmcheck.pictures import svg, svg_style
from fsmcheck.pictures.lettering import wrapped
from fsmcheck.pictures.machine import Edge, Machine, Mark, Node

ROOT = Path(__file__).parents[2]
SVG = "{http://www.w3.org/2000/svg}"
HOSTILE = "</text></svg><script>alert(1)</script>&lt; ]]> \u202e\x00\x1b\ufffe\ud800 \"'\n--> <!-- &amp;"
DRAWN = Machine(
    HOSTILE,
    (
        Node("a", Mark.REACHABLE, initial=True),
        Node(HOSTILE, Mark.VIOLATED, ("FSM301",)),
        Node("gone", Mark.DEAD, ("FSM203",)),
        Node("nowhere", Mark.VIOLATED, declared=False),
        Node("end", Mark.REACHABLE, terminal=True),
    ),
    (
        Edge("a", HOSTILE, 0, (HOSTILE, "context.n > 3"), Mark.VIOLATED, ("FSM403",)),
        Edge("a", "end", 1, (), Mark.REACHABLE),
        Edge("gone", "end", 0, (), Mark.DEAD),
        Edge("a", "a", 2, ("context.n < 3 && context.m == 'x'",), Mark.REACHABLE),
        Edge("a", "nowhere", 3, (), Mark.REACHABLE),
    ),
)


def classes(root: ET.Element, tag: str) -> list[str]:
    return [each.get("class", "") for each in root.iter(SVG + tag)]


def written(root: ET.Element) -> str:
    return "\n".join(each.text or "" for each in root.iter(SVG + "text"))


def test_hostile_names_are_text_and_nothing_else() -> None:
    drawn = svg.render(DRAWN)
    root = ET.fromstring(drawn)
    assert {each.tag.removeprefix(SVG) for each in root.iter()} == {
        "svg", "title", "style", "rect", "text", "g", "path", "circle",
    }  # fmt: skip
    names = {name for each in root.iter() for name in each.attrib}
    assert not {name for name in names if name.startswith("on") or "href" in name}
    assert "<script>alert(1)</" in written(root).replace("\n", "")
    assert "<script" not in drawn
    assert not re.search("[\x00-\x09\x0b-\x1f\u202e\ufffe\ud800]", drawn)
    drawn.encode("utf-8")


def test_marks_are_told_by_colour_by_line_and_in_words() -> None:
    root = ET.fromstring(svg.render(DRAWN))
    boxes, edges, tips = classes(root, "rect"), classes(root, "path"), classes(root, "path")
    assert boxes.count("box violated") == 2  # one of them in the legend
    assert boxes.count("box violated undeclared") == 1
    assert boxes.count("box dead") == 2
    assert boxes.count("inner") == 1
    assert edges.count("edge violated") == 1
    assert edges.count("edge dead") == 1
    assert tips.count("tip dead") == 1
    assert edges.count("badge") == 4  # on two states, at the edge's rule, in the legend
    text = written(root)
    for word in ("FSM301", "FSM403", "dead, FSM203", "not declared", "has a finding", "no run comes here"):
        assert word in text
    style = root.findtext(f"{SVG}style") or ""
    assert re.search(r"\.edge\.dead\{stroke-dasharray", style)
    assert re.search(r"\.edge\.violated\{stroke-width", style)


def test_light_and_dark_have_the_same_rules() -> None:
    style = ET.fromstring(svg.render(DRAWN)).findtext(f"{SVG}style") or ""
    light, _, dark = style.partition("@media (prefers-color-scheme:dark){")
    coloured = re.findall(r"([^{}\n]+)\{[^}]*(?:fill|stroke):#", light)
    assert coloured
    assert re.findall(r"([^{}\n]+)\{[^}]*(?:fill|stroke):#", dark) == coloured
    assert not set(re.findall("#[0-9a-f]{6}", light)) & set(re.findall("#[0-9a-f]{6}", dark))


def contrast(one: str, other: str) -> float:
    """The contrast ratio of WCAG 2."""

    def luminance(colour: str) -> float:
        parts = [int(colour[place : place + 2], 16) / 255 for place in (1, 3, 5)]
        linear = [part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts]
        return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]

    low, high = sorted((luminance(one), luminance(other)))
    return (high + 0.05) / (low + 0.05)


@pytest.mark.parametrize("colour", [svg_style.LIGHT, svg_style.DARK], ids=["light", "dark"])
def test_text_can_be_read_on_what_is_behind_it(colour: dict[str, str]) -> None:
    pairs = [("ink", "paper"), ("ink", "box"), ("faint", "paper"), ("faint", "box")]
    pairs += [(mark, behind) for mark in ("violated", "dead") for behind in ("paper", f"{mark}-box")]
    for text, behind in pairs:
        assert contrast(colour[text], colour[behind]) >= 4.5, (text, behind)


def test_tooltips_say_all_that_there_is_to_say() -> None:
    root = ET.fromstring(svg.render(DRAWN))
    titles = [each.text or "" for each in root.iter(SVG + "title")]
    assert "a\nstart, no finding" in titles
    assert "gone\ndead: FSM203" in titles
    assert "end\nterminal, no finding" in titles
    assert "a → a (transition 2)\ncontext.n < 3 && context.m == 'x'\nno finding" in titles
    assert any(title.endswith("context.n > 3\nviolated: FSM403") for title in titles)


def test_transitions_are_numbered_where_the_order_matters() -> None:
    text = written(ET.fromstring(svg.render(DRAWN))).splitlines()
    assert "1: always" in text
    assert any(line.startswith("2: context.n < 3") for line in text)
    only = Machine("m", DRAWN.nodes[:1], (Edge("a", "a", 0, ("context.x",), Mark.REACHABLE),))
    assert "context.x" in written(ET.fromstring(svg.render(only))).splitlines()


@pytest.mark.parametrize("drawn", [Machine("", (), ()), Machine("m", (Node("", Mark.REACHABLE),), ())])
def test_nothing_much_is_drawn_as_well(drawn: Machine) -> None:
    root = ET.fromstring(svg.render(drawn))
    assert float(root.get("width", "0")) > 0


def test_the_command_draws_a_shipped_spec_without_another_program(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    target = tmp_path / "faulty.svg"
    spec = ROOT / "specs" / "faulty" / "outcome_not_consumed.yaml"
    assert main(["graph", str(spec), "--format", "svg", "--output", str(target)]) == 0
    root = ET.fromstring(target.read_text(encoding="utf-8"))
    assert classes(root, "path").count("edge violated") == 1
    assert "1: context.outcome == 'replan'" in written(root)
    assert root.get("aria-label") == "State machine outcome-not-consumed"


def test_the_picture_of_the_docs_is_current(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["graph", str(ROOT / "specs" / "planner_executor.yaml"), "--format", "svg"]) == 0
    assert capsys.readouterr().out == (ROOT / "docs" / "planner_executor.svg").read_text(encoding="utf-8")


@pytest.mark.parametrize("path", sorted((ROOT / "specs").rglob("*.yaml")), ids=lambda path: path.stem)
def test_every_shipped_spec_can_be_drawn(path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    if path.name == "verdicts.yaml":
        return
    assert main(["graph", str(path), "--format", "svg", "--no-check"]) == 0
    ET.fromstring(capsys.readouterr().out)


@pytest.mark.parametrize(
    ("text", "columns", "lines"),
    [
        ("short", 10, ("short",)),
        ("", 10, ()),
        ("one two three", 8, ("one two", "three")),
        ("a_name_that_is_long", 8, ("a_name_", "that_is_", "long")),
        ("abcdefghijkl", 5, ("abcde", "fghij", "kl")),
        ("one two three four five six", 8, ("one two", "three", "four…")),
        ("context.a == 'b' && context.c < 3", 30, ("context.a == 'b' &&", "context.c < 3")),
    ],
)
def test_lines_break_where_one_would_break_them(text: str, columns: int, lines: tuple[str, ...]) -> None:
    assert wrapped(text, columns, 3) == lines
