"""A fragment of a spec that breaks a rule, and one of a spec that does not; ``make docs`` takes them from the tests."""

from __future__ import annotations

import json
from collections.abc import Iterator
from importlib.resources import files

from fsmcheck.records import dataclass


@dataclass(frozen=True, slots=True)
class Fragment:
    """Some lines of a file; ``first`` is the 1-based number of the first."""

    first: int
    lines: tuple[str, ...]

    def numbered(self, mark: tuple[int, int, int] | None = None) -> Iterator[str]:
        """The lines with their numbers, and below line ``mark[0]`` a mark from column ``mark[1]`` to ``mark[2]``."""
        for number, line in enumerate(self.lines, self.first):
            yield f"{number:>5} | {line}".rstrip()
            if mark is not None and mark[0] == number:
                yield f"      | {' ' * (mark[1] - 1)}{'^' * (mark[2] - mark[1])}"


@dataclass(frozen=True, slots=True)
class Example:
    """``place`` is the line of the finding, its first column and the one behind its last."""

    fails: Fragment
    place: tuple[int, int, int]
    message: str
    passes: Fragment


def example(rule: str) -> Example | None:
    """The example of a rule, None where it has none."""
    found = json.loads(files("fsmcheck.rules").joinpath("examples.json").read_text(encoding="utf-8")).get(rule)
    if found is None:
        return None
    fails, passes = (Fragment(found[key]["first"], tuple(found[key]["lines"])) for key in ("fails", "passes"))
    line, column, end = found["place"]
    return Example(fails, (line, column, end), found["message"], passes)
