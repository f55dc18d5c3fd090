"""Findings that are known and let be: allowed by a comment, or listed in a baseline. No rule knows of this.

A comment ``# fsmcheck: allow FSM405 - reason`` stands at the end of the finding's line, or alone above it.
"""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import partial

from fsmcheck import late
from fsmcheck.diagnostics import UNDECIDED, Finding
from fsmcheck.fingerprint import Identity, identities
from fsmcheck.records import dataclass
from fsmcheck.results import Notice, Report, SpecReport
from fsmcheck.source import SourceFile, Span

_COMMENT = re.compile(r"(?:(?<=\s)|^)#[ \t]*fsmcheck[ \t]*:(.*)$", re.MULTILINE | re.IGNORECASE)
_ALLOW = late.pattern(r"\s*allow\s+(?P<rules>FSM\d{3}(?:\s*,\s*FSM\d{3})*)\s*(?P<rest>.*)$", re.IGNORECASE)
_REASON = late.pattern(r"(?:-{1,2}|–|—|:)\s*(?P<reason>\S.*)$")
_FORM = '"# fsmcheck: allow FSM405 - reason"'

Key = tuple[str, str, str, str, str, str]
"""Path, name of the spec, profile, rule, subject as JSON, message (empty where there is a subject)."""


@dataclass(frozen=True, slots=True)
class Allowance:
    """A comment that allows findings of some rules on a line, both 1-based; ``span`` is the comment."""

    rules: tuple[str, ...]
    reason: str
    line: int
    span: Span


def allowances(source: SourceFile) -> tuple[tuple[Allowance, ...], tuple[Notice, ...]]:
    """The comments of a text that allow something, and what is wrong with those that try to."""
    found: list[Allowance] = []
    wrong: list[Notice] = []
    comments = list(_COMMENT.finditer(source.text))
    inside = _Scalars(source) if comments else None
    lines = _Lines(source)
    for comment in comments:
        if inside is not None and inside.hold(comment.start()):
            continue
        span = Span(comment.start(), comment.start() + len(comment.group().rstrip()))
        fault = _fault(comment[1])
        allow = _ALLOW.match(comment[1].strip())
        reason = _REASON.match(allow["rest"]) if allow else None
        if fault is not None or allow is None or reason is None:
            wrong.append(Notice("malformed-allow", fault or f"expected {_FORM}", source, span))
            continue
        rules = tuple(rule.strip().upper() for rule in allow["rules"].split(","))
        found.append(Allowance(rules, reason["reason"].strip(), lines.about(comment.start()), span))
    return tuple(found), tuple(wrong)


def _fault(text: str) -> str | None:
    """What is wrong with the text behind ``fsmcheck:``."""
    from fsmcheck.rules.catalogue import RULES

    allow = _ALLOW.match(text.strip())
    if allow is None:
        return f"this comment is not understood, expected {_FORM}"
    known = {rule.id for rule in RULES}
    for rule in allow["rules"].upper().split(","):
        if rule.strip() not in known:
            return f'there is no rule "{rule.strip()}" to allow'
    if _REASON.match(allow["rest"]) is None:
        rules = ", ".join(rule.strip() for rule in allow["rules"].upper().split(","))
        return f'this comment gives no reason, expected "# fsmcheck: allow {rules} - reason"'
    return None


class _Lines:
    """Which line a comment is about: its own, or the next with content where it stands alone."""

    def __init__(self, source: SourceFile) -> None:
        self._source = source
        self._content: list[int] | None = None

    def about(self, offset: int) -> int:
        line, column = self._source.position(offset)
        if self._source.line_text(line)[: column - 1].strip():
            return line
        if self._content is None:
            last, _ = self._source.position(len(self._source.text))
            texts = ((number, self._source.line_text(number).strip()) for number in range(1, last + 1))
            self._content = [number for number, text in texts if text and not text.startswith("#")]
        place = bisect_right(self._content, line)
        return self._content[place] if place < len(self._content) else line


class _Scalars:
    """The texts in which a number sign is no comment, in their order; none is within another."""

    def __init__(self, source: SourceFile) -> None:
        self._spans = sorted(_scalars(source))

    def hold(self, offset: int) -> bool:
        """Whether an offset is within one."""
        place = bisect_left(self._spans, (offset, 0)) - 1
        return place >= 0 and self._spans[place][0] < offset < self._spans[place][1]


def _scalars(source: SourceFile) -> tuple[tuple[int, int], ...]:
    """The texts in which a number sign is no comment; of a block scalar the part below its header."""
    from fsmcheck.spec.nodes import MappingNode, Node, ScalarNode, SequenceNode, Style
    from fsmcheck.spec.yaml_tree import compose

    def walk(node: Node) -> Iterator[tuple[int, int]]:
        if isinstance(node, ScalarNode):
            start = node.span.start
            if node.style in (Style.LITERAL, Style.FOLDED):
                start = max(start, source.text.find("\n", start, node.span.end))
            yield start, node.span.end
        elif isinstance(node, SequenceNode):
            for item in node.items:
                yield from walk(item)
        elif isinstance(node, MappingNode):
            for entry in node.entries:
                yield from walk(entry.key)
                yield from walk(entry.value)

    return tuple(each for document in compose(source) if document.root is not None for each in walk(document.root))


def allow_inline(report: Report, wants: Callable[[str, str], bool]) -> Report:
    """The report with what comments allow marked as suppressed, and a notice for each comment that does nothing.

    ``wants`` says whether a rule was asked for in a file: only then a comment about it can be found useless, and only
    where the rule was decided.
    """
    by_source: dict[SourceFile, list[int]] = {}
    for index, spec in enumerate(report.specs):
        by_source.setdefault(spec.source, []).append(index)
    specs = list(report.specs)
    notices: list[Notice] = []
    for source, indices in by_source.items():
        allowed, wrong = allowances(source)
        notices.extend(wrong)
        used: set[tuple[Span, str]] = set()
        for index in indices if allowed else ():
            specs[index] = _allowed(specs[index], allowed, used)
        here = [specs[index] for index in indices]
        is_open = {rule: _open(here, rule, wants) for rule in {rule for each in allowed for rule in each.rules}}
        notices.extend(_unused(source, allowed, used, is_open))
    return replace(report, specs=tuple(specs), notices=(*report.notices, *notices))


def _allowed(spec: SpecReport, allowed: Sequence[Allowance], used: set[tuple[Span, str]]) -> SpecReport:
    there: dict[tuple[int, str], Allowance] = {}
    for allowance in allowed:
        for rule in allowance.rules:
            there.setdefault((allowance.line, rule), allowance)

    def judge(finding: Finding) -> Finding:
        line, _ = spec.source.position(finding.span.start)
        allowance = there.get((line, finding.rule))
        if allowance is not None:
            used.add((allowance.span, finding.rule))
            return replace(finding, suppressed="inline", justification=allowance.reason)
        return finding

    return replace(spec, findings=tuple(judge(finding) for finding in spec.findings))


def _open(specs: Sequence[SpecReport], rule: str, wants: Callable[[str, str], bool]) -> bool:
    """Whether nothing can be said of a rule in a file: it was not asked for, or not decided everywhere."""
    return any(
        not _is_asked(rule, partial(wants, spec.source.path))
        or any(each.rule == rule and each.verdict in ("unknown", "skipped") for each in spec.obligations)
        for spec in specs
    )


def _is_asked(rule: str, wants: Callable[[str], bool]) -> bool:
    """Whether a rule was asked wherever it may find something. Any rule can be what is undecided."""
    if rule != UNDECIDED or not wants(rule):
        return wants(rule)
    from fsmcheck.rules.ids import rule_ids

    return all(map(wants, rule_ids()))


def _unused(
    source: SourceFile,
    allowed: Sequence[Allowance],
    used: set[tuple[Span, str]],
    is_open: Mapping[str, bool],
) -> Iterator[Notice]:
    for allowance in allowed:
        for rule in allowance.rules:
            if (allowance.span, rule) not in used and not is_open[rule]:
                message = f"this comment allows {rule} on line {allowance.line}, where there is none"
                yield Notice("unused-allow", message, source, allowance.span)


def baseline_keys(spec: SpecReport, path: str) -> Iterator[tuple[Finding, Key]]:
    """What each finding of a spec is known by in a baseline, ``path`` being that of the file there."""
    for finding, identity in identities(spec):
        yield finding, _key(path, identity)


def _key(path: str, identity: Identity) -> Key:
    return (path, identity.spec, identity.profile, identity.rule, identity.subject, identity.message)


def allow_baseline(report: Report, known: Iterable[Key], path_of: Callable[[str], str]) -> Report:
    """The report with the findings of a baseline marked as suppressed.

    ``path_of`` gives the path of a file as the baseline writes it. An entry stands for one finding; where some of the
    files that were checked have not been found again, a notice says how many.
    """
    left = Counter(known)
    marked = _marked(report, left, path_of)
    return replace(marked, notices=(*report.notices, *_stale(report, left, path_of)))


def allow_known(report: Report, known: Iterable[Key], reason: str) -> Report:
    """The report with the findings of an earlier check of the same paths marked as suppressed, for a reason."""
    return _marked(report, Counter(known), lambda path: path, reason)


def _marked(report: Report, left: Counter[Key], path_of: Callable[[str], str], reason: str | None = None) -> Report:
    """The report with the findings suppressed that are ``left``, each of which is taken away from there."""
    specs = []
    for spec in report.specs:
        findings = []
        for finding, key in baseline_keys(spec, path_of(spec.source.path)):
            is_known = finding.suppressed != "inline" and left[key] > 0
            left[key] -= is_known
            is_marked = is_known and finding.suppressed is None
            findings.append(replace(finding, suppressed="baseline", justification=reason) if is_marked else finding)
        specs.append(replace(spec, findings=tuple(findings)))
    return replace(report, specs=tuple(specs))


def _stale(report: Report, left: Counter[Key], path_of: Callable[[str], str]) -> Iterator[Notice]:
    told = {rule.id for rule in report.rules}
    asked = {rule for rule in told if _is_asked(rule, told.__contains__)}
    checked = {(path_of(spec.source.path), spec.profile) for spec in report.specs}
    gone = sum(
        count
        for (path, _, profile, rule, _, _), count in left.items()
        if count > 0 and rule in asked and (path, profile) in checked
    )
    if gone:
        entries = "1 entry of the baseline is" if gone == 1 else f"{gone} entries of the baseline are"
        yield Notice("stale-baseline", f"{entries} not found any more; --write-baseline writes it anew")
