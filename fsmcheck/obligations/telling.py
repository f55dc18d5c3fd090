"""Violations told to people."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from fsmcheck.obligations.obligation import Verdict
from fsmcheck.spec.model import Spec


def told(spec: Spec, verdicts: Sequence[Verdict]) -> tuple[Verdict, ...]:
    """The verdicts, with the stories of those that a run violates. Many runs begin alike: lines that are the same are
    kept once."""
    lines: dict[str, str] = {}
    return tuple(verdict if verdict.trace is None else _told(spec, verdict, lines) for verdict in verdicts)


def _told(spec: Spec, verdict: Verdict, lines: dict[str, str]) -> Verdict:
    if verdict.verdict != "violated" or verdict.trace is None or verdict.detail is None:
        return verdict
    from fsmcheck.reducer.story import story

    found = story(spec, dict(verdict.trace), dict(verdict.detail))
    return replace(verdict, story=tuple(lines.setdefault(line, line) for line in found))
