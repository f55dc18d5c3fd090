"""Quick fixes: each is applied as an editor would, one line changes, and the finding is gone."""

from __future__ import annotations

from typing import Any

import pytest

from fsmcheck.check import Options, check
from fsmcheck.source import SourceFile
from tests.lsp.conftest import SPECS
from tests.lsp.editor import Editor, codes, edited

URI = "untitled:spec"
SPEC = """fsm:
  initialState: ask
  context:
    answer: { type: enum, values: [good, bad] }
    notes: { type: list, of: string }
  agents:
    smith: { canTransition: [ask, again] }
  states:
    ask:
      requires: [{ name: answer, from: { agent: smith } }]
      exit: [{ append: { notes: "${ context.answer }" } }]
      transitions:
        - { toState: end, guards: [{ backend: cel, expression: "context.answer == 'good'" }] }
        - { toState: again, onTransition: [{ assign: { answer: "" } }] }
    again:
      requires: [{ name: answer, from: { agent: smith } }]
      transitions: [{ toState: end }]
    end: { terminal: true, description: "So: {{ context.notes }}" }
"""


def findings(text: str) -> list[str]:
    """The findings on the text."""
    report = check([SourceFile("spec.yaml", text)], Options(select=("FSM0", "FSM1"), ignore=("FSM111",)))
    return [each.rule for spec in report.specs for each in spec.findings]


def actions(session: Editor, found: dict[str, Any]) -> list[dict[str, Any]]:
    context = {"diagnostics": [found], "only": ["quickfix"]}
    asked: list[dict[str, Any]] = session.ask(
        "textDocument/codeAction", {"textDocument": {"uri": URI}, "range": found["range"], "context": context}
    )
    return [each for each in asked if each["diagnostics"] == [found]]


def changed_lines(old: str, new: str) -> tuple[list[str], list[str]]:
    """The lines that are only in the one and only in the other, ends included."""
    before, after = old.split("\n"), new.split("\n")
    while before and after and before[0] == after[0]:
        del before[0], after[0]
    while before and after and before[-1] == after[-1]:
        del before[-1], after[-1]
    return before, after


@pytest.mark.parametrize(
    ("right", "wrong", "rule"),
    [
        ("toState: again", "toState: agian", "FSM101"),
        ("toState: again", "toState: 'agian'", "FSM101"),
        ("initialState: ask", 'initialState: "aks"', "FSM101"),
        ("name: answer", "name: anwser", "FSM102"),
        ('assign: { answer: ""', 'assign: { anwser: ""', "FSM102"),
        ("context.answer ==", "context.anwser ==", "FSM102"),
        ("{{ context.notes", "{{ context.note", "FSM102"),
        ("agent: smith", "agent: smiht", "FSM103"),
        ("== 'good'", "== 'godo'", "FSM104"),
        ('answer: ""', "answer: badd", "FSM104"),
        ("type: list", "type: lits", "FSM002"),
        ("  initialState:", "  initalState:", "FSM002"),
        ("[ask, again]", "[ask]", "FSM108"),
    ],
)
def test_a_fix_changes_one_line_and_the_finding_is_gone(asked: Editor, right: str, wrong: str, rule: str) -> None:
    assert rule not in findings(SPEC)
    text = SPEC.replace(right, wrong, 1)
    asked.open(URI, text)
    found = next(each for each in asked.diagnostics(URI, lambda found: rule in codes(found)) if each["code"] == rule)
    fix, *_ = (each for each in actions(asked, found) if each.get("isPreferred"))
    mended = edited(text, fix["edit"]["changes"][URI])
    before, after = changed_lines(text, mended)
    assert (len(before), len(after)) == (1, 1)
    assert rule not in findings(mended)


def test_a_fix_is_offered_though_the_file_has_other_faults(asked: Editor) -> None:
    text = SPEC.replace("toState: again", "toState: agian").replace("    smith:", "    smith: {}\n    smith:")
    asked.open(URI, text)
    wanted = asked.diagnostics(URI, lambda found: {"FSM001", "FSM101"} <= {*codes(found)})
    fix, *_ = actions(asked, next(each for each in wanted if each["code"] == "FSM101"))
    assert edited(text, fix["edit"]["changes"][URI]) == text.replace("agian", "again")


def test_crlf_and_block_style_stay_as_they_are(asked: Editor) -> None:
    text = SPEC.replace("[ask, again]", "[ask]").replace(
        "{ canTransition: [ask] }", "\n      canTransition:\n        - ask"
    )
    text = text.replace("\n", "\r\n")
    asked.open(URI, text)
    found = next(each for each in asked.diagnostics(URI, lambda f: "FSM108" in codes(f)) if each["code"] == "FSM108")
    fix, allow = actions(asked, found)
    mended = edited(text, fix["edit"]["changes"][URI])
    assert mended == text.replace("        - ask\r\n", "        - ask\r\n        - again\r\n")
    allowed = edited(text, allow["edit"]["changes"][URI])
    assert changed_lines(text, allowed) == ([], ["      # fsmcheck: allow FSM108 - say why\r"])


def test_a_finding_about_runs_is_fixed_and_allowed(asked: Editor) -> None:
    text = (SPECS / "faulty/outcome_not_consumed.yaml").read_text(encoding="utf-8")
    asked.open(URI, text)
    first = asked.diagnostics(URI, lambda found: "FSM403" in codes(found))
    fix, allow = actions(asked, next(each for each in first if each["code"] == "FSM403"))
    mended = edited(text, fix["edit"]["changes"][URI])
    before, after = changed_lines(text, mended)
    assert (len(before), len(after)) == (1, 1)
    asked.change(URI, mended)
    asked.settled(URI, "FSM405", "FSM505")
    allowed = edited(text, allow["edit"]["changes"][URI])
    assert changed_lines(text, allowed) == ([], ["        # fsmcheck: allow FSM403 - say why"])
    asked.change(URI, allowed)
    asked.settled(URI, "FSM405", "FSM405", "FSM505")


@pytest.mark.parametrize(("name", "rule"), [("result_not_consumed", "FSM404"), ("directive_not_consumed", "FSM401")])
def test_answers_of_an_earlier_visit_are_emptied_on_the_way_back(name: str, rule: str) -> None:
    text = (SPECS / f"faulty/{name}.yaml").read_text(encoding="utf-8")
    (spec,) = check([SourceFile("spec.yaml", text)], Options(select=(rule,))).specs
    (finding,) = spec.findings
    assert finding.fix is not None
    (edit,) = finding.fix.edits
    mended = text[: edit.span.start] + edit.text + text[edit.span.end :]
    # The one thing that the spec was spoilt by.
    assert len(changed_lines(text, mended)[1]) == 1
    (spec,) = check([SourceFile("spec.yaml", mended)], Options(select=(rule,))).specs
    assert spec.findings == ()


GUARD = "guards: [{ backend: cel, expression: \"context.done == 'no'\" }]"


@pytest.mark.parametrize(
    ("transition", "line"),
    [
        # Without an assign, in flow and in block style; with one in block style; with other actions only.
        (f"- {{ {GUARD}, toState: work }}", 'toState: work, onTransition: [{ assign: { done: "" } }] }'),
        (f"- {GUARD}\n          toState: work  # on", '          onTransition: [{ assign: { done: "" } }]'),
        (
            f"- toState: work\n          {GUARD}\n          onTransition:\n          - assign:\n              log: x",
            '              done: ""',
        ),
        (
            f'- {GUARD}\n          toState: work\n          onTransition:\n            - append: {{ all: "x" }}',
            '            - assign: { done: "" }',
        ),
        (
            f'- {{ {GUARD}, toState: work, onTransition: [{{ append: {{ all: "x" }} }}] }}',
            '[{ append: { all: "x" } }, assign: { done: "" }] }',
        ),
    ],
)
def test_a_field_is_emptied_in_the_style_of_the_file(transition: str, line: str) -> None:
    text = f"""fsm:
  initialState: work
  context:
    done: {{ type: enum, values: [yes, no] }}
    more: {{ type: string }}
    log: {{ type: string }}
    all: {{ type: list, of: string }}
  agents:
    smith: {{ canTransition: [work] }}
  states:
    work:
      requires:
        - {{ name: more, from: {{ agent: smith }} }}
        - {{ name: done, from: {{ agent: smith }} }}
      exit: [{{ assign: {{ more: "" }} }}]
      transitions:
        - {{ toState: end, guards: [{{ backend: cel, expression: "context.done == 'yes'" }}] }}
        {transition}
    end: {{ terminal: true }}
"""
    (spec,) = check([SourceFile("spec.yaml", text)], Options(select=("FSM0", "FSM403"))).specs
    (finding,) = spec.findings
    assert finding.rule == "FSM403"
    assert finding.fix is not None
    (edit,) = finding.fix.edits
    mended = text[: edit.span.start] + edit.text + text[edit.span.end :]
    before, after = changed_lines(text, mended)
    assert len(before) <= 1
    (changed,) = after
    assert changed.endswith(line)
    (spec,) = check([SourceFile("spec.yaml", mended)], Options(select=("FSM0", "FSM403"))).specs
    assert spec.findings == ()


def test_a_comment_is_not_offered_where_it_would_be_text(asked: Editor) -> None:
    text = SPEC.replace('"So: {{ context.notes }}" }', "x }").replace(
        "    end: { terminal: true, description: x }",
        "    end:\n      terminal: true\n      description: |\n        So it is:\n        {{ context.nothing }}",
    )
    asked.open(URI, text)
    found = next(each for each in asked.diagnostics(URI, lambda f: "FSM102" in codes(f)) if each["code"] == "FSM102")
    assert actions(asked, found) == []
