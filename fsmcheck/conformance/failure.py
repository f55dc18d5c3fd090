"""How a reducer can fail to answer at all, apart from answering wrongly."""

from __future__ import annotations

from typing import Literal

from fsmcheck.records import dataclass

FailureName = Literal[
    "not-started",
    "hang",
    "crash",
    "early-exit",
    "closed-output",
    "garbage",
    "malformed",
    "unasked",
    "flood",
    "stderr-flood",
    "no-close",
    "left-behind",
    "raises",
    "mutates",
]

MEANING: dict[FailureName, str] = {
    "not-started": "the command cannot be started",
    "hang": "no answer came within the deadline",
    "crash": "the process died, or exited with another code than 0",
    "early-exit": "the process exited with 0 before it was asked to close",
    "closed-output": "the process closed its standard output and went on",
    "garbage": "the answer is no strict JSON",
    "malformed": "the answer is JSON of another shape than the protocol has",
    "unasked": "there was output that nothing had asked for",
    "flood": "standard output was flooded",
    "stderr-flood": "standard error was flooded",
    "no-close": "the process did not exit when it was asked to close",
    "left-behind": "processes were left running after the end",
    "raises": "the call raised an exception",
    "mutates": "what the call was given came back changed",
}


@dataclass(frozen=True, slots=True)
class Failure:
    """A failure by its name, the request during which it showed, what is known of it, and the end of standard error.

    ``before`` are the requests of the run that had been answered, where they are known.
    """

    name: FailureName
    request: str
    detail: str
    stderr: str = ""
    before: tuple[str, ...] = ()

    @property
    def meaning(self) -> str:
        return MEANING[self.name]

    def __str__(self) -> str:
        tail = f"; standard error ends with: {self.stderr}" if self.stderr else ""
        return f"{self.name}: {self.meaning} ({self.detail}), on the request {self.request}{tail}"


class ReducerFailure(Exception):  # noqa: N818
    """The reducer failed; ``failure`` says how."""

    def __init__(self, failure: Failure) -> None:
        super().__init__(str(failure))
        self.failure = failure
