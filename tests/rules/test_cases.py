"""The fixtures: exact findings of the whole catalogue on the bad files, silence on the good ones.

A first line ``# profile: eager`` selects that profile, otherwise it is ``gated``. Each file begins with what it has to
show and why, derived from the language before the tool was asked. Run with ``FSMCHECK_UPDATE=1`` to rewrite the
expected output, then read the difference.
"""

from __future__ import annotations

import json
import os
from functools import cache
from pathlib import Path

import pytest

from fsmcheck.check import Options, check
from fsmcheck.reducer.replay import replay
from fsmcheck.results import SpecReport
from fsmcheck.rules.catalogue import RULES
from fsmcheck.source import SourceFile, Span
from fsmcheck.spec.files import UnreadableFileError, read_source
from fsmcheck.spec.load import load

CASES = Path(__file__).parents[1] / "cases"
FOLDERS = [CASES / rule.id for rule in RULES]
BAD = sorted(path for folder in FOLDERS for path in folder.glob("bad_*.yaml"))
OK = sorted(path for folder in FOLDERS for path in folder.glob("ok_*.yaml"))


@cache
def reports(path: Path) -> tuple[SpecReport, ...]:
    """One report a document."""
    source: SourceFile | UnreadableFileError
    try:
        source = read_source(str(path))
    except UnreadableFileError as error:
        source = error
    eager = isinstance(source, SourceFile) and source.text.startswith("# profile: eager\n")
    return check([source], Options(profile="eager" if eager else "gated")).specs


def rendered(path: Path) -> str:
    lines: list[str] = []
    for number, report in enumerate(reports(path)):
        if number:
            lines.append("---")
        for finding in report.findings:
            place = place_of(report.source, finding.span)
            lines.append(f"{place} {finding.severity.value} {finding.rule} {finding.message}")
            if finding.help is not None:
                lines.append(f"    help: {finding.help}")
            lines.extend(
                f"    see {place_of(report.source, related.span)}: {related.message}" for related in finding.related
            )
            if finding.caused_by is not None:
                lines.append(f"    caused by {finding.caused_by.rule} {finding.caused_by.subject.as_dict()}")
            if finding.subject.as_dict():
                lines.append(f"    subject: {finding.subject.as_dict()}")
    return "\n".join(lines) + "\n"


def place_of(source: SourceFile, span: Span) -> str:
    first, last = source.position(span.start), source.position(span.end)
    return f"{first[0]}:{first[1]}-{last[0]}:{last[1]}"


def named(path: Path) -> str:
    return f"{path.parent.name}-{path.stem}"


@pytest.mark.parametrize("path", BAD, ids=named)
def test_bad(path: Path) -> None:
    expected = path.with_suffix(".expected")
    found = rendered(path)
    if os.environ.get("FSMCHECK_UPDATE") == "1":
        expected.write_bytes(found.encode())
    assert found == expected.read_bytes().decode()
    assert any(finding.rule == path.parent.name for report in reports(path) for finding in report.findings)


@pytest.mark.parametrize("path", OK, ids=named)
def test_ok(path: Path) -> None:
    assert all(document.spec is not None for document in load(read_source(str(path))))
    assert rendered(path) == "\n"


@pytest.mark.parametrize("path", BAD, ids=named)
def test_messages_read_alike(path: Path) -> None:
    for report in reports(path):
        for finding in report.findings:
            assert not finding.message.endswith("."), finding.message
            assert not finding.message[0].isupper() or finding.message.startswith("FSM"), finding.message
            assert "\n" not in finding.message
            assert 0 <= finding.span.start <= finding.span.end <= len(report.source.text)


@pytest.mark.parametrize("path", BAD, ids=named)
def test_every_trace_replays_to_what_the_finding_says(path: Path) -> None:
    for report in reports(path):
        for finding in report.findings:
            if finding.trace is None:
                continue
            (spec,) = (document.spec for document in load(report.source))
            assert spec is not None
            trace = json.loads(json.dumps(dict(finding.trace)))
            assert (trace["violates"]["rule"], trace["violates"]["subject"]) == (
                finding.rule,
                finding.subject.as_dict(),
            )
            assert list(replay(spec, trace)) == []
            assert finding.story
