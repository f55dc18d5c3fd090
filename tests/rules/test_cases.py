"""The fixtures of the rules on text: exact findings on the bad files, silence on the good ones.

Run with ``FSMCHECK_UPDATE=1`` to rewrite the expected output, then read the difference.
"""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from fsmcheck.diagnostics import Finding, sort_key
from fsmcheck.rules.catalogue import RULES
from fsmcheck.rules.rule import Rule
from fsmcheck.spec.load import LoadedDocument, load_path

CASES = Path(__file__).parents[1] / "cases"
TEXT_RULES = tuple(rule for rule in RULES if isinstance(rule, Rule))
FOLDERS = [CASES / rule.id for rule in TEXT_RULES]
BAD = sorted(path for folder in FOLDERS for path in folder.glob("bad_*.yaml"))
OK = sorted(path for folder in FOLDERS for path in folder.glob("ok_*.yaml"))


def findings_of(document: LoadedDocument) -> list[Finding]:
    return sorted((finding for rule in TEXT_RULES for finding in rule.check(document)), key=sort_key)


def rendered(documents: tuple[LoadedDocument, ...]) -> str:
    lines: list[str] = []
    for number, document in enumerate(documents):
        if number:
            lines.append("---")
        for finding in findings_of(document):
            place = place_of(document, finding.span.start, finding.span.end)
            lines.append(f"{place} {finding.severity.value} {finding.rule} {finding.message}")
            if finding.help is not None:
                lines.append(f"    help: {finding.help}")
            for related in finding.related:
                where = place_of(document, related.span.start, related.span.end)
                lines.append(f"    see {where}: {related.message}")
            if finding.caused_by is not None:
                lines.append(f"    caused by {finding.caused_by.rule} {finding.caused_by.subject.as_dict()}")
            if finding.subject.as_dict():
                lines.append(f"    subject: {finding.subject.as_dict()}")
    return "\n".join(lines) + "\n"


def place_of(document: LoadedDocument, start: int, end: int) -> str:
    first, last = document.source.position(start), document.source.position(end)
    return f"{first[0]}:{first[1]}-{last[0]}:{last[1]}"


@pytest.mark.parametrize("path", BAD, ids=lambda path: f"{path.parent.name}-{path.stem}")
def test_bad(path: Path) -> None:
    documents = load_path(str(path))
    expected = path.with_suffix(".expected")
    found = rendered(documents)
    if os.environ.get("FSMCHECK_UPDATE") == "1":
        expected.write_bytes(found.encode())
    assert found == expected.read_bytes().decode()
    assert any(finding.rule == path.parent.name for document in documents for finding in findings_of(document))


@pytest.mark.parametrize("path", OK, ids=lambda path: f"{path.parent.name}-{path.stem}")
def test_ok(path: Path) -> None:
    documents = load_path(str(path))
    assert all(document.spec is not None for document in documents)
    assert rendered(documents) == "\n"


def test_messages_read_alike() -> None:
    for path in BAD:
        for document in load_path(str(path)):
            for finding in findings_of(document):
                assert not finding.message.endswith("."), finding.message
                assert not finding.message[0].isupper(), finding.message
                assert "\n" not in finding.message
                assert 0 <= finding.span.start <= finding.span.end <= len(document.source.text)
