"""``explain``, ``rules``, ``schema`` and ``reducer``."""

from __future__ import annotations

import json
import re
import subprocess
import sys

import jsonschema
import pytest

from fsmcheck.cli.main import main
from fsmcheck.rules.catalogue import RULES


@pytest.mark.parametrize("name", ["FSM108", "fsm108", "no-authority"])
def test_a_rule_is_explained_by_id_or_slug(name: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["explain", name]) == 0
    told = capsys.readouterr().out
    assert told.startswith("FSM108 no-authority (error)\n\n")
    assert "## How to fix" in told


def test_an_explanation_shows_where_the_rule_fails_and_where_it_passes(capsys: pytest.CaptureFixture[str]) -> None:
    for rule in RULES:
        assert main(["explain", rule.id]) == 0
        _, _, shown = capsys.readouterr().out.partition("\n## From a spec that fails\n\n")
        fails, _, passes = shown.partition("\n## From one that passes\n\n")
        assert re.search(r"^ +\| *\^+$", fails, re.MULTILINE), rule.id
        assert re.match(r" +\d+ \|", passes), rule.id
        assert len(shown.splitlines()) < 80


def test_a_misspelt_rule_gets_a_suggestion(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["explain", "no-autority"]) == 2
    assert 'did you mean "no-authority"?' in capsys.readouterr().err


def test_rules_are_listed_in_order(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["rules"]) == 0
    listed = [line.split()[:3] for line in capsys.readouterr().out.splitlines()]
    assert listed == [[rule.id, rule.severity.value, rule.slug] for rule in RULES]
    assert listed == sorted(listed)


def test_rules_are_listed_for_programs(capfdbinary: pytest.CaptureFixture[bytes]) -> None:
    assert main(["rules", "--format", "json"]) == 0
    document = json.loads(capfdbinary.readouterr().out)
    assert document["schema"] == "fsmcheck.rules/1"
    assert [rule["id"] for rule in document["rules"]] == [rule.id for rule in RULES]
    assert all(rule["summary"] for rule in document["rules"])


def test_the_schema_is_a_json_schema(capfdbinary: pytest.CaptureFixture[bytes]) -> None:
    assert main(["schema"]) == 0
    jsonschema.Draft7Validator.check_schema(json.loads(capfdbinary.readouterr().out))


def test_the_reducer_speaks_the_protocol() -> None:
    requests = b'{"op":"start"}\n{"op":"close"}\n'
    command = [sys.executable, "-m", "fsmcheck", "reducer"]
    done = subprocess.run(command, input=requests, capture_output=True, check=False)
    assert (done.returncode, done.stderr) == (0, b"")
    assert json.loads(done.stdout)["ok"] is False
