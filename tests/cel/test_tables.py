"""The kept LALR tables are those of the installed grammar, and anything else is built anew."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from fsmcheck.cel import tables


@pytest.fixture
def fresh_parser() -> object:
    tables.parser.cache_clear()
    yield tables.parser
    tables.parser.cache_clear()


EXPRESSIONS = (
    "context.a == 'x' && !(size(context.b) > 3 || 1 in [1, 2])",
    "context.list.exists(x, x.startsWith('a')) ? -1 : 2 * (3 - 4) % 5",
    "{'k': [1.5, true, null]}['k'][0]",
)


def test_the_kept_tables_belong_to_what_is_installed() -> None:
    kept = json.loads(tables.FILE.read_text(encoding="utf-8"))
    assert kept["for"] == tables.identity(tables.grammar_text()), "run python -m fsmcheck.cel.tables"


@pytest.mark.parametrize("text", EXPRESSIONS)
def test_the_kept_tables_parse_as_new_ones(text: str) -> None:
    assert tables.parser().parse(text) == tables.build(tables.grammar_text()).parse(text)


@pytest.mark.parametrize("text", ["", "{}", '{"for": 1}', "no json", None])
def test_other_tables_are_not_used(
    text: str | None, fresh_parser: object, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = tmp_path / "tables.json"
    if text is not None:
        file.write_text(text, encoding="utf-8")
    monkeypatch.setattr(tables, "FILE", file)
    built = tables.parser()
    assert built.parse("1 + 2").data == "expr"


def test_tables_of_another_grammar_are_not_used(
    fresh_parser: object, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    kept = json.loads(tables.FILE.read_text(encoding="utf-8"))
    kept["for"]["grammar"] = "0" * 64
    kept["tables"] = {"map": []}
    file = tmp_path / "tables.json"
    file.write_text(json.dumps(kept), encoding="utf-8")
    monkeypatch.setattr(tables, "FILE", file)
    assert tables.parser().parse("1 + 2").data == "expr"
