"""Hover, definition, references, outline, completion and renaming, asked by an editor."""

from __future__ import annotations

from typing import Any

import pytest

from tests.lsp.editor import Editor, RefusedError, edited, editor, where

URI = "untitled:loop"


@pytest.fixture
def opened(asked: Editor, loop: str) -> Editor:
    asked.open(URI, loop)
    return asked


def told(session: Editor, text: str, needle: str, number: int = 0, inside: int = 1) -> str:
    found = session.at("hover", URI, where(text, needle, number, inside))
    return "" if found is None else str(found["contents"]["value"])


def named(session: Editor, method: str, text: str, needle: str, inside: int, **more: object) -> list[str]:
    """The lines that the answers are on, stripped, in their order; each answer covers the name alone."""
    found = session.at(method, URI, where(text, needle, inside=inside), **more)
    for each in found:
        assert each["range"]["start"]["line"] == each["range"]["end"]["line"]
    return [text.splitlines()[each["range"]["start"]["line"]].strip() for each in found]


# Worked out by hand from the spec's text.
OUTCOME = (
    "**field** `outcome`: `enum(done, replan, abort)`\n\n"
    "The executor's verdict on the directive.\n\n"
    "- written by: `executor`\n"
    "- required in: `execute`\n"
    "- read in: `execute → finish`, `execute → replan`, `execute → abort`\n"
    "- emptied in: `execute → replan`"
)


@pytest.mark.parametrize(
    ("needle", "inside"),
    [
        ("outcome: {", 1),
        ("name: outcome", 8),
        ("context.outcome == 'replan'", 10),
        ('outcome: ""', 1),
    ],
)
def test_a_field_is_explained_wherever_it_is_named(opened: Editor, loop: str, needle: str, inside: int) -> None:
    assert told(opened, loop, needle, inside=inside) == OUTCOME


def test_what_a_field_is_for_counts_templates_and_values_too(opened: Editor, loop: str) -> None:
    assert told(opened, loop, "history: {").splitlines()[-2:] == [
        "- read in: `replan`, `finish`",
        "- set in: `execute`",
    ]
    assert "- given when a run starts\n- read in: `plan`" in told(opened, loop, "{{ context.objective", inside=12)
    assert told(opened, loop, "context:") == ""


def test_a_state_and_an_agent_are_explained(opened: Editor, loop: str) -> None:
    assert told(opened, loop, "toState: abort", inside=9).splitlines()[-3:] == [
        "- requires `summary` from `planner`",
        "- to `done`",
        "- entered by `execute → abort`",
    ]
    state = told(opened, loop, "    execute:\n", inside=6)
    assert "- exit: `history += context.directive + ' → ' + context.result`" in state
    assert (
        "- to `replan` when `context.outcome == 'replan'`,"
        ' then `directive = ""`, `outcome = ""`, `result = ""`' in state
    )
    assert told(opened, loop, "agent: executor", inside=8).splitlines()[-2:] == [
        "- may act in `execute`",
        "- `execute` asks it for `result`, `outcome`",
    ]


def test_a_rule_in_a_comment_is_explained(opened: Editor, loop: str) -> None:
    text = loop.replace("      transitions:", "      # fsmcheck: allow FSM405 - revised\n      transitions:", 1)
    opened.change(URI, text)
    page = told(opened, text, "FSM405")
    assert page.startswith("# FSM405 not-awaited\n")
    assert "## How to fix" in page


def test_verdicts_on_a_state_are_told_once_they_are_known(loop: str) -> None:
    with editor("--isolated") as session:
        session.open(URI, loop)
        assert "Verdicts" not in told(session, loop, "    replan:", inside=5)
        session.settled(URI, "FSM405", "FSM505")
        page = told(session, loop, "    replan:", inside=5)
        assert "- FSM405 violated, field `plan`" in page
        assert "1 violated" in page
        assert "**How FSM405 happens**" in told(session, loop, "name: plan, from", 1, inside=7)


def test_words_of_the_user_are_no_markup(asked: Editor) -> None:
    text = (
        "fsm:\n  initialState: a\n  context:\n"
        '    f: { type: string, description: "![x](http://example.org/y.png) <img src=x> **b**\\e[31m" }\n'
        '  states:\n    a: { terminal: true, description: "{{ context.f }}" }\n'
    )
    asked.open(URI, text)
    page = told(asked, text, "f: { type")
    assert "![" not in page
    assert "<img" not in page
    assert "http://" not in page
    assert "\x1b" not in page


def test_an_editor_without_markdown_gets_none(loop: str) -> None:
    plain = {"textDocument": {"hover": {"contentFormat": ["plaintext"]}}}
    with editor("--isolated", capabilities=plain) as session:
        session.open(URI, loop)
        assert told(session, loop, "outcome: {").splitlines()[0] == "field outcome: enum(done, replan, abort)"
        (first, *_) = session.ask("textDocument/documentSymbol", {"textDocument": {"uri": URI}})
        assert first["location"]["uri"] == URI


def test_definitions_and_references(opened: Editor, loop: str) -> None:
    assert named(opened, "definition", loop, "toState: replan", 10) == ["replan:"]
    assert named(opened, "definition", loop, "initialState: plan", 15) == ["plan:"]
    assert named(opened, "definition", loop, "agent: executor", 8) == ["executor:"]
    assert named(opened, "definition", loop, "context.directive", 10) == [
        "directive: { type: string, description: The one next thing to do. }"
    ]
    both = {"context": {"includeDeclaration": True}}
    uses = {"context": {"includeDeclaration": False}}
    assert named(opened, "references", loop, "toState: replan", 10, **both) == [
        "canTransition: [plan, replan, finish, abort]",
        "- toState: replan",
        "replan:",
    ]
    # A state, a field and an enum's value share a name: only the state is meant.
    assert named(opened, "references", loop, "toState: execute", 10, **uses) == [
        "canTransition: [execute]",
        "- toState: execute",
        "- toState: execute",
    ]
    assert named(opened, "references", loop, "name: outcome", 8, **both) == [
        "outcome: { type: enum, values: [done, replan, abort], description: The executor's verdict on the directive. }",
        "- { name: outcome, from: { agent: executor } }",
        "- { backend: cel, expression: \"context.outcome == 'done'\" }",
        "- { backend: cel, expression: \"context.outcome == 'replan'\" }",
        '- assign: { directive: "", outcome: "", result: "" }',
        "- { backend: cel, expression: \"context.outcome == 'abort'\" }",
    ]
    assert opened.at("definition", URI, where(loop, "'replan'", inside=3)) == []


def test_the_outline(opened: Editor) -> None:
    (spec,) = opened.ask("textDocument/documentSymbol", {"textDocument": {"uri": URI}})
    assert spec["name"] == "planner-executor"
    states = [each for each in spec["children"] if each["kind"] == 5]
    assert [each["name"] for each in states] == ["plan", "execute", "replan", "finish", "abort", "done"]
    assert [each["name"] for each in states[1]["children"]] == ["→ finish", "→ replan", "→ abort"]
    assert [each["name"] for each in spec["children"] if each["kind"] == 11] == ["planner", "executor"]


def offered(session: Editor, before: str, after: str = "") -> dict[str, Any]:
    """What is offered between two texts, by label."""
    text = before + after
    session.open(URI, text)
    line = before.count("\n")
    items = session.at("completion", URI, (line, len(before.rpartition("\n")[2])))["items"]
    return {each["label"]: each for each in items}


def chosen(text: str, item: dict[str, Any]) -> str:
    return edited(text, [item["textEdit"]])


HEAD = """fsm:
  initialState: ask
  context:
    answer: { type: enum, values: ["maybe", "on hold", "true"], description: What it said. }
    notes: { type: list, of: string }
    is_new: { type: boolean }
  agents:
    smith: { canTransition: [ask], description: Knows. }
  states:
    end: { terminal: true, description: Over. }
    ask:
"""


@pytest.mark.parametrize(
    ("typed", "labels"),
    [
        ("      transitions:\n        - toState: ", ["end", "ask"]),
        ("      transitions:\n        - { toState: e", ["end", "ask"]),
        ("      requires:\n        - { name: ", ["answer", "notes", "is_new"]),
        ("      requires:\n        - { name: answer, from: { agent: s", ["smith"]),
        ("      entry:\n        - append: { ", ["notes"]),
        ("      entry:\n        - assign: { notes: null, ", ["answer", "notes", "is_new"]),
        ("      entry:\n        - assign: { answer: ", ["maybe", "on hold", "true", '""']),
        ("      entry:\n        - assign:\n            is_new: ", ["true", "false", "null"]),
        ("      entry:\n        - ", ["assign", "append", "put"]),
        ("      tr", ["description", "requires", "entry", "exit", "transitions", "terminal"]),
        ("      transitions:\n        - toState: end\n          gu", ["guards", "onTransition", "description"]),
        ("      terminal: ", ["true", "false"]),
        (
            "  policy:\n    maxI",
            ["maxIterations", "maxExchangesPerStage", "maxExchangesPerAgentPerStage", "checkpointEvery"],
        ),
        ('      description: "Do {{ context.', ["answer", "notes", "is_new"]),
        ('      entry:\n        - append: { notes: "${ context.', ["answer", "notes", "is_new"]),
        ("      description: context.", []),
        ("      # toState: ", []),
    ],
)
def test_what_is_offered_while_the_text_is_half_typed(asked: Editor, typed: str, labels: list[str]) -> None:
    # The names are known from before, when the text was whole.
    asked.open(URI, HEAD)
    asked.change(URI, HEAD + typed)
    text = HEAD + typed
    line = text.count("\n")
    items = asked.at("completion", URI, (line, len(text.rpartition("\n")[2])))["items"]
    assert [each["label"] for each in items] == labels


def test_what_is_offered_is_written_as_yaml_needs_it(asked: Editor) -> None:
    before = HEAD + "      entry:\n        - assign: { answer: "
    items = offered(asked, before, " }\n")
    assert chosen(before + " }\n", items["maybe"]).endswith("{ answer: maybe }\n")
    assert chosen(before + " }\n", items["on hold"]).endswith('{ answer: "on hold" }\n')
    assert chosen(before + " }\n", items["true"]).endswith('{ answer: "true" }\n')
    assert items["maybe"]["detail"] == "of answer"
    before = HEAD + "      tra"
    items = offered(asked, before)
    assert chosen(before, items["transitions"]).endswith("\n      transitions: ")
    assert items["transitions"]["documentation"]["value"] == "Tried in this order."


def test_guards_are_completed(asked: Editor) -> None:
    guard = HEAD + '      transitions:\n        - toState: end\n          guards: [{ backend: cel, expression: "'
    fields = offered(asked, guard + "context.an", '" }]\n')
    assert list(fields) == ["answer", "notes", "is_new"]
    assert fields["answer"]["documentation"]["value"] == "What it said."
    assert chosen(f'{guard}context.an" }}]\n', fields["answer"]).endswith('expression: "context.answer" }]\n')
    values = offered(asked, guard + "context.is_new && context.answer == ", '" }]\n')
    assert list(values) == ["maybe", "on hold", "true"]
    assert chosen(f'{guard}context.is_new && context.answer == " }}]\n', values["maybe"]).endswith("== 'maybe'\" }]\n")
    inside = offered(asked, guard + "context.answer == 'ma", '" }]\n')
    assert chosen(f"{guard}context.answer == 'ma\" }}]\n", inside["maybe"]).endswith("== 'maybe\" }]\n")
    assert "context" in offered(asked, guard + "!con", '" }]\n')


def test_names_are_known_although_the_line_being_typed_breaks_the_file(asked: Editor) -> None:
    before = HEAD.replace("    ask:\n", "    ask:\n      transitions:\n        - { toState: ")
    assert list(offered(asked, before, "\n    last: { terminal: true }\n")) == ["end", "ask", "last"]


def test_renaming_changes_every_place_and_nothing_else(opened: Editor, loop: str) -> None:
    answer = opened.at("rename", URI, where(loop, "context.outcome", inside=10), newName="verdict")
    renamed = edited(loop, answer["changes"][URI])
    expected = loop
    for old in ("    outcome: {", "name: outcome,", "context.outcome ", 'outcome: ""'):
        expected = expected.replace(old, old.replace("outcome", "verdict"))
    assert renamed == expected
    answer = opened.at("rename", URI, where(loop, "toState: replan", inside=10), newName="think again")
    renamed = edited(loop, answer["changes"][URI])
    assert renamed.count('"think again"') == 3
    assert "context.outcome == 'replan'" in renamed
    place = opened.at("prepareRename", URI, where(loop, "agent: executor", inside=8))
    assert place["placeholder"] == "executor"


@pytest.mark.parametrize(
    ("needle", "inside", "new", "why"),
    [
        ("context.outcome", 10, "result", "already"),
        ("context.outcome", 10, "not a name", "could not name"),
        ("context.outcome", 10, "in", "could not name"),
        ("toState: replan", 10, "", "cannot be called so"),
        ("version: 1", 2, "x", "no name"),
    ],
)
def test_renaming_is_refused(opened: Editor, loop: str, needle: str, inside: int, new: str, why: str) -> None:
    with pytest.raises(RefusedError, match=why) as refused:
        opened.at("rename", URI, where(loop, needle, inside=inside), newName=new)
    assert "traceback" not in str(refused.value)


def test_renaming_is_refused_where_the_file_has_faults(opened: Editor, loop: str) -> None:
    opened.change(URI, loop + "  nonsense: 1\n")
    with pytest.raises(RefusedError, match="mend them first"):
        opened.at("rename", URI, where(loop, "toState: replan", inside=10), newName="again")


def test_a_transition_that_is_half_written_hides_no_other(asked: Editor, loop: str) -> None:
    text = loop.replace("        - toState: finish\n", "        - description: to be written\n", 1)
    asked.open(URI, text)
    page = told(asked, text, "name: outcome", inside=8)
    assert "- read in: `execute → replan`, `execute → abort`\n" in page
