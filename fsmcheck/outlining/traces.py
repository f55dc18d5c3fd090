"""Findings with what is stale along their traces."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import replace
from typing import cast

from fsmcheck.diagnostics import Finding
from fsmcheck.reducer.configuration import Profile
from fsmcheck.reducer.json_values import JsonValue
from fsmcheck.reducer.monitors.staleness import stale_fields
from fsmcheck.reducer.record import Step
from fsmcheck.reducer.reducer import MICROSTEP_LIMIT, begin, exchange
from fsmcheck.reducer.runnable import require_runnable
from fsmcheck.spec.model import Spec

_Object = Mapping[str, JsonValue]


class StaleTraces:
    """Marks what is stale along the traces of one spec. They are run again one after the other; as far as one begins as
    the one before it, it goes the same way, and is not run again.
    """

    def __init__(self, spec: Spec) -> None:
        self._spec = spec
        self._is_runnable = False
        self._way: list[object] = []
        self._run: list[Step] = []

    def marked(self, finding: Finding) -> Finding:
        """The finding with the stale fields of each configuration of its trace, as the reducer runs it again.

        Raises ``UnrunnableSpecError`` where the spec cannot be run.
        """
        if finding.trace is None:
            return finding
        if not self._is_runnable:
            require_runnable(self._spec)
            self._is_runnable = True
        found = stale_fields(self._spec, self._again(cast("_Object", finding.trace)))
        return replace(
            finding, stale=tuple(each.resting for each in found), stale_passing=tuple(each.passing for each in found)
        )

    def _again(self, trace: _Object) -> list[Step]:
        """The run of a trace, as ``reducer.replay.rerun`` makes it."""
        profile = cast("Profile", trace["profile"])
        caps = trace.get("policy") != "ignored"
        limit = cast("int", trace.get("microstepLimit", MICROSTEP_LIMIT))
        steps = [(cast("str", each["agent"]), cast("_Object", each["writes"])) for each in _steps(trace)]
        way: list[object] = [(profile, caps, limit, _told(trace["inputs"])), *((a, _told(w)) for a, w in steps)]
        common = 0
        while common < min(len(way), len(self._way)) and way[common] == self._way[common]:
            common += 1
        run = self._run[:common]
        if not run:
            inputs = cast("_Object", trace["inputs"])
            run.append(begin(self._spec, inputs, profile, microstep_limit=limit, caps=caps))
        for agent, writes in steps[len(run) - 1 :]:
            before = run[-1].configuration
            run.append(exchange(self._spec, before, agent, writes, profile, microstep_limit=limit, caps=caps))
        self._way, self._run = way, run
        return run


def _steps(trace: _Object) -> list[_Object]:
    return cast("list[_Object]", trace["steps"])


def _told(value: object) -> str:
    """A value as JSON, in which true is not 1, nor 1 the same as 1.0."""
    return json.dumps(value, default=dict)
