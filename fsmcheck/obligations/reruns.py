"""Violations that are known from before, performed again on the reducer of a spec that was changed.

A kept trace is believed where the reducer, given its inputs and writes, makes the very same trace again. Many runs
begin alike; what one has in common with the run before it is not repeated.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cached_property
from typing import Any

from fsmcheck.kept_trace import KeptTrace
from fsmcheck.obligations.obligation import Obligation
from fsmcheck.records import dataclass
from fsmcheck.reducer.configuration import Profile
from fsmcheck.reducer.record import Step
from fsmcheck.reducer.reducer import InputError, begin, exchange
from fsmcheck.reducer.runnable import UnrunnableSpecError, require_runnable
from fsmcheck.reducer.trace import build_trace
from fsmcheck.spec.model import Spec

_MALFORMED = (LookupError, TypeError, AttributeError, ValueError, RecursionError)
"""What a reader stumbles over in data that is no trace."""


@dataclass
class Reruns:
    """Performs kept traces on one spec under one profile."""

    spec: Spec
    profile: Profile
    _inputs: str = ""
    _exchanges: tuple[str, ...] = ()
    _run: tuple[Step, ...] = ()
    _caps: bool = True

    def of(self, kept: KeptTrace, obligation: Obligation) -> tuple[Step, ...] | None:
        """The run of a violation's trace, which names this spec, where all of it comes out the same; None where not."""
        if obligation.profile != self.profile or not self._is_runnable:
            return None
        try:
            return self._again(kept, obligation)
        except (*_MALFORMED, InputError, UnrunnableSpecError):
            return None

    @cached_property
    def _is_runnable(self) -> bool:
        try:
            require_runnable(self.spec)
        except UnrunnableSpecError:
            return False
        return True

    def _again(self, kept: KeptTrace, obligation: Obligation) -> tuple[Step, ...] | None:
        form = kept.form
        caps = form.get("policy") != "ignored"
        run = self._performed(form["inputs"], [(step["agent"], step["writes"]) for step in form["steps"]], caps=caps)
        violates = (obligation.rule, obligation.subject) if "violates" in form else None
        made = build_trace(self.spec, self.profile, run, violates=violates, caps=caps)
        return run if KeptTrace.of(made).text == kept.text else None

    def _performed(
        self, inputs: Mapping[str, Any], exchanges: list[tuple[str, Mapping[str, Any]]], *, caps: bool
    ) -> tuple[Step, ...]:
        told = tuple(map(repr, exchanges))
        same = 0
        if self._run and self._caps is caps and self._inputs == repr(inputs):
            while same < min(len(told), len(self._exchanges)) and told[same] == self._exchanges[same]:
                same += 1
            run = list(self._run[: same + 1])
        else:
            run = [begin(self.spec, inputs, self.profile, caps=caps)]
        for agent, writes in exchanges[same:]:
            run.append(exchange(self.spec, run[-1].configuration, agent, writes, self.profile, caps=caps))
        self._inputs, self._exchanges, self._run, self._caps = repr(inputs), told, tuple(run), caps
        return self._run
