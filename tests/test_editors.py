"""What docs/editors.md says of the schema: the commands run, and the schema knows good specs from bad ones."""

from __future__ import annotations

import json
import re
import shlex
from pathlib import Path
from typing import Any

import jsonschema
import pytest
import yaml

from fsmcheck.cli.discover import discover
from fsmcheck.cli.main import main
from fsmcheck.source import SourceFile
from fsmcheck.spec.load import load

ROOT = Path(__file__).parents[1]
PAGE = (ROOT / "docs" / "editors.md").read_text(encoding="utf-8")
SHIPPED = discover([str(ROOT / "specs")])
GOOD = "fsm:\n  initialState: a\n  states:\n    a: { transitions: [{ toState: b }] }\n    b: { terminal: true }\n"


def block(language: str) -> str:
    found = re.search(rf"```{language}\n(.*?)```", PAGE, re.DOTALL)
    assert found is not None
    return found[1]


@pytest.fixture
def validator(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> jsonschema.Draft7Validator:
    """Of the schema in the file that the page's own command writes."""
    monkeypatch.chdir(tmp_path)
    (command,) = re.findall(r"^fsmcheck (schema .*)$", PAGE, re.MULTILINE)
    assert main(shlex.split(command)) == 0
    (written,) = tmp_path.iterdir()
    assert f"/{written.name}" in block("yaml")
    assert f'"./{written.name}"' in block("json")
    assert f'"./{written.name}"' in block("lua")
    return jsonschema.Draft7Validator(json.loads(written.read_text(encoding="utf-8")))


def documents(text: str) -> list[Any]:
    # As an editor reads it: no dates, and what is no text for YAML 1.1 alone is text.
    loader = type("Loader", (yaml.SafeLoader,), {"yaml_implicit_resolvers": {}})
    for tag, pattern, first in (
        ("bool", r"true|false", "tf"),
        ("int", r"-?[0-9]+", "-0123456789"),
        ("null", r"null|~|", ["n", "~", ""]),
    ):
        loader.add_implicit_resolver(f"tag:yaml.org,2002:{tag}", re.compile(rf"^(?:{pattern})$"), list(first))
    return list(yaml.load_all(text, loader))  # type: ignore[arg-type]


def test_all_shipped_specs_and_that_of_the_page_are_accepted(validator: jsonschema.Draft7Validator) -> None:
    assert len(SHIPPED) > 10
    for text in [*(Path(path).read_text(encoding="utf-8") for path in SHIPPED), block("yaml"), GOOD]:
        for document in documents(text):
            validator.validate(document)


@pytest.mark.parametrize(
    ("right", "wrong", "place"),
    [
        ("toState", "to", ["fsm", "states", "a", "transitions", 0]),
        ("initialState: a", "start: a", ["fsm"]),
        ("terminal: true", "terminal: yes", ["fsm", "states", "b", "terminal"]),
        ("[{ toState: b }]", "{ toState: b }", ["fsm", "states", "a", "transitions"]),
        ("toState: b", "toState: b, guards: [{ expression: 'true' }]", ["fsm", "states", "a", "transitions", 0]),
        ("  states:", "  context: { f: { type: text } }\n  states:", ["fsm", "context", "f"]),
        ("  states:", "  context: { f: { type: enum } }\n  states:", ["fsm", "context", "f"]),
        ("  states:", "  policy: { maxIterations: 0 }\n  states:", ["fsm", "policy", "maxIterations"]),
        ("toState: b", "toState: b, onTransition: [{ set: { f: 1 } }]", ["fsm", "states", "a", "transitions", 0]),
        ("fsm:", "machine:", []),
    ],
)
def test_typical_faults_are_refused_where_they_are(
    right: str, wrong: str, place: list[str | int], validator: jsonschema.Draft7Validator
) -> None:
    text = GOOD.replace(right, wrong, 1)
    assert text != GOOD
    (document,) = documents(text)
    errors = list(validator.iter_errors(document))
    assert errors
    assert all(list(error.absolute_path)[: len(place)] == place for error in errors)
    # The checker itself refuses the same.
    assert {fault.rule for each in load(SourceFile("a.yaml", text)) for fault in each.faults} >= {"FSM002"}


def test_the_settings_are_what_the_editors_read() -> None:
    patterns = json.loads(block("json"))["yaml.schemas"]
    (globs,) = patterns.values()
    assert globs == re.findall(r'"(specs/[^"]+)"', block("lua"))
    assert re.match(r"# yaml-language-server: \$schema=\S+\n", block("yaml"))


def test_a_schema_that_cannot_be_written_is_a_usage_error(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["schema", "--output", str(tmp_path / "missing" / "a.json")]) == 2
    assert "is no folder" in capsys.readouterr().err
