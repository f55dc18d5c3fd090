"""Findings as somebody types: at once what the text tells, after a moment what the runs tell."""

from __future__ import annotations

import time
from pathlib import Path

from tests.lsp.conftest import SPECS
from tests.lsp.editor import PATIENCE, Editor, codes, editor, where

SMALL = """fsm:
  initialState: ask
  context:
    answer: { type: enum, values: [yes, no] }
  agents:
    smith: { canTransition: [ask] }
  states:
    ask:
      requires: [{ name: answer, from: { agent: smith } }]
      transitions:
        - toState: end
    end: { terminal: true }
"""
WRONG = SMALL.replace("toState: end", "toState: ende")

# Booleans and two counters that no engine finds a pattern in: proving takes as long as it is given.
_BITS = [f"b{number}" for number in range(14)]
SLOW = f"""fsm:
  initialState: work
  context:
    x: {{ type: integer, default: 1 }}
    y: {{ type: integer, default: 2 }}
    {"".join(f"{bit}: {{ type: boolean }}{chr(10)}    " for bit in _BITS).strip()}
  agents:
    smith: {{ canTransition: [work] }}
  states:
    work:
      requires: [{", ".join(f"{{ name: {bit}, from: {{ agent: smith }} }}" for bit in _BITS)}]
      transitions:
        - toState: end
          guards:
            - backend: cel
              expression: "context.x * context.x * context.x == context.y * context.y + 17 && context.b0"
        - toState: work
          onTransition:
            - assign:
                x: "${{ (context.x * context.y + 3) % 7919 }}"
                y: "${{ (context.y * 5 + context.x) % 104729 }}"
    end: {{ terminal: true }}
"""


def test_the_text_is_judged_at_once_the_runs_after_a_pause() -> None:
    uri, text = "untitled:loop", (SPECS / "faulty/outcome_not_consumed.yaml").read_text(encoding="utf-8")
    with editor("--isolated") as session:
        session.open(uri, text)
        assert session.diagnostics(uri, version=1) == []
        found = session.settled(uri, "FSM403", "FSM405", "FSM405", "FSM505")
        root = next(each for each in found if each["code"] == "FSM403")
        line, column = where(text, "toState: replan", inside=len("toState: "))
        assert root["range"] == {
            "start": {"line": line, "character": column},
            "end": {"line": line, "character": column + len("replan")},
        }
        assert root["severity"] == 1
        assert root["source"] == "fsmcheck"
        assert root["message"].splitlines()[1] == 'help: add outcome: "" to this transition\'s assign'
        asked = where(text, "{ name: outcome", inside=0)
        assert {
            (each["location"]["range"]["start"]["line"], each["message"]) for each in root["relatedInformation"]
        } == {
            (asked[0], "it is asked for here"),
            (where(text, "context.outcome == 'replan'")[0], "the guard that reads it"),
        }
        severities = {each["code"]: each["severity"] for each in found}
        assert severities == {"FSM403": 1, "FSM405": 2, "FSM505": 3}

        # A line above: what is known of the runs stays on screen, one line further down, until it is known anew.
        session.change(uri, f"# why\n{text}")
        moved = session.diagnostics(uri, version=2)
        assert [each["range"]["start"]["line"] for each in moved if each["code"] == "FSM403"] == [line + 1]

        # Mended: the finding goes, in the end.
        mended = text.replace('result: "" }', 'result: "", outcome: "" }')
        assert mended != text
        session.change(uri, mended)
        session.settled(uri, "FSM405", "FSM505")

        session.close(uri)
        assert session.diagnostics(uri, lambda found: found == []) == []
        assert session.children() == []


def test_faults_of_the_text_come_and_go_with_each_change() -> None:
    uri = "untitled:small"
    with editor("--isolated") as session:
        session.open(uri, WRONG)
        (found,) = (each for each in session.diagnostics(uri, version=1) if each["code"] == "FSM101")
        assert 'did you mean "end"?' in found["message"]
        version = session.change(uri, SMALL)
        assert "FSM101" not in codes(session.diagnostics(uri, version=version))
        version = session.change(uri, SMALL + "  a: [\n")
        assert "FSM001" in codes(session.diagnostics(uri, version=version))
        version = session.change(uri, "other: true\n")
        assert session.diagnostics(uri, version=version) == []


def test_yaml_that_is_no_spec_is_left_alone() -> None:
    with editor("--isolated") as session:
        session.open("file:///compose.yaml", "services: { web: { image: nginx } }\n")
        session.open("file:///broken.yaml", "services: [\n  - {")
        session.open("untitled:small", WRONG)
        session.diagnostics("untitled:small")
        assert {each["uri"] for each in session.published} <= {"untitled:small"}
        assert session.at("hover", "file:///compose.yaml", (0, 2)) is None


def test_columns_are_those_of_the_editor() -> None:
    # The state's name holds an emoji and a combining accent, both before the fault on its line.
    text = SMALL.replace("{ terminal: true }", "{ terminal: true, 'e\u0301\U0001f600': 1, tpye: 2 }")
    before = next(line for line in text.splitlines() if "tpye" in line).partition("tpye")[0]
    # test_positions has the third. An editor that says nothing counts in UTF-16.
    in_bytes, in_words = len(before.encode()), len(before.encode("utf-16-le")) // 2
    assert len({in_bytes, in_words, len(before)}) == 3
    for capabilities, expected in (({"general": {"positionEncodings": ["utf-8", "utf-16"]}}, in_bytes), ({}, in_words)):
        with editor("--isolated", capabilities=capabilities) as session:
            session.open("untitled:a", text)
            found = session.diagnostics("untitled:a")
            (wrong,) = (each for each in found if '"tpye"' in each["message"])
            assert wrong["range"]["start"]["character"] == expected
            assert wrong["range"]["end"]["character"] == expected + 4


def test_the_configuration_beside_a_file_counts_and_is_read_again_on_saving(tmp_path: Path) -> None:
    spec, config = tmp_path / "spec.yaml", tmp_path / ".fsmcheck.toml"
    spec.write_text(WRONG)
    config.write_text('[severity]\nFSM101 = "warning"\n')
    with editor() as session:
        uri = spec.as_uri()
        session.open(uri, WRONG)
        assert ("FSM101", 2) in [(each["code"], each["severity"]) for each in session.diagnostics(uri)]
        config.write_text('ignore = ["FSM101", "FSM2"]\n')
        session.save(uri)
        session.diagnostics(uri, lambda found: "FSM101" not in codes(found))
        config.write_text("ignore = 7\n")
        session.save(uri)
        session.diagnostics(uri, lambda found: "FSM101" in codes(found))
        session.at("hover", uri, (0, 0))
        assert len(session.shown) == 1
        assert '"ignore" is a number' in session.shown[0]


def test_what_a_comment_allows_is_not_shown_and_a_useless_comment_is() -> None:
    allowed = WRONG.replace(
        "        - toState", "        # fsmcheck: allow FSM101 - not written yet\n        - toState"
    )
    with editor("--isolated") as session:
        session.open("untitled:a", allowed)
        assert "FSM101" not in codes(session.diagnostics("untitled:a"))
        session.change("untitled:a", SMALL + "# fsmcheck: allow FSM101\n")
        found = session.diagnostics("untitled:a", version=2)
        assert "malformed-allow" in codes(found)


def test_a_spec_that_takes_long_holds_nobody_up_and_typing_ends_its_check() -> None:
    uri = "untitled:slow"
    with editor("--isolated") as session:
        session.open(uri, SLOW)
        session.diagnostics(uri, version=1)
        first = _children(session, 1)
        started = time.monotonic()
        assert "integer" in session.at("hover", uri, where(SLOW, "x: {", inside=0))["contents"]["value"]
        version = session.change(uri, SLOW.replace("toState: end", "toState: ende"))
        assert "FSM101" in codes(session.diagnostics(uri, version=version))
        # It runs for more than half a minute; both answers come while it would.
        assert time.monotonic() - started < 5
        _gone(first)
        session.change(uri, SLOW)
        last = _children(session, 1)
    _gone(last)


def test_what_only_one_profile_finds_says_so() -> None:
    text = (SPECS / "planner_executor.yaml").read_text(encoding="utf-8")
    with editor("--isolated", "--profile", "both") as session:
        session.open("untitled:loop", text)
        # As specs/verdicts.yaml has it: FSM407 under eager alone.
        found = session.settled("untitled:loop", "FSM405", "FSM407", "FSM505")
        messages = {each["code"]: each["message"].splitlines()[0] for each in found}
        assert messages["FSM407"].endswith("(under the profile eager)")
        assert "profile" not in messages["FSM405"] + messages["FSM505"]


def test_an_editor_that_dies_leaves_nothing_behind() -> None:
    session = Editor("--isolated")
    try:
        session.initialize()
        session.open("untitled:slow", SLOW)
        children = _children(session, 1)
        assert session.process.stdin is not None
        session.process.stdin.close()
        assert session.process.wait(PATIENCE) == 1
        _gone(children)
    finally:
        session.end()


def test_a_server_that_is_killed_leaves_nothing_behind() -> None:
    session = Editor("--isolated")
    try:
        session.initialize()
        session.open("untitled:slow", SLOW)
        children = _children(session, 1)
        session.process.kill()
        _gone(children)
    finally:
        session.end()


def _children(session: Editor, number: int) -> list[int]:
    deadline = time.monotonic() + PATIENCE
    while len(found := session.children()) < number:
        assert time.monotonic() < deadline
        time.sleep(0.02)
    return found


def _gone(pids: list[int]) -> None:
    deadline = time.monotonic() + PATIENCE
    while any(_is_alive(pid) for pid in pids):
        assert time.monotonic() < deadline, pids
        time.sleep(0.02)


def _is_alive(pid: int) -> bool:
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except OSError:
        return False
