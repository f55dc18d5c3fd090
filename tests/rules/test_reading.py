"""Reading a verdict copes with an account that says less than the monitors do."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import pytest

from fsmcheck.diagnostics import Finding
from fsmcheck.obligations.obligation import Obligation, Verdict
from fsmcheck.rules.behaviour import BehaviourRule
from fsmcheck.rules.catalogue import RULES
from fsmcheck.spec.load import load
from fsmcheck.spec.model import Spec
from tests.rules.test_cases import BAD, reports

BEHAVIOUR = {rule.id: rule for rule in RULES if isinstance(rule, BehaviourRule)}
ACCOUNTS: dict[str, Mapping[str, Any] | None] = {
    "nothing": None,
    "empty": {},
    "odd": {"reason": 1, "fields": [None, {"value": 2}], "span": [3], "loop": [4, "elsewhere"], "guard": 99},
}


def found(rule: BehaviourRule) -> list[tuple[Spec, Finding, str]]:
    """The findings of a rule in its own fixtures, each with its spec and profile."""
    pairs = []
    for path in BAD:
        for report in reports(path) if path.parent.name == rule.id else ():
            spec = load(report.source)[0].spec
            assert spec is not None
            pairs += [(spec, finding, report.profile) for finding in report.findings if finding.rule in BEHAVIOUR]
    return pairs


@pytest.mark.parametrize("account", ACCOUNTS)
@pytest.mark.parametrize("rule", BEHAVIOUR.values(), ids=lambda rule: rule.id)
def test_an_account_may_lack_anything(rule: BehaviourRule, account: str) -> None:
    for spec, finding, profile in found(rule):
        obligation = Obligation(finding.rule, finding.subject, profile)
        read = BEHAVIOUR[finding.rule].read(spec, Verdict(obligation, "violated", "explicit", detail=ACCOUNTS[account]))
        assert read.message
        assert 0 <= read.span.start < read.span.end <= len(spec.source.text)
        assert (read.rule, read.subject) == (finding.rule, finding.subject)


@pytest.mark.parametrize("rule", BEHAVIOUR.values(), ids=lambda rule: rule.id)
def test_every_subject_can_be_undecided(rule: BehaviourRule) -> None:
    for spec, finding, profile in found(rule):
        verdict = Verdict(Obligation(rule.id, finding.subject, profile), "unknown", "explicit", reason="it is so")
        read = BEHAVIOUR["FSM901"].read(spec, verdict)
        assert read.message.startswith(f"{rule.id} is undecided for ")
        assert read.message.endswith(": it is so")
        assert read.trace is None
