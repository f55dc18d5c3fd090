"""The catalogue, the files of the rules, their pages and their fixtures agree."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

import fsmcheck.rules
from fsmcheck.rules.behaviour import BehaviourRule
from fsmcheck.rules.catalogue import RULES
from fsmcheck.rules.rule import SECTIONS, Rule, sections
from fsmcheck.source import SourceFile
from fsmcheck.spec.yaml_tree import compose

PACKAGE = Path(fsmcheck.rules.__file__).parent
CASES = Path(__file__).parents[1] / "cases"


def test_sorted_and_unique() -> None:
    ids = [rule.id for rule in RULES]
    assert ids == sorted(set(ids))
    assert len({rule.slug for rule in RULES}) == len(RULES)


def test_one_file_a_rule() -> None:
    files = {path.stem for path in PACKAGE.glob("*/fsm*.py")}
    assert files == {f"{rule.id.lower()}_{rule.slug.replace('-', '_')}" for rule in RULES}


@pytest.mark.parametrize("rule", RULES, ids=lambda rule: rule.id)
def test_page(rule: Rule | BehaviourRule) -> None:
    parts = sections(rule.documentation)
    assert tuple(parts) == ("", *SECTIONS)
    assert all(parts.values())
    assert rule.summary.endswith(".")
    assert len(rule.summary) <= 100
    blocks = re.findall(r"```yaml\n(.*?)```", parts["Example"], re.DOTALL)
    assert blocks
    for block in blocks:
        documents = compose(SourceFile("example", block))
        assert all(document.root is not None for document in documents)


@pytest.mark.parametrize("rule", RULES, ids=lambda rule: rule.id)
def test_fixtures(rule: Rule | BehaviourRule) -> None:
    folder = CASES / rule.id
    bad = {path.stem for path in folder.glob("bad_*.yaml")}
    assert bad
    assert {path.stem for path in folder.glob("bad_*.expected")} == bad
    assert list(folder.glob("ok_*.yaml"))


def test_no_folder_without_a_rule() -> None:
    assert {path.name for path in CASES.iterdir() if path.name.startswith("FSM")} <= {rule.id for rule in RULES}
