"""The main job: load, run the rules, decide the obligations, put the findings in order."""

from __future__ import annotations

from collections.abc import Callable, Container, Iterable, Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from fsmcheck import __version__
from fsmcheck.causes import link
from fsmcheck.diagnostics import UNDECIDED, Finding, Subject, sort_key
from fsmcheck.obligations.course import Course, followed
from fsmcheck.options import Options
from fsmcheck.outline import Outline
from fsmcheck.parallel.losses import notices
from fsmcheck.parallel.unit import Progress, Reports, Unit, units
from fsmcheck.parallel.versions import z3_version
from fsmcheck.results import Bounds, Certificate, ObligationRecord, Places, Report, RuleRecord, SpecReport
from fsmcheck.rules.behaviour import BehaviourRule
from fsmcheck.rules.catalogue import RULES
from fsmcheck.rules.rule import Rule
from fsmcheck.source import SourceFile, Span
from fsmcheck.spec.files import UnreadableFileError
from fsmcheck.spec.load import LoadedDocument, load
from fsmcheck.suppress import allow_inline

if TYPE_CHECKING:
    from fsmcheck.obligations.obligation import Verdict
    from fsmcheck.obligations.run import Outcome
    from fsmcheck.spec.model import Spec
    from fsmcheck.system.system import System

__all__ = ["Options", "RuleCrashError", "check", "rule_records", "verdicts"]

BLOCKING = frozenset({"FSM001", "FSM002", "FSM003", "FSM004", "FSM101", "FSM102", "FSM103", "FSM104", "FSM105"})
"""Rules whose findings leave a spec without a meaning, so that nothing about its runs can be decided."""
SOLVING = frozenset({"FSM305"})
"""Rules on the text that ask a solver."""


class RuleCrashError(Exception):
    """A rule failed: the tool's fault, never a finding. ``rule`` names it."""

    def __init__(self, rule: str, cause: BaseException) -> None:
        super().__init__(f"rule {rule} failed: {type(cause).__name__}: {cause}")
        self.rule = rule
        self.cause = cause

    def __reduce__(self) -> tuple[type[RuleCrashError], tuple[str, BaseException]]:
        return RuleCrashError, (self.rule, self.cause)


def check(
    sources: Sequence[SourceFile | UnreadableFileError], options: Options, progress: Progress | None = None
) -> Report:
    """Check every document of every source. Raises ``RuleCrashError`` where a rule fails."""
    return check_documents((document for source in sources for document in _documents(source)), options, progress)


def check_documents(documents: Iterable[LoadedDocument], options: Options, progress: Progress | None = None) -> Report:
    """Check documents that are loaded already, as ``check`` does; all documents of each source, one after the other."""
    todo = units(documents, options)
    if options.jobs is None and options.cluster is None:
        courses = (Course() if progress is None else followed(progress) for _ in todo)
        reports = Reports({place: check_unit(*pair) for place, pair in enumerate(zip(todo, courses, strict=False))})
    else:
        from fsmcheck.parallel.run import run

        reports = run(check_unit, todo, options, progress)
    specs = tuple(report for _, report in sorted(reports.by_place.items()))
    lost = () if reports.interrupted else tuple(notices(specs))
    report = Report(
        options.profile, specs, __version__, z3_version(), reports.interrupted, rule_records(options), notices=lost
    )
    return allow_inline(report, lambda path, rule: options.at(path).wants(rule))


def rule_records(options: Options) -> tuple[RuleRecord, ...]:
    """The rules that were asked for, as reports tell of them."""
    pages = ((rule, rule.documentation) for rule in RULES if options.wants(rule.id))
    return tuple(RuleRecord(rule.id, rule.slug, rule.severity, page.partition("\n")[0], page) for rule, page in pages)


def _documents(source: SourceFile | UnreadableFileError) -> tuple[LoadedDocument, ...]:
    if isinstance(source, UnreadableFileError):
        return (LoadedDocument(None, (source.fault,), source.source),)
    return load(source)


def _text_findings(document: LoadedDocument, options: Options, course: Course) -> list[Finding]:
    found: list[Finding] = []
    given_up = {verdict.obligation.rule for verdict in course.final or ()}
    for rule in RULES:
        if isinstance(rule, Rule) and (rule.id not in SOLVING or (options.wants(rule.id) and rule.id not in given_up)):
            try:
                found.extend(rule.check(document))
            except Exception as error:
                raise RuleCrashError(rule.id, error) from error
    return found


def check_unit(unit: Unit, course: Course) -> SpecReport:
    """Check one document under one profile. Raises ``RuleCrashError`` where a rule fails."""
    document, profile, options = unit.document, unit.profile, unit.options
    findings = _text_findings(document, options, course) if course.reads_text else []
    spec = document.spec
    records: tuple[ObligationRecord, ...] = ()
    bounds: Bounds | None = None
    certificates: tuple[Certificate, ...] = ()
    losses: tuple[str, ...] = ()
    system: System | None = None
    blocking = sorted({finding.rule for finding in findings if finding.rule in BLOCKING})
    if spec is None or (course.reads_text and (blocking or not document.is_whole)):
        records = _skipped(options, blocking)
    elif course.final or any(isinstance(rule, BehaviourRule) and options.asks(rule.id) for rule in RULES):
        more, records, outcome = _behaviour(spec, unit, findings, course)
        findings, bounds, certificates, losses = list(more), outcome.bounds, outcome.certificates, outcome.losses
        system = outcome.system
    wanted = sorted((options.weigh(each) for each in findings if options.wants(each.rule)), key=sort_key)
    name = spec.name.text if spec is not None and spec.name is not None else None
    version_of = spec.version if spec is not None else None
    outline: Outline | None = None
    if options.outline and spec is not None and document.is_whole and not blocking and course.final is None:
        outline, wanted = _outlined(spec, profile, wanted, system)
    return SpecReport(
        document.source,
        profile,
        name,
        version_of,
        tuple(wanted),
        records,
        bounds,
        certificates,
        _places(spec),
        outline,
        losses,
    )


def _outlined(
    spec: Spec, profile: str, findings: list[Finding], system: System | None
) -> tuple[Outline, list[Finding]]:
    from fsmcheck.obligations.decide import profile_named
    from fsmcheck.outlining.build import build
    from fsmcheck.outlining.traces import StaleTraces

    outline = build(spec, profile_named(profile), findings, system)
    return outline, list(map(StaleTraces(spec).marked, findings))


def _places(spec: Spec | None) -> Places:
    states = spec.states if spec is not None else ()
    places: dict[tuple[str, int | None], Span] = {(state.name.text, None): state.name.span for state in states}
    places.update({(s.name.text, each.index): each.target.span for s in states for each in s.transitions})
    return places


def _skipped(options: Options, blocking: Iterable[str]) -> tuple[ObligationRecord, ...]:
    named = tuple(blocking)
    what = f"{', '.join(named)} {'is' if len(named) == 1 else 'are'}" if named else "its faults are"
    reason = f"the spec has no meaning before {what} mended"
    return tuple(
        ObligationRecord(rule.id, rule.id, Subject(), "skipped", "none", 0.0, reason)
        for rule in RULES
        if isinstance(rule, BehaviourRule) and options.asks(rule.id)
    )


def _behaviour(
    spec: Spec, unit: Unit, findings: list[Finding], course: Course
) -> tuple[tuple[Finding, ...], tuple[ObligationRecord, ...], Outcome]:
    from fsmcheck.obligations.cache import remembering
    from fsmcheck.obligations.run import run

    options = unit.options
    with remembering(options.cache) as memory:
        outcome = run(
            spec,
            unit.profile,
            options.wants,
            options.timeout,
            certify=options.certificates,
            memory=memory,
            course=course,
        )
    rules = {rule.id: rule for rule in RULES if isinstance(rule, BehaviourRule)}
    details: dict[tuple[str, object], Any] = {}
    found = list(findings)
    for verdict in outcome.verdicts:
        obligation = verdict.obligation
        rule = rules.get(obligation.rule if verdict.verdict == "violated" else UNDECIDED)
        if verdict.verdict not in ("violated", "unknown") or rule is None:
            continue
        try:
            found.append(_told(spec, verdict, rule))
        except Exception as error:
            raise RuleCrashError(rule.id, error) from error
        if verdict.detail is not None:
            details[obligation.rule, obligation.subject] = verdict.detail
    named = {claim: f"{each.name}.json" for each in outcome.certificates for claim in each.claims}
    records = tuple(_record(verdict, named, outcome.recalled) for verdict in outcome.verdicts)
    return link(spec, found, details), records, outcome


def _told(spec: Spec, verdict: Verdict, rule: BehaviourRule) -> Finding:
    """The finding with its story."""
    finding = rule.read(spec, verdict)
    return finding if verdict.story is None else replace(finding, story=verdict.story)


def _record(
    verdict: Verdict, certificates: Mapping[tuple[str, Subject], str], recalled: Container[tuple[str, Subject]]
) -> ObligationRecord:
    return ObligationRecord(
        verdict.obligation.id,
        verdict.obligation.rule,
        verdict.obligation.subject,
        verdict.verdict,
        verdict.method,
        verdict.seconds,
        verdict.reason,
        verdict.depth,
        cached=(verdict.obligation.rule, verdict.obligation.subject) in recalled,
        vacuous=verdict.vacuous,
        certificate=certificates.get((verdict.obligation.rule, verdict.obligation.subject)),
    )


def verdicts(
    spec: Spec, profile: str, wants: Callable[[str], bool] = lambda _rule: True, timeout: float | None = None
) -> dict[tuple[str, Subject], tuple[str, str]]:
    """For each obligation of the wanted rules, the verdict and its reason (empty where there is none).

    FSM305, which is decided on the text, is among them. ``spec`` must have no faults that leave it meaningless.
    """
    from fsmcheck.obligations.constants import constant_guards
    from fsmcheck.obligations.run import run

    found: dict[tuple[str, Subject], tuple[str, str]] = {
        (verdict.obligation.rule, verdict.obligation.subject): (verdict.verdict, verdict.reason or "")
        for verdict in run(spec, profile, wants, timeout).verdicts
    }
    if wants("FSM305"):
        for constant in constant_guards(spec):
            subject = Subject(state=constant.state.name.text, transition=constant.transition.index)
            found["FSM305", subject] = ("violated", f"always {str(constant.value).lower()}")
    return found
