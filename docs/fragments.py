"""What ``fsmcheck explain`` shows of each rule: from the fixtures, the pair of specs that differ least.

One has the finding, the other has none; of both the part around the difference.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Sequence
from difflib import SequenceMatcher
from pathlib import Path

_PLACE = re.compile(r"(\d+):(\d+)-(\d+):(\d+) \w+ (FSM\d\d\d) (.*)")
_WHOLE = 22
_MOST = 30
_AROUND = 2

Place = tuple[int, int, int, str]


def document(cases: Path) -> str:
    """The text of the file with the examples of all rules."""
    found = {folder.name: example for folder in sorted(cases.glob("FSM*")) if (example := _example(folder)) is not None}
    return json.dumps(found, indent=1, ensure_ascii=False) + "\n"


def _example(folder: Path) -> dict[str, object] | None:
    bad = [(path, lines, place) for path, lines in _texts(folder, "bad_") if (place := _place(path, folder.name))]
    ok = list(_texts(folder, "ok_"))
    pairs = [
        (len(one[1]) - round(SequenceMatcher(None, one[1], lines).ratio() * len(one[1])), len(one[1]), one, lines)
        for one in bad
        for _, lines in ok
    ]
    if not pairs:
        return None
    _, _, (_, fails, place), passes = min(pairs, key=lambda pair: (pair[0], pair[1], pair[2][0].name))
    first, last = _parts(fails, passes, place[0] - 1)
    return {
        "fails": _cut(fails, *first),
        "passes": _cut(passes, *last),
        "place": list(place[:3]),
        "message": place[3],
    }


def _texts(folder: Path, beginning: str) -> Iterator[tuple[Path, list[str]]]:
    for path in sorted(folder.glob(f"{beginning}*.yaml")):
        try:
            yield path, path.read_bytes().decode().splitlines()
        except UnicodeDecodeError:
            continue


def _place(path: Path, rule: str) -> Place | None:
    """Line, first column and the column behind the last, and message of the first finding of a rule."""
    for line in path.with_suffix(".expected").read_text(encoding="utf-8").splitlines():
        told = _PLACE.match(line)
        if told is not None and told[5] == rule:
            end = int(told[4]) if told[3] == told[1] else int(told[2]) + 1
            return int(told[1]), int(told[2]), max(end, int(told[2]) + 1), told[6]
    return None


def _parts(fails: Sequence[str], passes: Sequence[str], at: int) -> tuple[tuple[int, int], tuple[int, int]]:
    """The half-open ranges of lines to show of both."""
    heads = [next((i for i, line in enumerate(lines) if not line.startswith("#")), 0) for lines in (fails, passes)]
    if max(len(fails) - heads[0], len(passes) - heads[1]) <= _WHOLE:
        return (heads[0], len(fails)), (heads[1], len(passes))
    changes = [change for change in SequenceMatcher(None, fails, passes).get_opcodes() if change[0] != "equal"]
    changes = [change for change in changes if change[2] > heads[0] or change[4] > heads[1]] or changes
    first = (min(at, *(c[1] for c in changes)) - _AROUND, max(at + 1, *(c[2] for c in changes)) + _AROUND)
    last = (min(c[3] for c in changes) - _AROUND, max(c[4] for c in changes) + _AROUND)
    if first[1] - first[0] > _MOST:
        first = (at - _MOST // 2, at + _MOST // 2)
    return _within(first, heads[0], len(fails)), _within(
        (last[0], min(last[1], last[0] + _MOST)), heads[1], len(passes)
    )


def _within(part: tuple[int, int], start: int, end: int) -> tuple[int, int]:
    return max(part[0], start), min(part[1], end)


def _cut(lines: Sequence[str], start: int, end: int) -> dict[str, object]:
    return {"first": start + 1, "lines": list(lines[start:end])}
