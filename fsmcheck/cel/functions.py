"""The functions of the subset: their names, how they are written, and what they accept."""

from __future__ import annotations

from fsmcheck.cel.types import BOOLEAN, INTEGER, NUMBER, STRING, Kind, Type
from fsmcheck.records import dataclass


@dataclass(frozen=True, slots=True)
class Signature:
    """A function: the kinds that each argument may have (an enum counts as a string), and the result.

    ``plain``: may be written ``name(a, …)``; ``method``: may be written ``a.name(…)``.
    """

    params: tuple[frozenset[Kind], ...]
    result: Type
    plain: bool
    method: bool


_TEXT = frozenset({Kind.STRING})
_SIZED = frozenset({Kind.STRING, Kind.LIST, Kind.MAP})

SIGNATURES: dict[str, Signature] = {
    "size": Signature((_SIZED,), INTEGER, plain=True, method=True),
    "startsWith": Signature((_TEXT, _TEXT), BOOLEAN, plain=False, method=True),
    "endsWith": Signature((_TEXT, _TEXT), BOOLEAN, plain=False, method=True),
    "contains": Signature((_TEXT, _TEXT), BOOLEAN, plain=False, method=True),
    "matches": Signature((_TEXT, _TEXT), BOOLEAN, plain=True, method=True),
    "int": Signature((frozenset({Kind.INTEGER, Kind.NUMBER, Kind.STRING}),), INTEGER, plain=True, method=False),
    "double": Signature((frozenset({Kind.INTEGER, Kind.NUMBER, Kind.STRING}),), NUMBER, plain=True, method=False),
    "string": Signature(
        (frozenset({Kind.STRING, Kind.INTEGER, Kind.NUMBER, Kind.BOOLEAN}),), STRING, plain=True, method=False
    ),
    "bool": Signature((frozenset({Kind.BOOLEAN, Kind.STRING}),), BOOLEAN, plain=True, method=False),
}
