"""What a spec will be asked, found without a solver, so that collecting is quick and comes out the same everywhere."""

from __future__ import annotations

from collections.abc import Iterator

from fsmcheck.check import BLOCKING
from fsmcheck.diagnostics import Subject
from fsmcheck.options import Options
from fsmcheck.records import dataclass
from fsmcheck.reducer.configuration import Profile
from fsmcheck.report import sanitise
from fsmcheck.rules.behaviour import BehaviourRule
from fsmcheck.rules.catalogue import RULES
from fsmcheck.rules.rule import Rule
from fsmcheck.spec.load import LoadedDocument
from fsmcheck.spec.model import Spec

_NO_BRACKETS = str.maketrans("[]", "()")


@dataclass(frozen=True, slots=True)
class Planned:
    """A rule on the text (``obligation`` None), or the obligation of that ID; ``line`` is 0-based."""

    name: str
    rule: str
    subject: Subject
    line: int
    obligation: str | None = None


def planned(document: LoadedDocument, profile: Profile, options: Options) -> tuple[Planned, ...]:
    """All rules and obligations of a document, rules on the text first, each under a name of its own."""
    taken: dict[str, int] = {}
    found: list[Planned] = []
    for each in (*_text_rules(document, options), *_obligations(document, profile, options)):
        taken[each.name] = taken.get(each.name, 0) + 1
        name = each.name if taken[each.name] == 1 else f"{each.name}#{taken[each.name]}"
        found.append(Planned(name, each.rule, each.subject, each.line, each.obligation))
    return tuple(found)


def _text_rules(document: LoadedDocument, options: Options) -> Iterator[Planned]:
    line = _line(document, None)
    for rule in RULES:
        if isinstance(rule, Rule) and options.wants(rule.id):
            yield Planned(rule.id, rule.id, Subject(), line)


def _obligations(document: LoadedDocument, profile: Profile, options: Options) -> Iterator[Planned]:
    rules = [rule.id for rule in RULES if isinstance(rule, BehaviourRule) and options.asks(rule.id)]
    spec = document.spec
    if spec is None or not document.is_whole or _blocked(document):
        line = _line(document, None)
        yield from (Planned(rule, rule, Subject(), line, rule) for rule in rules)
    elif rules:
        yield from _of_spec(document, spec, profile, options)


def _of_spec(document: LoadedDocument, spec: Spec, profile: Profile, options: Options) -> Iterator[Planned]:
    from fsmcheck.engines.explicit import Limits
    from fsmcheck.obligations.case import make_case, obligations_of

    for obligation in obligations_of(make_case(spec, profile, Limits())):
        if options.wants(obligation.rule):
            name = plain(obligation.id.removesuffix(f":{profile}"))
            line = _line(document, obligation.subject)
            yield Planned(name, obligation.rule, obligation.subject, line, obligation.id)


def plain(text: str) -> str:
    """A name for a node: on one line, without what separates the parts of an ID."""
    return sanitise.line(text).replace("::", ":").translate(_NO_BRACKETS)


def _blocked(document: LoadedDocument) -> bool:
    """Whether a rule on the text finds what leaves the spec without a meaning."""
    return any(isinstance(rule, Rule) and rule.id in BLOCKING and any(rule.check(document)) for rule in RULES)


def _line(document: LoadedDocument, subject: Subject | None) -> int:
    spec = document.spec
    if spec is None:
        return 0
    state = spec.state_by_name.get(subject.state or "") if subject is not None else None
    span = spec.name.span if spec.name is not None else spec.initial.span
    if state is not None:
        span = state.name.span
        if subject is not None and subject.transition is not None and subject.transition < len(state.transitions):
            span = state.transitions[subject.transition].target.span
    return document.source.position(span.start)[0] - 1
