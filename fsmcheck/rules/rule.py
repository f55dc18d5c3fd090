"""What a rule is, and how its documentation is read."""

from __future__ import annotations

import inspect
import re
import sys
from collections.abc import Callable, Iterable

from fsmcheck import late
from fsmcheck.diagnostics import Cause, Fault, Finding, Fix, Related, Severity, Subject
from fsmcheck.records import dataclass
from fsmcheck.source import Span
from fsmcheck.spec.load import LoadedDocument

SECTIONS = ("Why it matters", "Example", "How to fix", "Limits")
_HEADING = late.pattern(r"^## (.+)$", re.MULTILINE)


@dataclass(frozen=True, slots=True)
class Rule:
    """A rule on the text of a spec.

    ``check`` is a pure function from a document to findings; its module's docstring documents the rule.
    """

    id: str
    slug: str
    severity: Severity
    check: Callable[[LoadedDocument], Iterable[Finding]]

    @property
    def documentation(self) -> str:
        """What the rule finds, then the ``SECTIONS``, each under a ``## `` heading."""
        return inspect.cleandoc(sys.modules[self.check.__module__].__doc__ or "")

    @property
    def summary(self) -> str:
        """The first line of the documentation."""
        return self.documentation.partition("\n")[0]

    def finding(
        self,
        message: str,
        span: Span,
        hint: str | None = None,
        *,
        subject: Subject | None = None,
        related: tuple[Related, ...] = (),
        caused_by: Cause | None = None,
        fix: Fix | None = None,
    ) -> Finding:
        """A finding of this rule, with its default severity."""
        return Finding(
            self.id,
            self.slug,
            self.severity,
            message,
            span,
            subject or Subject(),
            hint,
            related,
            caused_by,
            fix=fix,
        )

    def from_fault(self, fault: Fault) -> Finding:
        """A fault met while loading as a finding of this rule."""
        subject, related = fault.subject, fault.related
        return self.finding(fault.message, fault.span, fault.help, subject=subject, related=related, fix=fault.fix)

    def from_faults(self, document: LoadedDocument) -> Iterable[Finding]:
        """The faults of a document that carry this rule's ID."""
        return (self.from_fault(fault) for fault in document.faults if fault.rule == self.id)


def sections(documentation: str) -> dict[str, str]:
    """The text under each heading; what stands before the first is under ``""``."""
    pieces = _HEADING.split(documentation)
    headed = dict(zip(pieces[1::2], pieces[2::2], strict=True))
    return {heading: text.strip() for heading, text in {"": pieces[0], **headed}.items()}
