"""Findings with what is stale along their traces."""

from __future__ import annotations

from dataclasses import replace
from typing import cast

from fsmcheck.diagnostics import Finding
from fsmcheck.reducer.monitors.staleness import stale_fields
from fsmcheck.reducer.replay import rerun
from fsmcheck.reducer.trace import Trace
from fsmcheck.spec.model import Spec


def with_stale(spec: Spec, finding: Finding) -> Finding:
    """The finding with the stale fields of each configuration of its trace, as the reducer runs it again."""
    if finding.trace is None:
        return finding
    found = stale_fields(spec, rerun(spec, cast("Trace", finding.trace)))
    return replace(
        finding, stale=tuple(each.resting for each in found), stale_passing=tuple(each.passing for each in found)
    )
