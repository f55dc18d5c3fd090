"""Making the runs of a suite again, for tests that ``fsmcheck conform --write-pytest`` has written."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from fsmcheck.conformance.examine import examine
from fsmcheck.conformance.process import Bounds
from fsmcheck.conformance.render import lines
from fsmcheck.conformance.suite_files import SuiteError, job_of
from fsmcheck.reducer.json_values import JsonValue


def must_conform(command: Sequence[str], suite: Mapping[str, JsonValue], deadline: float = 10.0) -> None:
    """Put a command through a suite, a ``fsmcheck.suite/1`` document.

    Raises ``AssertionError`` where it differs or fails, or where the suite expects something else than the reference.
    """
    __tracebackhide__ = True
    try:
        job = job_of("written earlier", suite)
    except SuiteError as error:
        raise AssertionError(str(error)) from None
    found = examine(command, [job], Bounds(seconds=deadline))
    if not found.passed:
        raise AssertionError("\n".join(lines(found)))
