from __future__ import annotations

import re
from pathlib import Path

import pytest

from fsmcheck.cli.main import main
from fsmcheck.diagnostics import Finding, Severity, Subject
from fsmcheck.pictures import dot, mermaid, svg
from fsmcheck.pictures.machine import Edge, Machine, Mark, Node, machine
from fsmcheck.results import SpecReport
from fsmcheck.source import Span
from fsmcheck.spec.load import load_path

ROOT = Path(__file__).parents[2]
FAULTY = str(ROOT / "specs" / "faulty" / "outcome_not_consumed.yaml")
DEAD = """fsm:
  name: dead
  initialState: a
  context: { n: { type: integer, default: 1 } }
  states:
    a:
      transitions:
        - { toState: b, guards: [{ backend: cel, expression: context.n == 2 }] }
        - { toState: c }
    b: { transitions: [{ toState: c }] }
    c: { terminal: true }
    d: { transitions: [{ toState: nowhere }] }
"""
HOSTILE = 'a"; end\n%% [*] --> x #1; <b>{note}\\'
TRICKY = Machine(
    HOSTILE,
    (Node(HOSTILE, Mark.VIOLATED, ("FSM301",), initial=True), Node("end", Mark.DEAD, terminal=True)),
    (Edge(HOSTILE, "end", 0, (HOSTILE, "x --> y"), Mark.VIOLATED, ("FSM403",)),),
)


@pytest.fixture
def dead(tmp_path: Path) -> str:
    path = tmp_path / "dead.yaml"
    path.write_text(DEAD, encoding="utf-8")
    return str(path)


def test_mermaid_shows_what_is_wrong(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["graph", FAULTY]) == 0
    drawn = capsys.readouterr().out.splitlines()
    assert drawn[0] == "stateDiagram-v2"
    assert '    state "plan" as s1' in drawn
    assert "    [*] --> s1" in drawn
    assert "    s2 --> s3 : context.outcome == 'replan' (violated FSM403)" in drawn
    assert "    s6 --> [*]" in drawn


def test_what_no_run_comes_to_is_dead_and_what_is_not_declared_is_wrong(
    dead: str, capsys: pytest.CaptureFixture[str]
) -> None:
    Path(dead).write_text(DEAD.replace("nowhere", "c"), encoding="utf-8")
    main(["graph", dead])
    drawn = capsys.readouterr().out
    assert "    s1 --> s2 : context.n == 2 (dead FSM303)" in drawn
    assert re.search(r"class s2,s4 dead$", drawn, re.MULTILINE)
    assert "    s4 --> s3 : (dead)" in drawn
    Path(dead).write_text(DEAD, encoding="utf-8")
    main(["graph", dead, "--no-check"])
    drawn = capsys.readouterr().out
    assert 'state "nowhere (not declared)" as s5' in drawn
    assert "class s5 violated" in drawn
    assert "dead" not in drawn


def test_dot_marks_the_same(dead: str, tmp_path: Path) -> None:
    Path(dead).write_text(DEAD.replace("nowhere", "c"), encoding="utf-8")
    assert main(["graph", dead, "--format", "dot", "--output", str(tmp_path / "a.dot")]) == 0
    drawn = (tmp_path / "a.dot").read_text(encoding="utf-8")
    assert drawn.startswith('digraph "dead" {')
    assert '    s3 [label="c", peripheries="2"]' in drawn
    assert drawn.endswith("}\n")
    assert '    s4 [label="d\\nFSM201", color="#98a2b3", fontcolor="#667085", style="dashed"]' in drawn


def test_what_is_undecided_is_not_shown_as_wrong() -> None:
    """FSM901 on a transition and a state, beside a real warning on the other state."""
    (document,) = load_path(str(ROOT / "specs" / "planner_executor.yaml"))
    assert document.spec is not None

    def found(rule: str, state: str, transition: int | None = None) -> Finding:
        return Finding(rule, "x", Severity.WARNING, "x", Span(0, 1), Subject(state=state, transition=transition))

    findings = (found("FSM901", "execute", 1), found("FSM901", "plan"), found("FSM402", "replan"))
    drawn = machine(document.spec, SpecReport(document.source, "gated", "x", None, findings))
    assert {node.name: node.mark for node in drawn.nodes if node.mark is not Mark.REACHABLE} == {
        "replan": Mark.VIOLATED
    }
    assert all(edge.mark is Mark.REACHABLE for edge in drawn.edges)
    for text in (mermaid.render(drawn), dot.render(drawn), svg.render(drawn)):
        assert "violated FSM901" not in text
        assert text.count("FSM901") >= 2


def test_hostile_names_are_labels_and_nothing_else() -> None:
    drawn = mermaid.render(TRICKY)
    assert len(drawn.splitlines()) == 10
    for line in drawn.splitlines()[1:]:
        plain = re.sub(r"#\d+;", "", line)
        assert re.fullmatch(
            r'    (state "[^";%<>{}\[\]]*" as s\d|\[\*\] --> s1|s1 --> s2 : [^";%<>{}\[\]]*|s2 --> \[\*\]|class.*)',
            plain,
        ), line
    assert "x --#62; y" not in drawn
    assert '"' in dot.render(TRICKY)
    strings = re.findall(r'"(?:[^"\\]|\\.)*"', dot.render(TRICKY))
    rest = re.sub(r'"(?:[^"\\]|\\.)*"', "", dot.render(TRICKY))
    assert strings
    assert set(re.findall(r"[A-Za-z]+", rest)) <= {
        "digraph", "node", "shape", "box", "fontname", "edge", "fontsize", "start", "point", "label", "s",
        "color", "fontcolor", "penwidth", "style", "peripheries",
    }  # fmt: skip


def test_one_of_several_has_to_be_named(dead: str, capsys: pytest.CaptureFixture[str]) -> None:
    Path(dead).write_text(f"{DEAD}---\n{DEAD.replace('name: dead', 'name: other')}", encoding="utf-8")
    assert main(["graph", dead]) == 2
    assert '"dead", "other"' in capsys.readouterr().err
    assert main(["graph", dead, "--name", "other", "--no-check"]) == 0
    assert main(["graph", dead, "--name", "third"]) == 2


@pytest.mark.parametrize("text", ["fsm: [", "a: 1\n", ""])
def test_what_cannot_be_drawn_is_a_usage_error(text: str, dead: str, capsys: pytest.CaptureFixture[str]) -> None:
    Path(dead).write_text(text, encoding="utf-8")
    assert main(["graph", dead]) == 2
    assert capsys.readouterr().out == ""
    assert main(["graph", "missing.yaml"]) == 2
