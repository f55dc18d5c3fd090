"""What an editor or a file may do to the server."""

from __future__ import annotations

import json
import re
import shutil
import subprocess
import sys
import tomllib
from itertools import count
from pathlib import Path

import pytest

from tests.lsp.editor import PATIENCE, Editor, RefusedError, codes, editor, where
from tests.lsp.test_findings import SMALL, WRONG

_NUMBER = count()
QUESTIONS = ("hover", "definition", "documentHighlight", "completion")


def fresh() -> str:
    """An address that no other test uses."""
    return f"untitled:spec-{next(_NUMBER)}"


def test_every_beginning_of_a_spec_is_borne(asked: Editor, loop: str) -> None:
    uri = fresh()
    asked.open(uri, "")
    for end in range(0, len(loop), 61):
        text = loop[:end]
        asked.change(uri, text)
        position = (text.count("\n"), len(text.rpartition("\n")[2]))
        for method in QUESTIONS:
            asked.at(method, uri, position)
    asked.ask("textDocument/documentSymbol", {"textDocument": {"uri": uri}})
    assert asked.process.poll() is None


@pytest.mark.parametrize(
    "text",
    [
        "fsm: &a [*a]\n",
        "fsm: !!python/object:os.system {}\n",
        "fsm:\n" + "".join(" " * depth + "a:\n" for depth in range(1, 80)),
        "fsm: " + "[" * 5000,
        "fsm:\n  states: { a: \ud800 }\n",
        "fsm:\n  states: { a: { description: '\x00\x1b[31m\u202e' } }\n",
        "\ufefffsm:\n  states: { '\U0001f600': { terminal: 'x' } }\n",
        "fsm:\r  states:\r    a: { terminal: 7 }\r",
        "fsm:\n  states: { a: { transitions: [{ toState: b, guards: [{ backend: cel, expression: '"
        + "(" * 900
        + "' }] }] } }\n",
        "fsm:\n  states: {\n---\nfsm:\n  states: }\n---\nfsm: 1\n",
        "# fsmcheck: allow\nfsm: 1 # fsmcheck: allow FSM002\n",
        "fsm:\n  context: { f: { type: integer, default: " + "9" * 5000 + " } }\n",
    ],
)
def test_hostile_texts_get_findings_and_nothing_worse(asked: Editor, text: str) -> None:
    uri = fresh()
    asked.open(uri, text)
    assert asked.diagnostics(uri)
    for line in range(min(4, text.count("\n") + 1)):
        for method in QUESTIONS:
            asked.at(method, uri, (line, 12))
    asked.ask(
        "textDocument/codeAction",
        {
            "textDocument": {"uri": uri},
            "range": {"start": {"line": 0, "character": 0}, "end": {"line": 10**6, "character": 0}},
            "context": {"diagnostics": []},
        },
    )
    asked.ask("textDocument/documentSymbol", {"textDocument": {"uri": uri}})
    with pytest.raises(RefusedError):
        asked.at("rename", uri, (0, 0), newName="x")


def test_a_text_of_more_than_a_megabyte_is_refused_in_words(asked: Editor) -> None:
    uri = fresh()
    asked.open(uri, SMALL + "# " + "x" * 1_000_001)
    (found,) = asked.diagnostics(uri)
    assert found["code"] == "FSM001"
    assert "longer than 1000000 characters" in found["message"]


def test_places_beyond_the_text_are_answered(asked: Editor) -> None:
    uri = fresh()
    asked.open(uri, SMALL)
    for position in ((10**6, 0), (0, 10**6), (2**31 - 1, 2**31 - 1)):
        for method in QUESTIONS:
            asked.at(method, uri, position)


def test_texts_that_are_not_open_have_no_answers(asked: Editor) -> None:
    for method in QUESTIONS:
        found = asked.at(method, "untitled:never", (0, 0))
        assert not found or found == {"isIncomplete": False, "items": []}
    asked.tell("textDocument/didClose", {"textDocument": {"uri": "untitled:never"}})
    change = {"textDocument": {"uri": "untitled:never", "version": 2}, "contentChanges": [{"text": SMALL}]}
    asked.tell("textDocument/didChange", change)
    asked.save("untitled:never")
    assert asked.at("hover", "untitled:never", (0, 0)) is None


def test_opening_twice_replaces_and_closing_twice_is_borne(asked: Editor) -> None:
    uri = fresh()
    asked.open(uri, SMALL)
    asked.open(uri, WRONG)
    assert "FSM101" in codes(asked.diagnostics(uri, lambda found: "FSM101" in codes(found)))
    asked.close(uri)
    asked.close(uri)
    assert asked.at("hover", uri, (0, 0)) is None


@pytest.mark.parametrize("uri", ["file:///a%00b.yaml", "file://host/share/x.yaml", "git:/x.yaml?%7B%7D", "x", "file:"])
def test_odd_addresses_are_texts_all_the_same(asked: Editor, uri: str) -> None:
    asked.open(uri, WRONG)
    assert "FSM101" in codes(asked.diagnostics(uri, lambda found: found != []))
    asked.close(uri)


def test_changes_that_come_in_a_burst_are_judged_by_the_last(asked: Editor) -> None:
    uri = fresh()
    asked.open(uri, SMALL)
    for number in range(40):
        last = asked.change(uri, WRONG if number % 2 else SMALL)
    assert "FSM101" in codes(asked.diagnostics(uri, version=last))


def test_garbage_on_the_wire_is_logged_and_survived() -> None:
    uri = fresh()
    with editor("--isolated") as session:
        session.send_bytes(b"{ no json")
        session.send_bytes(b"[]")
        session.send_bytes(json.dumps({"jsonrpc": "2.0", "id": 77, "method": "no/such", "params": {}}).encode())
        session.send_bytes(json.dumps({"jsonrpc": "2.0", "method": "textDocument/didOpen", "params": 5}).encode())
        session.open(uri, WRONG)
        assert "FSM101" in codes(session.diagnostics(uri))
    assert not any(b"Traceback" in line for line in session.log)


def test_exit_codes_and_silence() -> None:
    session = Editor()
    try:
        session.initialize()
        session.tell("exit", None)
        assert session.process.wait(PATIENCE) == 1
    finally:
        session.end()
    assert session.log == []
    done = subprocess.run(
        [sys.executable, "-m", "fsmcheck", "lsp"], stdin=subprocess.DEVNULL, capture_output=True, check=False
    )
    assert (done.returncode, done.stdout) == (1, b"")


def test_modules_in_the_folder_of_the_editor_are_not_run(tmp_path: Path) -> None:
    uri = fresh()
    for name in ("pickle", "yaml", "z3", "fsmcheck", "json", "celpy"):
        (tmp_path / f"{name}.py").write_text("import pathlib\npathlib.Path('ran').write_text('')\n")
    started = Path(sys.executable).with_name("fsmcheck")
    with editor(cwd=tmp_path, command=[str(started), "lsp", "--stdio"], root=tmp_path) as session:
        session.open(uri, SMALL.replace("{ canTransition: [ask] }", "{ canTransition: [ask, end] }"))
        # FSM305 and what follows comes from the process that is started; FSM109 is of the text.
        session.diagnostics(uri, lambda found: "FSM109" in codes(found))
        while session.children():
            session.at("hover", uri, (0, 0))
        assert not (tmp_path / "ran").exists()


def test_without_the_extra_it_says_what_to_install() -> None:
    code = (
        "import sys; sys.modules['pygls'] = None; sys.argv = ['fsmcheck', 'lsp'];"
        "from fsmcheck.cli.entry import run; run()"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert done.returncode == 2
    assert 'pip install "fsmcheck[lsp]"' in done.stderr
    assert "Traceback" not in done.stderr


def test_usage(tmp_path: Path) -> None:
    empty = tmp_path / "pyproject.toml"
    empty.write_text("")
    for arguments in (["--profile", "both", "--config", str(empty)], ["--config", str(empty), "--isolated"]):
        done = subprocess.run(
            [sys.executable, "-m", "fsmcheck", "lsp", *arguments],
            stdin=subprocess.DEVNULL,
            capture_output=True,
            check=False,
        )
        assert done.returncode == 2
        assert done.stdout == b""


def test_the_settings_in_the_documentation_start_the_server() -> None:
    page = (Path(__file__).parents[2] / "docs" / "editors.md").read_text(encoding="utf-8")
    section = page.partition("\n## The language server\n")[2].partition("\n## ")[0]
    found = dict(re.findall(r"```(json|toml)\n(.*?)```", section, re.DOTALL))
    code = json.loads(found["json"])
    assert [code["glspc.server.command"], *code["glspc.server.commandArguments"]] == ["fsmcheck", "lsp"]
    helix = tomllib.loads(found["toml"])
    server = helix["language-server"]["fsmcheck"]
    assert [server["command"], *server["args"]] == ["fsmcheck", "lsp"]
    assert "fsmcheck" in helix["language"][0]["language-servers"]
    assert re.findall(r'cmd = \{ "fsmcheck", "lsp" \}', section) != []
    assert '("fsmcheck" "lsp")' in section


@pytest.mark.skipif(shutil.which("nvim") is None, reason="Neovim is not installed")
def test_neovim_shows_what_is_found(tmp_path: Path) -> None:
    (tmp_path / "spec.yaml").write_text(WRONG)
    (tmp_path / "init.lua").write_text(
        f"""
        vim.api.nvim_create_autocmd("FileType", {{ pattern = "yaml", callback = function()
          local cmd = {{ "{sys.executable}", "-m", "fsmcheck", "lsp" }}
          local client = vim.lsp.start_client({{ name = "fsmcheck", cmd = cmd, root_dir = "{tmp_path}" }})
          vim.lsp.buf_attach_client(0, client)
        end }})
        """
    )
    (tmp_path / "look.lua").write_text(
        """
        vim.wait(30000, function() return #vim.diagnostic.get(0) > 0 end)
        for _, each in ipairs(vim.diagnostic.get(0)) do print(each.code .. " " .. each.lnum .. " " .. each.col) end
        vim.cmd("qa!")
        """
    )
    done = subprocess.run(
        ["nvim", "--headless", "-u", "init.lua", "spec.yaml", "-c", "luafile look.lua"],
        cwd=tmp_path,
        capture_output=True,
        text=True,
        timeout=PATIENCE,
        check=False,
    )
    line, column = where(WRONG, "toState: ende", inside=len("toState: "))
    assert f"FSM101 {line} {column}" in done.stdout + done.stderr
