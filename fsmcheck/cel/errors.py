"""What can be wrong with an expression, before and while it is evaluated."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, Literal

from fsmcheck.records import dataclass
from fsmcheck.source import Span

if TYPE_CHECKING:
    from fsmcheck.cel.ast import Expr

ErrorKind = Literal["syntax", "unsupported", "unknown-name", "unknown-field", "type"]


LONGEST_SHOWN = 40
"""Code points of a user's text that a message repeats."""


def quoted(text: str) -> str:
    """A user's text for a message: in double quotes, shortened."""
    return f'"{text}"' if len(text) <= LONGEST_SHOWN else f'"{text[:LONGEST_SHOWN]}…"'


NOWHERE = Span(0, 0)
"""The span of a failure outside any expression."""


@dataclass(frozen=True, slots=True)
class CelError:
    """One static error; ``span`` is in the expression's text.

    ``syntax``: not CEL, or over a size limit. ``unsupported``: CEL, but outside the subset understood here.
    ``unknown-name``: a name other than ``context`` and the variables of macros. ``unknown-field``: an
    undeclared context field (rule FSM102 reports these). ``type``: operands of the wrong type. ``meant`` is the text
    that was likely meant in the place of the span.
    """

    message: str
    span: Span
    help: str | None = None
    kind: ErrorKind = "syntax"
    meant: str | None = None


class CelSyntaxError(Exception):
    """The text is no expression of the supported subset; ``errors`` holds at least one error, in text order.

    ``tree`` is the rest of the expression, with a value of no known type in the place of each error; None where the
    text could not be parsed.
    """

    def __init__(self, errors: Iterable[CelError], tree: Expr | None = None) -> None:
        self.errors = tuple(sorted(errors, key=lambda error: (error.span, error.message)))
        self.tree = tree
        super().__init__("; ".join(error.message for error in self.errors))


class EvaluationError(Exception):
    """An expression has no value in this store; ``span`` is the sub-expression that failed."""

    def __init__(self, message: str, span: Span = NOWHERE) -> None:
        super().__init__(message)
        self.message = message
        self.span = span


class WorkLimit(EvaluationError):  # noqa: N818
    """An evaluation was given up because it used more than its budget; no operator absorbs this."""
