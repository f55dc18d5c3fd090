"""The LALR tables of cel-python's grammar, computed ahead of time.

Building them takes lark longer than everything else that a check of a small spec does. They are kept as plain data
beside this module, with the digest of the grammar and the version of lark they belong to; for any other grammar or
version they are built anew. ``python -m fsmcheck.cel.tables`` writes the file.
"""

from __future__ import annotations

import hashlib
import importlib.util
import json
import re
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import lark

FILE = Path(__file__).with_name("tables.json")


def grammar_text() -> str:
    """The grammar that cel-python ships, found without importing the package."""
    package = importlib.util.find_spec("celpy")
    for folder in (package.submodule_search_locations or ()) if package else ():
        return (Path(folder) / "cel.lark").read_text(encoding="utf-8")
    raise ModuleNotFoundError("cel-python is not installed")


def identity(grammar: str) -> dict[str, str]:
    """What tables belong to."""
    import lark

    return {"grammar": hashlib.sha256(grammar.encode()).hexdigest(), "lark": lark.__version__}


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
def parser() -> lark.Lark:
    """A parser of cel-python's grammar, from the kept tables where they fit."""
    grammar = grammar_text()
    try:
        kept = json.loads(FILE.read_text(encoding="utf-8"))
        if kept["for"] == identity(grammar):
            return _from_data(_decoded(kept["tables"]), _decoded(kept["memo"]))
    except (OSError, ValueError, LookupError, TypeError, AttributeError):
        pass
    return build(grammar)


def _from_data(data: Any, memo: Any) -> lark.Lark:
    import lark

    empty: Any = lark.Lark.__new__(lark.Lark)
    loaded: lark.Lark = empty._load({"data": data, "memo": memo})
    return loaded


def _encoded(value: Any) -> Any:
    """Plain data with maps as lists of pairs, since their keys are not all texts."""
    if isinstance(value, dict):
        return {"map": [[_encoded(key), _encoded(entry)] for key, entry in value.items()]}
    if isinstance(value, set | frozenset):
        return [_encoded(entry) for entry in sorted(value)]
    if isinstance(value, list | tuple):
        return [_encoded(entry) for entry in value]
    return value


def _decoded(value: Any) -> Any:
    if isinstance(value, dict):
        return {_decoded(key): _decoded(entry) for key, entry in value["map"]}
    if isinstance(value, list):
        return [_decoded(entry) for entry in value]
    return value


def dump() -> str:
    """The text of the file of tables for what is installed."""
    from lark.grammar import Rule
    from lark.lexer import TerminalDef

    grammar = grammar_text()
    built: Any = build(grammar)
    data, memo = built.memo_serialize([TerminalDef, Rule])
    kept = {"for": identity(grammar), "tables": _encoded(data), "memo": _encoded(memo)}
    return json.dumps(kept, separators=(",", ":"), sort_keys=True) + "\n"


if __name__ == "__main__":
    FILE.write_text(dump(), encoding="utf-8")
