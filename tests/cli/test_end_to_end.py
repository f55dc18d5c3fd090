"""The whole way: a file on disk to a report on standard output, in a process of its own."""

from __future__ import annotations

import io
import json
import os
import re
import subprocess
import sys
from importlib.resources import files
from pathlib import Path

import jsonschema
import pytest

from fsmcheck.cli.discover import discover
from fsmcheck.cli.main import main
from fsmcheck.report import formats

ROOT = Path(__file__).parents[2]
VALIDATOR = jsonschema.Draft7Validator(json.loads(files("fsmcheck.report").joinpath("report_schema.json").read_text()))
HIDDEN = re.compile("[\x00-\x09\x0b-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069]")
HOSTILE = r"""fsm:
  name: "evil\e[2J\u202e"
  version: "\x9b1m"
  initialState: "go\r\nspecs/fine.yaml:1:1: nothing"
  context:
    "f\e]0;owned\a": { type: string }
    e: { type: enum, values: ["a\ud83d\ude00", "\u2028"] }
  agents:
    "who\0": { canTransition: ["nowhere\e[1A"] }
  states:
    "go\u2066": { requires: [{ name: "x\e[8m", from: { agent: "\x1b" } }], transitions: [{ toState: "y\n" }] }
"""


def fsmcheck(*arguments: str, text: str | None = None, **environment: str) -> subprocess.CompletedProcess[bytes]:
    kept = {name: value for name, value in os.environ.items() if name not in ("FORCE_COLOR", "FSMCHECK_DEBUG")}
    return subprocess.run(
        [sys.executable, "-m", "fsmcheck", *arguments],
        cwd=ROOT,
        env={**kept, **environment},
        input=text.encode("utf-8", "surrogatepass") if text is not None else b"",
        capture_output=True,
        check=False,
    )


def test_json_of_every_shipped_spec_is_valid() -> None:
    done = fsmcheck("check", "specs", "--format", "json", "--profile", "both")
    document = json.loads(done.stdout)
    VALIDATOR.validate(document)
    assert len(document["specs"]) == 2 * len(discover([str(ROOT / "specs")]))
    assert done.returncode == (1 if document["summary"]["error"] else 0)
    assert done.stderr == b""


def test_the_order_of_a_folder_is_the_same_every_time() -> None:
    first, second = (fsmcheck("check", "specs", "--exit-zero").stdout for _ in range(2))
    assert first == second


@pytest.mark.parametrize("form", formats.NAMES)
def test_hostile_names_come_out_harmless(form: str) -> None:
    done = fsmcheck("check", "-", "--format", form, text=HOSTILE)
    told = done.stdout.decode()
    assert (done.returncode, done.stderr) == (1, b"")
    assert not HIDDEN.search(told)
    assert not any(line.startswith("specs/fine.yaml") for line in told.splitlines())
    if form == "json":
        VALIDATOR.validate(json.loads(told))


@pytest.mark.parametrize(
    "text",
    [
        "",
        "\x00",
        "fsm:",
        "fsm: [",
        "fsm: {}",
        "fsm: 5",
        "- fsm",
        "fsm:\n\tname: x",
        "fsm: &a [*a]",
        "fsm: !!python/object:os.system {}",
        "fsm:\n  name: x\n  name: y",
        "fsm: " + "[" * 5000,
        "fsm:\n  version: " + "9" * 6000,
        "fsm:\n  states: { a: { transitions: [ { toState: a, guards: [ { backend: cel, expression: '"
        + "(" * 400
        + "' } ] } ] } }",
        "x" * 1_500_000,
    ],
)
def test_whatever_comes_in_there_is_a_finding_and_no_traceback(
    text: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("NO_COLOR", "1")
    monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(text.encode())))
    code = main(["check", "-"])
    captured = capsys.readouterr()
    assert (code, captured.err) == (1, "")
    assert re.match(r"<stdin>:\d+:\d+: error FSM\d\d\d [a-z-]+: ", captured.out)


def test_bytes_that_are_no_text(tmp_path: Path) -> None:
    path = tmp_path / "latin.yaml"
    path.write_bytes(b"fsm:\n  name: caf\xe9\n")
    done = fsmcheck("check", str(path))
    assert done.returncode == 1
    assert b"error FSM001 unreadable-file: " in done.stdout


def test_a_terminal_that_knows_only_ascii() -> None:
    done = fsmcheck("check", "specs", "--exit-zero", PYTHONIOENCODING="ascii")
    assert done.returncode == 0
    done.stdout.decode("ascii")


def test_rules_can_be_chosen() -> None:
    path = "specs/faulty/planner_lacks_abort.yaml"
    chosen = fsmcheck("check", path, "--select", "FSM1", "--format", "json")
    assert {found["rule"] for found in json.loads(chosen.stdout)["specs"][0]["findings"]} == {"FSM108"}
    without = fsmcheck("check", path, "--select", "FSM1", "--ignore", "FSM108")
    assert without.returncode == 0
