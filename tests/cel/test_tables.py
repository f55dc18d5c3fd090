"""The kept LALR tables are those of the installed grammar, and give the trees and errors that lark gives."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from random import Random

import lark
import pytest

from fsmcheck.cel import tables
from fsmcheck.cel.grammar import terminal
from fsmcheck.cel.lalr import Tree, UnexpectedTokenError, parse
from fsmcheck.cel.scan import Token, scan

EXPRESSIONS = (
    "context.a == 'x' && !(size(context.b) > 3 || 1 in [1, 2])",
    "context.list.exists(x, x.startsWith('a')) ? -1 : 2 * (3 - 4) % 5",
    "{'k': [1.5, true, null], 'l': []}['k'][0] != {}",
    ".a.b(1, 2).c{d: 1, e: 2}{} + f() - .g(x) / -h",
)
MOST = 12


@pytest.fixture
def fresh() -> Iterator[None]:
    tables.grammar.cache_clear()
    yield
    tables.grammar.cache_clear()


@pytest.fixture(scope="module")
def theirs() -> lark.Lark:
    return tables.build(tables.grammar_text())


def test_the_kept_tables_are_those_of_what_is_installed() -> None:
    kept = json.loads(tables.FILE.read_text(encoding="utf-8"))
    made = json.loads(json.dumps(tables.plain(tables.grammar_text())))
    assert kept == made, "run python -m fsmcheck.cel.tables"


def by_lark(parser: lark.Lark, tokens: list[Token]) -> object:
    """What lark's own driver makes of tokens, or the place of the first that does not fit with what was expected."""
    state = parser.parse_interactive("")
    last = lark.Token("$END", "", 0, 1, 1, 1, 1, 0)
    fed = 0
    try:
        for token in tokens:
            start, end = token.span.start, token.span.end
            last = lark.Token(terminal(token), token.text, start, 1, start + 1, 1, end + 1, end)
            state.feed_token(last)
            fed += 1
        return shape(state.feed_eof(last))
    except lark.UnexpectedToken as error:
        return fed, error.expected


def by_us(tokens: list[Token]) -> object:
    try:
        return shape(parse(tables.grammar().tables, [(terminal(token), token) for token in tokens]))
    except UnexpectedTokenError as error:
        return error.number, set(error.expected)


def shape(node: object) -> object:
    if isinstance(node, Tree):
        return node.data, node.start, node.end, [shape(child) for child in node.children]
    if isinstance(node, Token):
        return node.text, node.span.start, node.span.end
    if isinstance(node, lark.Tree):
        return str(node.data), node.meta.start_pos, node.meta.end_pos, [shape(child) for child in node.children]
    assert isinstance(node, lark.Token)
    return str(node), node.start_pos, node.end_pos


@pytest.mark.parametrize("text", EXPRESSIONS)
def test_trees_are_those_of_lark(text: str, theirs: lark.Lark) -> None:
    tokens = list(scan(text))
    found = by_us(tokens)
    assert found == by_lark(theirs, tokens)
    assert found[0] == "expr"


def test_any_tokens_are_taken_or_refused_as_lark_does(theirs: lark.Lark) -> None:
    random = Random(5)
    texts = [token.text for text in EXPRESSIONS for token in scan(text)]
    wholes = 0
    for _ in range(1_500):
        words = list(scan(random.choice(EXPRESSIONS)))
        start = random.randrange(len(words))
        words = words[start : start + random.randrange(MOST)]
        for _ in range(random.randrange(3)):
            words.insert(random.randrange(len(words) + 1), scan(random.choice(texts))[0])
        tokens = list(scan(" ".join(word.text for word in words)))
        found = by_us(tokens)
        assert found == by_lark(theirs, tokens), tokens
        wholes += isinstance(found, tuple) and found[0] == "expr"
    assert wholes > 60


@pytest.mark.parametrize("text", ["", "{}", '{"for": 1}', "no json", "[]", None])
def test_other_tables_are_not_used(
    text: str | None, fresh: None, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = tmp_path / "tables.json"
    if text is not None:
        file.write_text(text, encoding="utf-8")
    monkeypatch.setattr(tables, "FILE", file)
    assert by_us(list(scan("1 + 2")))[0] == "expr"


def test_tables_of_another_grammar_are_not_used(fresh: None, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    kept = json.loads(tables.FILE.read_text(encoding="utf-8"))
    file = tmp_path / "tables.json"
    file.write_text(json.dumps(kept | {"for": "0" * 64, "states": []}), encoding="utf-8")
    monkeypatch.setattr(tables, "FILE", file)
    assert by_us(list(scan("1 + 2")))[0] == "expr"


def test_a_grammar_of_another_kind_is_told() -> None:
    with pytest.raises(tables.MisfitError):
        tables.plain('?expr: "a" | "(" expr ")"')
