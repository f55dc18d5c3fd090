"""Expressions that are compiled late say what they would say."""

from __future__ import annotations

import re

import pytest

from fsmcheck import late


def test_it_is_compiled_when_it_is_first_used_and_only_then(monkeypatch: pytest.MonkeyPatch) -> None:
    made: list[tuple[str, int]] = []
    compiled = re.compile

    def counting(text: str, flags: int = 0) -> re.Pattern[str]:
        made.append((text, flags))
        return compiled(text, flags)

    monkeypatch.setattr(re, "compile", counting)
    found = late.pattern("a(b)?", re.IGNORECASE)
    assert made == []
    for _ in range(2):
        match = found.fullmatch("AB")
        assert match is not None
        assert match[1] == "B"
    assert made == [("a(b)?", re.IGNORECASE)]
    assert found.sub("-", "xaby") == "x-y"
    assert found.pattern == "a(b)?"


def test_what_is_no_expression_is_told_when_it_is_used() -> None:
    found = late.pattern("(")
    with pytest.raises(re.error):
        found.match("")
