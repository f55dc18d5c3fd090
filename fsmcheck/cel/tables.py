"""The LALR tables of cel-python's grammar, computed ahead of time.

Building them takes lark longer than everything else that a check of a small spec does. They are kept as plain data
beside this module, with the digest of the grammar they belong to; for any other grammar they are built anew.
``python -m fsmcheck.cel.tables`` writes the file.
"""

from __future__ import annotations

import hashlib
import importlib.util
import json
import re
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, TypedDict

from fsmcheck.cel.lalr import Rule, Tables
from fsmcheck.records import dataclass

if TYPE_CHECKING:
    import lark
    from lark.grammar import Rule as LarkRule
    from lark.parsers.lalr_analysis import ParseTable

FILE = Path(__file__).with_name("tables.json")

Kept = TypedDict(
    "Kept",
    {
        "for": str,
        "symbols": dict[str, str],
        "rules": list[tuple[str, str, int, list[int]]],
        "states": list[dict[str, int]],
        "start": int,
        "end": int,
    },
)
"""Tables as plain data, and what they are for."""


class MisfitError(ValueError):
    """The grammar uses what the driver here does not know."""


@dataclass(frozen=True, slots=True)
class Grammar:
    """The tables, and the terminal of each text that is one by itself."""

    tables: Tables
    symbols: Mapping[str, str]


def grammar_text() -> str:
    """The grammar that cel-python ships, found without importing the package."""
    package = importlib.util.find_spec("celpy")
    for folder in (package.submodule_search_locations or ()) if package else ():
        return (Path(folder) / "cel.lark").read_text(encoding="utf-8")
    raise ModuleNotFoundError("cel-python is not installed")


def identity(grammar: str) -> str:
    """What tables belong to."""
    return hashlib.sha256(grammar.encode()).hexdigest()


def build(grammar: str) -> lark.Lark:
    """A parser with tables computed from the grammar."""
    import lark

    return lark.Lark(
        grammar,
        parser="lalr",
        start="expr",
        g_regex_flags=re.MULTILINE,
        propagate_positions=True,
        maybe_placeholders=False,
        priority="invert",
    )


@cache
def grammar() -> Grammar:
    """cel-python's grammar, from the kept tables where they fit."""
    text = grammar_text()
    try:
        kept: Kept = json.loads(FILE.read_text(encoding="utf-8"))
        if kept["for"] == identity(text):
            return _read(kept)
    except (OSError, ValueError, LookupError, TypeError, AttributeError):
        pass
    return _read(plain(text))


def _read(kept: Kept) -> Grammar:
    rules = [Rule(origin, name, length, tuple(places)) for origin, name, length, places in kept["rules"]]
    return Grammar(Tables(kept["states"], rules, kept["start"], kept["end"]), kept["symbols"])


def plain(grammar: str) -> Kept:
    """The tables that lark computes for a grammar, as plain data. Raises ``MisfitError`` where those do not do."""
    built = build(grammar)
    table = built.parser.parser.parser.parse_table
    start, end = table.start_states["expr"], table.end_states["expr"]
    state_of = _numbered(table, start)
    rule_of = {rule: number for number, rule in enumerate(built.rules)}
    states: list[dict[str, int]] = []
    for state in state_of:
        row = sorted(table.states[state].items())
        states.append({str(on): state_of[to] if to in state_of else -1 - rule_of[to] for on, (_, to) in row})
    return {
        "for": identity(grammar),
        "symbols": {each.pattern.value: each.name for each in built.terminals if each.pattern.type == "str"},
        "rules": [_plain_rule(rule) for rule in built.rules],
        "states": states,
        "start": state_of[start],
        "end": state_of[end],
    }


def _numbered(table: ParseTable[int], start: int) -> dict[int, int]:
    """The states in an order that does not change from run to run, with their places in it."""
    found, waiting = {start: 0}, [start]
    for state in waiting:  # grows on the way
        for _, (_, to) in sorted(table.states[state].items()):
            if to in table.states and to not in found:
                found[to] = len(found)
                waiting.append(to)
    return found


def _plain_rule(rule: LarkRule) -> tuple[str, str, int, list[int]]:
    if rule.options.expand1 or rule.options.keep_all_tokens or rule.options.template_source or not rule.expansion:
        raise MisfitError(f"the rule {rule} is of a kind that is not known here")
    kept = [place for place, each in enumerate(rule.expansion) if not (each.is_term and each.filter_out)]
    return str(rule.origin.name), rule.alias or str(rule.origin.name), len(rule.expansion), kept


if __name__ == "__main__":
    FILE.write_text(json.dumps(plain(grammar_text()), separators=(",", ":"), sort_keys=True) + "\n", encoding="utf-8")
