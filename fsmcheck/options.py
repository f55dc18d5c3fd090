"""What to check and how hard to try. It imports no rule, so that a known answer is given without one."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from fsmcheck.diagnostics import UNDECIDED, Finding, Severity
from fsmcheck.records import dataclass

if TYPE_CHECKING:
    from fsmcheck.config import PerFileIgnore

PROFILES = ("gated", "eager")


@dataclass(frozen=True, slots=True)
class Options:
    """What to check and how hard to try.

    ``profile`` is ``gated``, ``eager`` or ``both``; ``select`` and ``ignore`` are prefixes of rule IDs (all rules where
    ``select`` is empty, and FSM901 whatever is selected); ``timeout`` seconds for one obligation (None: the default
    limits); ``jobs`` how many child processes (None: no other process), with ``memory`` megabytes for each (None: a
    share of the machine's); ``cluster`` the address of a Dask scheduler to use instead; ``certificates`` whether the
    report carries the certificates of what was proved. ``severities`` pairs prefixes with what findings of those rules
    weigh where they would have their rule's default severity, the longest prefix first; ``per_file_ignores`` are rules
    that are ignored in some files. ``cache`` is the folder where verdicts are remembered (None: nowhere). ``outline``
    asks for what pictures and pages show besides findings: the outline of each spec and the stale fields along each
    trace.
    """

    profile: str = "gated"
    select: tuple[str, ...] = ()
    ignore: tuple[str, ...] = ()
    timeout: float | None = None
    jobs: int | None = None
    certificates: bool = False
    severities: tuple[tuple[str, Severity], ...] = ()
    per_file_ignores: tuple[PerFileIgnore, ...] = ()
    cache: Path | None = None
    outline: bool = False
    memory: int | None = None
    cluster: str | None = None

    def at(self, path: str) -> Options:
        """The options for one file."""
        more = tuple(rule for each in self.per_file_ignores if each.matches(path) for rule in each.rules)
        return replace(self, ignore=(*self.ignore, *more)) if more else self

    def weigh(self, finding: Finding) -> Finding:
        """The finding with the severity that was asked for."""
        from fsmcheck.rules.catalogue import RULES

        told = max((pair for pair in self.severities if finding.rule.startswith(pair[0])), key=_length, default=None)
        if told is None or any(rule.id == finding.rule and rule.severity is not finding.severity for rule in RULES):
            return finding
        return replace(finding, severity=told[1])

    def wants(self, rule: str) -> bool:
        """Whether findings of a rule are told: it is selected and not ignored. What is undecided of the rules that
        are selected is told with them, since silence about it would look like a proof."""
        selected = not self.select or rule == UNDECIDED or any(rule.startswith(prefix) for prefix in self.select)
        return selected and not any(rule.startswith(prefix) for prefix in self.ignore)

    def asks(self, rule: str) -> bool:
        """Whether a rule is wanted for itself: FSM901 asks nothing, and only tells what is open of others."""
        return rule != UNDECIDED and self.wants(rule)

    @property
    def profiles(self) -> tuple[str, ...]:
        return PROFILES if self.profile == "both" else (self.profile,)


def _length(pair: tuple[str, Severity]) -> int:
    return len(pair[0])
