"""What a rule about behaviour is: it poses obligations and reads their verdicts, and never runs an engine."""

from __future__ import annotations

import inspect
import sys
from collections.abc import Callable

from fsmcheck.diagnostics import Finding, Fix, Related, Severity
from fsmcheck.obligations.obligation import Verdict
from fsmcheck.records import dataclass
from fsmcheck.source import Span
from fsmcheck.spec.model import Spec


@dataclass(frozen=True, slots=True)
class BehaviourRule:
    """A rule about runs. ``read`` turns the verdict ``violated`` on one of its obligations into a finding.

    Which obligations a spec has follows from the rule's ID (``obligations.plan``); its module's docstring
    documents the rule.
    """

    id: str
    slug: str
    severity: Severity
    read: Callable[[Spec, Verdict], Finding]

    @property
    def documentation(self) -> str:
        """What the rule finds, then the sections, each under a ``## `` heading."""
        return inspect.cleandoc(sys.modules[self.read.__module__].__doc__ or "")

    @property
    def summary(self) -> str:
        """The first line of the documentation."""
        return self.documentation.partition("\n")[0]

    def finding(
        self,
        verdict: Verdict,
        message: str,
        span: Span,
        hint: str | None = None,
        *,
        related: tuple[Related, ...] = (),
        severity: Severity | None = None,
        fix: Fix | None = None,
    ) -> Finding:
        """A finding about the subject of a verdict, with its counterexample."""
        return Finding(
            self.id,
            self.slug,
            severity or self.severity,
            message,
            span,
            verdict.obligation.subject,
            hint,
            related,
            trace=verdict.trace,
            fix=fix,
        )
