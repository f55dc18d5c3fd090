"""The IDs of the rules, by the names of their files: to know a rule by name costs no import of any."""

from __future__ import annotations

import re
from pathlib import Path

_FILE = re.compile(r"fsm(\d{3})_\w+\.py$")


def rule_ids() -> tuple[str, ...]:
    """All IDs in order, those of the catalogue."""
    found = (_FILE.match(file.name) for file in Path(__file__).parent.glob("*/fsm*.py"))
    ids = tuple(sorted(f"FSM{match[1]}" for match in found if match))
    if ids:
        return ids
    # The package is not in files.
    from fsmcheck.rules.catalogue import RULES

    return tuple(rule.id for rule in RULES)
