"""Quick fixes, each tried out on a copy of the text before it is offered."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from fsmcheck.diagnostics import Edit, Finding, Fix
from fsmcheck.lsp.analysis import Analysis
from fsmcheck.source import SourceFile, Span
from fsmcheck.spec.load import load
from fsmcheck.suppress import allowances

_REASON = "say why"


def applied(text: str, edits: Iterable[Edit]) -> str:
    """The text with edits made, all of whose spans are in the text as it was."""
    for edit in sorted(edits, key=lambda each: each.span, reverse=True):
        text = text[: edit.span.start] + edit.text + text[edit.span.end :]
    return text


def faults(source: SourceFile) -> tuple[int, int, int]:
    """What is wrong with the reading of a text: documents that are lost, faults of the YAML, all faults."""
    documents = load(source)
    found = [fault.rule for document in documents for fault in document.faults]
    return sum(document.spec is None for document in documents), found.count("FSM001"), len(found)


def fixes(analysis: Analysis, finding: Finding) -> Iterator[tuple[Fix, bool]]:
    """What can be done about a finding, and whether it mends the spec rather than lets the finding be."""
    fix = finding.fix
    if fix is not None and _is_sound(analysis.source, fix):
        yield fix, True
    allowance = None if finding.rule == "FSM001" else _allowance(analysis, finding)
    if allowance is not None:
        yield allowance, False


def _is_sound(source: SourceFile, fix: Fix) -> bool:
    """Whether a fix leaves a spec with no more faults than before."""
    before, after = faults(source), faults(SourceFile(source.path, applied(source.text, fix.edits)))
    return all(now <= then for now, then in zip(after, before, strict=True))


def _allowance(analysis: Analysis, finding: Finding) -> Fix | None:
    """The comment above a finding's line that allows it; None where a comment cannot stand there."""
    source, lines = analysis.source, analysis.lines
    line = lines.position(finding.span.start).line
    start, end = lines.bounds(line)
    content = source.text[start:end]
    indent = content[: len(content) - len(content.lstrip())]
    break_ = "\r\n" if "\r\n" in source.text else "\n"
    comment = f"# fsmcheck: allow {finding.rule} - {_REASON}"
    edit = Edit(Span(start, start), f"{indent}{comment}{break_}")
    after = SourceFile(source.path, applied(source.text, (edit,)))
    if faults(after) != faults(source):
        return None
    target, _ = after.position(finding.span.start + len(edit.text))
    if not any(each.line == target and finding.rule in each.rules for each in allowances(after)[0]):
        return None
    return Fix(f"allow {finding.rule} here with a comment", (edit,))
